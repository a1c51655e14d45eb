import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import { moveCase } from '../lodgement/move.ts'
import { startSubmission } from '../lodgement/submit.ts'
import type { Transaction } from '../platform/database/db.ts'
import { conflict } from '../platform/errors.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import { followApprovals } from '../workspaces/prepare.ts'
import { canBeApproved, canBeUnapproved } from '../workspaces/status.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { judgeAnew, takeBack } from './review.ts'
import { failuresOf, fourEyesErrors, judge } from './rules.ts'
import { type StoredStanding, saveApproval } from './store.ts'

/** Approves a case as it stands. One that the registry rejected is sent again at once. */
export async function approveCase(
  tx: Transaction,
  queue: Queue,
  workspace: LockedWorkspace,
  standing: StoredStanding,
  approvedBy: string,
  actor: Actor,
): Promise<LockedWorkspace> {
  const { workspaceId, lodgementCaseId, caseStatus } = workspace
  if (!canBeApproved(caseStatus)) {
    throw conflict({ message: `The lodgement case is ${caseStatus}: it cannot be approved.` })
  }
  const eyes = fourEyesErrors(standing, approvedBy, 'an application or its documents')
  const faults = [...failuresOf(judge(standing)), ...eyes]
  if (faults.length) throw conflict(...faults)
  saveApproval(tx, lodgementCaseId, approvedBy, actor.at)
  const approved = moveCase(tx, workspace, 'approved', actor)
  const change = { before: { status: caseStatus }, after: { status: approved.caseStatus, approvedBy } }
  const ids = { workspaceId, lodgementCaseId }
  if (caseStatus === 'REGISTRATION_REJECTED') await startSubmission(tx, queue, approved, actor)
  const left = followApprovals(tx, approved, actor)
  recordWorkspaceAudit(tx, workspaceId, { action: 'lodgement case approved', ids, ...change }, actor)
  return left
}

/** Takes an approval back by hand, as a change would. */
export async function unapproveCase(tx: Transaction, workspace: LockedWorkspace, unapprovedBy: string, actor: Actor) {
  const { status, caseStatus } = workspace
  if (caseStatus !== 'PREPARED') throw conflict({ message: `The lodgement case is ${caseStatus}: it is not approved.` })
  if (!canBeUnapproved(status, caseStatus)) {
    throw conflict({ message: `The workspace is ${status}: the approval of its case can no longer be taken back.` })
  }
  await judgeAnew(tx, workspace, actor)
  return takeBack(tx, workspace, actor, { unapprovedBy })
}
