import { monitorEventLoopDelay } from 'node:perf_hooks'

// What arrives while the event loop is late would wait, too. Refused at once, it can be tried elsewhere.

const STARTING_MS = 5_000 // a start keeps the event loop busy, and nobody is kept waiting by it
const LATE_MS_MAX = 1_000 // the mean over a second
const RESOLUTION_MS = 10

export function watchLoad(): { isTooHigh(): boolean; stop(): void } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const startedAt = performance.now()
  let lateMs = 0
  const look = setInterval(() => {
    lateMs = performance.now() - startedAt < STARTING_MS ? 0 : delays.mean / 1e6 - RESOLUTION_MS
    delays.reset()
  }, 1_000).unref()
  return {
    isTooHigh: () => !(lateMs <= LATE_MS_MAX), // nor is it a number after a second without a single turn
    stop() {
      clearInterval(look)
      delays.disable()
    },
  }
}
