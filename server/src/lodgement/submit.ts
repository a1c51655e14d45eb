import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import type { Lodgement } from '../registry/lodgement.ts'
import { REGISTRY_JOB_RETRIES, type Registry } from '../registry/port.ts'
import { lockAnyWorkspace } from '../workspaces/store.ts'
import { lodgementOf } from './content.ts'
import { moveCase } from './move.ts'
import { canHappen } from './status.ts'
import { findCaseToLodge, findSubmission, markSent } from './submission-store.ts'

export const SUBMIT_JOB = 'lodgement.submit'
export const WATCH_JOB = 'lodgement.watch'

/** The submission's id is its message id at the registry. */
export type SubmitPayload = { workspaceId: string; submissionId: string }

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
