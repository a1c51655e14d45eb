import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import { markChanged } from '../lodgement/store.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { insertFile, type NewFile } from './store.ts'

export const PROCESS_JOB = 'documents.process'

/** `failures`: how often the file could not be scanned so far. */
export type ProcessPayload = { workspaceId: string; fileId: string; failures?: number }

/** Records a file whose bytes are kept, and queues what decides its outcome, in the caller's transaction. */
export async function receiveFile(
  tx: Transaction,
  queue: Queue,
  { workspaceId, lodgementCaseId }: LockedWorkspace,
  file: NewFile,
  actor: Actor,
): Promise<void> {
  const { fileId, applicationId, subscriberId: _, ...facts } = file
  insertFile(tx, workspaceId, file, actor)
  if (applicationId !== undefined) markChanged(tx, lodgementCaseId, actor)
  const payload: ProcessPayload = { workspaceId, fileId }
  await queue.enqueue(tx, PROCESS_JOB, payload, actor)
  const ids = { workspaceId, fileId, ...(applicationId !== undefined && { applicationId }) }
  const after = { status: 'PENDING', ...facts }
  recordWorkspaceAudit(tx, workspaceId, { action: 'file uploaded', ids, after }, actor)
}
