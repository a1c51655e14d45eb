import type { ApprovalAction } from '../auth/scopes.ts'
import type { Connection } from '../platform/database/db.ts'
import { workspaceNotFound } from '../workspaces/store.ts'
import type { PaymentScheme } from './port.ts'
import type { Schedule } from './rules.ts'

export type ScheduleRow = Schedule & {
  scheduleId: string
  workspaceId: string
  approvals: readonly { action: ApprovalAction; approvedBy: string; at: string | Date }[]
  /** How it was paid; only when it is read. */
  settlement?: { at: string; scheme?: PaymentScheme; paymentReference?: string } | null
}

// What belongs to the schedule that a statement calls `s`, in its order.

export const LINES = `
  (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('lineItemId', line_item_id, 'type', type, 'category',
            category, 'amountPence', amount_pence, 'reference', reference, 'bankAccount', bank_account,
            'payment', payment, 'changedBy', changed_by_users)) order by seq), '[]')
     from line_items l where l.schedule_id = s.schedule_id)`

export const SCHEDULE_APPROVALS = `
  (select coalesce(jsonb_agg(jsonb_build_object('seq', seq, 'action', action, 'approvedBy', approved_by, 'at', at)
            order by seq), '[]')
     from schedule_approvals a where a.schedule_id = s.schedule_id)`

export async function findSchedule(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<ScheduleRow> {
  const [row] = await connection.query<ScheduleRow>(
    `select s.schedule_id as "scheduleId", s.workspace_id as "workspaceId", s.status,
            w.completion_date as "completionDate", s.failure, ${LINES} as lines, ${SCHEDULE_APPROVALS} as approvals,
            (select jsonb_strip_nulls(jsonb_build_object('at', settled_at, 'scheme', scheme, 'paymentReference',
                      payment_reference))
               from settlements p where p.schedule_id = s.schedule_id and p.status = 'SETTLED') as settlement
       from settlement_schedules s join workspaces w using (workspace_id) where workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id)`,
    [workspaceId, subscriberId],
  )
  if (!row) throw workspaceNotFound()
  return row
}

/** How often the bank was instructed for a workspace. */
export async function countPayments(connection: Connection, workspaceId: string): Promise<number> {
  const [row] = await connection.query<{ count: number }>(
    'select count(*) as count from settlements where workspace_id = $1',
    [workspaceId],
  )
  return row?.count ?? 0
}
