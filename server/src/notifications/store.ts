import type { EventType } from '../events/types.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import { schedule, unschedule } from '../platform/jobs/due.ts'
import { nextReminder, type RegistrationStatus } from './rules.ts'

export type Registration = {
  registrationId: string
  subscriberId: string
  webhookURI: string
  eventTypes: EventType[]
  status: RegistrationStatus
  sharedSecretExpiry: Date
  createdAt: Date
}

const COLUMNS = `registration_id as "registrationId", subscriber_id as "subscriberId", webhook_uri as "webhookURI",
  event_types as "eventTypes", status, secret_expires_at as "sharedSecretExpiry", created_at as "createdAt"`

/** Another subscriber's registration gets the same words as one that never existed. */
const registrationNotFound = () => notFound('registration_id', 'There is no such registration.')

type Owner = { subscriberId: string }

export async function findRegistration(
  connection: Connection,
  { subscriberId }: Owner,
  registrationId: string,
): Promise<Registration> {
  const [row] = await connection.query<Registration>(
    `select ${COLUMNS} from notification_registrations where registration_id = $1 and subscriber_id = $2`,
    [registrationId, subscriberId],
  )
  if (!row) throw registrationNotFound()
  return row
}

export async function lockRegistration(
  tx: Transaction,
  { subscriberId }: Owner,
  registrationId: string,
): Promise<Registration> {
  const [row] = await tx.query<Registration>(
    `select ${COLUMNS} from notification_registrations where registration_id = $1 and subscriber_id = $2 for no key update`,
    [registrationId, subscriberId],
  )
  if (!row) throw registrationNotFound()
  return row
}

/** For jobs, which act for no particular subscriber. */
export async function lockAnyRegistration(tx: Transaction, registrationId: string): Promise<Registration | undefined> {
  const [row] = await tx.query<Registration>(
    `select ${COLUMNS} from notification_registrations where registration_id = $1 for no key update`,
    [registrationId],
  )
  return row
}

/** The sealed secret of any registration, to check whether it can be opened. */
export async function findSealedSecret(
  connection: Connection,
): Promise<{ registrationId: string; secret: Buffer } | undefined> {
  const [row] = await connection.query<{ registrationId: string; secret: Buffer }>(
    'select registration_id as "registrationId", secret from notification_registrations limit 1',
  )
  return row
}

/** Newest first. */
export const listRegistrations = (
  connection: Connection,
  { subscriberId }: Owner,
  { after, rows }: { after: number | null; rows: number },
): Promise<(Registration & { seq: number })[]> =>
  connection.query(
    `select seq, ${COLUMNS} from notification_registrations
      where subscriber_id = $1 and ($2::bigint is null or seq < $2) order by seq desc limit $3`,
    [subscriberId, after, rows],
  )

/** Locks the subscriber, so that two registrations at once cannot both pass the limit. */
export async function countRegistrations(tx: Transaction, { subscriberId }: Owner): Promise<number> {
  tx.send('select from subscribers where subscriber_id = $1 for no key update', [subscriberId])
  const [row] = await tx.query<{ count: number }>(
    'select count(*) from notification_registrations where subscriber_id = $1',
    [subscriberId],
  )
  return row?.count ?? 0
}

export function insertRegistration(tx: Transaction, registration: Registration, sealedSecret: Buffer): void {
  tx.send(
    `insert into notification_registrations (registration_id, subscriber_id, webhook_uri, event_types, status, secret,
       secret_expires_at, created_at, events_after)
     values ($1, $2, $3, $4, $5, $6, $7, $8, (select coalesce(max(seq), 0) from events))`,
    [
      registration.registrationId,
      registration.subscriberId,
      registration.webhookURI,
      registration.eventTypes,
      registration.status,
      sealedSecret,
      registration.sharedSecretExpiry,
      registration.createdAt,
    ],
  )
}

export function saveRegistration(tx: Transaction, registration: Registration): void {
  tx.send(
    'update notification_registrations set webhook_uri = $2, event_types = $3, status = $4 where registration_id = $1',
    [registration.registrationId, registration.webhookURI, registration.eventTypes, registration.status],
  )
}

/** Whether this verified it. An address that was changed since the challenge was sent needs its own. */
export async function markVerified(
  tx: Transaction,
  { registrationId, webhookURI }: { registrationId: string; webhookURI: string },
): Promise<boolean> {
  const rows = await tx.query(
    `update notification_registrations set status = 'VERIFIED'
      where registration_id = $1 and webhook_uri = $2 and status = 'UNVERIFIED' returning 1`,
    [registrationId, webhookURI],
  )
  return rows.length > 0
}

/** The previous secret goes on signing next to the new one for a while. */
export function saveRotation(
  tx: Transaction,
  registrationId: string,
  { sealedSecret, expiresAt, overlapEndsAt }: { sealedSecret: Buffer; expiresAt: Date; overlapEndsAt: Date },
): void {
  tx.send(
    `update notification_registrations set previous_secret = secret, previous_secret_until = $4, secret = $2,
       secret_expires_at = $3 where registration_id = $1`,
    [registrationId, sealedSecret, expiresAt, overlapEndsAt],
  )
}

/** With all its deliveries, ended or not. */
export function deleteRegistration(tx: Transaction, registrationId: string): void {
  tx.send('delete from notification_registrations where registration_id = $1', [registrationId])
}

export const EXPIRY_JOB = 'notifications.expiry'

export type ExpiryPayload = { registrationId: string; expiresAt: string; at: string }

/** Plans the first reminder after a time, and replaces the one that was planned for this registration. */
export function planReminder(
  tx: Transaction,
  { registrationId, expiresAt }: { registrationId: string; expiresAt: Date },
  after: Date,
  context: { correlationId: string },
): void {
  const at = nextReminder(expiresAt, after)
  if (!at) return
  const payload: ExpiryPayload = { registrationId, expiresAt: expiresAt.toISOString(), at: at.toISOString() }
  schedule(tx, at, EXPIRY_JOB, payload, context, reminderKey(registrationId))
}

export const cancelReminders = (tx: Transaction, registrationId: string): void =>
  unschedule(tx, reminderKey(registrationId))

const reminderKey = (registrationId: string) => `${EXPIRY_JOB}:${registrationId}`
