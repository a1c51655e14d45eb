import type { Actor } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'

/** The job that sends what is due for a webhook registration (`notifications/jobs.ts`). */
export const DELIVER_JOB = 'notifications.deliver'

/** `at` is the clock of the node that enqueues it. What is due there is also due where the job runs. */
export type DeliverPayload = { registrationId: string; at: string }

/** Enqueues the deliveries that waited while the subscriber was suspended. */
export function resumeDeliveries(tx: Transaction, subscriberId: string, { at, correlationId }: Actor): void {
  tx.send(RESUME, [subscriberId, at, correlationId])
}

const RESUME = `
  insert into due (due_at, job, payload)
  select $2, '${DELIVER_JOB}', jsonb_build_object('correlationId', $3::text, 'payload',
           jsonb_build_object('registrationId', registration_id, 'at', $2::timestamptz))
    from notification_registrations where subscriber_id = $1`
