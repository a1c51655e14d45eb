import { DELIVER_JOB, type DeliverPayload } from '../events/deliver.ts'
import type { StoredEvent } from '../events/payload.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { deleteInBatches } from '../platform/database/delete-in-batches.ts'
import { schedule } from '../platform/jobs/due.ts'
import type { Attempt, EventlessType, Outcome } from './rules.ts'

// Deliveries in progress. The sender of one holds a lease on it, in real time, which expires soon after the sender is
// killed. Deliveries of one partition (a registration and a workspace) are sent in order. Its column is called `lane`.

const LEASE_SECONDS = 15

export type Claimed = {
  notificationId: string
  registrationId: string
  subscriberId: string
  partition: string
  tries: number
  correlationId: string
  traceparent: string | null
  event: StoredEvent
  webhookURI: string
  secret: Buffer
  previousSecret: Buffer | null
  previousSecretUntil: Date | null
}

const IS_FIRST = `not exists (select from notifications b where b.registration_id = n.registration_id
  and b.lane = n.lane and b.status = 'PENDING' and b.seq < n.seq)`

// A suspended subscriber is sent nothing, an unverified address only challenges. The rest waits.
const READY = `notifications n join notification_registrations r using (registration_id)
    join subscribers s on s.subscriber_id = r.subscriber_id
  where n.registration_id = $1 and n.status = 'PENDING' and n.next_attempt_at <= $2 and s.status = 'ACTIVE'
    and (r.status = 'VERIFIED' or n.type = 'CHALLENGE') and ${IS_FIRST}`

const claimOf = (chosen: string) => `
  with claimed as (
    update notifications set leased_until = now() + interval '${LEASE_SECONDS} seconds'
     where notification_id in (${chosen})
    returning *)
  select n.notification_id as "notificationId", n.registration_id as "registrationId",
         n.subscriber_id as "subscriberId", n.lane as partition, n.tries, n.event_id as "eventId", n.type,
         e.workspace_id as "workspaceId",
         coalesce(e.data, n.data, jsonb_build_object('registrationId', registration_id)) as data,
         n.created_at as at, coalesce(e.correlation_id, n.event_id::text) as "correlationId",
         e.traceparent, r.webhook_uri as "webhookURI", r.secret, r.previous_secret as "previousSecret",
         r.previous_secret_until as "previousSecretUntil"
    from claimed n join notification_registrations r using (registration_id) left join events e using (event_id)`

const CLAIM = claimOf(`
  select n.notification_id from ${READY} and coalesce(n.leased_until < now(), true)
   order by n.next_attempt_at, n.seq limit $3 for update of n skip locked`)

const CLAIM_NEXT = claimOf(`
  select notification_id from notifications
   where registration_id = $1 and lane = $2 and status = 'PENDING' and notification_id <> $3
     and coalesce(leased_until < now(), true) order by seq limit 1 for update skip locked`)

/** The deliveries of this registration that have waited longest, each the first of its partition. */
export async function claimDeliveries(
  tx: Transaction,
  registrationId: string,
  now: Date,
  countMax: number,
): Promise<Claimed[]> {
  return (await tx.query<ClaimedRow>(CLAIM, [registrationId, now, countMax])).map(claimedOf)
}

/** The one that would be sent after this one, if there is one yet. */
export async function claimNext(connection: Connection, claimed: Claimed): Promise<Claimed[]> {
  const { registrationId, partition, notificationId } = claimed
  return (await connection.query<ClaimedRow>(CLAIM_NEXT, [registrationId, partition, notificationId])).map(claimedOf)
}

type ClaimedRow = Omit<Claimed, 'event'> & StoredEvent

const claimedOf = ({ eventId, type, workspaceId, data, at, ...rest }: ClaimedRow): Claimed => ({
  ...rest,
  event: { eventId, type, workspaceId, data, at },
})

/** A delivery that was attempted, and its result. There are two attempts only where the sandbox delivers twice. */
export type Attempted = { claimed: Claimed; attempts: Attempt[]; outcome: Outcome }

/** Saves attempts. While the first of a partition waits for its next attempt, the others wait for the first. */
export function saveAttempts(tx: Transaction, registrationId: string, attempted: readonly Attempted[]): void {
  if (attempted.length === 0) return
  tx.send(SAVE, [
    attempted.map(({ claimed }) => claimed.notificationId),
    attempted.map(({ claimed }) => claimed.tries),
    attempted.map(({ outcome }) => outcome.status),
    attempted.map(({ outcome }) => outcome.nextAttemptAt),
    attempted.map(({ attempts }) => JSON.stringify(attempts)),
  ])
  const ended = attempted.flatMap(({ claimed, outcome }) => (outcome.status === 'PENDING' ? [] : [claimed.partition]))
  if (ended.length) tx.send(NEXT_IN_PARTITIONS, [registrationId, ended])
  for (const { claimed, outcome } of attempted) {
    if (outcome.status === 'PENDING') waitFor(tx, claimed, outcome.nextAttemptAt)
  }
}

// Where the delivery was restarted during this attempt, only a success counts.
const COUNTS = `(n.tries = a.tries or a.status = 'DELIVERED')`

const SAVE = `
  update notifications n set leased_until = null, attempts = n.attempts || a.attempts,
         status = case when ${COUNTS} then a.status else n.status end,
         next_attempt_at = case when ${COUNTS} then a.next_attempt_at else n.next_attempt_at end,
         tries = case when ${COUNTS} then n.tries + 1 else n.tries end
    from unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[], $5::jsonb[])
           a (id, tries, status, next_attempt_at, attempts)
   where n.notification_id = a.id and n.status = 'PENDING'`

function waitFor(tx: Transaction, claimed: Claimed, nextAttemptAt: Date): void {
  const { notificationId, registrationId, partition, correlationId } = claimed
  tx.send(PARK_PARTITION, [registrationId, partition, notificationId])
  wake(tx, claimed, nextAttemptAt, { correlationId }, `deliver:${registrationId}:${partition}`)
}

const PARK_PARTITION = `
  update notifications set next_attempt_at = null
   where registration_id = $1 and lane = $2 and status = 'PENDING' and notification_id <> $3
     and next_attempt_at is not null`

const NEXT_IN_PARTITIONS = `
  update notifications set next_attempt_at = created_at
   where next_attempt_at is null and notification_id in (
     select first.notification_id from unnest($2::uuid[]) partitions (lane) cross join lateral (
       select notification_id from notifications n
        where n.registration_id = $1 and n.lane = partitions.lane and n.status = 'PENDING' order by seq limit 1) first)`

export type Left = { isReady: boolean; isLeased: boolean }

/** What is still due for a registration: ready to be sent, or leased by a sender that may have been killed. */
export async function findLeft(connection: Connection, registrationId: string, now: Date): Promise<Left> {
  const [row] = await connection.query<Left>(
    `select coalesce(bool_or(coalesce(n.leased_until < now(), true)), false) as "isReady",
            coalesce(bool_or(n.leased_until >= now()), false) as "isLeased" from ${READY}`,
    [registrationId, now],
  )
  return row ?? { isReady: false, isLeased: false }
}

type Context = { correlationId: string }

/** Starts a delivery again, and wakes the dispatcher. */
export function restartDelivery(
  tx: Transaction,
  row: { notificationId: string; registrationId: string },
  at: Date,
  context: Context,
): void {
  tx.send(`update notifications set status = 'PENDING', tries = 0, next_attempt_at = $2 where notification_id = $1`, [
    row.notificationId,
    at,
  ])
  wake(tx, row, at, context)
}

export type NewDelivery = {
  notificationId: string
  registrationId: string
  subscriberId: string
  eventId: string
  type: EventlessType
  data: Readonly<Record<string, string>>
}

/** A delivery without an event, in its own partition. A challenge replaces one that is still pending. */
export function insertDelivery(tx: Transaction, row: NewDelivery, at: Date, context: Context): void {
  if (row.type === 'CHALLENGE') endChallenges(tx, row.registrationId)
  tx.send(
    `insert into notifications (notification_id, registration_id, subscriber_id, event_id, lane, type, data, status,
       next_attempt_at, created_at) values ($1, $2, $3, $4, $1, $5, $6, 'PENDING', $7, $7)`,
    [row.notificationId, row.registrationId, row.subscriberId, row.eventId, row.type, row.data, at],
  )
  wake(tx, row, at, context)
}

export function endChallenges(tx: Transaction, registrationId: string): void {
  tx.send(
    `update notifications set status = 'DEAD', next_attempt_at = null
      where registration_id = $1 and type = 'CHALLENGE' and status = 'PENDING'`,
    [registrationId],
  )
}

// Without a key it is added to what the partition itself has planned, which must stay: it may be for another delivery.
export function wake(
  tx: Transaction,
  { registrationId }: { registrationId: string },
  at: Date,
  context: Context,
  key?: string,
): void {
  const payload: DeliverPayload = { registrationId, at: at.toISOString() }
  schedule(tx, at, DELIVER_JOB, payload, context, key)
}

/** Gives up deliveries that waited too long for their address to be verified. */
export const endUnverified = (connection: Connection, createdBefore: Date) =>
  connection.query(
    `update notifications n set status = 'DEAD', next_attempt_at = null from notification_registrations r
      where r.registration_id = n.registration_id and r.status = 'UNVERIFIED' and n.status = 'PENDING'
        and n.created_at < $1`,
    [createdBefore],
  )

/** Deliveries that ended long ago. */
export const deleteOldDeliveries = (connection: Connection, endedBefore: Date) =>
  deleteInBatches(connection, 'notifications', `status <> 'PENDING' and created_at < $1`, [endedBefore])
