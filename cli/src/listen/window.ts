// Where a listener is in the feed. Everything up to `cursor` is settled, that is delivered, marked as failed or dropped. Up to
// four matters are sent at once, so some events beyond the cursor are settled, too; their ids are in `settled`. Both
// together are all that has to survive a crash.

export type Progress = { cursor?: string | undefined; settled: readonly string[] }

export type Sendable = { id: string; data: { workspaceId?: string | undefined } }

export type Entry<Event> = {
  readonly event: Event
  /** The place in the feed after it. In a page that was polled only the last one has it. */
  cursor?: string | undefined
  state: 'waiting' | 'sending' | 'settled' | 'kept'
  /** Asked for by a person: it is not at its place in the feed, and leaves no trace. */
  readonly isExtra: boolean
}

export type Window<Event> = {
  /** What was read next. What was settled before a crash is not sent again. Returns whether the cursor has moved. */
  add(page: { records: readonly Event[]; nextCursor: string }): boolean
  /** Sends one again. */
  repeat(event: Event): void
  /** The next to be sent: the first of a matter of which none is being sent, while there is room. */
  next(): Entry<Event> | undefined
  hasNext(): boolean
  /** From now on it is not sent again. Store `progress` before its matter goes on with `release`. */
  settle(entry: Entry<Event>): void
  release(entry: Entry<Event>): void
  /** Whatever waits: `kept` is not sent now, and comes again after the next start. */
  setAside(as: 'settled' | 'kept'): void
  waiting(): number
  progress(): Progress
}

export const PARALLEL_MAX = 4

/** An event that concerns no matter has a turn to itself. */
const matterOf = ({ id, data }: Sendable): string => data.workspaceId ?? id

/** What is not wanted is settled as soon as it is read. */
export function createWindow<Event extends Sendable>(
  { cursor: start, settled }: Progress,
  isWanted: (event: Event) => boolean = () => true,
): Window<Event> {
  let cursor = start
  let entries: Entry<Event>[] = []
  /** Settled before the start, and not read again yet. An event that was repeated is here once for each time. */
  const earlier = [...settled]
  const busy = new Set<string>()

  function wasSettled({ id }: Event): boolean {
    const at = earlier.indexOf(id)
    if (at >= 0) earlier.splice(at, 1)
    return at >= 0
  }

  /** The cursor moves over what is settled, as far as it is known where that ends. */
  function advance(): void {
    const open = entries.findIndex(({ state, isExtra }) => state !== 'settled' && !isExtra)
    const prefix = open < 0 ? entries : entries.slice(0, open)
    const last = prefix.findLastIndex((entry) => entry.cursor !== undefined)
    if (last < 0) return
    cursor = prefix[last]?.cursor
    entries = entries.filter(({ isExtra }, index) => index > last || isExtra)
  }

  const sendable = () =>
    busy.size >= PARALLEL_MAX
      ? undefined
      : entries.find(({ event, state }) => state === 'waiting' && !busy.has(matterOf(event)))

  return {
    add({ records, nextCursor }) {
      const before = cursor
      for (const event of records) {
        const isSettled = wasSettled(event) || !isWanted(event)
        entries.push({ event, state: isSettled ? 'settled' : 'waiting', isExtra: false })
      }
      const last = entries.findLast(({ isExtra }) => !isExtra)
      if (last) last.cursor = nextCursor
      else cursor = nextCursor
      advance()
      return cursor !== before
    },

    repeat: (event) => void entries.push({ event, state: 'waiting', isExtra: true }),

    hasNext: () => sendable() !== undefined,

    next() {
      const entry = sendable()
      if (!entry) return undefined
      busy.add(matterOf(entry.event))
      entry.state = 'sending'
      return entry
    },

    settle(entry) {
      entry.state = 'settled'
      if (entry.isExtra) entries = entries.filter((one) => one !== entry)
      else advance()
    },

    release: ({ event }) => void busy.delete(matterOf(event)),

    setAside(as) {
      for (const entry of entries) if (entry.state === 'waiting') entry.state = as
      advance()
    },

    waiting: () => entries.filter(({ state }) => state === 'waiting').length,

    progress: () => ({
      ...(cursor !== undefined && { cursor }),
      settled: [
        ...earlier,
        ...entries.filter(({ state, isExtra }) => state === 'settled' && !isExtra).map(({ event }) => event.id),
      ],
    }),
  }
}
