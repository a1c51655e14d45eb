import type { Actor } from '../audit/record.ts'
import { recordEvent } from '../events/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import { transition } from '../workspaces/status.ts'
import { type LockedWorkspace, saveWorkspaceStatus } from '../workspaces/store.ts'
import { scheduleAfter } from './status.ts'
import { saveScheduleStatus } from './store.ts'

/** What happens to the funds: the schedule's own event of it, and what is told. */
const MOVES = {
  'funds authorised': { event: 'funds authorised', type: 'WORKSPACE_FUNDS_AUTHORISED' },
  'funds no longer authorised': { event: 'funds no longer authorised', type: 'WORKSPACE_FUNDS_UNAUTHORISED' },
  'funds exchanged': { event: 'settled', type: 'WORKSPACE_FUNDS_EXCHANGED' },
} as const

/**
 * Moves a workspace and its schedule together, and tells of it. What cannot happen is refused. Returns the workspace as
 * it then stands. The audit entry is the caller's.
 */
export function moveFunds(
  tx: Transaction,
  workspace: LockedWorkspace,
  happened: keyof typeof MOVES,
  actor: Actor,
  message?: string,
): LockedWorkspace {
  const { workspaceId, scheduleId, lenderId, lawFirmId, reference } = workspace
  const { event, type } = MOVES[happened]
  const status = transition(workspace.status, happened)
  const scheduleStatus = scheduleAfter(workspace.scheduleStatus, event)
  saveWorkspaceStatus(tx, workspaceId, status, actor.at)
  saveScheduleStatus(tx, scheduleId, scheduleStatus, actor)
  const told = { type, workspaceId, told: [lenderId, lawFirmId], reference }
  recordEvent(tx, message === undefined ? told : { ...told, message }, actor)
  return { ...workspace, status, scheduleStatus }
}
