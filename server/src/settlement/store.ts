import { randomUUID } from 'node:crypto'
import { type Actor, nameOf } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'

/** The schedule of a new workspace: empty, and a draft. */
export function insertSchedule(tx: Transaction, workspaceId: string, actor: Actor): void {
  tx.send(
    `insert into settlement_schedules (schedule_id, workspace_id, status, created_at, created_by, last_modified_at,
       last_modified_by) values ($1, $2, 'DRAFT', $3, $4, $3, $4)`,
    [randomUUID(), workspaceId, actor.at, nameOf(actor)],
  )
}
