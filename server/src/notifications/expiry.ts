import type { Transaction } from '../platform/database/db.ts'
import { schedule, unschedule } from '../platform/jobs/due.ts'
import { nextReminder } from './rules.ts'

export const EXPIRY_JOB = 'notifications.expiry'

export type ExpiryPayload = { registrationId: string; expiresAt: string; at: string }

/** Plans the first reminder after a time, instead of whatever was planned for this registration. */
export function planReminder(
  tx: Transaction,
  { registrationId, expiresAt }: { registrationId: string; expiresAt: Date },
  after: Date,
  context: { correlationId: string },
): void {
  const at = nextReminder(expiresAt, after)
  if (!at) return
  const payload: ExpiryPayload = { registrationId, expiresAt: expiresAt.toISOString(), at: at.toISOString() }
  schedule(tx, at, EXPIRY_JOB, payload, context, keyOf(registrationId))
}

export const cancelReminders = (tx: Transaction, registrationId: string): void => unschedule(tx, keyOf(registrationId))

const keyOf = (registrationId: string) => `${EXPIRY_JOB}:${registrationId}`
