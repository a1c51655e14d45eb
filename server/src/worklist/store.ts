import { addDays, londonMoment } from '../jurisdiction/london.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { schedule } from '../platform/jobs/due.ts'
import { TASKS_OF, type Task, WHOS, type Who } from '../workspaces/status.ts'

export const DAY_ENDED_JOB = 'worklist.day-ended'

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

/** Some of the workspaces whose turn was not decided when they were changed. The condition is that of their index. */
export const findStaleTurns = (connection: Connection, rows: number) =>
  connection.query<{ workspaceId: string; lastModifiedAt: Date }>(
    `select workspace_id as "workspaceId", last_modified_at as "lastModifiedAt" from workspaces
      where turn_stale and (turn_who is not null or status not in ('CLOSED', 'CANCELLED')) order by workspace_id limit $1`,
    [rows],
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
