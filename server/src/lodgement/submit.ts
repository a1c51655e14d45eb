import { randomUUID } from 'node:crypto'
import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job, type Queue } from '../platform/jobs/queue.ts'
import type { Lodgement } from '../registry/lodgement.ts'
import { REGISTRY_JOB_RETRIES, type Registry } from '../registry/port.ts'
import { type LockedWorkspace, lockAnyWorkspace } from '../workspaces/store.ts'
import { lodgementOf } from './content.ts'
import { moveCase } from './move.ts'
import { canHappen } from './status.ts'
import { findCaseToLodge, findSubmission, markSent } from './submission-store.ts'

export const SUBMIT_JOB = 'lodgement.submit'
export const WATCH_JOB = 'lodgement.watch'

/** The submission's id is its message id at the registry. */
export type SubmitPayload = { workspaceId: string; submissionId: string }

/** Has an approved case sent to the registry, under a message id of its own. Travels with the commit. */
export async function startSubmission(
  tx: Transaction,
  queue: Queue,
  { workspaceId, lodgementCaseId }: LockedWorkspace,
  actor: Actor,
): Promise<void> {
  const payload: SubmitPayload = { workspaceId, submissionId: randomUUID() }
  tx.send(
    `insert into submissions (submission_id, lodgement_case_id, number, approved_by, correlation_id, created_at)
     select $2, lodgement_case_id, (select count(*) + 1 from submissions where lodgement_case_id = $1), approved_by, $3, $4
       from lodgement_cases where lodgement_case_id = $1`,
    [lodgementCaseId, payload.submissionId, actor.correlationId, actor.at],
  )
  await queue.enqueue(tx, SUBMIT_JOB, payload, actor)
}

/**
 * Sends a case, between two transactions. It is INITIATED with the first of them, and what is sent is kept there: a
 * repeat, for whatever reason, sends the very same under the same message id and changes no state.
 */
export const submitJob = (
  { db, queue, blobs }: Pick<Deps, 'db' | 'queue' | 'blobs'>,
  registry: Pick<Registry, 'lodge'>,
): Job<SubmitPayload> =>
  job<SubmitPayload>({
    name: SUBMIT_JOB,
    transactional: false,
    concurrency: 4,
    retries: REGISTRY_JOB_RETRIES,
    async run({ correlationId, now }, payload) {
      const actor: Actor = { correlationId, at: now }
      const sending = await db.transaction((tx) => initiate(tx, payload, actor))
      if (!sending) return
      const { content, sentAt } = sending
      const asking = { now, firstAskedAt: sentAt, messageId: payload.submissionId, correlationId }
      const outcome = await registry.lodge(content, { ...asking, open: (sha256) => blobs.open(sha256) })
      await db.transaction(async (tx) => {
        if (outcome.kind === 'received') return queue.enqueue(tx, WATCH_JOB, payload, actor)
        schedule(tx, outcome.askAgainAt, SUBMIT_JOB, payload, actor, `${SUBMIT_JOB}:${payload.submissionId}`)
      })
    },
  })

type Sending = { content: Lodgement; sentAt: Date }

/** Nothing, where the case was cancelled, is past being sent, or goes out under a later message id. */
async function initiate(
  tx: Transaction,
  { workspaceId, submissionId }: SubmitPayload,
  actor: Actor,
): Promise<Sending | undefined> {
  const [workspace, submission, toLodge] = await Promise.all([
    lockAnyWorkspace(tx, workspaceId),
    findSubmission(tx, submissionId),
    findCaseToLodge(tx, workspaceId),
  ])
  if (!workspace || !toLodge || !submission?.isNewest || workspace.status !== 'FUNDS_EXCHANGED') return undefined
  const { content, sentAt } = submission
  if (content && sentAt) return workspace.caseStatus === 'INITIATED' ? { content, sentAt } : undefined
  if (!canHappen(workspace.caseStatus, 'sent')) return undefined

  const { lodgementCaseId, caseStatus } = workspace
  const first = lodgementOf(toLodge, submission.approvedBy)
  markSent(tx, submission, lodgementCaseId, first, actor.at)
  const moved = moveCase(tx, workspace, 'sent', actor)
  const ids = { workspaceId, lodgementCaseId, submissionId }
  const change = { before: { caseStatus }, after: { caseStatus: moved.caseStatus, submittedBy: first.submittedBy } }
  recordWorkspaceAudit(tx, workspaceId, { action: 'case sent to the registry', ids, ...change }, actor)
  return { content: first, sentAt: actor.at }
}
