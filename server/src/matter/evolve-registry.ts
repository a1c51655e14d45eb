import { type Actor, actorName } from '../audit/record.ts'
import {
  eventOf,
  type RegistryChange,
  type Requisition,
  type RequisitionStatus,
  rejectionOf,
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
      const { notice, document } = change
      const moved = moveCase(withNotice(matter, change), eventOf(notice), actor)
      if (notice.kind === 'answer accepted') return withNewest(moved, 'ANSWERED', 'ACCEPTED')
      if (notice.kind === 'cancelled') return withNewest(moved, 'OPEN', 'LAPSED')
      return withDocument(withFacts(moved, notice), document, actor)
    }
    case 'requisition raised':
      return raise(moveCase(withNotice(matter, change), 'requisitioned', actor), change)
    case 'requisition answered': {
      const { requisitionId, message: answer, fileIds: answerFileIds } = change
      const facts = { answer, answerFileIds, answeredAt: actor.at, answeredBy: actorName(actor) }
      const answered = withRequisition(matter, requisitionId, { status: 'ANSWERED', ...facts })
      return moveCase(answered, 'answered', actor)
    }
    case 'requisition reminder given':
      return matter
    case 'requisition lapsed':
      return moveCase(withNewest(matter, 'OPEN', 'LAPSED'), 'deadline passed', actor)
  }
}

/** Under a message id of its own. */
function startSubmission(matter: Matter, { submissionId }: ChangeOf<'submission started'>, actor: Actor): Matter {
  const { approvedBy, lodgementCaseId } = matter.lodgementCase
  if (!approvedBy) throw new Error(`The case ${lodgementCaseId} would be sent, but nobody has approved it.`)
  const { correlationId, at: createdAt } = actor
  const submission = { submissionId, approvedBy, content: null, sentAt: null, seen: [], correlationId, createdAt }
  return { ...matter, submissions: [...matter.submissions, submission] }
}

/**
 * What is sent is stored. The reference and priority of an earlier sending are void, and four eyes ask for those who change
 * the case from now on.
 */
function send(matter: Matter, { submissionId, content }: ChangeOf<'case sent'>, { at }: Actor): Matter {
  const isVoid = { registryReference: null, priorityAt: null, lodgedAt: null, rejection: null }
  const sent = { submittedAt: at, submittedBy: content.submittedBy }
  return {
    ...matter,
    lodgementCase: { ...matter.lodgementCase, ...isVoid, changedBy: [], changedByUser: null },
    applications: matter.applications.map((one) => (one.status === 'WITHDRAWN' ? one : { ...one, ...sent })),
    submissions: matter.submissions.map((one) =>
      one.submissionId === submissionId ? { ...one, content, sentAt: at } : one,
    ),
  }
}

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

const withFacts = (matter: Matter, notice: Notice): Matter => ({
  ...matter,
  lodgementCase: { ...matter.lodgementCase, ...factsOf(notice, matter) },
})

/** What the case shows of a notice. A discharge is registered with the rest, unless the completion is early. */
function factsOf(notice: Notice, { applications }: Matter): Partial<Matter['lodgementCase']> {
  const { kind, at } = notice
  if (kind === 'accepted') {
    return { registryReference: notice.registryReference, priorityAt: notice.priorityAt, lodgedAt: at }
  }
  if (kind === 'discharged') return { dischargeRegisteredAt: at }
  if (kind !== 'completed') return {}
  const isDischarged = applications.some(
    ({ applicationType, status }) => applicationType === 'DISCHARGE' && status === 'REGISTERED',
  )
  return { registeredAt: at, earlyCompletion: notice.early, dischargeRegisteredAt: isDischarged ? at : null }
}

function withDocument(matter: Matter, document: IssuedDocument | undefined, { at: createdAt }: Actor): Matter {
  if (!document) return matter
  const { title, workspace, titleDocuments } = matter
  if (!title) throw new Error(`The workspace ${workspace.workspaceId} was registered without a title.`)
  return { ...matter, titleDocuments: [...titleDocuments, { ...document, titleId: title.titleId, createdAt }] }
}

function raise(matter: Matter, change: ChangeOf<'requisition raised'>): Matter {
  const { submissionId, requisitionId, dueAt, notice } = change
  const { registryId, points, at: receivedAt } = notice
  const raised = { requisitionId, submissionId, registryId, status: 'OPEN', dueAt, points, receivedAt } as const
  return { ...matter, requisitions: [...matter.requisitions, raised] }
}

/** One that is open lapses with its case; one that was answered may be accepted. Only the newest can be either. */
function withNewest(matter: Matter, is: RequisitionStatus, becomes: RequisitionStatus): Matter {
  const { requisitionId, status } = matter.requisitions.at(-1) ?? {}
  return requisitionId && status === is ? withRequisition(matter, requisitionId, { status: becomes }) : matter
}

const withRequisition = (matter: Matter, requisitionId: string, facts: Partial<Requisition>): Matter => ({
  ...matter,
  requisitions: matter.requisitions.map((one) => (one.requisitionId === requisitionId ? { ...one, ...facts } : one)),
})
