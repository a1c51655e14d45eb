import type { StoredEvent } from '../events/payload.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import type { Bounds } from '../platform/http/page.ts'
import { wake } from './deliveries.ts'
import type { Attempt, DeliveryStatus, DeliveryType } from './rules.ts'

// Deliveries as their owner sees them: found, read, and sent again. Those of a workspace are one lane for each registration.

/** At most so many are sent again by one request. */
export const RETRIES_MAX = 1_000
const COUNT_MAX = 1_000

type Owner = { subscriberId: string }

export type DeliveryRow = {
  seq: number
  notificationId: string
  registrationId: string
  eventId: string
  type: DeliveryType
  partition: string
  status: DeliveryStatus
  nextAttemptAt: Date | null
  attempts: Attempt[]
  createdAt: Date
}

const COLUMNS = `n.seq, n.notification_id as "notificationId", n.registration_id as "registrationId",
  n.event_id as "eventId", n.type, n.lane as partition, n.status, n.next_attempt_at as "nextAttemptAt", n.attempts,
  n.created_at as "createdAt"`

// A status is written into the statement, so that its index is considered.
const STATUS: Record<DeliveryStatus, string> = {
  PENDING: `n.status = 'PENDING'`,
  DELIVERED: `n.status = 'DELIVERED'`,
  DEAD: `n.status = 'DEAD'`,
}

const CONDITIONS = {
  type: 'n.type = ?',
  registrationId: 'n.registration_id = ?',
  workspaceId: 'n.lane = ?',
  createdSince: 'n.created_at >= ?',
  createdBefore: 'n.created_at < ?',
}

export type DeliveryFilters = { [Name in keyof typeof CONDITIONS]?: string | undefined } & {
  status?: DeliveryStatus | undefined
}

function conditionsOf({ subscriberId }: Owner, filters: DeliveryFilters) {
  const values: unknown[] = [subscriberId]
  const param = (value: unknown) => `$${values.push(value)}`
  const given = Object.entries(CONDITIONS).flatMap(([name, condition]) => {
    const value = filters[name as keyof typeof CONDITIONS]
    return value === undefined ? [] : [condition.replace('?', param(value))]
  })
  const conditions = ['n.subscriber_id = $1', ...given, ...(filters.status ? [STATUS[filters.status]] : [])]
  return { where: conditions.join(' and '), values, param }
}

/** Newest first. */
export function listDeliveries(
  connection: Connection,
  owner: Owner,
  filters: DeliveryFilters,
  { after, rows }: Bounds,
): Promise<DeliveryRow[]> {
  const { where, values, param } = conditionsOf(owner, filters)
  const later = after === null ? '' : `and n.seq < ${param(after)}`
  return connection.query(
    `select ${COLUMNS} from notifications n where ${where} ${later} order by n.seq desc limit ${param(rows)}`,
    values,
  )
}

export type FoundDelivery = DeliveryRow & Pick<StoredEvent, 'data' | 'workspaceId'> & Waiting
type Waiting = { waitsFor: string | null; waitingBehind: number }

/** With what is sent, and what waits for what. */
export async function findDelivery(
  connection: Connection,
  { subscriberId }: Owner,
  notificationId: string,
): Promise<FoundDelivery | undefined> {
  const [row] = await connection.query<FoundDelivery>(
    `select ${COLUMNS}, e.workspace_id as "workspaceId",
            coalesce(e.data, n.data, jsonb_build_object('registrationId', n.registration_id)) as data,
            (select b.notification_id ${SAME_LANE} and b.seq < n.seq order by b.seq limit 1) as "waitsFor",
            (select count(*) from (select 1 ${SAME_LANE} and b.seq > n.seq limit ${COUNT_MAX}) b) as "waitingBehind"
       from notifications n left join events e using (event_id)
      where n.notification_id = $1 and n.subscriber_id = $2`,
    [notificationId, subscriberId],
  )
  return row
}

const SAME_LANE = `from notifications b where n.status = 'PENDING' and b.registration_id = n.registration_id
  and b.lane = n.lane and b.status = 'PENDING'`

export async function lockDelivery(
  tx: Transaction,
  { subscriberId }: Owner,
  notificationId: string,
): Promise<DeliveryRow | undefined> {
  const [row] = await tx.query<DeliveryRow>(
    `select ${COLUMNS} from notifications n where n.notification_id = $1 and n.subscriber_id = $2 for update`,
    [notificationId, subscriberId],
  )
  return row
}

// Those that failed: dead, or with their next attempt in the future. The others are on their way, or wait behind these.
// Challenges have a limit of their own.
const failed = (now: string) =>
  `n.status <> 'DELIVERED' and n.type <> 'CHALLENGE' and (n.status = 'DEAD' or n.next_attempt_at > ${now})`

/** How many that failed match, up to one more than can be sent again at once. */
export async function countFailed(
  connection: Connection,
  owner: Owner,
  filters: DeliveryFilters,
  now: Date,
): Promise<number> {
  const { where, values, param } = conditionsOf(owner, filters)
  const [row] = await connection.query<{ count: number }>(
    `select count(*) from (
       select 1 from notifications n where ${where} and ${failed(param(now))} limit ${RETRIES_MAX + 1}) n`,
    values,
  )
  return row?.count ?? 0
}

/** Starts those that failed and match again, the oldest first, and returns how many. */
export async function restartFailed(
  tx: Transaction,
  owner: Owner,
  filters: DeliveryFilters,
  { at, correlationId }: { at: Date; correlationId: string },
): Promise<number> {
  const { where, values, param } = conditionsOf(owner, filters)
  const now = param(at)
  const restarted = await tx.query<{ registrationId: string; count: number }>(
    `with matching as (
       select n.notification_id, n.registration_id from notifications n where ${where} and ${failed(now)}
        order by n.seq limit ${RETRIES_MAX} for update),
     restarted as (
       update notifications n set status = 'PENDING', tries = 0, next_attempt_at = ${now}
         from matching where n.notification_id = matching.notification_id)
     select registration_id as "registrationId", count(*) from matching group by registration_id`,
    values,
  )
  for (const one of restarted) wake(tx, one, at, { correlationId })
  return restarted.reduce((sum, { count }) => sum + count, 0)
}
