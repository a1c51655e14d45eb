import type { Deps } from '../platform/deps.ts'
import { plainError } from '../platform/jobs/workers.ts'

/** What was published: nothing but which workspace changed. */
export type Change = { workspaceId?: string }

type Watcher = { subscriberId: string; onChange(change: Change): void }
type Row = { position: number; subscriberId: string; workspaceId: string | null }

const LOOK_MS = 500
const CHANGES_MAX = 1_000
/** A page is read before it watches. What was published shortly before is reported to it as well. */
const RECENT_MS = 10_000
const RECENT_MAX = 100

export type Watch = (subscriberId: string, onChange: (change: Change) => void) => () => void

/**
 * Calls back after each event that is published to a subscriber. One statement twice a second for all watchers of this
 * process, and none without watchers. A NOTIFY for each event would make commits wait for each other.
 */
export function createWatch({ db, log, clock }: Pick<Deps, 'db' | 'log' | 'clock'>): { watch: Watch; stop(): void } {
  const watchers = new Set<Watcher>()
  let timer: NodeJS.Timeout | undefined
  /** Up to which the feed of each watched subscriber is known. */
  const positions = new Map<string, number>()
  let recent: { at: number; row: Row }[] = []

  async function look(): Promise<void> {
    const watched = new Set([...watchers].map(({ subscriberId }) => subscriberId))
    for (const id of positions.keys()) if (!watched.has(id)) positions.delete(id)
    for (const id of watched) if (!positions.has(id)) positions.set(id, await startOf(id, clock.now()))
    const rows = await db.read.query<Row>(SINCE, [[...positions.keys()], [...positions.values()], CHANGES_MAX])
    const at = performance.now()
    recent = [...recent.filter((one) => at - one.at < RECENT_MS), ...rows.map((row) => ({ at, row }))].slice(
      -RECENT_MAX,
    )
    for (const row of rows) {
      positions.set(row.subscriberId, row.position)
      for (const watcher of watchers) report(watcher, row)
    }
  }

  /** The position up to which everything is older than a page that was just read. */
  async function startOf(subscriberId: string, now: Date): Promise<number> {
    const newest = await db.read.query<{ position: number; at: Date }>(NEWEST, [subscriberId, RECENT_MAX])
    const old = newest.find(({ at }) => now.getTime() - at.getTime() > RECENT_MS)
    return old?.position ?? (newest.at(-1)?.position ?? 1) - 1
  }

  function plan(delayMs = LOOK_MS): void {
    timer ??= setTimeout(async () => {
      await look().catch((error) =>
        log.warn({ err: plainError(error) }, 'The feed could not be read; this will be retried.'),
      )
      timer = undefined
      if (watchers.size > 0) plan()
      else positions.clear()
    }, delayMs).unref()
  }

  return {
    watch(subscriberId, onChange) {
      const watcher = { subscriberId, onChange }
      watchers.add(watcher)
      const known = recent.filter(({ at }) => performance.now() - at < RECENT_MS)
      setImmediate(() => {
        for (const { row } of known) if (watchers.has(watcher)) report(watcher, row)
      })
      plan(0)
      return () => void watchers.delete(watcher)
    },
    stop: () => clearTimeout(timer),
  }
}

function report(watcher: Watcher, { subscriberId, workspaceId }: Row): void {
  if (watcher.subscriberId === subscriberId) watcher.onChange(workspaceId === null ? {} : { workspaceId })
}

const NEWEST = `
  select position, at from event_feed join events on seq = event_seq
   where subscriber_id = $1 order by position desc limit $2`

const SINCE = `
  select feed.position, subscriber_id as "subscriberId", workspace_id as "workspaceId"
    from unnest($1::uuid[], $2::bigint[]) as watched (id, position)
    join event_feed feed on subscriber_id = id and feed.position > watched.position
    join events on seq = event_seq
   order by feed.position limit $3`
