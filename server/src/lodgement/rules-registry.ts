// Long because all that passes between a case and the registry is decided here: submissions, notices and requisitions.
import { addBusinessDaysTo } from '../jurisdiction/business-days.ts'
import { londonInWords } from '../jurisdiction/london.ts'
import { conflict, type FieldError, Refusal } from '../platform/errors.ts'
import type { Lodgement, Notice } from '../registry/lodgement.ts'
import type { WaitReason } from '../registry/port.ts'
import type { IssuedDocument } from '../registry/title-pdf.ts'
import { type CaseStatus, isOpen, type WorkspaceStatus } from '../workspaces/status.ts'
import { type CaseToLodge, lodgementOf } from './content.ts'
import { type Application, awaitsEffect, type Particulars } from './rules.ts'
import { CASE_TRANSITIONS, type CaseEvent, canHappen } from './status.ts'

// What passes between a case and the registry: it is sent, the registry gives notice of it, and asks. Pure.

export const SUBMIT_JOB = 'lodgement.submit'
export const WATCH_JOB = 'lodgement.watch'
export const REPLY_JOB = 'lodgement.reply'
export const REQUISITION_DUE_JOB = 'lodgement.requisition-due'

/** The submission's id is its message id at the registry. */
export type SubmitPayload = { workspaceId: string; submissionId: string }
export type ReplyPayload = { workspaceId: string; requisitionId: string }
/** So many business days are left; none means that the time to answer is over. */
export type DuePayload = ReplyPayload & { businessDaysLeft: number }

export type RegistryChange =
  | { kind: 'case sent'; submissionId: string; content: Lodgement }
  | {
      kind: 'notice received'
      submissionId: string
      notice: OtherNotice
      event: CaseEvent
      documents: readonly IssuedDocument[]
    }
  /** It is recorded, and changes nothing. */
  | { kind: 'notice overtaken'; submissionId: string; notice: Notice }
  | { kind: 'requisition raised'; submissionId: string; notice: RequisitionNotice; requisitionId: string; dueAt: Date }
  | { kind: 'requisition answered'; requisitionId: string; message: string; fileIds: readonly string[] }
  /** A person says so. `answeredId` is an earlier one whose answer is still with the registry. */
  | {
      kind: 'requisition closed'
      requisitionId: string
      submissionId: string
      answeredId: string | undefined
      reason: string
      confirmedBy: string
    }
  | { kind: 'requisition reminder given'; requisitionId: string; dueAt: Date; businessDaysLeft: number }
  | { kind: 'requisition lapsed'; requisitionId: string; dueAt: Date }
  /** Without a reason it is over. */
  | { kind: 'registry wait changed'; reason: WaitReason | undefined }

type RequisitionNotice = Extract<Notice, { kind: 'requisitioned' }>
type OtherNotice = Exclude<Notice, RequisitionNotice>

/** The whole case, or after an early completion its discharge alone. */
export type SubmissionKind = 'CASE' | 'DISCHARGE'

/** One sending of a case, under its message id. */
export type Submission = {
  submissionId: string
  kind: SubmissionKind
  approvedBy: string
  /** What was sent, and when; null until it is sent for the first time. */
  content: Lodgement | null
  sentAt: Date | null
  /** The ids of all notices of it that were dealt with. */
  seen: readonly string[]
  correlationId?: string
  createdAt?: Date
}

export const REQUISITION_STATUSES = ['OPEN', 'ANSWERED', 'ACCEPTED', 'LAPSED', 'NO_ANSWER_NEEDED'] as const
export type RequisitionStatus = (typeof REQUISITION_STATUSES)[number]

export const REJECTION_REASONS = ['VALIDATION_FAILED', 'CANCELLED_BY_REGISTRY', 'REQUISITION_LAPSED'] as const

/** Why a case was rejected. Of several errors, `field` is that of the first. */
export type Rejection = { reason: (typeof REJECTION_REASONS)[number]; field?: string; message: string }

/** A question of the registry. What is optional is not loaded. */
export type Requisition = {
  requisitionId: string
  submissionId: string
  /** The registry's own name for it. */
  registryId: string
  status: RequisitionStatus
  dueAt: Date
  points?: readonly string[]
  receivedAt?: Date
  answer?: string
  answerFileIds?: readonly string[]
  answeredAt?: Date
  answeredBy?: string
  closedAt?: Date
  closedBy?: string
  closedReason?: string
}

/** What of a matter is decided by here: its submissions and requisitions, oldest first. */
type Lodged = {
  workspace: { status: WorkspaceStatus }
  lodgementCase: { status: CaseStatus }
  submissions: readonly Submission[]
  requisitions: readonly Requisition[]
}

/** Nothing, where the case was cancelled, waits for its deed, was sent already, or goes out under a later message id. */
export function sendCase(
  matter: Lodged & { applications: readonly (Application & Particulars)[] },
  submissionId: string,
  toLodge: CaseToLodge | undefined,
): RegistryChange[] {
  const newest = matter.submissions.at(-1)
  if (!isDue(matter) || awaitsEffect(matter.applications)) return []
  if (newest?.submissionId !== submissionId || newest.content || !toLodge) return []
  const isSent = ({ applicationType }: Application) => newest.kind === 'CASE' || applicationType === 'DISCHARGE'
  const sent = { ...toLodge, applications: toLodge.applications.filter(isSent) }
  return [{ kind: 'case sent', submissionId, content: lodgementOf(sent, newest.approvedBy) }]
}

/** Whether it is approved and the money has moved. */
export const isDue = ({ workspace, lodgementCase }: Pick<Lodged, 'workspace' | 'lodgementCase'>): boolean =>
  canHappen(lodgementCase.status, 'sent') && ['FUNDS_EXCHANGED', 'LODGED'].includes(workspace.status)

/** What the registry must have, and since when: as it was stored, so that a repeat is the same. */
export function sentCase({ lodgementCase, submissions }: Lodged, submissionId: string) {
  const newest = submissions.at(-1)
  const isSent = lodgementCase.status === 'INITIATED' || lodgementCase.status === 'DISCHARGE_SUBMITTED'
  if (!isSent || newest?.submissionId !== submissionId) return undefined
  const { content, sentAt } = newest
  return content && sentAt ? { content, sentAt } : undefined
}

/** What a notice changes: nothing where it was dealt with before, or must wait for another. */
export function receiveNotice(
  matter: Lodged,
  submissionId: string,
  notice: Notice,
  { requisitionId, documents }: { requisitionId: string; documents: readonly IssuedDocument[] },
): RegistryChange[] {
  if (hasSeen(matter, submissionId, notice)) return []
  const { kind = 'CASE' } = matter.submissions.find((one) => one.submissionId === submissionId) ?? {}
  // The old lender may discharge its charge, of which the case has notice, while a discharge of our own is on its way.
  const isNewest = matter.submissions.findLast((one) => one.kind === kind)?.submissionId === submissionId
  const asked = matter.requisitions.findLast((one) => one.submissionId === submissionId && isUndecided(one))
  const isUnanswered = notice.kind === 'answer accepted' && asked?.status === 'OPEN'
  const caseEvent = isUnanswered ? closingEvent(answeredBefore(matter, asked)) : eventOf(notice)
  const event = kind === 'CASE' ? caseEvent : DISCHARGE_EVENTS[notice.kind]
  const { registryId = null } = asked ?? {}
  const turn = isNewest && event ? turnOf(matter.lodgementCase.status, notice, registryId, event) : 'never'
  if (turn === 'not yet') return []
  if (turn === 'never' || !event) return [{ kind: 'notice overtaken', submissionId, notice }]
  if (notice.kind !== 'requisitioned') return [{ kind: 'notice received', submissionId, notice, event, documents }]
  const dueAt = addBusinessDaysTo(notice.at, ANSWER_BUSINESS_DAYS)
  return [{ kind: 'requisition raised', submissionId, notice, requisitionId, dueAt }]
}

const isUndecided = ({ status }: Requisition) => status !== 'NO_ANSWER_NEEDED'

/** The one before it whose answer is still with the registry. */
const answeredBefore = ({ requisitions }: Pick<Lodged, 'requisitions'>, { submissionId }: Requisition) =>
  requisitions.findLast((one) => one.status === 'ANSWERED' && one.submissionId === submissionId)

/** What happens to a case whose requisition needs no answer. */
export const closingEvent = (answered: unknown): CaseEvent =>
  answered ? 'no further answer needed' : 'no answer needed'

export const hasSeen = ({ submissions }: Lodged, submissionId: string, { noticeId }: Notice): boolean =>
  submissions.some((one) => one.submissionId === submissionId && one.seen.includes(noticeId))

export function eventOf(notice: Notice): CaseEvent {
  switch (notice.kind) {
    case 'cancelled':
      return 'cancelled by the registry'
    case 'completed':
      return notice.early ? 'completed early' : 'completed'
    default:
      return notice.kind
  }
}

/** A discharge that was sent on its own is registered or refused. Nothing else changes it. */
const DISCHARGE_EVENTS: Partial<Record<Notice['kind'], CaseEvent>> = {
  'validation failed': 'discharge refused',
  cancelled: 'discharge refused',
  discharged: 'discharged',
}

/** Why a change rejects its case or its discharge; undefined where it does neither. */
export function rejectionOf(change: RegistryChange): Rejection | undefined {
  if (change.kind === 'requisition lapsed') {
    const message = `The requisition was not answered by ${londonInWords(change.dueAt)}, when its answer was due.`
    return { reason: 'REQUISITION_LAPSED', message }
  }
  if (change.kind !== 'notice received') return undefined
  const { notice, event } = change
  const what = event === 'discharge refused' ? 'discharge' : 'case'
  if (notice.kind === 'cancelled') {
    return { reason: 'CANCELLED_BY_REGISTRY', message: `The registry cancelled the ${what}: ${notice.reason}` }
  }
  if (notice.kind !== 'validation failed') return undefined
  const errors = notice.faults.map(({ field, reason }) => (field ? `${field}: ${reason}` : reason))
  const [first] = notice.faults
  return {
    reason: 'VALIDATION_FAILED',
    ...(first?.field && { field: first.field }),
    message: `The registry's validation${what === 'case' ? '' : ' of the discharge'} failed${first?.field ? ' at' : ':'} ${errors.join(' ')}`,
  }
}

/** Now; not yet, where something else must happen before it; or never, where it was overtaken. */
export type Turn = 'now' | 'not yet' | 'never'

/** `asked` is the registry's name for the newest requisition on the submission, where there is one. */
export function turnOf(status: CaseStatus, notice: Notice, asked: string | null, event = eventOf(notice)): Turn {
  if (notice.kind === 'requisitioned' && notice.registryId === asked) return 'never'
  const isForAnother = notice.kind === 'answer accepted' && notice.registryId !== asked
  if (canHappen(status, event) && !isForAnother) return 'now'
  return [...ahead(status)].some((later) => canHappen(later, event)) ? 'not yet' : 'never'
}

/** Begins another submission, of which the notices of this one say nothing. */
const BEGINS_ANOTHER: readonly CaseEvent[] = ['approved', 'sent']

/** Where a case can still come to with what was sent. */
function ahead(status: CaseStatus, found = new Set<CaseStatus>()): Set<CaseStatus> {
  for (const [event, next] of Object.entries(CASE_TRANSITIONS[status])) {
    if (BEGINS_ANOTHER.includes(event as CaseEvent) || found.has(next)) continue
    found.add(next)
    ahead(next, found)
  }
  return found
}

/** Why the registry cannot be asked about a case, or for its title. */
export type RegistryWait = { reason: WaitReason; since: string | Date }

export const WAITS: Record<WaitReason, { message: string; needsPerson: boolean }> = {
  NO_ACCOUNT: {
    message: 'The law firm has no account at the registry. The operator of the platform must add it.',
    needsPerson: true,
  },
  ACCOUNT_REFUSED: {
    message:
      'The registry refuses the account of the law firm: its certificate or its password. The operator of the platform must correct it.',
    needsPerson: true,
  },
  REGISTRY_CLOSED: { message: 'The registry is closed at this hour. It is asked again later.', needsPerson: false },
  REGISTRY_UNAVAILABLE: { message: 'The registry does not answer. It is asked again later.', needsPerson: false },
}

export const changeWait = (present: Pick<RegistryWait, 'reason'> | null | undefined, reason?: WaitReason) =>
  present?.reason === reason ? [] : [{ kind: 'registry wait changed', reason } as const]

/** Whether the registry can still send a notice about it. */
export const isAwaiting = (status: CaseStatus): boolean => ahead(status).size > 0

const ANSWER_BUSINESS_DAYS = 20
const REMINDERS_BUSINESS_DAYS = [10, 5, 1]

/** When to remind of a requisition, and when it lapses. Reminders whose day has passed are left out. */
export function deadlinesOf(dueAt: Date, now: Date): { businessDaysLeft: number; at: Date }[] {
  return [...REMINDERS_BUSINESS_DAYS, 0]
    .map((businessDaysLeft) => ({ businessDaysLeft, at: addBusinessDaysTo(dueAt, -businessDaysLeft) }))
    .filter(({ businessDaysLeft, at }) => businessDaysLeft === 0 || at > now)
}

/** A reminder of a requisition that is still open, or its end. One that has ended needs neither. */
export function meetDeadline(
  { requisitions }: Lodged,
  { requisitionId, businessDaysLeft }: DuePayload,
): RegistryChange[] {
  const requisition = requisitions.find((one) => one.requisitionId === requisitionId)
  if (requisition?.status !== 'OPEN') return []
  const { dueAt } = requisition
  if (businessDaysLeft > 0) return [{ kind: 'requisition reminder given', requisitionId, dueAt, businessDaysLeft }]
  return [{ kind: 'requisition lapsed', requisitionId, dueAt }]
}

/** A UUID may be written in either case, so two texts may be the same id. Given whatever came as the body. */
export function repeatErrors(body: unknown): FieldError[] {
  const { fileIds } = (body ?? {}) as { fileIds?: unknown }
  if (!Array.isArray(fileIds)) return []
  const ids = fileIds.map((id) => (typeof id === 'string' ? id.toLowerCase() : id))
  return new Set(ids).size === ids.length
    ? []
    : [{ field: 'fileIds', message: 'fileIds must not hold the same value twice.' }]
}

/** Answers the open requisition. `files` has those of the workspace among the files that are named. */
export function answerRequisition(
  { workspace: { status }, lodgementCase, requisitions }: Lodged,
  { message, fileIds }: { message: string; fileIds: readonly string[] },
  files: readonly { fileId: string; status: string }[],
): RegistryChange[] {
  if (!isOpen(status, 'files', lodgementCase.status)) {
    throw conflict({ message: `The workspace is ${status}: nothing in it can be answered any more.` })
  }
  const open = requisitions.findLast((one) => one.status === 'OPEN')
  const errorsWhere = (isWrong: (fileId: string) => boolean, message: string): FieldError[] =>
    fileIds.flatMap((fileId, index) => (isWrong(fileId) ? [{ field: `fileIds[${index}]`, message }] : []))
  const statuses = new Map(files.map((one) => [one.fileId, one.status]))
  const unknown = errorsWhere((fileId) => !statuses.has(fileId), 'There is no such file in this workspace.')
  if (unknown.length) throw new Refusal('not_found', unknown)
  const unsound = errorsWhere(
    (fileId) => statuses.get(fileId) !== 'SUCCESS',
    'Only a file whose upload status is SUCCESS can be sent.',
  )
  if (!open) throw conflict({ message: 'There is no open requisition on this case.' }, ...unsound)
  if (unsound.length) throw conflict(...unsound)
  return [{ kind: 'requisition answered', requisitionId: open.requisitionId, message, fileIds }]
}

/** Says that the open requisition, a letter, needs no answer: the case goes back to where it was before. */
export function closeRequisition(
  matter: Lodged,
  { reason, confirmedBy }: { reason: string; confirmedBy: string },
): RegistryChange[] {
  const open = matter.requisitions.findLast((one) => one.status === 'OPEN')
  if (!open) throw conflict({ message: 'There is no open requisition on this case.' })
  if (open.points?.length) {
    throw conflict({ message: 'The registry asks for something in this requisition: answer it.' })
  }
  const { requisitionId, submissionId } = open
  const answeredId = answeredBefore(matter, open)?.requisitionId
  return [{ kind: 'requisition closed', requisitionId, submissionId, answeredId, reason, confirmedBy }]
}
