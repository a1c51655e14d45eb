/** What a test, or a person by HTTP, can make the gateway do. Without it, everything is as published. */
export type Control = {
  now(): Date
  /** The clock of the service under test, so that both move together. Closures of the day list are forgotten. */
  useClock(now: () => Date): void
  advance(ms: number): void

  /** Adds a fault. The result ends it. */
  fail(fault: Fault): () => void
  /** Ends all faults, limits, closures and repetitions. */
  behave(): void

  /** Out of hours: REST answers 423, a register extract is acknowledged for that time. */
  close(until: Date): void
  /** The day list: what passes validation meanwhile waits for its priority. */
  closeDayList(): void
  openDayList(): void
  /** As many requests in each window are answered, the others with 429. */
  limit(requests: number, windowSeconds: number): void
  notifications: { repeatEvery: number; isReordered: boolean }
  /** How an official copy comes. The published words allow both; with the title plan it is always a ZIP. */
  attachment: 'PDF' | 'ZIP'
  /** The two published descriptions differ in names. `openapi` is the newer one. */
  dialect: Dialect

  /** All requests so far, oldest first. */
  readonly requests: readonly Seen[]
}

export type Dialect = 'openapi' | 'guide'

export type Seen = { method: string; path: string; account?: string; status: number; isAnswerLost: boolean; at: Date }

export type Fault = {
  /** Which requests: all that fit. */
  method?: string
  path?: RegExp
  /** One in so many of these, the last of them. */
  every?: number
  /** Ends after so many times. */
  times?: number
  effect: Effect
}

export type Effect =
  /** The connection ends without an answer, before or after the gateway has acted. */
  | { kind: 'drop'; when: 'before' | 'after' }
  | { kind: 'delay'; ms: number }
  | { kind: 'error'; when: 'before' | 'after'; status: number; retryAfterSeconds?: number }
  /** Half of the answer, and the connection ends. */
  | { kind: 'cut' }
  /** The whole answer, but not what was published. */
  | { kind: 'garble' }

type Running = Fault & { matched: number; done: number }

export type Closure = { from: Date; until?: Date }

/** The same, with what only the gateway itself asks. */
export type Switchboard = Control & {
  effectsOn(request: { method: string; path: string }): Effect[]
  /** When the gateway opens again, if it is closed now. */
  closedUntil(): Date | undefined
  /** When something that was decided at a moment came onto the day list; undefined while that is closed. */
  onDayList(at: Date): Date | undefined
  /** Counts a request; the seconds to wait if it is one too many. */
  secondsToWait(): number | undefined
  record(seen: Seen): void
}

export function makeControl(clock: () => Date, dialect: Dialect): Switchboard {
  const seen: Seen[] = []
  const dayList: Closure[] = []
  let faults: Running[] = []
  let now = clock
  let offsetMs = 0
  let closedUntil: Date | undefined
  let rate: { requests: number; windowMs: number } | undefined
  let counted: number[] = []

  const control: Switchboard = {
    now: () => new Date(now().getTime() + offsetMs),
    useClock(next) {
      now = next
      offsetMs = 0
      dayList.length = 0
    },
    advance(ms) {
      offsetMs += ms
    },
    fail(fault) {
      const running = { ...fault, matched: 0, done: 0 }
      faults.push(running)
      return () => {
        faults = faults.filter((one) => one !== running)
      }
    },
    behave() {
      faults = []
      closedUntil = undefined
      rate = undefined
      control.notifications = { repeatEvery: 0, isReordered: false }
      control.attachment = 'PDF'
      control.openDayList()
    },
    close(until) {
      closedUntil = until
    },
    closeDayList() {
      if (dayList.every(({ until }) => until)) dayList.push({ from: control.now() })
    },
    openDayList() {
      for (const one of dayList) one.until ??= control.now()
    },
    limit(requests, windowSeconds) {
      rate = { requests, windowMs: windowSeconds * 1000 }
      counted = []
    },
    notifications: { repeatEvery: 0, isReordered: false },
    attachment: 'PDF',
    dialect,
    requests: seen,

    effectsOn: ({ method, path }) =>
      faults.filter((one) => fits(one, method, path) && isTurn(one)).map(({ effect }) => effect),
    closedUntil: () => (closedUntil && closedUntil > control.now() ? closedUntil : undefined),
    onDayList(at) {
      const closure = dayList.find(({ from, until }) => from <= at && (!until || until > at))
      return closure ? closure.until : at
    },
    secondsToWait() {
      if (!rate) return undefined
      const { requests, windowMs } = rate
      const at = control.now().getTime()
      counted = counted.filter((one) => one > at - windowMs)
      if (counted.length >= requests) return Math.max(1, Math.ceil(((counted[0] ?? at) + windowMs - at) / 1000))
      counted.push(at)
      return undefined
    },
    record: (one) => void seen.push(one),
  }
  return control
}

const fits = (fault: Fault, method: string, path: string) =>
  (!fault.method || fault.method === method) && (!fault.path || fault.path.test(path))

function isTurn(fault: Running): boolean {
  fault.matched++
  if (fault.matched % (fault.every ?? 1) !== 0 || fault.done >= (fault.times ?? Number.POSITIVE_INFINITY)) return false
  fault.done++
  return true
}
