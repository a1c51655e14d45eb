/** One NOTIFY of a channel at a time: all that are asked for meanwhile are one. */
export function createNotifier(send: (channel: string) => Promise<unknown>): (channel: string) => void {
  const underWay = new Map<string, { again: boolean }>()
  return async function notify(channel) {
    const present = underWay.get(channel)
    if (present) {
      present.again = true
      return
    }
    const mine = { again: false }
    underWay.set(channel, mine)
    await send(channel).catch(() => {})
    underWay.delete(channel)
    if (mine.again) notify(channel)
  }
}
