import type { DeliveryRow } from './deliveries.ts'
import type { Notification } from './schema.ts'
import type { Registration } from './store.ts'

// From rows to what the interface shows. A field without a value is left out.

export const presentRegistration = (row: Registration) => ({
  registrationId: row.registrationId,
  subscriberId: row.subscriberId,
  webhookURI: row.webhookURI,
  eventTypes: row.eventTypes,
  sharedSecretExpiry: row.sharedSecretExpiry.toISOString(),
  createdAt: row.createdAt.toISOString(),
})

export const presentDelivery = (row: Omit<DeliveryRow, 'seq' | 'lane'>): Notification => ({
  notificationId: row.notificationId,
  registrationId: row.registrationId,
  eventId: row.eventId,
  type: row.type,
  status: row.status,
  ...(row.nextAttemptAt && { nextAttemptAt: row.nextAttemptAt.toISOString() }),
  attempts: row.attempts,
})
