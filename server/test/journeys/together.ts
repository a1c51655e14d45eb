import { moveTarget } from '../../src/sandbox/rules.ts'
import type { Answer, TestService } from '../fixtures/service.ts'

const CLOCK = '/sandbox/v1/clock'
const ALMOST_MS = 1_800_000

type Waiting = { until: number; go(moved: Promise<Answer>): void }

/**
 * Several journeys at once on one clock: it moves when all of them wait for it, to the earliest time that one of them
 * waits for. Those that wait for almost the same time go on together, and so do those that wait until nothing is left to do
 * at the present time.
 */
export function together(service: TestService, journeys: number) {
  let underway = journeys
  let waiting: Waiting[] = []
  let last: Promise<unknown> = Promise.resolve()
  let draining: Promise<Answer> | undefined

  /** The one that has not begun yet, which everybody may share. */
  function drained(): Promise<Answer> {
    draining ??= last.then(() => {
      draining = undefined
      const drain = service.call('POST', CLOCK, { json: { advance: 'PT0S' } })
      last = drain.catch(() => {})
      return drain
    })
    return draining
  }

  function moveIfAllWait(): void {
    if (!waiting.length || waiting.length < underway) return
    const first = Math.min(...waiting.map(({ until }) => until))
    const next = waiting.filter(({ until }) => until < first + ALMOST_MS)
    waiting = waiting.filter((one) => !next.includes(one))
    const set = new Date(Math.max(...next.map(({ until }) => until))).toISOString()
    const moved = service.call('POST', CLOCK, { json: { set } })
    for (const { go } of next) go(moved)
  }

  const call: TestService['call'] = (method, path, options) => {
    const now = service.deps.clock.now()
    const until = path === CLOCK && method === 'POST' ? moveTarget(now, options?.json as object) : now
    if (path === CLOCK && method === 'POST' && until <= now) return drained() as never
    if (until <= now) return service.call(method, path, options)
    return new Promise((go) => {
      waiting.push({ until: until.getTime(), go: go as Waiting['go'] })
      moveIfAllWait()
    })
  }

  return {
    service: { ...service, call },
    /** Runs one of the journeys. */
    async walk(journey: () => Promise<void>): Promise<void> {
      try {
        await journey()
      } finally {
        underway -= 1
        moveIfAllWait()
      }
    },
  }
}
