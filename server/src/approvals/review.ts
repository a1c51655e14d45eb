import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import { moveCase } from '../lodgement/move.ts'
import type { Transaction } from '../platform/database/db.ts'
import { followApprovals } from '../workspaces/prepare.ts'
import { canBeApproved } from '../workspaces/status.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { judge, movesOf } from './rules.ts'
import { loadStanding, saveApproval, saveMoves, saveReady } from './store.ts'

/**
 * To be called in the transaction of every change to parties, title, representation, applications or their documents,
 * after its statements: judges the applications anew, and takes back an approval that the change touched.
 * `changed` are the applications that the change was to; one that the registry rejected is judged anew only then.
 */
export async function reviewCase(
  tx: Transaction,
  workspace: LockedWorkspace,
  actor: Actor,
  changed: readonly string[] = [],
): Promise<LockedWorkspace> {
  const { caseStatus } = workspace
  if (caseStatus !== 'PREPARED' && !canBeApproved(caseStatus)) return workspace
  await judgeAnew(tx, workspace, actor, changed)
  return caseStatus === 'PREPARED' ? takeBack(tx, workspace, actor) : workspace
}

/** Writes down where the applications stand, and whether the case could be approved, where that differs. */
export async function judgeAnew(
  tx: Transaction,
  { workspaceId, lodgementCaseId }: LockedWorkspace,
  actor: Actor,
  changed: readonly string[] = [],
): Promise<void> {
  const standing = await loadStanding(tx, workspaceId)
  const verdicts = judge(standing)
  const moves = movesOf(standing.applications, verdicts, changed)
  const ready = verdicts.every(({ passed }) => passed)
  if (moves.length) saveMoves(tx, moves, actor)
  if (ready !== standing.ready) saveReady(tx, lodgementCaseId, ready)
}

/** The approval alone: `judgeAnew` says where the applications then stand. `stated` is who took it back by hand. */
export function takeBack(
  tx: Transaction,
  workspace: LockedWorkspace,
  actor: Actor,
  stated: { unapprovedBy?: string } = {},
): LockedWorkspace {
  const { workspaceId, lodgementCaseId } = workspace
  saveApproval(tx, lodgementCaseId, null, null)
  const left = followApprovals(tx, moveCase(tx, workspace, 'approval taken back', actor), actor)
  const change = { before: { status: workspace.caseStatus }, after: { status: left.caseStatus, ...stated } }
  const ids = { workspaceId, lodgementCaseId }
  recordWorkspaceAudit(tx, workspaceId, { action: 'lodgement case unapproved', ids, ...change }, actor)
  return left
}
