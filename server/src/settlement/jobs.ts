import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { type Job, job, type Queue } from '../platform/jobs/queue.ts'
import { type LockedWorkspace, lockAnyWorkspace } from '../workspaces/store.ts'
import { PAY_JOB, type PayPayload, planPayment, takeBackFunds } from './authorise.ts'
import { exchangeFunds } from './exchange.ts'
import { type Attempt, findAttempt, insertAttempt, saveRefused, saveSettled } from './payment-store.ts'
import type { FinalOutcome, PaymentInstruction, PaymentOutcome, Payments } from './port.ts'
import type { LineItem } from './rules.ts'
import { instructionOf, isBalanced, settlesAt } from './rules-funds.ts'
import { lockAnyScheduleOf } from './store.ts'

/**
 * Has an authorised schedule paid and writes down what became of it. The paying stands between two transactions, not in
 * one: the first says for good under which id and what, the second ends it. An answer that comes twice or late changes
 * nothing.
 */
export const payJob = ({ db, queue }: Pick<Deps, 'db' | 'queue'>, payments: Payments): Job<PayPayload> =>
  job<PayPayload>({
    name: PAY_JOB,
    transactional: false,
    concurrency: 4,
    retries: RETRIES,
    async run({ correlationId, now }, payload) {
      const actor: Actor = { correlationId, at: now }
      const begun = await db.transaction((tx) => begin(tx, payload, actor))
      if (!begun) return
      const { attempt, instruction } = begun
      const { settlementId: messageId, initiatedAt: firstAskedAt } = attempt
      const outcome = await payments.pay(instruction, { now, firstAskedAt, messageId, correlationId })
      await db.transaction((tx) => end(tx, queue, payload, messageId, outcome, actor))
    },
  })

const RETRIES = 20 // what was authorised must end, however often its worker is killed under it

type Begun = { attempt: Attempt; instruction: PaymentInstruction }

async function begin(tx: Transaction, payload: PayPayload, actor: Actor): Promise<Begun | undefined> {
  const { workspaceId } = payload
  const [locked, known] = await Promise.all([lockAnyScheduleOf(tx, workspaceId), findAttempt(tx, workspaceId)])
  if (locked?.workspace.status !== 'FUNDS_AUTHORISED') return undefined
  const { workspace, schedule } = locked
  const { completionDate } = schedule
  if (completionDate === null) throw new Error(`The funds of ${workspaceId} are authorised for no day.`)
  // The repeat of a job of an earlier day, whose payment was refused: it must not pay before this one's time.
  if (actor.at < settlesAt(completionDate)) {
    planPayment(tx, settlesAt(completionDate), payload, actor)
    return undefined
  }
  const attempt = known ?? initiate(tx, workspace, schedule.lines, actor)
  return { attempt, instruction: instructionOf({ ...workspace, completionDate }, attempt.lines) }
}

function initiate(tx: Transaction, workspace: LockedWorkspace, lines: LineItem[], actor: Actor): Attempt {
  const { workspaceId } = workspace
  if (!isBalanced(lines)) throw new Error(`The schedule of ${workspaceId} does not balance and is not paid.`)
  const attempt = insertAttempt(tx, workspace, lines, actor.at)
  const ids = { workspaceId, settlementId: attempt.settlementId }
  recordWorkspaceAudit(tx, workspaceId, { action: 'payment initiated', ids, after: { status: 'INITIATED' } }, actor)
  return attempt
}

async function end(
  tx: Transaction,
  queue: Queue,
  payload: PayPayload,
  settlementId: string,
  outcome: PaymentOutcome,
  actor: Actor,
): Promise<void> {
  const { workspaceId } = payload
  const [workspace, attempt] = await Promise.all([lockAnyWorkspace(tx, workspaceId), findAttempt(tx, workspaceId)])
  if (!workspace || attempt?.settlementId !== settlementId) return
  if (outcome.kind === 'later') {
    planPayment(tx, outcome.askAgainAt, payload, actor)
    return
  }
  const ended = await conclude(tx, queue, workspace, settlementId, outcome, actor)
  const { kind, ...facts } = outcome
  const ids = { workspaceId, settlementId }
  const change = { before: { status: workspace.status }, after: { status: ended.status, ...facts } }
  recordWorkspaceAudit(tx, workspaceId, { action: `payment ${kind}`, ids, ...change }, actor)
}

async function conclude(
  tx: Transaction,
  queue: Queue,
  workspace: LockedWorkspace,
  settlementId: string,
  outcome: FinalOutcome,
  actor: Actor,
): Promise<LockedWorkspace> {
  if (outcome.kind === 'settled') {
    saveSettled(tx, settlementId, outcome, actor.at)
    return exchangeFunds(tx, queue, workspace, actor)
  }
  saveRefused(tx, settlementId, outcome.reason)
  return takeBackFunds(tx, workspace, outcome.reason, actor)
}
