import type { Deps } from '../platform/deps.ts'
import { plainError } from '../platform/jobs/workers.ts'
import { listNewest } from './store.ts'

const LOOK_MS = 1_000

export type WatchRequests = (subscriberId: string, onChange: () => void) => () => void

/** Calls back when requests of a subscriber were logged, by any node. One statement a second, and none without watchers. */
export function createRequestWatch({ db, log }: Pick<Deps, 'db' | 'log'>): { watch: WatchRequests; stop(): void } {
  const watchers = new Set<{ subscriberId: string; onChange(): void; newest?: string }>()
  let timer: NodeJS.Timeout | undefined

  async function look(): Promise<void> {
    const ids = [...new Set([...watchers].map(({ subscriberId }) => subscriberId))]
    for (const { subscriberId, requestId } of await listNewest(db.read, ids)) {
      for (const watcher of watchers) {
        if (watcher.subscriberId !== subscriberId || watcher.newest === requestId) continue
        // The first look reports what came after the page was read.
        watcher.newest = requestId
        watcher.onChange()
      }
    }
  }

  function plan(): void {
    timer ??= setTimeout(async () => {
      await look().catch((error) => log.warn({ err: plainError(error) }, 'The request log could not be read.'))
      timer = undefined
      if (watchers.size > 0) plan()
    }, LOOK_MS).unref()
  }

  return {
    watch(subscriberId, onChange) {
      const watcher = { subscriberId, onChange }
      watchers.add(watcher)
      plan()
      return () => void watchers.delete(watcher)
    },
    stop: () => clearTimeout(timer),
  }
}
