import { utimes } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Db } from '../../../src/platform/database/db.ts'
import { countOf, temporaryFilesIn } from './measure.ts'

// What the service removes by itself after a day, or a week. No run lasts that long, so at its end everything is made older,
// and the service's own jobs must remove it.

export const CHORES = ['platform.tidy', 'people.tidy', 'requests.tidy', 'notifications.tidy']

const OLDER = [
  `update pgboss.job set completed_on = completed_on - interval '8 days' where completed_on is not null`,
  `update pgboss.queue set maintain_on = null`,
  `update sessions set ends_at = now() - interval '1 day'`,
  `update requests set expires_at = now() - interval '1 day'`,
  `update nodes set last_seen_at = now() - interval '2 days' where last_seen_at < now() - interval '20 seconds'`,
  `update blobs set touched_at = touched_at - interval '2 days'`,
  `update service_state set clock_offset_ms = clock_offset_ms + 2 * 86400000`, // for idempotency keys
]

/** Those of today, which the chores themselves leave, do not count. */
const LEFT: Record<string, string> = {
  'finished jobs that were not removed': `select count(*) from pgboss.job where completed_on < now() - interval '1 day'`,
  'idempotency keys that were not removed': `select count(*) from idempotency_keys`,
  'sessions that were not removed': `select count(*) from sessions`,
  'logged requests that were not removed': `select count(*) from requests where expires_at < now()`,
  'killed nodes that were not removed': `select count(*) from nodes where last_seen_at < now() - interval '1 day'`,
  'files without a row that were not removed': `select count(*) from blobs where touched_at < now() - interval '1 day'
     and not exists (select from files where files.sha256 = blobs.sha256)
     and not exists (select from reports where reports.sha256 = blobs.sha256)
     and not exists (select from title_documents where title_documents.sha256 = blobs.sha256)`,
}

const TEMPORARY = 'temporary files that were not removed'
const MS_MAX = 180_000

export const startChores = (owner: Db) =>
  owner.query(
    `insert into due (due_at, job, payload)
     select now(), job, '{"correlationId": "soak", "payload": {}}'::jsonb from unnest($1::text[]) job`,
    [CHORES],
  )

/** How many of each are left when the service has tidied. */
export async function tidied(owner: Db, dataDir: string): Promise<Record<string, number>> {
  for (const text of OLDER) await owner.query(text)
  const longAgo = Date.now() / 1_000 - 2 * 86_400
  for (const file of await temporaryFilesIn(dataDir)) await utimes(file, longAgo, longAgo).catch(() => {})
  await delay(1_000) // until every node follows the clock
  await startChores(owner)
  const giveUpAt = performance.now() + MS_MAX
  for (;;) {
    const left: Record<string, number> = { [TEMPORARY]: (await temporaryFilesIn(dataDir)).length }
    for (const [name, text] of Object.entries(LEFT)) left[name] = await countOf(owner, text)
    const isDone = Object.values(left).every((count) => count === 0)
    if (isDone || performance.now() > giveUpAt) return left
    await delay(500)
  }
}
