import type { Actor } from '../audit/record.ts'
import { startSubmission } from '../lodgement/submit.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { moveFunds } from './move.ts'

/** The money has moved: the workspace can no longer be cancelled, and its case is sent to the registry at once. */
export async function exchangeFunds(
  tx: Transaction,
  queue: Queue,
  workspace: LockedWorkspace,
  actor: Actor,
): Promise<LockedWorkspace> {
  const exchanged = moveFunds(tx, workspace, 'funds exchanged', actor)
  await startSubmission(tx, queue, exchanged, actor)
  return exchanged
}
