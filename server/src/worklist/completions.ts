import type { Connection } from '../platform/database/db.ts'
import type { Bounds } from '../platform/http/page.ts'
import { SIDES } from '../workspaces/list.ts'
import { WORKSPACE_STATUSES, type WorkspaceStatus } from '../workspaces/status.ts'
import { TURN, type TurnRow } from '../workspaces/store.ts'

// What completes on which day. The index of each side has the completion dates of every status.

type Caller = { subscriberId: string; kind: keyof typeof SIDES }

export const OF_A_DAY_MAX = 1_000

const LIVE = WORKSPACE_STATUSES.filter((status) => status !== 'CANCELLED')

const MONEY = `coalesce((
  select sum(amount_pence) from settlement_schedules s join line_items l using (schedule_id)
   where s.workspace_id = w.workspace_id and l.type = 'SOURCE'), 0)::bigint`

/** Of each status of a day at most a limit is counted. */
export const countCompletions = (connection: Connection, { subscriberId, kind }: Caller, dates: readonly string[]) =>
  connection.query<{ date: string; count: number; notReady: number; pence: number }>(
    `select d.date, c.* from unnest($2::date[]) with ordinality as d(date, place) cross join lateral (
       select count(*)::int as count, count(*) filter (where w.status in ('CREATED', 'PREPARED'))::int as "notReady",
              coalesce(sum(${MONEY}), 0)::bigint as pence
         from unnest($3::text[]) as branch(status) cross join lateral (
           select workspace_id, o.status from workspaces o
            where o.${SIDES[kind].owner} = $1 and o.status = branch.status and completion_date = d.date
            limit ${OF_A_DAY_MAX}) w) c
      order by d.place`,
    [subscriberId, dates, LIVE],
  )

export type CompletionRow = {
  seq: number
  workspaceId: string
  workspaceReferenceId: string
  reference: string
  status: WorkspaceStatus
  pence: number
  refusal: string | null
  turn: TurnRow | null
}

export const listCompletions = (
  connection: Connection,
  { subscriberId, kind }: Caller,
  date: string,
  { after, rows }: Bounds,
) =>
  connection.query<CompletionRow>(
    `select w.seq, w.workspace_id as "workspaceId", w.workspace_reference_id as "workspaceReferenceId", w.reference,
            w.status, ${MONEY} as pence, ${TURN} as turn,
            (select failure ->> 'reason' from settlement_schedules s where s.workspace_id = w.workspace_id) as refusal
       from workspaces w
      where w.${SIDES[kind].owner} = $1 and w.status = any ($2) and w.completion_date = $3
        and w.seq > coalesce($4::bigint, 0)
      order by w.seq limit $5`,
    [subscriberId, LIVE, date, after, rows],
  )
