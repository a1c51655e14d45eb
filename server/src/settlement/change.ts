import { isDeepStrictEqual } from 'node:util'
import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import { recordEvent } from '../events/record.ts'
import type { EventType } from '../events/types.ts'
import type { Transaction } from '../platform/database/db.ts'
import { followApprovals } from '../workspaces/prepare.ts'
import type { ScheduleStatus } from '../workspaces/status.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { pictureLine } from './present.ts'
import type { ApprovalAction, LineItem } from './rules.ts'
import { scheduleAfter } from './status.ts'
import { insertApproval, saveChange, saveScheduleStatus } from './store.ts'

/**
 * To be called with every change to the schedule or its lines: notes who made it, tells of it, and takes back an
 * approval, which was of something else. Returns the status in which that leaves the schedule.
 */
export function noteChange(
  tx: Transaction,
  workspace: LockedWorkspace,
  actor: Actor,
  ids: Readonly<Record<string, string>> = {},
): ScheduleStatus {
  const wasApproved = workspace.scheduleStatus === 'PREPARED'
  const status = wasApproved ? scheduleAfter('PREPARED', 'approval taken back') : workspace.scheduleStatus
  saveChange(tx, workspace.scheduleId, status, actor)
  tell(tx, workspace, 'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED', actor, ids)
  if (wasApproved) tell(tx, workspace, 'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED', actor)
  return status
}

/** The same for a line that was added, changed or deleted, with its audit entry. */
export function noteLineChange(
  tx: Transaction,
  workspace: LockedWorkspace,
  { before, after }: { before?: LineItem; after?: LineItem },
  actor: Actor,
): void {
  const { workspaceId, scheduleId: financialSettlementScheduleId } = workspace
  const lineItemId = (after ?? before)?.lineItemId ?? ''
  const status = noteChange(tx, workspace, actor, { lineItemId })
  const action = `line item ${before ? (after ? 'changed' : 'deleted') : 'added'}`
  const otherAccount = before && after && !isDeepStrictEqual(before.bankAccount, after.bankAccount)
  const entry = {
    action,
    ids: { workspaceId, financialSettlementScheduleId, lineItemId },
    before: { ...(before && pictureLine(before)), scheduleStatus: workspace.scheduleStatus },
    // The last digits may be the same of two accounts.
    after: { ...(after && pictureLine(after)), scheduleStatus: status, ...(otherAccount && { otherAccount }) },
  }
  recordWorkspaceAudit(tx, workspaceId, entry, actor)
}

/** Approves the schedule or takes its approval back, and moves the workspace to where both approvals now lead it. */
export function approveSchedule(
  tx: Transaction,
  workspace: LockedWorkspace,
  { action, approvedBy }: { action: ApprovalAction; approvedBy: string },
  actor: Actor,
): LockedWorkspace {
  const scheduleStatus = scheduleAfter(workspace.scheduleStatus, EVENTS[action])
  saveScheduleStatus(tx, workspace.scheduleId, scheduleStatus, actor)
  insertApproval(tx, workspace.scheduleId, action, approvedBy, actor.at)
  tell(tx, workspace, TOLD[action], actor)
  return followApprovals(tx, { ...workspace, scheduleStatus }, actor)
}

const EVENTS = { APPROVE: 'approved', UNAPPROVE: 'approval taken back' } as const
const TOLD = {
  APPROVE: 'FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED',
  UNAPPROVE: 'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED',
} as const

function tell(
  tx: Transaction,
  { workspaceId, lenderId, lawFirmId, reference, scheduleId }: LockedWorkspace,
  type: EventType,
  actor: Actor,
  ids: Readonly<Record<string, string>> = {},
): void {
  const data = { financialSettlementScheduleId: scheduleId, ...ids }
  recordEvent(tx, { type, workspaceId, told: [lenderId, lawFirmId], reference, data }, actor)
}
