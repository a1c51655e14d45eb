import type { Actor } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import type { Notice } from '../registry/lodgement.ts'
import { REGISTRY_JOB_RETRIES, type Registry } from '../registry/port.ts'
import { type KeptDocument, keepTitleDocument } from '../titles/issue.ts'
import { findTitle, insertTitleDocument } from '../titles/store.ts'
import { lockAnyWorkspace } from '../workspaces/store.ts'
import { applyNotice } from './notices.ts'
import { replyJob } from './reply.ts'
import { type DuePayload, meetDeadline, REQUISITION_DUE_JOB } from './requisition.ts'
import { findRequisition } from './requisition-store.ts'
import { fateOf, isAwaiting } from './rules-notices.ts'
import { findSubmission, insertNotice } from './submission-store.ts'
import { type SubmitPayload, submitJob, WATCH_JOB } from './submit.ts'

type Parts = Pick<Deps, 'db' | 'queue' | 'blobs'>

/** All that goes to the registry, and all that comes from it. */
export const lodgementJobs = (deps: Parts, registry: Registry): readonly Job[] => [
  submitJob(deps, registry) as Job,
  watchJob(deps, registry) as Job,
  replyJob(deps, registry) as Job,
  requisitionDueJob() as Job,
]

/**
 * Asks what the registry has said of a submission and writes down what is new. A notice that comes twice, or was
 * overtaken, changes nothing; one that comes before another that it follows on waits for it.
 */
export const watchJob = (deps: Parts, registry: Pick<Registry, 'notices'>): Job<SubmitPayload> =>
  job<SubmitPayload>({
    name: WATCH_JOB,
    transactional: false,
    concurrency: 4,
    retries: REGISTRY_JOB_RETRIES,
    async run({ correlationId, now }, payload) {
      const { db } = deps
      const { submissionId } = payload
      const submission = await findSubmission(db.read, submissionId)
      if (!submission?.sentAt || !submission.isNewest || !isAwaiting(submission.caseStatus)) return
      const asking = { now, firstAskedAt: submission.sentAt, messageId: submissionId, correlationId }
      const { notices, askAgainAt } = await registry.notices(asking)
      const actor: Actor = { correlationId, at: now }
      const fresh = notices.filter(({ noticeId }) => !submission.seen.includes(noticeId))
      const waiting = await receiveAll(deps, payload, fresh, actor)
      const next = askAgainAt ?? (waiting.length ? new Date(now.getTime() + PATIENCE_MS) : undefined)
      if (!next) return
      await db.transaction(async (tx) => schedule(tx, next, WATCH_JOB, payload, actor, `${WATCH_JOB}:${submissionId}`))
    },
  })

const PATIENCE_MS = 3_600_000 // with a registry that told of something before what comes first, and named no time

/** Each in a transaction of its own, in their order. Those that must wait for another are looked at again after it. */
async function receiveAll(
  deps: Parts,
  payload: SubmitPayload,
  notices: readonly Notice[],
  actor: Actor,
): Promise<readonly Notice[]> {
  const waiting: Notice[] = []
  for (const notice of notices) if (!(await receive(deps, payload, notice, actor))) waiting.push(notice)
  return waiting.length < notices.length ? receiveAll(deps, payload, waiting, actor) : waiting
}

/** Says whether the notice is dealt with. */
async function receive(deps: Parts, payload: SubmitPayload, notice: Notice, actor: Actor): Promise<boolean> {
  // Rendered and kept before the transaction, which must wait for neither.
  const document = await documentOf(deps, notice)
  const { workspaceId, submissionId } = payload
  return deps.db.transaction(async (tx) => {
    const [workspace, submission] = await Promise.all([
      lockAnyWorkspace(tx, workspaceId),
      findSubmission(tx, submissionId),
    ])
    if (!workspace || !submission || submission.seen.includes(notice.noticeId)) return true
    const fate = submission.isNewest ? fateOf(workspace.caseStatus, notice, submission.asked) : 'never'
    if (fate === 'not yet') return false
    insertNotice(tx, submissionId, notice)
    if (fate === 'never') return true
    if (document) await issue(tx, workspaceId, workspace.lodgementCaseId, document, actor)
    applyNotice(tx, workspace, submissionId, notice, actor)
    return true
  })
}

async function documentOf(deps: Parts, notice: Notice): Promise<KeptDocument | undefined> {
  if (notice.kind === 'completed') return keepTitleDocument(deps, 'TITLE_INFORMATION_DOCUMENT', notice.copy)
  if (notice.kind !== 'discharged') return undefined
  return keepTitleDocument(deps, 'EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT', notice.copy)
}

async function issue(
  tx: Transaction,
  workspaceId: string,
  lodgementCaseId: string,
  document: KeptDocument,
  { at }: Actor,
): Promise<void> {
  const title = await findTitle(tx, workspaceId)
  if (!title) throw new Error(`The workspace ${workspaceId} was registered without a title.`)
  insertTitleDocument(tx, { ...document, lodgementCaseId, titleId: title.titleId, createdAt: at })
}

/** Reminds of a requisition, or ends it. One that was answered meanwhile needs neither. */
export const requisitionDueJob = (): Job<DuePayload> =>
  job<DuePayload>({
    name: REQUISITION_DUE_JOB,
    async run({ tx, now, correlationId }, { workspaceId, requisitionId, businessDaysLeft }) {
      const [workspace, requisition] = await Promise.all([
        lockAnyWorkspace(tx, workspaceId),
        findRequisition(tx, requisitionId),
      ])
      if (!workspace || requisition?.status !== 'OPEN') return
      meetDeadline(tx, workspace, requisition, businessDaysLeft, { correlationId, at: now })
    },
  })
