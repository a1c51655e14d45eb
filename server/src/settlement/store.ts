import { type Actor, actorName } from '../audit/record.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { changedBy, personOf, remembering } from '../workspaces/four-eyes.ts'
import type { ScheduleStatus } from '../workspaces/status.ts'
import {
  type LockedWorkspace,
  lockAnyWorkspace,
  lockWorkspace,
  lockWorkspaceOfSchedule,
  workspaceNotFound,
} from '../workspaces/store.ts'
import type { ApprovalAction, LineItem, Schedule } from './rules.ts'

export type ScheduleRow = Schedule & {
  scheduleId: string
  workspaceId: string
  lines: LineItem[]
  approvals: { action: ApprovalAction; approvedBy: string; at: string }[]
  /** Everybody whom a change named, and whether somebody else must approve it. */
  changedBy: string[]
  fourEyes: boolean
}

const SELECT = `
  select s.schedule_id as "scheduleId", s.workspace_id as "workspaceId", s.status,
         w.completion_date as "completionDate", ${changedBy('s')} as "changedBy",
         (select four_eyes from subscribers where subscriber_id = w.law_firm_id) as "fourEyes",
         (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('lineItemId', line_item_id, 'type', type,
                   'category', category, 'amountPence', amount_pence, 'reference', reference, 'bankAccount',
                   bank_account)) order by seq), '[]')
            from line_items l where l.schedule_id = s.schedule_id) as lines,
         (select coalesce(jsonb_agg(jsonb_build_object('action', action, 'approvedBy', approved_by, 'at', at)
                   order by seq), '[]')
            from schedule_approvals a where a.schedule_id = s.schedule_id) as approvals
    from settlement_schedules s join workspaces w using (workspace_id)`

export async function findSchedule(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<ScheduleRow> {
  const [row] = await connection.query<ScheduleRow>(
    `${SELECT} where workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id)`,
    [workspaceId, subscriberId],
  )
  if (!row) throw workspaceNotFound()
  return row
}

export type Locked = { workspace: LockedWorkspace; schedule: ScheduleRow }

/** Locks a workspace and loads its schedule, in one round trip: the second looks after the lock of the first was had. */
export const lockSchedule = (tx: Transaction, caller: { subscriberId: string }, scheduleId: string): Promise<Locked> =>
  together(lockWorkspaceOfSchedule(tx, caller, scheduleId), loadSchedule(tx, 'schedule_id', scheduleId))

/** The same, by the workspace. */
export const lockScheduleOf = (tx: Transaction, caller: { subscriberId: string }, workspaceId: string) =>
  together(lockWorkspace(tx, caller, workspaceId), loadSchedule(tx, 'workspace_id', workspaceId))

/** The same, for jobs. */
export const lockAnyScheduleOf = async (tx: Transaction, workspaceId: string): Promise<Locked | undefined> => {
  const [workspace, schedule] = await Promise.all([
    lockAnyWorkspace(tx, workspaceId),
    loadSchedule(tx, 'workspace_id', workspaceId),
  ])
  return workspace && schedule && { workspace, schedule }
}

async function together(locking: Promise<LockedWorkspace>, loading: Promise<ScheduleRow | undefined>): Promise<Locked> {
  const [workspace, schedule] = await Promise.all([locking, loading])
  if (!schedule) throw new Error(`The workspace ${workspace.workspaceId} has no schedule.`)
  return { workspace, schedule }
}

const loadSchedule = (tx: Connection, column: 'schedule_id' | 'workspace_id', id: string) =>
  tx.query<ScheduleRow>(`${SELECT} where ${column} = $1`, [id]).then(([row]) => row)

export function saveCompletionDate(tx: Transaction, workspaceId: string, completionDate: string): void {
  tx.send('update workspaces set completion_date = $2 where workspace_id = $1', [workspaceId, completionDate])
}

export function insertLine(tx: Transaction, scheduleId: string, line: LineItem): void {
  tx.send(
    `insert into line_items (line_item_id, schedule_id, type, category, amount_pence, reference, bank_account)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [line.lineItemId, scheduleId, line.type, ...variableParts(line)],
  )
}

export function saveLine(tx: Transaction, line: LineItem): void {
  tx.send(
    `update line_items set category = $2, amount_pence = $3, reference = $4, bank_account = $5
      where line_item_id = $1`,
    [line.lineItemId, ...variableParts(line)],
  )
}

const variableParts = ({ category, amountPence, reference, bankAccount }: LineItem) => [
  category,
  amountPence,
  reference,
  bankAccount ?? null,
]

export function deleteLine(tx: Transaction, lineItemId: string): void {
  tx.send('delete from line_items where line_item_id = $1', [lineItemId])
}

/** Who changed the schedule or one of its lines, and what status that leaves it in. */
export function saveChange(tx: Transaction, scheduleId: string, status: ScheduleStatus, actor: Actor): void {
  tx.send(
    `update settlement_schedules
        set status = $2, last_modified_at = $4, last_modified_by = $5, ${remembering('$3')}
      where schedule_id = $1`,
    [scheduleId, status, personOf(actor), actor.at, actorName(actor)],
  )
}

/** Its status, and while funds are authorised, or were until they went, by whom and since when. */
export function saveScheduleStatus(tx: Transaction, scheduleId: string, status: ScheduleStatus, actor: Actor): void {
  tx.send(
    `update settlement_schedules
        set status = $2, last_modified_at = $3, last_modified_by = $4,
            authorised_at = case $2 when 'AUTHORISED' then $3 when 'SETTLED' then authorised_at end,
            authorised_by = case $2 when 'AUTHORISED' then $4 when 'SETTLED' then authorised_by end
      where schedule_id = $1`,
    [scheduleId, status, actor.at, actorName(actor)],
  )
}

export function insertApproval(
  tx: Transaction,
  scheduleId: string,
  action: ApprovalAction,
  approvedBy: string,
  at: Date,
): void {
  tx.send('insert into schedule_approvals (schedule_id, action, approved_by, at) values ($1, $2, $3, $4)', [
    scheduleId,
    action,
    approvedBy,
    at,
  ])
}
