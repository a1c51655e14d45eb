import { randomUUID } from 'node:crypto'
import type { Actor } from '../audit/record.ts'
import { changeMatterInJob } from '../matter/change.ts'
import { ownershipOf } from '../matter/matter.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { documentsIn, planFetch } from '../registry/documents.ts'
import type { Notice } from '../registry/lodgement.ts'
import { REGISTRY_JOB_RETRIES, type Registry, type WaitReason } from '../registry/port.ts'
import type { IssuedDocument } from '../registry/title-pdf.ts'
import { asRegistered, linkedParties, presentlyNamed } from '../title-reconciliation/rules-links.ts'
import { keepTitleDocument } from '../titles/issue.ts'
import {
  changeWait,
  type DuePayload,
  hasSeen,
  isAwaiting,
  meetDeadline,
  REPLY_JOB,
  REQUISITION_DUE_JOB,
  type ReplyPayload,
  receiveNotice,
  SUBMIT_JOB,
  type SubmitPayload,
  sendCase,
  sentCase,
  WAITS,
  WATCH_JOB,
} from './rules-registry.ts'
import { findCaseToLodge, findReply, findSent } from './store.ts'

type Parts = Pick<Deps, 'db' | 'queue' | 'blobs'>

// The registry is asked between two transactions, never within one.
const ASKS_REGISTRY = { transactional: false, concurrency: 4, retries: REGISTRY_JOB_RETRIES } as const

/** All that goes to the registry, and all that comes from it. */
export const lodgementJobs = (deps: Parts, registry: Registry): readonly Job[] => [
  submitJob(deps, registry) as Job,
  watchJob(deps, registry) as Job,
  replyJob(deps, registry) as Job,
  requisitionDueJob(deps) as Job,
]

/**
 * Sends a case. It is INITIATED in the first transaction, and what is sent is stored there: a repeat, for any reason, sends
 * the very same under the same message id and changes no state.
 */
export const submitJob = ({ db, queue, blobs }: Parts, registry: Pick<Registry, 'lodge'>): Job<SubmitPayload> =>
  job<SubmitPayload>({
    name: SUBMIT_JOB,
    ...ASKS_REGISTRY,
    async run({ correlationId, now }, payload) {
      const { workspaceId, submissionId } = payload
      const actor: Actor = { correlationId, at: now }
      const matter = await db.transaction((tx) =>
        changeMatterInJob(
          tx,
          queue,
          { workspaceId, actor, also: () => findCaseToLodge(tx, workspaceId) },
          (present, toLodge) => {
            const ownership = ownershipOf(present)
            if (!toLodge) return sendCase(present, submissionId, undefined)
            const parties = asRegistered(ownership, toLodge.parties)
            const owners = { proprietors: presentlyNamed(ownership), links: linkedParties(ownership) }
            return sendCase(present, submissionId, { ...toLodge, ...owners, parties })
          },
        ),
      )
      const sent = matter && sentCase(matter, submissionId)
      if (!sent) return
      const { lawFirmId, workspaceReferenceId: customerReference } = matter.workspace
      const by = { lawFirmId, customerReference }
      const asking = { now, firstAskedAt: sent.sentAt, messageId: submissionId, correlationId, ...by }
      const outcome = await registry.lodge(sent.content, { ...asking, open: (sha256) => blobs.open(sha256) })
      await db.transaction(async (tx) => {
        const { reason } = matter.lodgementCase.registryWait ?? {}
        await noteWait(tx, queue, { workspaceId, actor }, { from: reason, to: becauseOf(outcome) })
        if (outcome.kind === 'received') return queue.enqueue(tx, WATCH_JOB, payload, actor)
        schedule(tx, outcome.askAgainAt, SUBMIT_JOB, payload, actor, `${SUBMIT_JOB}:${submissionId}`)
      })
    },
  })

/**
 * Asks what the registry has said of a submission and writes down what is new. A notice that comes twice, or was
 * overtaken, changes nothing; one that comes before another that it follows on waits for it.
 */
export const watchJob = (deps: Parts, registry: Pick<Registry, 'notices'>): Job<SubmitPayload> =>
  job<SubmitPayload>({
    name: WATCH_JOB,
    ...ASKS_REGISTRY,
    async run({ correlationId, now }, payload) {
      const { db } = deps
      const { workspaceId, submissionId } = payload
      const sent = await findSent(db.read, payload)
      if (!sent || !isAwaiting(sent.caseStatus)) return
      const { sentAt: firstAskedAt, lawFirmId, customerReference } = sent
      const asking = { now, firstAskedAt, messageId: submissionId, correlationId, lawFirmId, customerReference }
      const { notices, askAgainAt, because } = await registry.notices(asking)
      const actor: Actor = { correlationId, at: now }
      const wait = { from: sent.waitReason ?? undefined, to: because }
      // Nothing waits here for a registry that only has to be asked again.
      const isNews = wait.from !== wait.to && (!because || WAITS[because].needsPerson)
      if (isNews) await db.transaction((tx) => noteWait(tx, deps.queue, { workspaceId, actor }, wait))
      const documents = documentsIn(notices).filter(({ document }) => !sent.documents.includes(document.documentId))
      const announced = { workspaceId, messageId: submissionId, announcedAt: now.toISOString() }
      // Before the notices, because after the last of them nobody asks again.
      if (documents.length) {
        await db.transaction(async (tx) => documents.map((one) => planFetch(tx, now, { ...announced, ...one }, actor)))
      }
      const fresh = notices.filter(({ noticeId }) => !sent.seen.includes(noticeId))
      const waiting = await receiveAll(deps, payload, fresh, actor)
      const next = askAgainAt ?? (waiting.length ? new Date(now.getTime() + PATIENCE_MS) : undefined)
      if (!next) return
      await db.transaction(async (tx) => schedule(tx, next, WATCH_JOB, payload, actor, `${WATCH_JOB}:${submissionId}`))
    },
  })

const becauseOf = (outcome: { kind: string; because?: WaitReason | undefined }) => outcome.because

/** The case shows why the registry cannot be asked. `from` is the reason that it showed before the call. */
async function noteWait(
  tx: Transaction,
  queue: Parts['queue'],
  of: { workspaceId: string; actor: Actor },
  { from, to }: { from: WaitReason | undefined; to: WaitReason | undefined },
): Promise<void> {
  if (from === to) return
  await changeMatterInJob(tx, queue, of, ({ lodgementCase }) => changeWait(lodgementCase.registryWait, to))
}

const PATIENCE_MS = 3_600_000 // with a registry that gave notice of something before what comes first, and named no time

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
  const { workspaceId, submissionId } = payload
  // Rendered and stored before the transaction, which must wait for neither.
  const made = { requisitionId: randomUUID(), documents: await documentsOf(deps, notice) }
  const matter = await deps.db.transaction((tx) =>
    changeMatterInJob(tx, deps.queue, { workspaceId, actor }, (present) =>
      receiveNotice(present, submissionId, notice, made),
    ),
  )
  return !matter || hasSeen(matter, submissionId, notice)
}

/** The newest completion document is the one to download, so a late discharge brings one too. */
async function documentsOf(deps: Parts, notice: Notice): Promise<IssuedDocument[]> {
  if (notice.kind !== 'completed' && notice.kind !== 'discharged') return []
  const completed = await keepTitleDocument(deps, 'TITLE_INFORMATION_DOCUMENT', notice.copy)
  if (notice.kind === 'completed') return [completed]
  return [completed, await keepTitleDocument(deps, 'EARLY_COMPLETION_TITLE_INFORMATION_DOCUMENT', notice.copy)]
}

/** Sends an answer. The registry takes each once; what it decides, its notices say. */
export const replyJob = ({ db, queue, blobs }: Parts, registry: Pick<Registry, 'reply'>): Job<ReplyPayload> =>
  job<ReplyPayload>({
    name: REPLY_JOB,
    ...ASKS_REGISTRY,
    async run({ correlationId, now }, payload) {
      const { workspaceId, requisitionId } = payload
      const found = await findReply(db.read, payload)
      if (!found) return
      const { submissionId, answeredAt: firstAskedAt, lawFirmId, customerReference, waitReason, ...reply } = found
      const asking = { now, firstAskedAt, messageId: submissionId, correlationId, lawFirmId, customerReference }
      const outcome = await registry.reply(reply, { ...asking, open: (sha256) => blobs.open(sha256) })
      const actor: Actor = { correlationId, at: now }
      const watched: SubmitPayload = { workspaceId, submissionId }
      await db.transaction(async (tx) => {
        const wait = { from: waitReason ?? undefined, to: becauseOf(outcome) }
        await noteWait(tx, queue, { workspaceId, actor }, wait)
        if (outcome.kind !== 'later') return queue.enqueue(tx, WATCH_JOB, watched, actor)
        schedule(tx, outcome.askAgainAt, REPLY_JOB, payload, actor, `${REPLY_JOB}:${requisitionId}`)
      })
    },
  })

/** Reminds of a requisition, or ends it. */
export const requisitionDueJob = ({ queue }: Pick<Deps, 'queue'>): Job<DuePayload> =>
  job<DuePayload>({
    name: REQUISITION_DUE_JOB,
    async run({ tx, now, correlationId }, payload) {
      const actor: Actor = { correlationId, at: now }
      const { workspaceId } = payload
      await changeMatterInJob(tx, queue, { workspaceId, actor }, (matter) => meetDeadline(matter, payload))
    },
  })
