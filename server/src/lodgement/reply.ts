import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job, type Queue } from '../platform/jobs/queue.ts'
import { REGISTRY_JOB_RETRIES, type Registry } from '../registry/port.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { moveCase } from './move.ts'
import { findRequisition, markAnswered, type Requisition } from './requisition-store.ts'
import { findSubmission, listDocuments } from './submission-store.ts'
import { type SubmitPayload, WATCH_JOB } from './submit.ts'

export const REPLY_JOB = 'lodgement.reply'

export type ReplyPayload = { workspaceId: string; requisitionId: string }

export type Answer = { message: string; fileIds: readonly string[] }

/** Writes down the answer and has it sent. */
export async function answerRequisition(
  tx: Transaction,
  queue: Queue,
  workspace: LockedWorkspace,
  { requisitionId }: Requisition,
  answer: Answer,
  actor: Actor,
): Promise<LockedWorkspace> {
  const { workspaceId, lodgementCaseId, caseStatus } = workspace
  markAnswered(tx, requisitionId, answer, actor)
  const moved = moveCase(tx, workspace, 'answered', actor, { data: { requisitionId } })
  const payload: ReplyPayload = { workspaceId, requisitionId }
  await queue.enqueue(tx, REPLY_JOB, payload, actor)
  const ids = { workspaceId, lodgementCaseId, requisitionId }
  const change = { before: { caseStatus }, after: { caseStatus: moved.caseStatus, ...answer } }
  recordWorkspaceAudit(tx, workspaceId, { action: 'requisition answered', ids, ...change }, actor)
  return moved
}

/** Sends an answer. The registry takes each once; what it makes of it, its notices tell. */
export const replyJob = (
  { db, queue, blobs }: Pick<Deps, 'db' | 'queue' | 'blobs'>,
  registry: Pick<Registry, 'reply'>,
): Job<ReplyPayload> =>
  job<ReplyPayload>({
    name: REPLY_JOB,
    transactional: false,
    concurrency: 4,
    retries: REGISTRY_JOB_RETRIES,
    async run({ correlationId, now }, payload) {
      const { workspaceId, requisitionId } = payload
      const requisition = await findRequisition(db.read, requisitionId)
      if (requisition?.status !== 'ANSWERED') return
      const { submissionId, registryId, answer, answerFileIds, answeredAt } = requisition
      const [submission, documents] = await Promise.all([
        findSubmission(db.read, submissionId),
        listDocuments(db.read, answerFileIds ?? []),
      ])
      const isDecided = submission?.caseStatus !== 'REQUISITION_SUBMITTED' || submission.asked !== registryId
      if (isDecided || !submission.isNewest) return
      const asking = { now, firstAskedAt: answeredAt ?? now, messageId: submissionId, correlationId }
      const outcome = await registry.reply(
        { registryId, message: answer ?? '', documents },
        { ...asking, open: (sha256) => blobs.open(sha256) },
      )
      const actor: Actor = { correlationId, at: now }
      const watched: SubmitPayload = { workspaceId, submissionId }
      await db.transaction(async (tx) => {
        if (outcome.kind !== 'later') return queue.enqueue(tx, WATCH_JOB, watched, actor)
        schedule(tx, outcome.askAgainAt, REPLY_JOB, payload, actor, `${REPLY_JOB}:${requisitionId}`)
      })
    },
  })
