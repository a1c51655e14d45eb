import { addDays, londonMoment } from '../jurisdiction/london.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import type { Bounds } from '../platform/http/page.ts'
import { schedule } from '../platform/jobs/due.ts'
import { TASKS_OF, type Task, WHOS, type Who } from '../workspaces/status.ts'
import { workspaceNotFound } from '../workspaces/store.ts'
import type { Colleague } from './rules-approvers.ts'
import type { Entry } from './rules-changes.ts'
import { DAY_ENDED_JOB, type PlanFacts, type PlannedJob } from './rules-plan.ts'

export type DayEndedPayload = { workspaceId: string }

/** When the completion day of a workspace ends, another date may be needed. A new date moves it. */
export function planDayEnd(
  tx: Transaction,
  { workspaceId, completionDate }: { workspaceId: string; completionDate: string },
  actor: { correlationId: string },
): void {
  const payload: DayEndedPayload = { workspaceId }
  const endsAt = londonMoment(addDays(completionDate, 1), '00:00:00')
  schedule(tx, endsAt, DAY_ENDED_JOB, payload, actor, `${DAY_ENDED_JOB}:${workspaceId}`)
}

/** The next workspaces whose turn was not decided when they were changed. The condition is that of their index. */
export const findStaleTurns = (connection: Connection, after: string, rows: number) =>
  connection.query<{ workspaceId: string; lastModifiedAt: Date }>(
    `select workspace_id as "workspaceId", last_modified_at as "lastModifiedAt" from workspaces
      where turn_stale and (turn_who is not null or status not in ('CLOSED', 'CANCELLED')) and workspace_id > $1
      order by workspace_id limit $2`,
    [after, rows],
  )

export const COUNT_MAX = 1_000

/** How many workspaces wait for whom and what, counted up to a limit each. One statement that reads one index. */
export function countTurns(
  connection: Connection,
  { subscriberId, kind }: { subscriberId: string; kind: 'LENDER' | 'LAW_FIRM' },
): Promise<{ who: Who; task: Task; count: number }[]> {
  const owner = kind === 'LENDER' ? 'lender_id' : 'law_firm_id'
  return connection.query(
    `select who, task, count from unnest($2::text[], $3::text[]) as turn(who, task) cross join lateral (
       select count(*)::int as count from (
         select from workspaces where ${owner} = $1 and turn_who = who and turn_task = task limit ${COUNT_MAX}) few) counted`,
    [subscriberId, TURNS.map(({ who }) => who), TURNS.map(({ task }) => task)],
  )
}

const TURNS = WHOS.flatMap((who) => TASKS_OF[who].map((task) => ({ who, task })))

export const PLANNED_MAX = 100

/** What is due for a workspace of the caller, the next first, and what decides whether it will still do something. */
export async function findPlan(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<{ facts: PlanFacts; jobs: PlannedJob[] }> {
  const rows = await connection.query<PlanFacts & { job: string | null; payload: PlannedJob['payload']; dueAt: Date }>(
    `select w.status, w.lodgement_case_status as "caseStatus",
            (select title_id from titles t where t.workspace_id = w.workspace_id
                and search_status in ('INITIATED', 'PENDING')) as "soughtTitleId",
            (select requisition_id from requisitions q join lodgement_cases c using (lodgement_case_id)
              where c.workspace_id = w.workspace_id and q.status = 'OPEN') as "openRequisitionId",
            d.job, d.payload -> 'payload' as payload, d.due_at as "dueAt"
       from workspaces w
       left join lateral (
         select * from due where payload -> 'payload' ->> 'workspaceId' = w.workspace_id::text order by due_at limit $3) d
         on true
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id) order by d.due_at`,
    [workspaceId, subscriberId, PLANNED_MAX],
  )
  const [facts] = rows
  if (!facts) throw workspaceNotFound()
  return { facts, jobs: rows.flatMap(({ job, payload, dueAt }) => (job === null ? [] : [{ job, payload, dueAt }])) }
}

export type ChangeRow = Entry & { seq: number; at: string; by: string; action: string; correlationId: string }

/** What the audit has of a workspace of the caller, oldest first. Entries of version 1.0 hold both states themselves. */
export async function findChanges(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  { workspaceId, since }: { workspaceId: string; since: string | undefined },
  { after, rows }: Bounds,
): Promise<ChangeRow[]> {
  const found = await connection.query<ChangeRow & { seq: number | null }>(
    `select e.* from workspaces w
       left join lateral (
         select seq, entry ->> 'at' as at, coalesce(entry ->> 'actingUser', entry ->> 'clientId', 'system') as by,
                entry ->> 'action' as action, entry ->> 'correlationId' as "correlationId", entry -> 'ids' as ids,
                coalesce(payload, entry) -> 'before' as before, coalesce(payload, entry) -> 'after' as after
           from audit_entries
          where chain = w.workspace_id and seq > coalesce($3::bigint, 0)
            and ($4::timestamptz is null or (entry ->> 'at')::timestamptz > $4)
          order by seq limit $5) e on true
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id) order by e.seq`,
    [workspaceId, subscriberId, after, since ?? null, rows],
  )
  if (!found.length) throw workspaceNotFound()
  return found.filter((row) => row.seq !== null)
}

export const COLLEAGUES_MAX = 1_000

/** The people of a subscriber who may come in, by name. */
export const listColleagues = (connection: Connection, subscriberId: string) =>
  connection.query<Colleague>(
    `select name, email, 'approver' = any (roles) as "isApprover" from people
      where subscriber_id = $1 and enabled order by name, email limit ${COLLEAGUES_MAX}`,
    [subscriberId],
  )
