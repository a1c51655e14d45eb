import type { KeptEvent } from '../events/payload.ts'
import { DELIVER_JOB, laneKey } from '../events/record.ts'
import type { EventType } from '../events/types.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { deleteInBatches } from '../platform/database/delete-in-batches.ts'
import { schedule } from '../platform/jobs/due.ts'
import type { Attempt, DeliveryStatus, Outcome } from './rules.ts'

// Deliveries on their way. Who sends one has a lease on it, on real time, that lapses soon after he is killed.

const LEASE_SECONDS = 15

export type DeliverPayload = { registrationId: string; at: string }

export type Claimed = {
  notificationId: string
  registrationId: string
  subscriberId: string
  lane: string
  tries: number
  correlationId: string
  event: KeptEvent
  webhookURI: string
  secret: Buffer
  previousSecret: Buffer | null
  previousSecretUntil: Date | null
}

const IS_FIRST = `not exists (select from notifications b where b.registration_id = n.registration_id
  and b.lane = n.lane and b.status = 'PENDING' and b.seq < n.seq)`

const READY = `n.registration_id = $1 and n.status = 'PENDING' and n.next_attempt_at <= $2 and ${IS_FIRST}`

const CLAIM = `
  with claimed as (
    update notifications set leased_until = now() + interval '${LEASE_SECONDS} seconds'
     where notification_id in (
       select notification_id from notifications n where ${READY} and coalesce(n.leased_until < now(), true)
        order by n.next_attempt_at, n.seq limit $3 for update skip locked)
    returning *)
  select n.notification_id as "notificationId", n.registration_id as "registrationId",
         n.subscriber_id as "subscriberId", n.lane, n.tries, n.event_id as "eventId", n.type,
         e.workspace_id as "workspaceId", coalesce(e.data, jsonb_build_object('registrationId', registration_id)) as data,
         n.created_at as at, coalesce(e.correlation_id, n.event_id::text) as "correlationId",
         r.webhook_uri as "webhookURI", r.secret, r.previous_secret as "previousSecret",
         r.previous_secret_until as "previousSecretUntil"
    from claimed n join notification_registrations r using (registration_id) left join events e using (event_id)`

/** The deliveries of this registration that have waited longest, each the first of its lane. */
export async function claimDeliveries(
  tx: Transaction,
  registrationId: string,
  now: Date,
  countMax: number,
): Promise<Claimed[]> {
  const rows = await tx.query<Omit<Claimed, 'event'> & KeptEvent>(CLAIM, [registrationId, now, countMax])
  return rows.map(({ eventId, type, workspaceId, data, at, ...rest }) => ({
    ...rest,
    event: { eventId, type, workspaceId, data, at },
  }))
}

/** A delivery that was attempted, and what came of it. */
export type Attempted = { claimed: Claimed; attempt: Attempt; outcome: Outcome }

/** Writes attempts down. While a lane's first waits for its next attempt, the others of it wait for the first. */
export function saveAttempts(tx: Transaction, registrationId: string, attempted: readonly Attempted[]): void {
  if (attempted.length === 0) return
  tx.send(SAVE, [
    attempted.map(({ claimed }) => claimed.notificationId),
    attempted.map(({ claimed }) => claimed.tries),
    attempted.map(({ outcome }) => outcome.status),
    attempted.map(({ outcome }) => outcome.nextAttemptAt),
    attempted.map(({ attempt }) => JSON.stringify(attempt)),
  ])
  const lanes = attempted.flatMap(({ claimed, outcome }) => (outcome.status === 'PENDING' ? [] : [claimed.lane]))
  if (lanes.length) tx.send(NEXT_IN_LANES, [registrationId, lanes])
  for (const { claimed, outcome } of attempted) {
    if (outcome.status === 'PENDING') waitFor(tx, claimed, outcome.nextAttemptAt)
  }
}

// Where the delivery was begun anew while this attempt was under way, it is done with only if that was good.
const COUNTS = `(n.tries = a.tries or a.status = 'DELIVERED')`

const SAVE = `
  update notifications n set leased_until = null, attempts = n.attempts || a.attempt,
         status = case when ${COUNTS} then a.status else n.status end,
         next_attempt_at = case when ${COUNTS} then a.next_attempt_at else n.next_attempt_at end,
         tries = case when ${COUNTS} then n.tries + 1 else n.tries end
    from unnest($1::uuid[], $2::int[], $3::text[], $4::timestamptz[], $5::jsonb[])
           a (id, tries, status, next_attempt_at, attempt)
   where n.notification_id = a.id and n.status = 'PENDING'`

function waitFor(tx: Transaction, claimed: Claimed, nextAttemptAt: Date): void {
  const { notificationId, registrationId, lane, correlationId } = claimed
  tx.send(PARK_LANE, [registrationId, lane, notificationId])
  const payload: DeliverPayload = { registrationId, at: nextAttemptAt.toISOString() }
  schedule(tx, nextAttemptAt, DELIVER_JOB, payload, { correlationId }, laneKey(registrationId, lane))
}

const PARK_LANE = `
  update notifications set next_attempt_at = null
   where registration_id = $1 and lane = $2 and status = 'PENDING' and notification_id <> $3
     and next_attempt_at is not null`

const NEXT_IN_LANES = `
  update notifications set next_attempt_at = created_at
   where next_attempt_at is null and notification_id in (
     select first.notification_id from unnest($2::uuid[]) lanes (lane) cross join lateral (
       select notification_id from notifications n
        where n.registration_id = $1 and n.lane = lanes.lane and n.status = 'PENDING' order by seq limit 1) first)`

export type Left = { isReady: boolean; isLeased: boolean }

/** What of a registration is due still: to be sent, or in the hands of somebody who may have been killed. */
export async function findLeft(connection: Connection, registrationId: string, now: Date): Promise<Left> {
  const [row] = await connection.query<Left>(
    `select coalesce(bool_or(coalesce(leased_until < now(), true)), false) as "isReady",
            coalesce(bool_or(leased_until >= now()), false) as "isLeased" from notifications n where ${READY}`,
    [registrationId, now],
  )
  return row ?? { isReady: false, isLeased: false }
}

export type DeliveryRow = {
  seq: number
  notificationId: string
  registrationId: string
  eventId: string
  type: EventType | 'TEST'
  lane: string
  status: DeliveryStatus
  nextAttemptAt: Date | null
  attempts: Attempt[]
}

const COLUMNS = `seq, notification_id as "notificationId", registration_id as "registrationId", event_id as "eventId",
  type, lane, status, next_attempt_at as "nextAttemptAt", attempts`

/** Newest first. */
export const listDeliveries = (
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  { after, rows }: { after: number | null; rows: number },
): Promise<DeliveryRow[]> =>
  connection.query(
    `select ${COLUMNS} from notifications
      where subscriber_id = $1 and ($2::bigint is null or seq < $2) order by seq desc limit $3`,
    [subscriberId, after, rows],
  )

export async function lockDelivery(
  tx: Transaction,
  { subscriberId }: { subscriberId: string },
  notificationId: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await tx.query<DeliveryRow>(
    `select ${COLUMNS} from notifications where notification_id = $1 and subscriber_id = $2 for update`,
    [notificationId, subscriberId],
  )
  return row
}

type Begun = Pick<DeliveryRow, 'notificationId' | 'registrationId' | 'lane'>

/** Begins a delivery anew, and wakes the sender. */
export function restartDelivery(tx: Transaction, begun: Begun, at: Date, context: { correlationId: string }): void {
  tx.send(`update notifications set status = 'PENDING', tries = 0, next_attempt_at = $2 where notification_id = $1`, [
    begun.notificationId,
    at,
  ])
  wake(tx, begun, at, context)
}

/** A delivery of no event, in a lane of its own. */
export function insertTest(
  tx: Transaction,
  begun: Begun & { subscriberId: string; eventId: string },
  at: Date,
  context: { correlationId: string },
): void {
  tx.send(
    `insert into notifications (notification_id, registration_id, subscriber_id, event_id, lane, type, status,
       next_attempt_at, created_at) values ($1, $2, $3, $4, $5, 'TEST', 'PENDING', $6, $6)`,
    [begun.notificationId, begun.registrationId, begun.subscriberId, begun.eventId, begun.lane, at],
  )
  wake(tx, begun, at, context)
}

// Beside what the lane itself has planned, which must stay: it may be there for another delivery.
function wake(tx: Transaction, { registrationId }: Begun, at: Date, context: { correlationId: string }): void {
  const payload: DeliverPayload = { registrationId, at: at.toISOString() }
  schedule(tx, at, DELIVER_JOB, payload, context)
}

/** Deliveries that ended long ago. */
export const deleteOldDeliveries = (connection: Connection, endedBefore: Date) =>
  deleteInBatches(connection, 'notifications', `status <> 'PENDING' and created_at < $1`, [endedBefore])
