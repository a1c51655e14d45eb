/** Sends one NOTIFY of a channel at a time, and one more for all that were requested meanwhile. */
export function createNotifier(send: (channel: string) => Promise<unknown>): (channel: string) => void {
  const underWay = new Map<string, { again: boolean }>()
  return async function notify(channel) {
    const current = underWay.get(channel)
    if (current) {
      current.again = true
      return
    }
    const own = { again: false }
    underWay.set(channel, own)
    await send(channel).catch(() => {})
    underWay.delete(channel)
    if (own.again) notify(channel)
  }
}
