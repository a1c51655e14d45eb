import { randomUUID } from 'node:crypto'
import type { Actor } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Queue } from '../platform/jobs/queue.ts'
import type { LockedWorkspace } from '../workspaces/store.ts'

export const SUBMIT_JOB = 'lodgement.submit'

export type SubmitPayload = { workspaceId: string; submissionId: string }

/** Has an approved case sent to the registry, under a message id of its own. Travels with the commit. */
export async function startSubmission(
  tx: Transaction,
  queue: Queue,
  { workspaceId, lodgementCaseId }: LockedWorkspace,
  actor: Actor,
): Promise<void> {
  const payload: SubmitPayload = { workspaceId, submissionId: randomUUID() }
  tx.send(
    `insert into submissions (submission_id, lodgement_case_id, number, approved_by, correlation_id, created_at)
     select $2, lodgement_case_id, (select count(*) + 1 from submissions where lodgement_case_id = $1), approved_by, $3, $4
       from lodgement_cases where lodgement_case_id = $1`,
    [lodgementCaseId, payload.submissionId, actor.correlationId, actor.at],
  )
  await queue.enqueue(tx, SUBMIT_JOB, payload, actor)
}
