import type { Deps } from '../platform/deps.ts'
import { plainError } from '../platform/jobs/workers.ts'

/** What was published: nothing but which workspace changed. */
export type Change = { workspaceId?: string }

type Watcher = { subscriberId: string; onChange(change: Change): void }

const LOOK_MS = 500
const CHANGES_MAX = 1_000

export type Watch = (subscriberId: string, onChange: (change: Change) => void) => () => void

/**
 * Calls back after each event that is published to a subscriber. One statement twice a second for all watchers of this
 * process, and none without watchers. A NOTIFY for each event would make commits wait for each other.
 */
export function createWatch({ db, log }: Pick<Deps, 'db' | 'log'>): { watch: Watch; stop(): void } {
  const watchers = new Set<Watcher>()
  let timer: NodeJS.Timeout | undefined
  let position: number | undefined

  async function look(): Promise<void> {
    const subscribers = [...new Set([...watchers].map(({ subscriberId }) => subscriberId))]
    const rows = await db.read.query<{ position: number; subscriberId: string | null; workspaceId: string | null }>(
      position === undefined ? NEWEST : SINCE,
      position === undefined ? [] : [subscribers, position, CHANGES_MAX],
    )
    position = rows.at(-1)?.position ?? position ?? 0
    for (const { subscriberId, workspaceId } of rows) {
      const change = workspaceId === null ? {} : { workspaceId }
      for (const watcher of watchers) if (watcher.subscriberId === subscriberId) watcher.onChange(change)
    }
  }

  function plan(): void {
    timer ??= setTimeout(async () => {
      await look().catch((error) =>
        log.warn({ err: plainError(error) }, 'The feed could not be read; this will be retried.'),
      )
      timer = undefined
      if (watchers.size > 0) plan()
      else position = undefined
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

const NEWEST = `
  select coalesce(max(position), 0) as position, null as "subscriberId", null as "workspaceId" from event_feed`

const SINCE = `
  select position, subscriber_id as "subscriberId", workspace_id as "workspaceId"
    from event_feed join events on seq = event_seq
   where subscriber_id = any ($1) and position > $2 order by position limit $3`
