import { conflict } from '../platform/errors.ts'
import type { CaseStatus, WorkspaceEvent } from '../workspaces/status.ts'

// The life of a lodgement case and of its applications, each as one function of state and event.

export type CaseEvent =
  | 'approved'
  | 'approval taken back'
  | 'sent'
  | 'accepted'
  | 'validation failed'
  | 'requisitioned'
  | 'answered'
  | 'no answer needed'
  /** The answer to an earlier requisition is still with the registry. */
  | 'no further answer needed'
  | 'answer accepted'
  | 'deadline passed'
  | 'cancelled by the registry'
  | 'completed'
  | 'completed early'
  | 'discharged'
  | 'discharge refused'
  | 'workspace cancelled'

const CANCELLABLE = { 'cancelled by the registry': 'REGISTRATION_REJECTED' } as const

export const CASE_TRANSITIONS: Record<CaseStatus, Partial<Record<CaseEvent, CaseStatus>>> = {
  CREATED: { approved: 'PREPARED', 'workspace cancelled': 'CANCELLED' },
  PREPARED: { 'approval taken back': 'CREATED', sent: 'INITIATED', 'workspace cancelled': 'CANCELLED' },
  INITIATED: { accepted: 'LODGED', 'validation failed': 'REGISTRATION_REJECTED' },
  LODGED: {
    requisitioned: 'REQUISITIONED',
    ...CANCELLABLE,
    completed: 'REGISTERED',
    'completed early': 'PARTIALLY_REGISTERED',
  },
  REQUISITIONED: {
    answered: 'REQUISITION_SUBMITTED',
    'no answer needed': 'LODGED',
    'no further answer needed': 'REQUISITION_SUBMITTED',
    'deadline passed': 'REGISTRATION_REJECTED',
    ...CANCELLABLE,
  },
  REQUISITION_SUBMITTED: { 'answer accepted': 'LODGED', requisitioned: 'REQUISITIONED', ...CANCELLABLE },
  REGISTRATION_REJECTED: { approved: 'RESUBMISSION_PREPARED' },
  RESUBMISSION_PREPARED: { sent: 'INITIATED' },
  PARTIALLY_REGISTERED: { approved: 'DISCHARGE_SUBMITTED', discharged: 'REGISTERED' },
  DISCHARGE_SUBMITTED: {
    sent: 'DISCHARGE_SUBMITTED',
    discharged: 'REGISTERED',
    'discharge refused': 'PARTIALLY_REGISTERED',
  },
  REGISTERED: {},
  CANCELLED: {},
}

/** An illegal transition is refused, not ignored. */
export function caseAfter(status: CaseStatus, event: CaseEvent): CaseStatus {
  const next = CASE_TRANSITIONS[status][event]
  if (next) return next
  throw conflict({ message: `The lodgement case is ${status}: "${event}" cannot happen to it.` })
}

export const canHappen = (status: CaseStatus, event: CaseEvent): boolean => event in CASE_TRANSITIONS[status]

export const APPLICATION_STATUSES = [
  'DRAFT',
  'READY',
  'APPROVED',
  'SUBMITTED',
  'LODGED',
  'REQUISITIONED',
  'REGISTERED',
  'REJECTED',
  'WITHDRAWN',
] as const

export type ApplicationStatus = (typeof APPLICATION_STATUSES)[number]

export type ApplicationEvent =
  | 'found ready'
  | 'found wanting'
  | 'case approved'
  | 'case sent'
  | 'case lodged'
  | 'case requisitioned'
  | 'case rejected'
  | 'registered'
  | 'discharged'
  | 'withdrawn'

/** The old lender can discharge its charge electronically at any time, whatever is prepared meanwhile. */
const DISCHARGED = { discharged: 'REGISTERED' } as const

export const APPLICATION_TRANSITIONS: Record<
  ApplicationStatus,
  Partial<Record<ApplicationEvent, ApplicationStatus>>
> = {
  DRAFT: { 'found ready': 'READY', ...DISCHARGED, withdrawn: 'WITHDRAWN' },
  READY: { 'found wanting': 'DRAFT', 'case approved': 'APPROVED', ...DISCHARGED, withdrawn: 'WITHDRAWN' },
  APPROVED: {
    'found ready': 'READY',
    'found wanting': 'DRAFT',
    'case sent': 'SUBMITTED',
    ...DISCHARGED,
    withdrawn: 'WITHDRAWN',
  },
  SUBMITTED: { 'case lodged': 'LODGED', 'case rejected': 'REJECTED', ...DISCHARGED },
  LODGED: { 'case requisitioned': 'REQUISITIONED', 'case rejected': 'REJECTED', registered: 'REGISTERED' },
  REQUISITIONED: { 'case lodged': 'LODGED', 'case rejected': 'REJECTED' },
  REGISTERED: {},
  REJECTED: { 'found ready': 'READY', 'found wanting': 'DRAFT', 'case approved': 'APPROVED', ...DISCHARGED },
  WITHDRAWN: {},
}

/** What an event of the case is for its applications; where nothing is named, they stay as they are. */
const APPLICATION_EVENT_OF: Partial<Record<CaseEvent, ApplicationEvent>> = {
  approved: 'case approved',
  sent: 'case sent',
  accepted: 'case lodged',
  'validation failed': 'case rejected',
  requisitioned: 'case requisitioned',
  'answer accepted': 'case lodged',
  'no answer needed': 'case lodged',
  'deadline passed': 'case rejected',
  'cancelled by the registry': 'case rejected',
  completed: 'registered',
  'completed early': 'registered',
  discharged: 'discharged',
  'discharge refused': 'case rejected',
  'workspace cancelled': 'withdrawn',
}

/** The old charge is still there after an early completion: the registry rejects its discharge. */
export const applicationEventOf = (event: CaseEvent, applicationType: string): ApplicationEvent | undefined =>
  event === 'completed early' && applicationType === 'DISCHARGE' ? 'case rejected' : APPLICATION_EVENT_OF[event]

/** What an event of the case is for its workspace. */
export const WORKSPACE_EVENT_OF: Partial<Record<CaseEvent, WorkspaceEvent>> = {
  accepted: 'case lodged',
  'validation failed': 'case rejected',
  requisitioned: 'case requisitioned',
  'answer accepted': 'case lodged',
  'no answer needed': 'case lodged',
  'deadline passed': 'case rejected',
  'cancelled by the registry': 'case rejected',
  completed: 'case registered',
  discharged: 'case registered',
}
