import { type KeptEvent, type Payload, payloadOf } from '../events/payload.ts'
import type { Connection, Db } from '../platform/database/db.ts'
import { unknownPosition } from './rules.ts'

// A number drawn before the commit may appear behind a later one, and a reader who is past it never sees it. So an
// event gets its position after its commit, from one publisher at a time, in the order in which events were written.

const LOCK_KEY = 4_815_004
const BATCH_MAX = 1_000

/** Gives every event that is committed its place in the feeds of those who are told. */
export async function publishEvents(db: Db): Promise<void> {
  for (;;) {
    const [waiting] = await db.read.query('select from event_outbox limit 1')
    if (!waiting) return
    const published = await db.transaction(async (tx) => {
      tx.send('select pg_advisory_xact_lock($1)', [LOCK_KEY])
      const [row] = await tx.query<{ count: number }>(PUBLISH, [BATCH_MAX])
      return row?.count ?? 0
    })
    if (published < BATCH_MAX) return
  }
}

const PUBLISH = `
  with taken as (
    delete from event_outbox where seq in (select seq from event_outbox order by seq limit $1) returning seq),
  placed as (
    insert into event_feed (subscriber_id, event_seq)
    select told.subscriber_id, seq from taken join events using (seq)
      cross join lateral (select distinct unnest(told) as subscriber_id) told order by seq, told.subscriber_id)
  select count(*) from taken`

export type FeedPage = { payloads: Payload[]; position: number }

/** What follows a position of this subscriber's own feed; 0 stands before the oldest. */
export async function readFeed(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  after: number,
  rows: number,
): Promise<FeedPage> {
  const found = await connection.query<KeptEvent & { position: number | null }>(READ, [subscriberId, after, rows])
  if (found.length === 0) throw unknownPosition()
  const events = found.filter((row): row is KeptEvent & { position: number } => row.position !== null)
  return {
    payloads: events.map((event) => payloadOf(event, subscriberId)),
    position: events.at(-1)?.position ?? after,
  }
}

// One row without an event says that the position is known and nothing follows it; no row, that it is not known.
const READ = `
  select e.* from (select 1 where $2 = 0 or exists (
      select from event_feed where subscriber_id = $1 and position = $2)) known
    left join lateral (
      select position, event_id as "eventId", type, workspace_id as "workspaceId", data, at
        from event_feed join events on seq = event_seq
       where subscriber_id = $1 and position > $2 order by position limit $3) e on true
   order by e.position`
