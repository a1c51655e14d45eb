import type { Actor } from '../audit/record.ts'
import { recordEvent } from '../events/record.ts'
import { startSubmission } from '../lodgement/submit.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import { transition } from '../workspaces/status.ts'
import { type LockedWorkspace, saveWorkspaceStatus } from '../workspaces/store.ts'
import { scheduleAfter } from './status.ts'
import { saveScheduleStatus } from './store.ts'

/** The money has moved: the workspace can no longer be cancelled, and its case is sent to the registry at once. */
export async function exchangeFunds(
  tx: Transaction,
  queue: Queue,
  workspace: LockedWorkspace,
  actor: Actor,
): Promise<LockedWorkspace> {
  const status = transition(workspace.status, 'funds exchanged')
  const scheduleStatus = scheduleAfter(workspace.scheduleStatus, 'settled')
  const { workspaceId, scheduleId, lenderId, lawFirmId, reference } = workspace
  saveWorkspaceStatus(tx, workspaceId, status, actor.at)
  saveScheduleStatus(tx, scheduleId, scheduleStatus, actor)
  recordEvent(tx, { type: 'WORKSPACE_FUNDS_EXCHANGED', workspaceId, told: [lenderId, lawFirmId], reference }, actor)
  const exchanged: LockedWorkspace = { ...workspace, status, scheduleStatus }
  await startSubmission(tx, queue, exchanged, actor)
  return exchanged
}
