import type { Actor } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import { conflict } from '../platform/errors.ts'
import { schedule, unschedule } from '../platform/jobs/due.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { moveFunds } from './move.ts'
import { findAttempt } from './payment-store.ts'
import { settlesAt } from './rules-funds.ts'

export const PAY_JOB = 'settlement.pay'

export type PayPayload = { workspaceId: string }

/** The funds may go: their payment falls due in the morning of completion day, or at once where that has passed. */
export async function authoriseFunds(
  tx: Transaction,
  queue: Queue,
  workspace: LockedWorkspace,
  completionDate: string,
  actor: Actor,
): Promise<LockedWorkspace> {
  const authorised = moveFunds(tx, workspace, 'funds authorised', actor)
  const dueAt = settlesAt(completionDate)
  const payload: PayPayload = { workspaceId: workspace.workspaceId }
  if (dueAt <= actor.at) await queue.enqueue(tx, PAY_JOB, payload, actor)
  else planPayment(tx, dueAt, payload, actor)
  return authorised
}

/** The funds may not go after all: the lender says so, or the bank. */
export const takeBackFunds = (tx: Transaction, workspace: LockedWorkspace, message: string, actor: Actor) =>
  moveFunds(tx, workspace, 'funds no longer authorised', actor, message)

/** The payment that was planned is not made. One that the bank was told of can no longer be stopped. */
export async function stopPayment(tx: Transaction, { workspaceId }: LockedWorkspace): Promise<void> {
  if (await findAttempt(tx, workspaceId)) {
    throw conflict({ message: 'The payment is under way: money may have moved.' })
  }
  unschedule(tx, payKey(workspaceId))
}

export const planPayment = (tx: Transaction, dueAt: Date, payload: PayPayload, actor: Actor): void =>
  schedule(tx, dueAt, PAY_JOB, payload, actor, payKey(payload.workspaceId))

/** Under which a payment is planned. */
export const payKey = (workspaceId: string): string => `${PAY_JOB}:${workspaceId}`
