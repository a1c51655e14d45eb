import { monitorEventLoopDelay } from 'node:perf_hooks'

// A request that arrives while the event loop is late would have to wait. Refused at once, it can be sent elsewhere.

const STARTING_MS = 5_000 // a start keeps the event loop busy, but no requests are waiting yet
const LATE_MS_MAX = 1_000 // the mean over a second
const RESOLUTION_MS = 10

export function watchLoad(): { isTooHigh(): boolean; stop(): void } {
  const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  delays.enable()
  const startedAt = performance.now()
  let lateMs = 0
  const timer = setInterval(() => {
    lateMs = performance.now() - startedAt < STARTING_MS ? 0 : delays.mean / 1e6 - RESOLUTION_MS
    delays.reset()
  }, 1_000).unref()
  return {
    isTooHigh: () => !(lateMs <= LATE_MS_MAX), // NaN after a second without a single turn counts as too high
    stop() {
      clearInterval(timer)
      delays.disable()
    },
  }
}
