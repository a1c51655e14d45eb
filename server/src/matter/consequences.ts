import { failuresOf, movesOf, reviewReadiness } from '../approvals/rules.ts'
import { lapsedConfirmations } from '../approvals/rules-confirmations.ts'
import type { Approval, ReadinessFacts } from '../approvals/rules-facts.ts'
import { londonDate } from '../jurisdiction/london.ts'
import { isLodged } from '../lodgement/attachments.ts'
import { awaitsEffect, planApplications } from '../lodgement/rules.ts'
import { isDue } from '../lodgement/rules-registry.ts'
import { derivedId } from '../platform/derived-id.ts'
import { causesOf } from '../title-reconciliation/rules-links.ts'
import { canBeApproved } from '../workspaces/status.ts'
import { type Change, type Matter, ownershipOf } from './matter.ts'

// What follows from what was decided, by any feature. Pure.

/** Given the matter so far and all that happened to it, what happens next. */
export type Consequence = (
  matter: Matter,
  changes: readonly Change[],
  newId: () => string,
  start: Start,
) => readonly Change[]

/** The matter before all that happened, and the time of it. */
type Start = { before: Matter; at: Date }

/** In this order: each sees what the ones before it have changed. */
export const CONSEQUENCES: readonly Consequence[] = [
  planned,
  lapsed,
  unapproved,
  scheduleUnapproved,
  reviewed,
  followed,
  submitted,
]

/** A case has the applications that its parties, proprietors and register give cause for. */
function planned(matter: Matter, changes: readonly Change[], newId: () => string): readonly Change[] {
  if (!changes.some(({ kind }) => CAUSES.has(kind))) return []
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

const CAUSES = new Set<Change['kind']>(['title received', 'title removed', 'title reconciled'])

/** A confirmation is for the facts as they were. */
function lapsed(matter: Matter, _: readonly Change[], __: () => string, { at }: Start): readonly Change[] {
  if (!matter.confirmations.length || matter.workspace.status === 'CANCELLED') return []
  return lapsedConfirmations(readinessFactsOf(matter, at))
}

/** An approval is of the case as it was: a change to the case withdraws it, and so does one that makes a rule fail. */
function unapproved(matter: Matter, changes: readonly Change[], _: () => string, start: Start): readonly Change[] {
  if (matter.lodgementCase.status !== 'PREPARED') return []
  return changes.some(touches) || isLost('LODGEMENT', matter, changes, start) ? [{ kind: 'case unapproved' }] : []
}

/** The same of the schedule. */
function scheduleUnapproved(matter: Matter, changes: readonly Change[], _: () => string, start: Start) {
  if (matter.schedule.status !== 'PREPARED') return []
  const isTouched = changes.some(touchesSchedule)
  return isTouched || isLost('FINANCIAL', matter, changes, start) ? [{ kind: 'schedule unapproved' } as const] : []
}

/** Whether it rested on a confirmation that is gone, or a rule fails that did not. That a date passes is no change. */
function isLost(approval: Approval, after: Matter, changes: readonly Change[], { before, at }: Start): boolean {
  const isGone = (change: Change) =>
    (change.kind === 'confirmation taken back' || change.kind === 'confirmation lapsed') && change.approval === approval
  if (changes.some(isGone)) return true
  const failing = (matter: Matter) =>
    failuresOf(reviewReadiness(readinessFactsOf(matter, at)), approval).map(({ ruleId }) => ruleId)
  const former = failing(before)
  return failing(after).some((ruleId) => !former.includes(ruleId))
}

/** The applications are where the rules of readiness put them. One that was rejected moves only when it was changed. */
function reviewed(matter: Matter, changes: readonly Change[], _: () => string, { at }: Start): readonly Change[] {
  const { status, ready: wasReady } = matter.lodgementCase
  const isTouched = changes.some(({ kind }) => kind !== 'own reference set') // which the other side must not notice
  if (!isTouched || !canBeApproved(status)) return []
  const facts = readinessFactsOf(matter, at)
  const results = reviewReadiness(facts)
  const moves = movesOf(facts.applications, results, changes.filter(touches).flatMap(applicationsOf))
  const ready = failuresOf(results, 'LODGEMENT').length === 0
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

/**
 * A case is sent as soon as the money has moved, and again as soon as it is approved after a rejection, or its discharge
 * after an early completion. One whose digital deed is not effective yet waits for that.
 */
function submitted(matter: Matter, changes: readonly Change[]): readonly Change[] {
  const isNew = changes.some(({ kind }) => kind === 'payment settled' || kind === 'case approved')
  const isReleased = changes.some(({ kind }) => kind === 'deed effect updated')
  if (!(isNew || isReleased) || !isDue(matter)) return []
  if (!awaitsEffect(matter.applications))
    return [{ kind: 'submission started', submissionId: nextSubmissionId(matter) }]
  return isNew ? [{ kind: 'case waits for its deed' }] : []
}

const nextSubmissionId = ({ lodgementCase, submissions }: Matter) =>
  derivedId('submission', lodgementCase.lodgementCaseId, submissions.length + 1)

/** Whether a change is to what the schedule says. */
const touchesSchedule = ({ kind }: Change): boolean => kind === 'completion date set' || kind.startsWith('line item')

/** Whether a change is to what is lodged. */
function touches(change: Change): boolean {
  switch (change.kind) {
    case 'workspace updated':
      return change.after.securityAddress !== undefined
    case 'title received':
    case 'title removed':
    case 'title reconciled':
      return true
    case 'representation processed':
      return change.outcome.status === 'ACTIVE'
    case 'external law firm changed':
      return change.isActing
    case 'application updated':
      return true
    case 'file processed':
      return change.outcome.status === 'SUCCESS' && change.applicationId !== undefined && isLodged(change)
    case 'file withdrawn':
      return change.applicationId !== undefined && isLodged(change)
    case 'readiness confirmed':
    case 'confirmation taken back':
    case 'confirmation lapsed':
    case 'workspace cancelled':
    case 'own reference set':
    case 'title added':
    case 'title search begun':
    case 'title search failed':
    case 'representation queued':
    case 'applications planned':
    case 'case reviewed':
    case 'case approved':
    case 'case unapproved':
    case 'registry document received':
    case 'file uploaded':
    case 'case sent':
    case 'notice received':
    case 'notice overtaken':
    case 'requisition raised':
    case 'requisition answered':
    case 'requisition closed':
    case 'requisition reminder given':
    case 'requisition lapsed':
    case 'submission started':
    case 'case waits for its deed':
    case 'registry wait changed':
    case 'deed effect updated':
    case 'completion date set':
    case 'line item added':
    case 'line item changed':
    case 'line item deleted':
    case 'schedule approved':
    case 'schedule unapproved':
    case 'funds authorised':
    case 'funds authorisation taken back':
    case 'payment initiated':
    case 'settlement due':
    case 'payment confirmed':
    case 'payment confirmation taken back':
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
export function readinessFactsOf(matter: Matter, now: Date): ReadinessFacts {
  const known = factsOf.get(matter)
  if (known?.now === now) return known.facts
  const facts = newFacts(matter, now)
  factsOf.set(matter, { now, facts })
  return facts
}

// The same matter at the same time has the same facts, whose review is stored.
const factsOf = new WeakMap<Matter, { now: Date; facts: ReadinessFacts }>()

const newFacts = (matter: Matter, now: Date): ReadinessFacts => ({
  ...ownershipOf(matter),
  status: matter.workspace.status,
  caseStatus: matter.lodgementCase.status,
  searchStatus: matter.title?.searchStatus ?? null,
  register: registerOf(matter),
  securityAddress: matter.workspace.securityAddress,
  representations: matter.representations.filter(({ status }) => status === 'ACTIVE'),
  applications: matter.applications,
  schedule: { ...matter.schedule, completionDate: matter.workspace.completionDate },
  lastSubmissionId: matter.submissions.at(-1)?.submissionId,
  registry: matter.registry,
  isLenderSet: matter.isLenderSet,
  lawFirmId: matter.workspace.lawFirmId,
  today: londonDate(now),
  confirmations: matter.confirmations,
})

function registerOf({ title }: Matter): ReadinessFacts['register'] {
  if (title?.searchStatus !== 'SUCCESS') return undefined
  return { titleId: title.titleId, address: title.address ?? { lines: [] }, hasCharge: title.hasCharge }
}
