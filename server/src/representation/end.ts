import { type Actor, recordWorkspaceAudit } from '../audit/record.ts'
import { recordEvent } from '../events/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'
import type { FailureReason, Outcome } from './rules.ts'
import { listQueued, type QueuedRow, saveOutcome } from './store.ts'

/** Writes down what became of a representation that was queued, and tells of it once. */
export function endRepresentation(
  tx: Transaction,
  { workspaceId, reference, lenderId, lawFirmId }: LockedWorkspace,
  { representationId, partyId }: QueuedRow,
  outcome: Outcome,
  actor: Actor,
): void {
  saveOutcome(tx, representationId, outcome, actor)
  const ids = { workspaceId, representationId, partyId }
  const data = { representationId, partyId }
  const event = { workspaceId, told: [lenderId, lawFirmId], reference, data }
  if (outcome.status === 'ACTIVE') recordEvent(tx, { ...event, type: 'REPRESENTATION_ADDED' }, actor)
  else recordEvent(tx, { ...event, type: 'REPRESENTATION_FAILED', message: SENTENCES[outcome.reason] }, actor)
  const change = { before: { status: 'QUEUED' }, after: { ...outcome } }
  recordWorkspaceAudit(tx, workspaceId, { action: 'representation processed', ids, ...change }, actor)
}

/** With its workspace ends whatever was still queued in it. */
export async function endQueued(tx: Transaction, workspace: LockedWorkspace, actor: Actor): Promise<void> {
  const outcome: Outcome = { status: 'FAILED', reason: 'WORKSPACE_CANCELLED' }
  for (const queued of await listQueued(tx, workspace.workspaceId)) {
    endRepresentation(tx, workspace, queued, outcome, actor)
  }
}

const SENTENCES: Record<FailureReason, string> = {
  PARTY_GONE: 'A representation failed: its party is no longer part of the workspace.',
  WORKSPACE_LOCKED: 'A representation failed: the workspace was locked meanwhile.',
  WORKSPACE_CANCELLED: 'A representation failed: the workspace was cancelled.',
  FIRM_SUSPENDED: 'A representation failed: the law firm is suspended.',
}
