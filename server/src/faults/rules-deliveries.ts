import { type Payload, payloadOf, type StoredEvent } from '../events/payload.ts'
import { signedHeaders } from '../notifications/sign.ts'
import { NEW_FIELD, NEW_VALUE } from './rules.ts'

// Deliveries to try a receiver with. Each but two must be refused.

export const DELIVERY_KINDS = ['UNSIGNED', 'FORGED', 'ALTERED', 'STALE', 'REPLAYED', 'NEW_TYPE'] as const
export type DeliveryKind = (typeof DELIVERY_KINDS)[number]

export type Expected = 'REFUSED' | 'ACCEPTED'

export const expectedOf = (kind: DeliveryKind): Expected =>
  kind === 'REPLAYED' || kind === 'NEW_TYPE' ? 'ACCEPTED' : 'REFUSED'

/** A receiver that refuses says that the request is wrong. With a 5xx the delivery would be repeated for a day. */
export const isAsExpected = (kind: DeliveryKind, status = 0): boolean =>
  Math.floor(status / 100) === (expectedOf(kind) === 'ACCEPTED' ? 2 : 4)

const STALE_SECONDS = 600

type Parts = {
  event: StoredEvent
  subscriberId: string
  /** Of a delivery that is not a replay. */
  newId: string
  secret: string
  /** Which the receiver does not know. */
  otherSecret: string
  now: Date
}

export function messageOf(kind: DeliveryKind, parts: Parts): { headers: Record<string, string>; body: string } {
  const { event, subscriberId, newId, secret, otherSecret, now } = parts
  const id = kind === 'REPLAYED' ? event.eventId : newId
  const payload = payloadOf({ ...event, eventId: id }, subscriberId)
  const future = { ...payload, type: NEW_VALUE, [NEW_FIELD]: NEW_VALUE }
  const body = JSON.stringify(kind === 'NEW_TYPE' ? future : payload)
  const sentAt = kind === 'STALE' ? new Date(now.getTime() - STALE_SECONDS * 1_000) : now
  const signed = signedHeaders([kind === 'FORGED' ? otherSecret : secret], { id, body, sentAt })
  const { 'webhook-signature': _, ...unsigned } = signed
  return { headers: kind === 'UNSIGNED' ? unsigned : signed, body: kind === 'ALTERED' ? alter(payload) : body }
}

const alter = (payload: Payload): string =>
  JSON.stringify({ ...payload, data: { ...payload.data, altered: 'after it was signed' } })
