import { setTimeout as delay } from 'node:timers/promises'
import { DELIVER_JOB, type DeliverPayload } from '../events/deliver.ts'
import { type Payload, payloadOf, type StoredEvent } from '../events/payload.ts'
import { EVENTS_CHANNEL } from '../events/record.ts'
import type { Connection, Db, Transaction } from '../platform/database/db.ts'
import { listen } from '../platform/database/listen.ts'
import type { Deps } from '../platform/deps.ts'
import { readCursor } from '../platform/http/page.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import { plainError } from '../platform/jobs/workers.ts'
import type { Vault } from '../platform/vault.ts'
import { LISTENERS_MAX, unknownPosition } from './rules.ts'

// A sequence number is drawn before the commit, so a lower one may become visible after a higher one, and a reader that is
// past it would never see it. So an event gets its position after its commit, from one publisher at a time, in order.

export const PUBLISHER_LOCK_KEY = 4_815_004
const BATCH_MAX = 1_000
const POLL_MS = 500

/** One row for each event that is committed and not published yet, or asked for again. */
export const UNPUBLISHED = `
  select 1 from events where unpublished union all select 1 from event_outbox union all select 1 from event_repeats`

type Wanted = { registrationId: string; at: Date; correlationId: string; traceparent: string | null }

/** Gives every committed event its position in the feeds of its recipients, and a delivery to each webhook that wants it. */
export async function publishEvents({ db, queue }: { db: Db; queue: Pick<Queue, 'enqueue'> }): Promise<void> {
  for (;;) {
    const waiting = (await db.read.query(`${UNPUBLISHED} limit $1`, [BATCH_MAX])).length
    if (waiting === 0) return
    await db.transaction(async (tx) => {
      tx.send('select pg_advisory_xact_lock($1)', [PUBLISHER_LOCK_KEY])
      for (const { registrationId, at, correlationId, traceparent } of await tx.query<Wanted>(PUBLISH, [BATCH_MAX])) {
        const payload: DeliverPayload = { registrationId, at: at.toISOString() }
        const trace = traceparent === null ? undefined : { parent: traceparent, beganAt: Date.now() }
        await queue.enqueue(tx, DELIVER_JOB, payload, { correlationId, ...(trace && { trace }) })
      }
    })
    if (waiting < BATCH_MAX) return // whatever was committed since then has its own NOTIFY
  }
}

// A delivery's partition is its workspace; without a workspace it has a partition to itself.
const PUBLISH = `
  with published as (
    update events set unpublished = false
     where seq in (select seq from events where unpublished order by seq limit $1) returning *),
  of_version_1_0_0 as (
    delete from event_outbox where seq in (select seq from event_outbox order by seq limit $1) returning seq),
  repeated as (
    delete from event_repeats where repeat_id in (select repeat_id from event_repeats order by repeat_id limit $1)
    returning *),
  placed as (
    insert into event_feed (subscriber_id, event_seq, listener)
    select recipients.subscriber_id, seq, listener
      from (select seq, told, null as listener, 0 as repeat_id from published
            union all select seq, told, null, 0 from of_version_1_0_0 join events using (seq)
            union all select event_seq, array[subscriber_id], listener, repeat_id from repeated) events
      cross join lateral (select distinct unnest(told) as subscriber_id) recipients
     order by repeat_id, seq, subscriber_id),
  wanted as (
    select gen_random_uuid() as id, r.registration_id, r.subscriber_id, e.*
      from published e join notification_registrations r
        on r.subscriber_id = any (e.told) and e.type = any (r.event_types) and e.seq > r.events_after
       for key share of r),
  deliveries as (
    insert into notifications (notification_id, registration_id, subscriber_id, event_id, lane, type, status,
      next_attempt_at, created_at)
    select id, registration_id, subscriber_id, event_id, coalesce(workspace_id, id), type, 'PENDING', at, at
      from wanted order by seq)
  select registration_id as "registrationId", max(at) as at,
         (array_agg(correlation_id order by seq))[1] as "correlationId",
         (array_agg(traceparent order by seq))[1] as traceparent
    from wanted group by registration_id`

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
      deps.queue.noteEnd()
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

export type FeedPage = { events: { payload: Payload; position: number }[]; position: number }

/** The events after a position in this subscriber's feed, with those repeated for this listener; 0 is before the oldest. */
export async function readFeed(
  connection: Connection,
  { subscriberId }: Subscriber,
  after: number,
  rows: number,
  listener?: string,
): Promise<FeedPage> {
  const values = [subscriberId, after, rows, listener ?? null]
  const found = await connection.query<StoredEvent & { position: number | null }>(READ, values)
  if (found.length === 0) throw unknownPosition()
  const events = found.filter((row): row is StoredEvent & { position: number } => row.position !== null)
  return {
    events: events.map((event) => ({ payload: payloadOf(event, subscriberId), position: event.position })),
    position: events.at(-1)?.position ?? after,
  }
}

// One row without an event: the position is known and nothing follows it. No row: the position is unknown.
const READ = `
  select e.* from (select 1 where $2 = 0 or exists (
      select from event_feed where subscriber_id = $1 and position = $2)) known
    left join lateral (
      select position, event_id as "eventId", type, workspace_id as "workspaceId", data, at
        from event_feed join events on seq = event_seq
       where subscriber_id = $1 and position > $2 and (listener is null or listener = $4)
       order by position limit $3) e on true
   order by e.position`

type Subscriber = { subscriberId: string }

/** What a cursor of the feed is bound to. */
export const feedOf = ({ subscriberId }: Subscriber): string => `events of ${subscriberId}`

/** Where the feed of a subscriber ends at present. */
export async function endOfFeed(connection: Connection, { subscriberId }: Subscriber): Promise<number> {
  const [last] = await connection.query<{ position: number }>(
    'select position from event_feed where subscriber_id = $1 order by position desc limit 1',
    [subscriberId],
  )
  return last?.position ?? 0
}

export function readPosition(vault: Vault, after: string, subscriber: Subscriber): number {
  const position = readCursor(vault, after, feedOf(subscriber)) ?? readPlainCursor(after)
  if (position === undefined) throw unknownPosition()
  return position
}

// Version 1.0.0 wrote the position itself, and readers may have stored it. `readFeed` accepts only positions of the caller.
function readPlainCursor(after: string): number | undefined {
  const [, digits] = /^e(\d{1,15})$/.exec(Buffer.from(after, 'base64url').toString('latin1')) ?? []
  return digits === undefined ? undefined : Number(digits)
}

/** Notes that a program reads the feed. A subscriber's names are limited; those beyond are not noted. */
export const noteListener = (connection: Connection, { subscriberId }: Subscriber, name: string) =>
  connection.query(NOTE_LISTENER, [subscriberId, name, LISTENERS_MAX])

const NOTE_LISTENER = `
  insert into feed_listeners (subscriber_id, name) select $1, $2
   where (select count(*) from feed_listeners where subscriber_id = $1 and name <> $2) < $3
  on conflict (subscriber_id, name) do update set last_seen_at = now()
   where feed_listeners.last_seen_at < now() - interval '5 seconds'`

export type Listener = { name: string; lastSeenAt: Date; isConnected: boolean }

/** Those of the last day, the last one first. An open stream is noted every 20 seconds. */
export const listListeners = (connection: Connection, { subscriberId }: Subscriber) =>
  connection.query<Listener>(
    `select name, last_seen_at as "lastSeenAt", last_seen_at > now() - interval '1 minute' as "isConnected"
       from feed_listeners where subscriber_id = $1 order by last_seen_at desc, name`,
    [subscriberId],
  )

export const deleteOldListeners = (connection: Connection) =>
  connection.query(`delete from feed_listeners where last_seen_at < now() - interval '1 day'`)

/** One event of the subscriber's, once it is published. */
export async function findEvent(
  connection: Connection,
  { subscriberId }: Subscriber,
  eventId: string,
): Promise<Payload | undefined> {
  const [found] = await connection.query<StoredEvent>(
    `select event_id as "eventId", type, workspace_id as "workspaceId", data, at
       from events where event_id = $2 and $1 = any (told) and not unpublished`,
    [subscriberId, eventId],
  )
  return found && payloadOf(found, subscriberId)
}

/** Puts an event into the feed again, for one listener. */
export function repeatEvent(tx: Transaction, { subscriberId }: Subscriber, eventId: string, listener: string): void {
  tx.send(
    `insert into event_repeats (subscriber_id, event_seq, listener) select $1, seq, $3 from events where event_id = $2`,
    [subscriberId, eventId, listener],
  )
  tx.notify(EVENTS_CHANNEL)
}
