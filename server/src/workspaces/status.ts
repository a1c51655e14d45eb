import { conflict } from '../platform/errors.ts'

// The life of a workspace, as one function of state and event.

export const WORKSPACE_STATUSES = [
  'CREATED',
  'PREPARED',
  'FUNDS_AUTHORISED',
  'FUNDS_EXCHANGED',
  'LODGED',
  'REQUISITIONED',
  'CLOSED',
  'CANCELLED',
] as const

export type WorkspaceStatus = (typeof WORKSPACE_STATUSES)[number]

// Those of the case and of the schedule, on which a workspace's own depends. Their transitions are in the `status.ts` of their features.

export const CASE_STATUSES = [
  'CREATED',
  'PREPARED',
  'INITIATED',
  'LODGED',
  'REQUISITIONED',
  'REQUISITION_SUBMITTED',
  'REGISTRATION_REJECTED',
  'RESUBMISSION_PREPARED',
  'PARTIALLY_REGISTERED',
  'DISCHARGE_SUBMITTED',
  'REGISTERED',
  'CANCELLED',
] as const

export type CaseStatus = (typeof CASE_STATUSES)[number]

export const SCHEDULE_STATUSES = ['DRAFT', 'PREPARED', 'AUTHORISED', 'PAYING', 'SETTLED', 'CANCELLED'] as const

export type ScheduleStatus = (typeof SCHEDULE_STATUSES)[number]

// How the title search of a workspace came out, and how its borrowers go with the registered proprietors.

export const SEARCH_STATUSES = ['INITIATED', 'PENDING', 'SUCCESS', 'FAILED'] as const
export const VALIDATION_STATUSES = ['PENDING', 'VALID', 'TYPE_INVALID', 'COUNT_INVALID', 'INVALID'] as const

export type SearchStatus = (typeof SEARCH_STATUSES)[number]
export type ValidationStatus = (typeof VALIDATION_STATUSES)[number]

// Whose turn it is, and for what. The rule is in `worklist/rules.ts`.

/** Every task, by who has it. */
export const TASKS_OF = {
  LAW_FIRM: [
    'GIVE_TITLE',
    'RECONCILE',
    'REPRESENT',
    'COMPLETE_CASE',
    'CONFIRM',
    'APPROVE_CASE',
    'DRAW_UP_MONEY',
    'APPROVE_MONEY',
    'NEW_DATE',
    'FIX_ACCOUNT',
    'PAY',
    'MAKE_EFFECTIVE',
    'ANSWER_REQUISITION',
    'FIX_AND_APPROVE',
    'LODGE_DISCHARGE',
  ],
  LENDER: ['AUTHORISE'],
  REGISTRY: ['WAIT'],
  BANK: ['WAIT'],
  CLOCK: ['COMPLETION'],
  SERVICE: ['WAIT'],
} as const

export type Who = keyof typeof TASKS_OF
export type Task = (typeof TASKS_OF)[Who][number]

export const WHOS = Object.keys(TASKS_OF) as Who[]
export const TASKS = [...new Set(Object.values(TASKS_OF).flat())]

/**
 * Why the registry cannot be asked at the moment: the law firm has no account there, or one that the registry refuses,
 * both of which a person must correct; it is closed at this hour; it does not answer, or fails.
 */
export const WAIT_REASONS = ['NO_ACCOUNT', 'ACCOUNT_REFUSED', 'REGISTRY_CLOSED', 'REGISTRY_UNAVAILABLE'] as const

export type WorkspaceEvent =
  | 'case and schedule approved'
  | 'an approval taken back'
  | 'funds authorised'
  | 'funds no longer authorised'
  | 'funds exchanged'
  | 'case lodged'
  | 'case requisitioned'
  | 'case rejected'
  | 'case registered'
  | 'cancelled'

export const WORKSPACE_TRANSITIONS: Record<WorkspaceStatus, Partial<Record<WorkspaceEvent, WorkspaceStatus>>> = {
  CREATED: { 'case and schedule approved': 'PREPARED', cancelled: 'CANCELLED' },
  PREPARED: { 'an approval taken back': 'CREATED', 'funds authorised': 'FUNDS_AUTHORISED', cancelled: 'CANCELLED' },
  FUNDS_AUTHORISED: {
    'funds no longer authorised': 'PREPARED',
    'funds exchanged': 'FUNDS_EXCHANGED',
    cancelled: 'CANCELLED',
  },
  FUNDS_EXCHANGED: { 'case lodged': 'LODGED', 'case rejected': 'FUNDS_EXCHANGED' },
  LODGED: { 'case requisitioned': 'REQUISITIONED', 'case rejected': 'FUNDS_EXCHANGED', 'case registered': 'CLOSED' },
  REQUISITIONED: { 'case lodged': 'LODGED', 'case rejected': 'FUNDS_EXCHANGED' },
  CLOSED: {},
  CANCELLED: {},
}

/** An illegal transition is refused, not ignored. */
export function transition(status: WorkspaceStatus, event: WorkspaceEvent): WorkspaceStatus {
  const next = WORKSPACE_TRANSITIONS[status][event]
  if (next) return next
  throw conflict({ message: `The workspace is ${status}: "${event}" cannot happen to it.` })
}

export const canBeCancelled = (status: WorkspaceStatus): boolean => 'cancelled' in WORKSPACE_TRANSITIONS[status]

export function checkCancellable(status: WorkspaceStatus): void {
  if (!canBeCancelled(status)) throw conflict({ message: `The workspace is ${status} and can no longer be cancelled.` })
}

/** A case is approved once at first, once more after each rejection, and after an early completion for its discharge. */
export const canBeApproved = (caseStatus: CaseStatus): boolean =>
  caseStatus === 'CREATED' || caseStatus === 'REGISTRATION_REJECTED' || caseStatus === 'PARTIALLY_REGISTERED'

/** Until the lender has authorised the funds on the strength of it. */
export const canBeUnapproved = (status: WorkspaceStatus, caseStatus: CaseStatus): boolean =>
  caseStatus === 'PREPARED' && !isHardLocked(status)

/** What a change touches; each is open in other statuses. */
export type Part =
  | 'reference and security address'
  | 'parties, title and representation'
  | 'applications and their documents'
  | 'discharge and its documents'
  | "deed's effect"
  | 'schedule'
  | 'files'

const LOCKED: readonly WorkspaceStatus[] = [
  'PREPARED',
  'FUNDS_AUTHORISED',
  'FUNDS_EXCHANGED',
  'LODGED',
  'REQUISITIONED',
]
const ENDED: readonly WorkspaceStatus[] = ['CLOSED', 'CANCELLED']

export const isLocked = (status: WorkspaceStatus): boolean => LOCKED.includes(status)
export const isHardLocked = (status: WorkspaceStatus): boolean => isLocked(status) && status !== 'PREPARED'

export function isOpen(status: WorkspaceStatus, part: Part, caseStatus: CaseStatus): boolean {
  if (status === 'CREATED' || ENDED.includes(status)) return status === 'CREATED'
  const isOpened = (OPENED_BY[part] ?? []).includes(caseStatus)
  return part === 'files' || (isOpened && (isHardLocked(status) || part === "deed's effect"))
}

/**
 * What is open in a locked workspace. A rejected case opens its applications again, although the money has moved; an early
 * completion only the discharge, which it left out. A digital deed takes effect at completion, before the case is sent.
 */
const OPENED_BY: Partial<Record<Part, readonly CaseStatus[]>> = {
  'applications and their documents': ['REGISTRATION_REJECTED'],
  'discharge and its documents': ['REGISTRATION_REJECTED', 'PARTIALLY_REGISTERED'],
  "deed's effect": ['PREPARED', 'REGISTRATION_REJECTED', 'RESUBMISSION_PREPARED'],
}

export function checkOpen(status: WorkspaceStatus, part: Part, caseStatus: CaseStatus): void {
  if (isOpen(status, part, caseStatus)) return
  const remedy = status === 'PREPARED' ? ' Take back an approval first.' : ''
  throw conflict({ message: `The workspace is ${status}: its ${part} can no longer be changed.${remedy}` })
}
