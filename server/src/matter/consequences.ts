import { judge, movesOf, type Standing } from '../approvals/rules.ts'
import { planApplications } from '../lodgement/rules.ts'
import { causesOf } from '../title-reconciliation/rules.ts'
import { canBeApproved } from '../workspaces/status.ts'
import type { Change } from './changes.ts'
import { type Matter, ownershipOf } from './matter.ts'

// What follows from what was decided, whoever decided it. Pure.

/** Given the matter so far and all that happened to it, what happens next. */
export type Consequence = (matter: Matter, changes: readonly Change[], newId: () => string) => readonly Change[]

/** In this order: each sees what the ones before it have changed. */
export const CONSEQUENCES: readonly Consequence[] = [planned, unapproved, reviewed, followed]

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

/** The applications are where the rules of readiness put them. One that was rejected moves only when it was changed. */
function reviewed(matter: Matter, changes: readonly Change[]): readonly Change[] {
  const { status, ready: wasReady } = matter.lodgementCase
  const isTouched = changes.some((change) => change.kind === 'case unapproved' || touches(change))
  if (!isTouched || !canBeApproved(status)) return []
  const standing = standingOf(matter)
  const verdicts = judge(standing)
  const moves = movesOf(standing.applications, verdicts, [])
  const ready = verdicts.every(({ passed }) => passed)
  return moves.length || ready !== wasReady ? [{ kind: 'case reviewed', ready, moves }] : []
}

/** A workspace is prepared while its case and its schedule are both approved. */
function followed({ workspace, lodgementCase, schedule }: Matter, changes: readonly Change[]): readonly Change[] {
  if (!changes.some(({ kind }) => kind === 'case unapproved')) return []
  const isApproved = lodgementCase.status === 'PREPARED' && schedule.status === 'PREPARED'
  if (workspace.status === 'CREATED' && isApproved) return [{ kind: 'workspace prepared' }]
  return workspace.status === 'PREPARED' && !isApproved ? [{ kind: 'workspace reverted' }] : []
}

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
    case 'workspace cancelled':
    case 'title added':
    case 'title search begun':
    case 'title search failed':
    case 'representation queued':
    case 'applications planned':
    case 'case reviewed':
    case 'case unapproved':
    case 'workspace prepared':
    case 'workspace reverted':
      return false
  }
}

const standingOf = (matter: Matter): Standing => ({
  ...ownershipOf(matter),
  searchStatus: matter.title?.searchStatus ?? null,
  representations: matter.representations.filter(({ status }) => status === 'ACTIVE'),
  applications: matter.applications,
})
