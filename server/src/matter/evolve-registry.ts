import { type Actor, actorName } from '../audit/record.ts'
import {
  closingEvent,
  type RegistryChange,
  type Requisition,
  type RequisitionStatus,
  rejectionOf,
  type SubmissionKind,
} from '../lodgement/rules-registry.ts'
import type { Notice } from '../registry/lodgement.ts'
import type { IssuedDocument } from '../registry/title-pdf.ts'
import type { ChangeOf, Matter } from './matter.ts'
import { moveCase } from './move.ts'

/** The matter after a case was sent to the registry, or after what the registry said or asked. */
export function evolveRegistry(matter: Matter, change: RegistryChange | Submitted, actor: Actor): Matter {
  if (change.kind === 'case waits for its deed') return matter
  if (change.kind === 'submission started') return startSubmission(matter, change, actor)
  const evolved = evolveCase(matter, change, actor)
  const rejection = rejectionOf(change)
  if (!rejection) return evolved
  const at = 'notice' in change ? change.notice.at : actor.at
  return { ...evolved, lodgementCase: { ...evolved.lodgementCase, rejection: { at, ...rejection } } }
}

type Submitted = ChangeOf<'submission started' | 'case waits for its deed'>

function evolveCase(matter: Matter, change: RegistryChange, actor: Actor): Matter {
  switch (change.kind) {
    case 'case sent':
      return send(moveCase(matter, 'sent', actor), change, actor)
    case 'notice overtaken':
      return withNotice(matter, change)
    case 'notice received': {
      const { notice, event, documents } = change
      const moved = moveCase(withNotice(matter, change), event, actor)
      if (event === 'answer accepted') return withNewest(moved, 'ANSWERED', 'ACCEPTED')
      if (notice.kind === 'answer accepted') return withNewest(moved, 'OPEN', 'NO_ANSWER_NEEDED')
      if (notice.kind === 'cancelled') return withNewest(moved, 'OPEN', 'LAPSED')
      return withDocuments(withFacts(moved, change), documents, actor)
    }
    case 'requisition raised':
      return raise(moveCase(withNotice(matter, change), 'requisitioned', actor), change)
    case 'requisition answered': {
      const { requisitionId, message: answer, fileIds: answerFileIds } = change
      const facts = { answer, answerFileIds, answeredAt: actor.at, answeredBy: actorName(actor) }
      const answered = withRequisition(matter, requisitionId, { status: 'ANSWERED', ...facts })
      return moveCase(answered, 'answered', actor)
    }
    case 'requisition closed': {
      const { requisitionId, answeredId, reason: closedReason, confirmedBy: closedBy } = change
      const facts = { closedAt: actor.at, closedBy, closedReason }
      const closed = withRequisition(matter, requisitionId, { status: 'NO_ANSWER_NEEDED', ...facts })
      return moveCase(closed, closingEvent(answeredId), actor)
    }
    case 'requisition reminder given':
      return matter
    case 'registry wait changed':
      return withWait(matter, change.reason && { reason: change.reason, since: actor.at })
    case 'requisition lapsed':
      return moveCase(withWait(withNewest(matter, 'OPEN', 'LAPSED')), 'deadline passed', actor)
  }
}

/** Under a message id of its own. */
function startSubmission(matter: Matter, { submissionId }: ChangeOf<'submission started'>, actor: Actor): Matter {
  const { approvedBy, lodgementCaseId, status } = matter.lodgementCase
  if (!approvedBy) throw new Error(`The case ${lodgementCaseId} would be sent, but nobody has approved it.`)
  const { correlationId, at: createdAt } = actor
  const kind: SubmissionKind = status === 'DISCHARGE_SUBMITTED' ? 'DISCHARGE' : 'CASE'
  const unsent = { content: null, sentAt: null, seen: [] }
  const submission = { submissionId, kind, approvedBy, ...unsent, correlationId, createdAt }
  return { ...matter, submissions: [...matter.submissions, submission] }
}

/**
 * What is sent is stored. The reference and priority of an earlier sending are void, and four eyes ask for those who change
 * the case from now on.
 */
function send(matter: Matter, { submissionId, content }: ChangeOf<'case sent'>, { at }: Actor): Matter {
  const isDischarge = matter.lodgementCase.status === 'DISCHARGE_SUBMITTED'
  const isVoid = isDischarge ? {} : { registryReference: null, priorityAt: null, lodgedAt: null }
  const sent = { submittedAt: at, submittedBy: content.submittedBy }
  return {
    ...matter,
    lodgementCase: { ...matter.lodgementCase, ...isVoid, rejection: null, changedBy: [], changedByUser: null },
    applications: matter.applications.map((one) => (one.status === 'SUBMITTED' ? { ...one, ...sent } : one)),
    submissions: matter.submissions.map((one) =>
      one.submissionId === submissionId ? { ...one, content, sentAt: at } : one,
    ),
  }
}

export const withWait = (matter: Matter, registryWait: Matter['lodgementCase']['registryWait'] = null): Matter => ({
  ...matter,
  lodgementCase: { ...matter.lodgementCase, registryWait },
})

function withNotice(matter: Matter, { submissionId, notice }: { submissionId: string; notice: Notice }): Matter {
  const { noticeId, kind, at } = notice
  return {
    ...matter,
    notices: [...matter.notices, { noticeId, submissionId, kind, at }],
    submissions: matter.submissions.map((one) =>
      one.submissionId === submissionId ? { ...one, seen: [...one.seen, noticeId] } : one,
    ),
  }
}

const withFacts = (matter: Matter, change: ChangeOf<'notice received'>): Matter => ({
  ...matter,
  lodgementCase: { ...matter.lodgementCase, ...factsOf(change, matter) },
})

/** What the case shows of a notice. A discharge is registered with the rest, unless the completion is early. */
function factsOf({ notice, event }: ChangeOf<'notice received'>, { applications }: Matter): Facts {
  const { kind, at } = notice
  if (kind === 'accepted') {
    return { registryReference: notice.registryReference, priorityAt: notice.priorityAt, lodgedAt: at }
  }
  if (event === 'discharged') return { dischargeRegisteredAt: at, rejection: null }
  if (kind !== 'completed') return {}
  const isDischarged = applications.some(
    ({ applicationType, status }) => applicationType === 'DISCHARGE' && status === 'REGISTERED',
  )
  return { registeredAt: at, earlyCompletion: notice.early, dischargeRegisteredAt: isDischarged ? at : null }
}

type Facts = Partial<Matter['lodgementCase']>

function withDocuments(matter: Matter, documents: readonly IssuedDocument[], { at: createdAt }: Actor): Matter {
  if (!documents.length) return matter
  const { title, workspace, titleDocuments } = matter
  if (!title) throw new Error(`The workspace ${workspace.workspaceId} was registered without a title.`)
  const { titleId } = title
  return { ...matter, titleDocuments: [...titleDocuments, ...documents.map((one) => ({ ...one, titleId, createdAt }))] }
}

function raise(matter: Matter, change: ChangeOf<'requisition raised'>): Matter {
  const { submissionId, requisitionId, dueAt, notice } = change
  const { registryId, points, at: receivedAt } = notice
  const raised = { requisitionId, submissionId, registryId, status: 'OPEN', dueAt, points, receivedAt } as const
  return { ...matter, requisitions: [...matter.requisitions, raised] }
}

/** One that is open lapses with its case; one that was answered may be accepted. Only the newest can be either. */
function withNewest(matter: Matter, is: RequisitionStatus, becomes: RequisitionStatus): Matter {
  const newest = matter.requisitions.findLast((one) => one.status !== 'NO_ANSWER_NEEDED')
  const { requisitionId, status } = newest ?? {}
  return requisitionId && status === is ? withRequisition(matter, requisitionId, { status: becomes }) : matter
}

const withRequisition = (matter: Matter, requisitionId: string, facts: Partial<Requisition>): Matter => ({
  ...matter,
  requisitions: matter.requisitions.map((one) => (one.requisitionId === requisitionId ? { ...one, ...facts } : one)),
})
