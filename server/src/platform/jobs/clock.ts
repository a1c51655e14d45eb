/** The business clock. Technical times (tokens, timeouts, heartbeats) are real time. */
export type Clock = { now(): Date }

/** Milliseconds since 1970, from this machine. It may throw instead of returning a wrong time. */
type ReadTime = () => number

export const clockOf = (read: ReadTime): Clock => ({ now: () => new Date(read()) })

export const realClock: Clock = clockOf(Date.now)

/** The sandbox's clock: real time plus an offset, so that it runs at normal speed. */
export type MovableClock = Clock & { offsetMs(): number; setOffsetMs(ms: number): void }

export function movableClock(read: ReadTime = Date.now): MovableClock {
  let ahead = 0
  return {
    now: () => new Date(read() + ahead),
    offsetMs: () => ahead,
    setOffsetMs(ms) {
      ahead = ms
    },
  }
}
