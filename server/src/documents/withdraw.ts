import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import { recordEvent } from '../events/record.ts'
import { markChanged } from '../lodgement/store.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { type FileRow, markWithdrawn } from './store.ts'

/** From now on the file counts for nothing. Its row and its audit stay. */
export function withdrawFile(
  tx: Transaction,
  { workspaceId, lodgementCaseId, reference, lenderId, lawFirmId }: LockedWorkspace,
  { fileId, applicationId, fileUploadStatus }: FileRow,
  actor: Actor,
): void {
  markWithdrawn(tx, fileId, actor)
  if (applicationId !== null) markChanged(tx, lodgementCaseId, actor)
  const event = { type: 'FILE_WITHDRAWN', workspaceId, told: [lenderId, lawFirmId] } as const
  recordEvent(tx, { ...event, reference, data: { fileId } }, actor)
  const ids = { workspaceId, fileId, ...(applicationId !== null && { applicationId }) }
  const change = { before: { status: fileUploadStatus }, after: { status: 'WITHDRAWN' } }
  recordWorkspaceAudit(tx, workspaceId, { action: 'file withdrawn', ids, ...change }, actor)
}
