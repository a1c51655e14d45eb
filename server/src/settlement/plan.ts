import type { Transaction } from '../platform/database/db.ts'
import { schedule } from '../platform/jobs/due.ts'
import type { Queue } from '../platform/jobs/queue.ts'

export const PAY_JOB = 'settlement.pay'

export type PayPayload = { workspaceId: string }

type Actor = { correlationId: string; at: Date }

/** Has the payment asked for in the morning of completion day, or at once where that has passed. */
export async function planPayment(tx: Transaction, queue: Queue, dueAt: Date, payload: PayPayload, actor: Actor) {
  if (dueAt <= actor.at) return queue.enqueue(tx, PAY_JOB, payload, actor)
  schedule(tx, dueAt, PAY_JOB, payload, actor, payKey(payload.workspaceId))
}

/** Under which a payment is planned. */
export const payKey = (workspaceId: string): string => `${PAY_JOB}:${workspaceId}`
