import { setTimeout as delay } from 'node:timers/promises'
import { EVENTS_CHANNEL } from '../events/record.ts'
import { listen } from '../platform/database/listen.ts'
import type { Deps } from '../platform/deps.ts'
import { plainError } from '../platform/jobs/workers.ts'
import { publishEvents } from './feed.ts'

const POLL_MS = 500

/**
 * Publishes events soon after their commit. Every worker runs one; a database lock lets one publish at a time and is
 * released when its holder is killed. NOTIFY may be lost, so each also polls twice a second.
 */
export function startPublisher(
  deps: Pick<Deps, 'db' | 'queue' | 'log'>,
  { pollMs = POLL_MS } = {},
): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const rest = (ms: number) => delay(ms, undefined, { signal: stopping.signal }).catch(() => {})
  let wake = Promise.withResolvers<void>()
  const listener = listen(deps.db, EVENTS_CHANNEL, () => wake.resolve())
  const running = run()

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      wake = Promise.withResolvers()
      const beganAt = performance.now()
      await publishEvents(deps).catch((error) =>
        deps.log.warn({ err: plainError(error) }, 'Events could not be published; this will be retried.'),
      )
      await rest(performance.now() - beganAt) // as long as it worked: events that come quickly share a transaction
      await Promise.race([wake.promise, rest(pollMs)])
    }
  }

  return {
    async stop() {
      stopping.abort()
      await listener.stop()
      await running
    },
  }
}
