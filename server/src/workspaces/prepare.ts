import type { Actor } from '../audit/record.ts'
import { recordEvent } from '../events/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import { transition, type WorkspaceEvent } from './status.ts'
import { type LockedWorkspace, saveWorkspaceStatus } from './store.ts'

/**
 * A workspace is prepared while the approval of its case and that of its schedule both stand. To be called with the
 * workspace as an approval, or its taking back, leaves it. Returns it as it then stands.
 */
export function followApprovals(tx: Transaction, workspace: LockedWorkspace, actor: Actor): LockedWorkspace {
  const event = eventOf(workspace)
  if (!event) return workspace
  const status = transition(workspace.status, event)
  const { workspaceId, lenderId, lawFirmId, reference } = workspace
  saveWorkspaceStatus(tx, workspaceId, status, actor.at)
  const type = status === 'PREPARED' ? 'WORKSPACE_PREPARED' : 'WORKSPACE_REVERTED_TO_CREATED'
  recordEvent(tx, { type, workspaceId, told: [lenderId, lawFirmId], reference }, actor)
  return { ...workspace, status }
}

function eventOf({ status, caseStatus, scheduleStatus }: LockedWorkspace): WorkspaceEvent | undefined {
  const isApproved = caseStatus === 'PREPARED' && scheduleStatus === 'PREPARED'
  if (status === 'CREATED' && isApproved) return 'case and schedule approved'
  if (status === 'PREPARED' && !isApproved) return 'an approval taken back'
  return undefined
}
