import type { Actor } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import { insertRepresentation, type NewRepresentation } from './store.ts'

export const PROCESS_JOB = 'representation.process'

export type ProcessPayload = { workspaceId: string; representationId: string }

/** Records the representation and queues its processing, in the caller's transaction. */
export async function startRepresentation(
  tx: Transaction,
  queue: Queue,
  representation: NewRepresentation,
  actor: Actor,
): Promise<void> {
  const { workspaceId, representationId } = representation
  insertRepresentation(tx, representation, actor)
  const payload: ProcessPayload = { workspaceId, representationId }
  await queue.enqueue(tx, PROCESS_JOB, payload, actor)
}
