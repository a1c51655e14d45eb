import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import { recordEvent } from '../events/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import { type FailureReason, type Outcome, supersede } from './rules.ts'
import { markSuperseded, saveOutcome, type WaitingFile } from './store.ts'

/** Writes down what became of an upload, and tells of it once. */
export function endUpload(
  tx: Transaction,
  { workspaceId, reference, lenderId, lawFirmId }: LockedWorkspace,
  file: WaitingFile,
  outcome: Outcome,
  actor: Actor,
): void {
  const { fileId, applicationId } = file
  const isMain = outcome.status === 'SUCCESS' && file.documentCategory === 'APPLICATION_DOCUMENT'
  const superseded = isMain && applicationId !== null ? supersede(file, file.mains) : []
  // Before it counts itself: an application has one main document that does.
  for (const { fileId, by } of superseded) markSuperseded(tx, fileId, by, actor)
  saveOutcome(tx, fileId, outcome, actor)
  const event = { workspaceId, told: [lenderId, lawFirmId], reference, data: { fileId } }
  if (outcome.status === 'SUCCESS') recordEvent(tx, { ...event, type: 'FILE_UPLOAD_SUCCEEDED' }, actor)
  else recordEvent(tx, { ...event, type: 'FILE_UPLOAD_FAILED', message: SENTENCES[outcome.reason] }, actor)
  const ids = { workspaceId, fileId, ...(applicationId !== null && { applicationId }) }
  const after = { ...outcome, ...(superseded.length && { superseded }) }
  recordWorkspaceAudit(tx, workspaceId, { action: 'file processed', ids, before: { status: 'PENDING' }, after }, actor)
}

const SENTENCES: Record<FailureReason, string> = {
  INFECTED: 'An upload failed: a virus was found in the file.',
  WORKSPACE_CANCELLED: 'An upload failed: the workspace was cancelled.',
  WORKSPACE_LOCKED: 'An upload failed: the workspace was locked meanwhile.',
  APPLICATION_WITHDRAWN: 'An upload failed: its application was withdrawn meanwhile.',
}
