import assert from 'node:assert/strict'
import { after } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { type Received, type Receiver, startReceiver } from './receiver.ts'
import type { TestService } from './service.ts'

// Webhooks as tests make them and look at them.

export const NOTIFICATION = '/partner/api/notification/v1'
export const REGISTRATIONS = `${NOTIFICATION}/notification-registrations`
export const NOTIFICATIONS = `${NOTIFICATION}/notifications`
export const EVENTS = `${NOTIFICATION}/events`

export type ShownRegistration = {
  registrationId: string
  subscriberId: string
  webhookURI: string
  eventTypes: string[]
  sharedSecret: string
  sharedSecretExpiry: string
  createdAt: string
}

export type ShownDelivery = {
  notificationId: string
  registrationId: string
  eventId: string
  type: string
  status: string
  nextAttemptAt?: string
  attempts: { at: string; status?: number; durationMs: number; response?: string; error?: string }[]
}

export type ShownEvent = { id: string; type: string; timestamp: string; data: Record<string, string> }
export type ShownFeed = { records: ShownEvent[]; nextCursor: string }

const receivers: Receiver[] = []
after(() => Promise.all(receivers.map((receiver) => receiver.stop())))

/** A receiver that ends with the test file. */
export async function aReceiver(...given: Parameters<typeof startReceiver>): Promise<Receiver> {
  const receiver = await startReceiver(...given)
  receivers.push(receiver)
  return receiver
}

export async function aRegistration(
  service: TestService,
  webhookURI: string,
  eventTypes: readonly string[] = ['WORKSPACE_CREATED'],
  as = { as: 'sandbox-lender' },
): Promise<ShownRegistration> {
  const json = { webhookURI, eventTypes }
  const { status, body, text } = await service.call<ShownRegistration>('POST', REGISTRATIONS, { ...as, json })
  assert.equal(status, 201, text)
  return body
}

/** The newest deliveries of a registration, oldest first. */
export async function deliveriesOf(
  service: TestService,
  { registrationId }: Pick<ShownRegistration, 'registrationId'>,
  as = { as: 'sandbox-lender' },
): Promise<ShownDelivery[]> {
  const { body } = await service.call<{ records: ShownDelivery[] }>('GET', `${NOTIFICATIONS}?limit=100`, as)
  return body.records.filter((one) => one.registrationId === registrationId).reverse()
}

export async function feedOf(service: TestService, query = '', as = { as: 'sandbox-lender' }): Promise<ShownFeed> {
  const { status, body, text } = await service.call<ShownFeed>('GET', `${EVENTS}${query}`, as)
  assert.equal(status, 200, text)
  return body
}

/** As a partner's own library judges it. */
export function isSignedBy(secret: string, { body, headers }: Received): boolean {
  try {
    new Webhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
