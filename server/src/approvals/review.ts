import type { Actor } from '../audit/record.ts'
import { moveCase } from '../lodgement/move.ts'
import type { Transaction } from '../platform/database/db.ts'
import { followApprovals } from '../workspaces/prepare.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'

/**
 * To be called in the transaction of every change to parties, title, representation, applications or their documents,
 * after its statements: judges the applications anew, and takes back an approval that the change touched.
 * `changed` are the applications that the change was to; one that the registry rejected is judged anew only then.
 */
export async function reviewCase(
  tx: Transaction,
  workspace: LockedWorkspace,
  actor: Actor,
  _changed: readonly string[] = [],
): Promise<LockedWorkspace> {
  if (workspace.caseStatus !== 'PREPARED') return workspace
  return followApprovals(tx, moveCase(tx, workspace, 'approval taken back', actor), actor)
}
