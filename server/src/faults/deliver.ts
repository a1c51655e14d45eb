import { randomUUID } from 'node:crypto'
import type { StoredEvent } from '../events/payload.ts'
import { guardedAgent, systemResolve } from '../notifications/connect.ts'
import { post } from '../notifications/post.ts'
import { newSharedSecret } from '../notifications/sign.ts'
import type { Connection } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { conflict, notFound } from '../platform/errors.ts'
import { type DeliveryKind, expectedOf, isAsExpected, messageOf } from './rules-deliveries.ts'

type Row = {
  subscriberId: string
  webhookURI: string
  status: string
  secret: Buffer
  /** The last event that it received. */
  event: (Omit<StoredEvent, 'at'> & { at: string }) | null
}

async function findReceiver(connection: Connection, registrationId: string): Promise<Row> {
  const [row] = await connection.query<Row>(
    `select r.subscriber_id as "subscriberId", r.webhook_uri as "webhookURI", r.status, r.secret, to_json(last) as event
       from notification_registrations r left join lateral (
         select e.event_id as "eventId", e.type, e.workspace_id as "workspaceId", e.data, e.at
           from notifications n join events e using (event_id)
          where n.subscriber_id = r.subscriber_id and n.registration_id = r.registration_id and n.status = 'DELIVERED'
          order by n.seq desc limit 1) last on true
      where r.registration_id = $1`,
    [registrationId],
  )
  if (!row) throw notFound('registrationId', 'There is no such registration.')
  return row
}

/** Sends one to the receiver, and only to an address that was verified. Returns what it answered. */
export function createTestDeliveries({ db, vault, ssrfPolicy }: Pick<Deps, 'db' | 'vault' | 'ssrfPolicy'>) {
  const dispatcher = guardedAgent(ssrfPolicy, systemResolve())
  return async (registrationId: string, kind: DeliveryKind) => {
    const { subscriberId, webhookURI: uri, status, secret, event } = await findReceiver(db.read, registrationId)
    if (status !== 'VERIFIED') throw conflict({ field: 'registrationId', message: 'Its address is not verified yet.' })
    if (kind === 'REPLAYED' && !event)
      throw conflict({ field: 'kind', message: 'Nothing was delivered to it yet that could be replayed.' })
    const now = new Date()
    const newId = randomUUID()
    const test = { eventId: newId, type: 'TEST', workspaceId: null, data: { registrationId } }
    const message = messageOf(kind, {
      event: { ...(event ?? test), at: event ? new Date(event.at) : now },
      subscriberId,
      newId,
      secret: vault.open(secret, registrationId),
      otherSecret: newSharedSecret(),
      now,
    })
    const { headers: _, ...attempt } = await post({ dispatcher, ssrfPolicy }, { uri, ...message }, now)
    return {
      kind,
      eventId: message.headers['webhook-id'] ?? newId,
      expected: expectedOf(kind),
      isAsExpected: isAsExpected(kind, attempt.status),
      ...attempt,
    }
  }
}
