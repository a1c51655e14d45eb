import type { Connection, Transaction } from '../platform/database/db.ts'
import type { Who, WorkspaceStatus } from '../workspaces/status.ts'
import {
  ALL_SUBSCRIBERS,
  boundsOf,
  type Counted,
  type Figures,
  REASONS_MAX,
  rounded,
  STATUS_AFTER,
  sharesOf,
  WEEKS_MAX,
} from './rules.ts'

// Each figure is one statement for all owners: both sides of a workspace, and all subscribers together.

const OWNERS = `cross join lateral (values (w.lender_id), (w.law_firm_id), ('${ALL_SUBSCRIBERS}'::uuid)) owner (owner_id)`
const IS_OPEN = `w.status not in ('CLOSED', 'CANCELLED')`

export async function listCountedDays(connection: Connection): Promise<Counted> {
  const [row] = await connection.query<Counted>(
    `select (select created_at from workspaces order by seq limit 1) as first,
            array(select day::text from figure_days where owner_id = $1) as days`,
    [ALL_SUBSCRIBERS],
  )
  return row ?? { first: null, days: [] }
}

/** A day that had nothing is counted as well. */
export function saveDay(tx: Transaction, day: string): void {
  tx.send('insert into figure_days (owner_id, day) values ($1, $2) on conflict do nothing', [ALL_SUBSCRIBERS, day])
  saveStatuses(tx, day)
  saveDeliveries(tx, day)
}

/** How many workspaces were open at the end of a day, by status. What has changed since is looked up among the events. */
function saveStatuses(tx: Transaction, day: string): void {
  tx.send(
    `insert into figure_days (owner_id, day, statuses)
     select owner_id, $1, jsonb_object_agg(status, count) from (
       select owner_id, w.status, count(*) from (
         select w.lender_id, w.law_firm_id, case when w.status_since < $2 then w.status else (
                  select coalesce(max($3::jsonb ->> e.type), 'CREATED') from (
                    select type from events e where e.workspace_id = w.workspace_id and e.at < $2 and $3::jsonb ? e.type
                     order by seq desc limit 1) e) end as status
           from workspaces w where w.created_at < $2 and (${IS_OPEN} or w.status_since >= $2)) w ${OWNERS}
        where ${IS_OPEN} group by owner_id, w.status) counted
      group by owner_id
     on conflict (owner_id, day) do update set statuses = excluded.statuses`,
    [day, boundsOf(day).until, JSON.stringify(STATUS_AFTER)],
  )
}

/** How long receivers took on a day, for deliveries that have ended. */
function saveDeliveries(tx: Transaction, day: string): void {
  const { since, until } = boundsOf(day)
  tx.send(
    `insert into figure_days (owner_id, day, deliveries)
     select owner_id, $1, jsonb_build_object('count', count(*),
              'deliveredAtFirstTry', count(*) filter (where n.status = 'DELIVERED' and jsonb_array_length(n.attempts) = 1),
              'medianMs', percentile_disc(0.5) within group (order by (n.attempts -> -1 ->> 'durationMs')::int),
              'p90Ms', percentile_disc(0.9) within group (order by (n.attempts -> -1 ->> 'durationMs')::int))
       from notifications n cross join lateral (values (n.subscriber_id), ('${ALL_SUBSCRIBERS}'::uuid)) owner (owner_id)
      where n.status <> 'PENDING' and n.created_at >= $2 and n.created_at < $3 and n.attempts <> '[]'
      group by owner_id
     on conflict (owner_id, day) do update set deliveries = excluded.deliveries`,
    [day, since, until],
  )
}

export function deleteDaysBefore(tx: Transaction, day: string): void {
  tx.send('delete from figure_days where day < $1', [day])
}

const DAYS_TAKEN = `extract(epoch from w.status_since - w.created_at) / 86400`

/** What covers the whole time since then. The operator's has no words of the registry. */
const DOCUMENT: Record<string, string> = {
  registrations: `
    select owner_id, jsonb_build_object('count', count(*), 'medianDays', percentile_cont(0.5) within group (order by days),
             'p90Days', percentile_cont(0.9) within group (order by days)) as value
      from (select owner_id, ${DAYS_TAKEN} as days from workspaces w ${OWNERS}
             where w.status = 'CLOSED' and w.status_since >= $2) w group by owner_id`,
  weeks: `
    select owner_id, jsonb_object_agg(weeks, count) as value from (
      select owner_id, least(floor(${DAYS_TAKEN} / 7), ${WEEKS_MAX})::int as weeks, count(*) from workspaces w ${OWNERS}
       where w.status = 'CLOSED' and w.status_since >= $2 group by 1, 2) w group by owner_id`,
  waited: `
    select owner_id, jsonb_object_agg(who, seconds) as value from (
      select owner_id, who, round(sum(seconds)) as seconds from workspaces w ${OWNERS} cross join lateral (
        select key as who, value::numeric as seconds from jsonb_each_text(w.turn_waited)
        union all select w.turn_who, extract(epoch from $1 - w.turn_since) where w.turn_who is not null) waited
       where ${IS_OPEN} or w.status_since >= $2 group by 1, 2) w group by owner_id`,
  reasons: `
    select owner_id, jsonb_object_agg(reason, count) as value from (
      select owner_id, reason, count(*), row_number() over (partition by owner_id order by count(*) desc, reason) as place
        from requisitions r join lodgement_cases c using (lodgement_case_id) join workspaces w using (workspace_id) ${OWNERS}
       cross join lateral jsonb_array_elements_text(case
         when jsonb_array_length(r.points) = 0 then '["LETTER"]'
         when owner_id = '${ALL_SUBSCRIBERS}' then '["POINTS"]' else r.points end) as reason
       where r.received_at >= $2 group by 1, 2) r where place <= ${REASONS_MAX} group by owner_id`,
  cases: `
    select owner_id, to_jsonb(count(distinct c.lodgement_case_id)) as value
      from submissions b join lodgement_cases c using (lodgement_case_id) join workspaces w using (workspace_id) ${OWNERS}
     where b.sent_at >= $2 group by owner_id`,
}

export function saveDocuments(tx: Transaction, now: Date, since: Date): void {
  tx.send('delete from figures', [])
  for (const [key, select] of Object.entries(DOCUMENT)) {
    tx.send(
      `insert into figures (owner_id, computed_at, document)
       select owner_id, $1, jsonb_build_object('${key}', value) from (${select}) figure where $2::timestamptz is not null
       on conflict (owner_id) do update set document = figures.document || excluded.document`,
      [now, since],
    )
  }
}

type Stored = {
  computedAt: Date
  document: {
    registrations?: { count: number; medianDays: number; p90Days: number }
    weeks?: Record<string, number>
    waited?: Partial<Record<Who, number>>
    reasons?: Record<string, number>
    cases?: number
  } | null
  days: { date: string; statuses: Partial<Record<WorkspaceStatus, number>>; deliveries: DayDeliveries | null }[]
}
type DayDeliveries = Omit<Figures['deliveries'][number], 'date'>

/** The figures of a subscriber, or of `ALL_SUBSCRIBERS`, for operators. */
export async function readFigures(connection: Connection, ownerId: string): Promise<Figures> {
  const [stored] = await connection.query<Stored>(
    `select f.computed_at as "computedAt", f.document, coalesce((
              select jsonb_agg(jsonb_build_object('date', day, 'statuses', statuses, 'deliveries', deliveries) order by day)
                from figure_days where owner_id = $1), '[]') as days
       from (select 1) one left join figures f on f.owner_id = $1`,
    [ownerId],
  )
  return figuresOf(stored)
}

function figuresOf({ computedAt, document, days = [] }: Partial<Stored> = {}): Figures {
  const { registrations, weeks = {}, waited = {}, reasons = {}, cases = 0 } = document ?? {}
  const counts = Object.entries(reasons).map(([reason, count]) => ({ reason, count }))
  return {
    ...(computedAt && { computedAt: computedAt.toISOString() }),
    mattersByStatus: days.flatMap(({ date, statuses }) =>
      (Object.entries(statuses) as [WorkspaceStatus, number][]).map(([status, count]) => ({ date, status, count })),
    ),
    timeToRegistration: {
      count: registrations?.count ?? 0,
      ...(registrations && { medianDays: rounded(registrations.medianDays), p90Days: rounded(registrations.p90Days) }),
      weeks: Object.entries(weeks).map(([week, count]) => ({ weeks: Number(week), count })),
    },
    waiting: sharesOf(waited),
    requisitions: { cases, reasons: counts.toSorted((a, b) => b.count - a.count) },
    deliveries: days.flatMap(({ date, deliveries }) => (deliveries ? [{ date, ...deliveries }] : [])),
  }
}
