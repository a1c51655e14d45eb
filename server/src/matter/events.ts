import type { FailureReason as UploadFailure } from '../documents/rules.ts'
import type { EventType } from '../events/types.ts'
import { londonInWords } from '../jurisdiction/london.ts'
import { rejectionOf, WAITS } from '../lodgement/rules-registry.ts'
import type { SearchFailure } from '../registry/port.ts'
import type { FailureReason } from '../representation/rules.ts'
import type { ReconciliationChange } from '../title-reconciliation/rules.ts'
import type { Change, ChangeOf, Matter } from './matter.ts'

/** An event of a matter. Its recipients are the participants of the matter, always. */
export type MatterEvent = { type: EventType; data?: Readonly<Record<string, string>>; message?: string }

/** What is published of a change, in this order. `before` is the matter as the change found it. */
export function eventsOf(change: Change, before: Matter): readonly MatterEvent[] {
  const { lodgementCaseId } = before.lodgementCase
  const search = { lodgementCaseId, titleId: before.title?.titleId ?? '' }
  const schedule = { financialSettlementScheduleId: before.schedule.scheduleId }
  switch (change.kind) {
    case 'workspace cancelled': {
      const wasAuthorised = before.workspace.status === 'FUNDS_AUTHORISED'
      const released = { type: 'WORKSPACE_FUNDS_UNAUTHORISED', message: 'The workspace is cancelled.' } as const
      const message = `The workspace was cancelled: ${change.reason}.`
      return [...(wasAuthorised ? [released] : []), { type: 'WORKSPACE_CANCELLED', message }]
    }
    case 'workspace updated': {
      const changed = ORDER.filter(([name]) => change.after[name] !== undefined).map(([, words]) => words)
      return [{ type: 'WORKSPACE_UPDATED', message: `The lender changed ${changed.join(' and ')}.` }]
    }
    case 'title search begun':
      return [{ type: 'TITLE_SEARCH_PENDING', data: search }]
    case 'title search failed':
      return [{ type: 'TITLE_NOT_FOUND', data: search, message: SEARCH_FAILURES[change.reason] }]
    case 'title removed':
      return [{ type: 'TITLE_REMOVED', data: search }]
    case 'title received':
      return [{ type: 'TITLE_DATA_RECEIVED', data: search }]
    case 'title reconciled':
      return [{ type: 'TITLE_RECONCILIATION_UPDATED', message: RECONCILIATIONS[change.action] }]
    case 'representation processed': {
      const { representationId, partyId, outcome } = change
      const data = { representationId, partyId }
      if (outcome.status === 'ACTIVE') return [{ type: 'REPRESENTATION_ADDED', data }]
      return [{ type: 'REPRESENTATION_FAILED', data, message: REPRESENTATION_FAILURES[outcome.reason] }]
    }
    case 'external law firm changed': {
      const sharing = before.representations.filter(({ firmId }) => firmId === change.firmId)
      return sharing.map(({ representationId, partyId }) => ({
        type: 'REPRESENTATION_UPDATED',
        data: { representationId, partyId },
      }))
    }
    case 'applications planned':
      return [{ type: 'LODGEMENT_APPLICATION_UPDATED', data: { lodgementCaseId } }]
    case 'application updated':
    case 'deed effect updated':
      return [{ type: 'LODGEMENT_APPLICATION_UPDATED', data: { lodgementCaseId, applicationId: change.applicationId } }]
    case 'registry document received': {
      const { fileId, registryDocument, status } = change.file
      const message = `The registry sent a document: ${registryDocument.kind}.${status === 'SUCCESS' ? '' : NOT_SERVED}`
      return [{ type: 'REGISTRY_DOCUMENT_RECEIVED', data: { lodgementCaseId, fileId }, message }]
    }
    case 'file processed': {
      const { fileId, outcome } = change
      if (outcome.status === 'SUCCESS') return [{ type: 'FILE_UPLOAD_SUCCEEDED', data: { fileId } }]
      return [{ type: 'FILE_UPLOAD_FAILED', data: { fileId }, message: UPLOAD_FAILURES[outcome.reason] }]
    }
    case 'file withdrawn':
      return [{ type: 'FILE_WITHDRAWN', data: { fileId: change.fileId } }]
    case 'case approved':
      return [{ type: 'LODGEMENT_CASE_PREPARED', data: { lodgementCaseId } }]
    case 'case unapproved':
      return [{ type: 'LODGEMENT_CASE_UNAPPROVED', data: { lodgementCaseId } }]
    case 'readiness confirmed': {
      const { confirmationId, ruleId } = change.confirmation
      const message = `The rule ${ruleId} was confirmed: the matter is right as it is.`
      return [{ type: 'READINESS_CONFIRMED', data: { confirmationId }, message }]
    }
    case 'completion date set':
      return [{ type: 'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED', data: schedule }]
    case 'line item added':
    case 'line item changed': {
      const data = { ...schedule, lineItemId: change.line.lineItemId }
      return [{ type: 'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED', data }]
    }
    case 'line item deleted': {
      const data = { ...schedule, lineItemId: change.lineItemId }
      return [{ type: 'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED', data }]
    }
    case 'schedule approved':
      return [{ type: 'FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED', data: schedule }]
    case 'schedule unapproved':
      return [{ type: 'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED', data: schedule }]
    case 'funds authorised':
      return [{ type: 'WORKSPACE_FUNDS_AUTHORISED' }]
    case 'funds authorisation taken back': {
      const message = 'The lender took back the authorisation of the funds.'
      return [{ type: 'WORKSPACE_FUNDS_UNAUTHORISED', message }]
    }
    case 'settlement due':
      return [{ type: 'SETTLEMENT_DUE', data: schedule }]
    case 'payment confirmed': {
      const { lineItemId, payment } = change
      const data = { ...schedule, lineItemId }
      return [{ type: 'LINE_ITEM_PAID', data, message: `${moved(lineItemId, before)} on ${payment.paidOn}.` }]
    }
    case 'payment confirmation taken back': {
      const { lineItemId } = change
      const message = `It was taken back that ${moved(lineItemId, before)}.`
      return [{ type: 'LINE_ITEM_UNPAID', data: { ...schedule, lineItemId }, message }]
    }
    case 'payment settled':
      return [{ type: 'WORKSPACE_FUNDS_EXCHANGED' }]
    case 'payment refused':
      return [{ type: 'WORKSPACE_FUNDS_UNAUTHORISED', message: refusalOf(change) }]
    case 'case waits for its deed':
      return [{ type: 'LODGEMENT_WAITING', data: { lodgementCaseId } }]
    case 'registry wait changed': {
      const { message, needsPerson } = change.reason ? WAITS[change.reason] : {}
      return needsPerson && message ? [{ type: 'REGISTRY_WAITING', data: { lodgementCaseId }, message }] : []
    }
    case 'case sent':
      return [{ type: 'LODGEMENT_SUBMITTED', data: { lodgementCaseId } }]
    case 'notice received':
      return eventsOfNotice(change, { lodgementCaseId })
    case 'requisition raised': {
      const message = `The registry raised a requisition. Its answer is due by ${londonInWords(change.dueAt)}.`
      const data = { lodgementCaseId, requisitionId: change.requisitionId }
      return [{ type: 'WORKSPACE_REQUISITIONED', data, message }]
    }
    case 'requisition answered':
      return [{ type: 'REQUISITION_ANSWERED', data: { lodgementCaseId, requisitionId: change.requisitionId } }]
    case 'requisition closed': {
      const data = { lodgementCaseId, requisitionId: change.requisitionId }
      const again = { type: 'WORKSPACE_LODGED', data: { lodgementCaseId }, message: LODGED_AGAIN } as const
      return [{ type: 'REQUISITION_CLOSED', data }, ...(change.answeredId ? [] : [again])]
    }
    case 'requisition reminder given': {
      const { requisitionId, dueAt, businessDaysLeft } = change
      const left = businessDaysLeft === 1 ? '1 business day' : `${businessDaysLeft} business days`
      const message = `A requisition is still open. Its answer is due in ${left}, by ${londonInWords(dueAt)}.`
      return [{ type: 'REQUISITION_DUE_SOON', data: { lodgementCaseId, requisitionId }, message }]
    }
    case 'requisition lapsed':
      return [rejected(change, { lodgementCaseId })]
    case 'workspace prepared':
      return [{ type: 'WORKSPACE_PREPARED' }]
    case 'workspace reverted':
      return [{ type: 'WORKSPACE_REVERTED_TO_CREATED' }]
    case 'own reference set':
    case 'confirmation taken back':
    case 'confirmation lapsed':
    case 'title added':
    case 'representation queued':
    case 'file uploaded':
    case 'case reviewed':
    case 'submission started':
    case 'notice overtaken':
    case 'payment initiated':
      return []
  }
}

/** With the category of the line, and never its account. */
function moved(lineItemId: string, { schedule }: Matter): string {
  const { category, type } = schedule.lines.find((one) => one.lineItemId === lineItemId) ?? {}
  return `${category} was ${type === 'SOURCE' ? 'received' : 'paid'}`
}

/** With the category of the payee, where the bank named the line, and never its account. */
const refusalOf = ({ reason, line }: ChangeOf<'payment refused'>): string =>
  line ? `${reason} Payee: ${line.category}.` : reason

type CaseIds = { lodgementCaseId: string }

function rejected(change: ChangeOf<'notice received' | 'requisition lapsed'>, data: CaseIds): MatterEvent {
  const rejection = rejectionOf(change)
  return { type: 'LODGEMENT_REJECTED', data, ...(rejection && { message: rejection.message }) }
}

function eventsOfNotice(change: ChangeOf<'notice received'>, data: CaseIds): MatterEvent[] {
  const { notice, event } = change
  switch (notice.kind) {
    case 'accepted': {
      const message = `The registry accepted the case with priority, as ${notice.registryReference}.`
      return [{ type: 'WORKSPACE_LODGED', data, message }]
    }
    case 'validation failed':
    case 'cancelled':
      return [rejected(change, data)]
    case 'answer accepted': {
      const message =
        event === 'answer accepted'
          ? 'The registry accepted the answer to its requisition.'
          : 'The registry went on without an answer to its letter.'
      return [{ type: 'WORKSPACE_LODGED', data, message }]
    }
    case 'completed':
      if (event === 'completed early') return [{ type: 'LODGEMENT_PARTIALLY_REGISTERED', data }]
      return [{ type: 'LODGEMENT_REGISTERED', data }, { type: 'WORKSPACE_CLOSED' }]
    case 'discharged': {
      const message = 'The registry completed the case: the discharge is registered too.'
      return [{ type: 'LODGEMENT_REGISTERED', data, message }, { type: 'WORKSPACE_CLOSED' }]
    }
  }
}

const ORDER = [
  ['reference', 'the reference'],
  ['securityAddress', 'the security address'],
] as const

const SEARCH_FAILURES: Record<SearchFailure, string> = {
  NOT_FOUND: 'The registry knows no title of this number.',
  CLOSED: 'The title is closed.',
  PENDING_NEW_TITLE: 'The title is reserved for a registration that is not completed yet.',
  NOT_SUPPORTED: 'The title is of a class that cannot be charged to a lender.',
}

const RECONCILIATIONS: Record<ReconciliationChange['action'], string> = {
  UPDATE_PARTY_NAME: 'A party was renamed.',
  SET_AS_INCOMING_PROPRIETOR: 'A party was set as an incoming proprietor.',
  SET_AS_OUTGOING_PROPRIETOR: 'A proprietor was set as outgoing.',
  UPDATE_PROPRIETOR_NAME: 'A proprietor was given its present name.',
  UPDATE_OUTGOING_PROPRIETOR_NAME: 'An outgoing proprietor was given its present name.',
  REMOVE_ROLE: 'A party is no longer an incoming or outgoing proprietor.',
}

const REPRESENTATION_FAILURES: Record<FailureReason, string> = {
  PARTY_GONE: 'A representation failed: its party is no longer part of the workspace.',
  WORKSPACE_LOCKED: 'A representation failed: the workspace was locked meanwhile.',
  WORKSPACE_CANCELLED: 'A representation failed: the workspace was cancelled.',
  FIRM_SUSPENDED: 'A representation failed: the law firm is suspended.',
}

const LODGED_AGAIN = 'The case is with the registry again: its letter needs no answer.'

const NOT_SERVED = ' It did not pass the checks and cannot be downloaded here: read it at the registry.'

const UPLOAD_FAILURES: Record<UploadFailure, string> = {
  INFECTED: 'An upload failed: a virus was found in the file.',
  WORKSPACE_CANCELLED: 'An upload failed: the workspace was cancelled.',
  WORKSPACE_LOCKED: 'An upload failed: the workspace was locked meanwhile.',
  APPLICATION_WITHDRAWN: 'An upload failed: its application was withdrawn meanwhile.',
  NOT_ACCEPTABLE: 'An upload failed: the file is not a PDF that is accepted.',
}
