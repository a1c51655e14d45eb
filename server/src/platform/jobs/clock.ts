/** One clock for the business. What guards the connection (tokens, timeouts, heartbeats) stays on real time. */
export type Clock = { now(): Date }

/** Milliseconds since 1970, by this machine. It may throw rather than give a wrong time. */
type ReadTime = () => number

export const clockOf = (read: ReadTime): Clock => ({ now: () => new Date(read()) })

export const realClock: Clock = clockOf(Date.now)

/** The sandbox's clock: real time and an offset, so that from wherever it was put it runs on at normal speed. */
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
