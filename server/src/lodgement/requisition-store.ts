import { type Actor, actorName } from '../audit/record.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'

export type Requisition = {
  requisitionId: string
  submissionId: string
  /** The registry's own name for it. */
  registryId: string
  status: 'OPEN' | 'ANSWERED' | 'LAPSED'
  dueAt: Date
  answer: string | null
  answerFileIds: string[] | null
  answeredAt: Date | null
}

const FIND = `
  select requisition_id as "requisitionId", submission_id as "submissionId", registry_id as "registryId", status,
         due_at as "dueAt", answer, answer_file_ids as "answerFileIds", answered_at as "answeredAt"
    from requisitions`

export async function findRequisition(connection: Connection, requisitionId: string): Promise<Requisition | undefined> {
  const [requisition] = await connection.query<Requisition>(`${FIND} where requisition_id = $1`, [requisitionId])
  return requisition
}

/** A case has one at most. */
export async function findOpen(connection: Connection, lodgementCaseId: string): Promise<Requisition | undefined> {
  const [requisition] = await connection.query<Requisition>(
    `${FIND} where lodgement_case_id = $1 and status = 'OPEN'`,
    [lodgementCaseId],
  )
  return requisition
}

export function insertRequisition(
  tx: Transaction,
  requisition: Pick<Requisition, 'requisitionId' | 'submissionId' | 'registryId' | 'dueAt'> & {
    lodgementCaseId: string
    points: readonly string[]
    receivedAt: Date
  },
): void {
  const { requisitionId, lodgementCaseId, submissionId, registryId, points, receivedAt, dueAt } = requisition
  tx.send(
    `insert into requisitions (requisition_id, lodgement_case_id, submission_id, registry_id, points, received_at, due_at,
       status) values ($1, $2, $3, $4, $5, $6, $7, 'OPEN')`,
    [requisitionId, lodgementCaseId, submissionId, registryId, JSON.stringify(points), receivedAt, dueAt],
  )
}

export function markAnswered(
  tx: Transaction,
  requisitionId: string,
  { message, fileIds }: { message: string; fileIds: readonly string[] },
  actor: Actor,
): void {
  tx.send(
    `update requisitions set status = 'ANSWERED', answer = $2, answer_file_ids = $3, answered_at = $4, answered_by = $5
      where requisition_id = $1`,
    [requisitionId, message, fileIds, actor.at, actorName(actor)],
  )
}

/** What is open when a case is rejected can no longer be answered. */
export function lapseOpen(tx: Transaction, lodgementCaseId: string): void {
  tx.send(`update requisitions set status = 'LAPSED' where lodgement_case_id = $1 and status = 'OPEN'`, [
    lodgementCaseId,
  ])
}

/** The upload status of each file of the workspace that is named; one that it does not have is left out. */
export const listFileStatuses = (connection: Connection, lodgementCaseId: string, fileIds: readonly string[]) =>
  connection.query<{ fileId: string; status: string }>(
    `select f.file_id as "fileId", f.status from files f join lodgement_cases c using (workspace_id)
      where c.lodgement_case_id = $1 and f.file_id = any ($2::uuid[])`,
    [lodgementCaseId, fileIds],
  )
