/** One clock for the business. What guards the connection (tokens, timeouts, heartbeats) stays on real time. */
export type Clock = { now(): Date }

export const realClock: Clock = { now: () => new Date() }

/** The sandbox's clock: real time and an offset, so that from wherever it was put it runs on at normal speed. */
export type MovableClock = Clock & { offsetMs(): number; setOffsetMs(ms: number): void }

export function movableClock(offsetMs = 0): MovableClock {
  let ahead = offsetMs
  return {
    now: () => new Date(Date.now() + ahead),
    offsetMs: () => ahead,
    setOffsetMs(ms) {
      ahead = ms
    },
  }
}
