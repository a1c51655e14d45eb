import { movesOf, type ReadinessFacts, reviewReadiness } from '../approvals/rules.ts'
import { planApplications } from '../lodgement/rules.ts'
import { causesOf } from '../title-reconciliation/rules.ts'
import { canBeApproved } from '../workspaces/status.ts'
import { type Change, type Matter, ownershipOf } from './matter.ts'

// What follows from what was decided, by any feature. Pure.

/** Given the matter so far and all that happened to it, what happens next. */
export type Consequence = (matter: Matter, changes: readonly Change[], newId: () => string) => readonly Change[]

/** In this order: each sees what the ones before it have changed. */
export const CONSEQUENCES: readonly Consequence[] = [
  planned,
  unapproved,
  scheduleUnapproved,
  reviewed,
  followed,
  submitted,
]

/** A case has the applications that its parties, proprietors and register give cause for. */
function planned(matter: Matter, changes: readonly Change[], newId: () => string): readonly Change[] {
  if (!changes.some(({ kind }) => kind === 'title received' || kind === 'title reconciled')) return []
  const { title, applications } = matter
  const plan = planApplications(applications, {
    ...causesOf(ownershipOf(matter)),
    registerHasCharge: title?.hasCharge ?? false,
    registerHasRestriction: title?.hasRestriction ?? false,
  })
  const add = plan.add.map((wanted) => ({ ...wanted, applicationId: newId() }))
  const withdraw = plan.withdraw.map(({ applicationId }) => applicationId)
  return add.length || withdraw.length ? [{ kind: 'applications planned', add, withdraw }] : []
}

/** An approval is of the case as it was: a change to the case withdraws it. */
function unapproved({ lodgementCase }: Matter, changes: readonly Change[]): readonly Change[] {
  return lodgementCase.status === 'PREPARED' && changes.some(touches) ? [{ kind: 'case unapproved' }] : []
}

/** The same of the schedule. */
function scheduleUnapproved({ schedule }: Matter, changes: readonly Change[]): readonly Change[] {
  return schedule.status === 'PREPARED' && changes.some(touchesSchedule) ? [{ kind: 'schedule unapproved' }] : []
}

/** The applications are where the rules of readiness put them. One that was rejected moves only when it was changed. */
function reviewed(matter: Matter, changes: readonly Change[]): readonly Change[] {
  const { status, ready: wasReady } = matter.lodgementCase
  const isTouched = changes.some((change) => change.kind === 'case unapproved' || touches(change))
  if (!isTouched || !canBeApproved(status)) return []
  const facts = readinessFactsOf(matter)
  const results = reviewReadiness(facts)
  const moves = movesOf(facts.applications, results, changes.flatMap(applicationsOf))
  const ready = results.every(({ passed }) => passed)
  return moves.length || ready !== wasReady ? [{ kind: 'case reviewed', ready, moves }] : []
}

/** A workspace is prepared while its case and its schedule are both approved. */
function followed({ workspace, lodgementCase, schedule }: Matter, changes: readonly Change[]): readonly Change[] {
  if (!changes.some(({ kind }) => APPROVALS.has(kind))) return []
  const isApproved = lodgementCase.status === 'PREPARED' && schedule.status === 'PREPARED'
  if (workspace.status === 'CREATED' && isApproved) return [{ kind: 'workspace prepared' }]
  return workspace.status === 'PREPARED' && !isApproved ? [{ kind: 'workspace reverted' }] : []
}

const APPROVALS = new Set<Change['kind']>([
  'case approved',
  'case unapproved',
  'schedule approved',
  'schedule unapproved',
])

/** A case is sent as soon as the money has moved, and again as soon as it is approved after a rejection. */
function submitted({ lodgementCase }: Matter, changes: readonly Change[], newId: () => string): readonly Change[] {
  const isResubmission = lodgementCase.status === 'RESUBMISSION_PREPARED'
  const isDue = changes.some(({ kind }) => kind === 'payment settled' || (kind === 'case approved' && isResubmission))
  return isDue ? [{ kind: 'submission started', submissionId: newId() }] : []
}

/** Whether a change is to what the schedule says. */
const touchesSchedule = ({ kind }: Change): boolean => kind === 'completion date set' || kind.startsWith('line item')

/** Whether a change is to what is lodged. */
function touches(change: Change): boolean {
  switch (change.kind) {
    case 'title received':
    case 'title reconciled':
      return true
    case 'representation processed':
      return change.outcome.status === 'ACTIVE'
    case 'external law firm changed':
      return change.isActing
    case 'application updated':
      return true
    case 'file processed':
      return change.outcome.status === 'SUCCESS' && change.applicationId !== undefined
    case 'file withdrawn':
      return change.applicationId !== undefined
    case 'workspace cancelled':
    case 'title added':
    case 'title search begun':
    case 'title search failed':
    case 'representation queued':
    case 'applications planned':
    case 'case reviewed':
    case 'case approved':
    case 'case unapproved':
    case 'file uploaded':
    case 'case sent':
    case 'notice received':
    case 'notice overtaken':
    case 'requisition raised':
    case 'requisition answered':
    case 'requisition reminder given':
    case 'requisition lapsed':
    case 'submission started':
    case 'completion date set':
    case 'line item added':
    case 'line item changed':
    case 'line item deleted':
    case 'schedule approved':
    case 'schedule unapproved':
    case 'funds authorised':
    case 'funds authorisation taken back':
    case 'payment initiated':
    case 'payment settled':
    case 'payment refused':
    case 'workspace prepared':
    case 'workspace reverted':
      return false
  }
}

/** The application that a change is to, if any. */
const applicationsOf = (change: Change): readonly string[] =>
  'applicationId' in change && change.applicationId !== undefined ? [change.applicationId] : []

/** What of a matter its readiness depends on. */
export const readinessFactsOf = (matter: Matter): ReadinessFacts => ({
  ...ownershipOf(matter),
  searchStatus: matter.title?.searchStatus ?? null,
  representations: matter.representations.filter(({ status }) => status === 'ACTIVE'),
  applications: matter.applications,
})
