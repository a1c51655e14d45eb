import type { EventType } from '../events/types.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'

export type Registration = {
  registrationId: string
  subscriberId: string
  webhookURI: string
  eventTypes: EventType[]
  sharedSecretExpiry: Date
  createdAt: Date
}

const COLUMNS = `registration_id as "registrationId", subscriber_id as "subscriberId", webhook_uri as "webhookURI",
  event_types as "eventTypes", secret_expires_at as "sharedSecretExpiry", created_at as "createdAt"`

/** Somebody else's is not found, with the very words for one that was never there. */
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
    `select ${COLUMNS} from notification_registrations where registration_id = $1 and subscriber_id = $2 for update`,
    [registrationId, subscriberId],
  )
  if (!row) throw registrationNotFound()
  return row
}

/** For jobs, which act for nobody in particular. */
export async function lockAnyRegistration(tx: Transaction, registrationId: string): Promise<Registration | undefined> {
  const [row] = await tx.query<Registration>(
    `select ${COLUMNS} from notification_registrations where registration_id = $1 for update`,
    [registrationId],
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

/** Who registers another at the same time waits until the commit, lest both count one too few. */
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
    `insert into notification_registrations (registration_id, subscriber_id, webhook_uri, event_types, secret,
       secret_expires_at, created_at) values ($1, $2, $3, $4, $5, $6, $7)`,
    [
      registration.registrationId,
      registration.subscriberId,
      registration.webhookURI,
      registration.eventTypes,
      sealedSecret,
      registration.sharedSecretExpiry,
      registration.createdAt,
    ],
  )
}

export function saveRegistration(
  tx: Transaction,
  { registrationId, webhookURI, eventTypes }: Pick<Registration, 'registrationId' | 'webhookURI' | 'eventTypes'>,
): void {
  tx.send('update notification_registrations set webhook_uri = $2, event_types = $3 where registration_id = $1', [
    registrationId,
    webhookURI,
    eventTypes,
  ])
}

/** The secret that there was goes on signing for a while beside the new one. */
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
