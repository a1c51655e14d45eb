import { randomUUID } from 'node:crypto'
import { reviewCase } from '../approvals/review.ts'
import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import { recordEvent } from '../events/record.ts'
import { planApplications } from '../lodgement/rules.ts'
import { listApplications, savePlan } from '../lodgement/store.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { REGISTRY_JOB_RETRIES, type Registry, type SearchFailure, type SearchOutcome } from '../registry/port.ts'
import type { OfficialCopy } from '../registry/register.ts'
import { causesOf } from '../title-reconciliation/rules.ts'
import { insertProprietors, loadMatter, proprietorsOf, saveStanding } from '../title-reconciliation/store.ts'
import { type LockedWorkspace, lockAnyWorkspace, type SearchStatus } from '../workspaces/store.ts'
import { SEARCH_JOB, type SearchPayload } from './start.ts'
import { findTitle, insertTitleDocument, markFailed, markFound, markPending, type Title } from './store.ts'

/**
 * Asks the registry for a title and writes down its answer. The asking stands between two transactions, not in one.
 * An answer that comes twice, late, or for a title that was replaced meanwhile changes nothing.
 */
export const searchJob = ({ db }: Pick<Deps, 'db'>, registry: Pick<Registry, 'searchTitle'>): Job<SearchPayload> =>
  job<SearchPayload>({
    name: SEARCH_JOB,
    transactional: false,
    concurrency: 4,
    retries: REGISTRY_JOB_RETRIES,
    async run({ correlationId, now }, payload) {
      const actor: Actor = { correlationId, at: now }
      const asked = await db.transaction((tx) => begin(tx, payload, actor))
      if (!asked) return
      const { titleNumber, titleId, firstAskedAt } = asked
      const outcome = await registry.searchTitle(titleNumber, { now, firstAskedAt, messageId: titleId, correlationId })
      await db.transaction((tx) => end(tx, payload, outcome, actor))
    },
  })

type Asked = Title & { firstAskedAt: Date }

async function begin(tx: Transaction, payload: SearchPayload, actor: Actor): Promise<Asked | undefined> {
  const found = await findUnanswered(tx, payload)
  if (!found) return undefined
  const { title, workspace } = found
  const firstAskedAt = title.firstAskedAt ?? actor.at
  if (title.searchStatus === 'INITIATED') {
    markPending(tx, title.titleId, firstAskedAt)
    tell(tx, workspace, 'TITLE_SEARCH_PENDING', title, actor)
    record(tx, workspace, title, 'title search begun', { status: 'PENDING' }, actor)
  }
  return { ...title, firstAskedAt }
}

async function end(tx: Transaction, payload: SearchPayload, outcome: SearchOutcome, actor: Actor): Promise<void> {
  const found = await findUnanswered(tx, payload)
  if (!found) return
  const { title, workspace } = found
  if (outcome.kind === 'later') {
    schedule(tx, outcome.askAgainAt, SEARCH_JOB, payload, actor, `${SEARCH_JOB}:${title.titleId}`)
  } else if (outcome.kind === 'failed') fail(tx, workspace, title, outcome.reason, actor)
  else await receive(tx, workspace, title, outcome, actor)
}

async function findUnanswered(tx: Transaction, { workspaceId, titleId }: SearchPayload) {
  const [workspace, title] = await Promise.all([lockAnyWorkspace(tx, workspaceId), findTitle(tx, workspaceId)])
  const isWaiting = title?.searchStatus === 'INITIATED' || title?.searchStatus === 'PENDING'
  return workspace && title && isWaiting && title.titleId === titleId ? { workspace, title } : undefined
}

const FAILURES: Record<SearchFailure, string> = {
  NOT_FOUND: 'The registry knows no title of this number.',
  CLOSED: 'The title is closed.',
  PENDING_NEW_TITLE: 'The title is reserved for a registration that is not completed yet.',
}

function fail(tx: Transaction, workspace: LockedWorkspace, title: Title, reason: SearchFailure, actor: Actor): void {
  markFailed(tx, title.titleId, reason)
  tell(tx, workspace, 'TITLE_NOT_FOUND', title, actor, FAILURES[reason])
  record(tx, workspace, title, 'title search failed', { status: 'FAILED', reason }, actor)
}

async function receive(
  tx: Transaction,
  workspace: LockedWorkspace,
  title: Title,
  { register, officialCopyAt }: OfficialCopy,
  actor: Actor,
): Promise<void> {
  const { workspaceId, lodgementCaseId } = workspace
  const { titleId } = title
  const proprietors = proprietorsOf(register, randomUUID)
  markFound(tx, titleId, register)
  insertProprietors(tx, workspaceId, proprietors)
  const [matter, applications] = await Promise.all([loadMatter(tx, workspaceId), listApplications(tx, workspaceId)])
  const plan = planApplications(applications, { ...matter, ...causesOf(matter) })
  saveStanding(tx, workspaceId, matter)
  savePlan(tx, lodgementCaseId, plan, actor)
  insertTitleDocument(tx, {
    titleDocumentId: randomUUID(),
    lodgementCaseId,
    titleId,
    documentType: 'TITLE_REGISTER',
    register,
    officialCopyAt,
    createdAt: actor.at,
  })
  tell(tx, workspace, 'TITLE_DATA_RECEIVED', title, actor)
  if (plan.add.length) tell(tx, workspace, 'LODGEMENT_APPLICATION_UPDATED', title, actor)
  await reviewCase(tx, workspace, actor)
  record(tx, workspace, title, 'title received', { status: 'SUCCESS', proprietors }, actor)
}

function tell(
  tx: Transaction,
  { workspaceId, lenderId, lawFirmId, reference, lodgementCaseId }: LockedWorkspace,
  type: 'TITLE_SEARCH_PENDING' | 'TITLE_NOT_FOUND' | 'TITLE_DATA_RECEIVED' | 'LODGEMENT_APPLICATION_UPDATED',
  { titleId }: Title,
  actor: Actor,
  message?: string,
): void {
  const data = type === 'LODGEMENT_APPLICATION_UPDATED' ? { lodgementCaseId } : { lodgementCaseId, titleId }
  const event = { type, workspaceId, told: [lenderId, lawFirmId], reference, data }
  recordEvent(tx, message === undefined ? event : { ...event, message }, actor)
}

function record(
  tx: Transaction,
  { workspaceId }: LockedWorkspace,
  { titleId, searchStatus }: Title,
  action: string,
  after: { status: SearchStatus } & Record<string, unknown>,
  actor: Actor,
): void {
  const entry = { action, ids: { workspaceId, titleId }, before: { status: searchStatus }, after }
  recordWorkspaceAudit(tx, workspaceId, entry, actor)
}
