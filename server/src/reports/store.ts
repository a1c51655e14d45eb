import type { SubscriberKind } from '../auth/store.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { boundsOf, REPORT_NAMES, type ReportName } from './rules.ts'

export type ReportRun = { reportDate: string; sha256: string; size: number; rowCount: number }

/** The runs of one report of one subscriber, newest first: at most two weeks of them. */
export const listRuns = (connection: Connection, subscriberId: string, name: ReportName) =>
  connection.query<ReportRun>(
    `select report_date as "reportDate", sha256, size, row_count as "rowCount"
       from reports where subscriber_id = $1 and report_name = $2 order by report_date desc limit 32`,
    [subscriberId, name],
  )

export type NewRun = ReportRun & { subscriberId: string; name: ReportName; generatedAt: Date }

/** Whether it was inserted: another node may have made the same report at the same time. */
export async function insertRun(tx: Transaction, run: NewRun): Promise<boolean> {
  const inserted = await tx.query(
    `insert into reports (subscriber_id, report_name, report_date, sha256, size, row_count, generated_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning report_name`,
    [run.subscriberId, run.name, run.reportDate, run.sha256, run.size, run.rowCount, run.generatedAt],
  )
  return inserted.length > 0
}

export function deleteRunsBefore(tx: Transaction, date: string): void {
  tx.send('delete from reports where report_date < $1', [date])
}

/** The missing reports of a subscriber for a date. A subscriber without workspaces gets reports without rows. */
export type Missing = {
  subscriberId: string
  subscriberName: string
  kind: SubscriberKind
  date: string
  names: ReportName[]
  hasWorkspaces: boolean
}

const MISSING = `
  select s.subscriber_id as "subscriberId", s.name as "subscriberName", s.kind, day.date, missing.names,
         exists (select from workspaces w where w.lender_id = s.subscriber_id)
           or exists (select from workspaces w where w.law_firm_id = s.subscriber_id) as "hasWorkspaces"
    from subscribers s
    join unnest($1::date[], $2::timestamptz[]) as day(date, until) on s.created_at < day.until
    cross join lateral (
      select array_agg(name) as names from unnest($3::text[]) as name
       where not exists (select from reports r
                          where r.subscriber_id = s.subscriber_id and r.report_name = name and r.report_date = day.date)
    ) missing
   where s.reports and missing.names is not null and ($4::uuid[] is null or s.subscriber_id = any ($4))
   order by day.date, s.subscriber_id`

/** Suspended subscribers get reports too. Nobody gets reports for days before they were added. */
export const listMissing = (connection: Connection, dates: readonly string[], subscriberIds?: readonly string[]) =>
  connection.query<Missing>(MISSING, [
    dates,
    dates.map((date) => boundsOf(date).until),
    REPORT_NAMES,
    subscriberIds ?? null,
  ])
