import type { Connection } from '../platform/database/db.ts'
import type { ReportName } from './rules.ts'

export type ReportRun = { reportDate: string; sha256: string; size: number; rowCount: number }

/** The runs of one report of one subscriber, newest first: a fortnight of them at most. */
export const listRuns = (connection: Connection, subscriberId: string, name: ReportName) =>
  connection.query<ReportRun>(
    `select report_date as "reportDate", sha256, size, row_count as "rowCount"
       from reports where subscriber_id = $1 and report_name = $2 order by report_date desc limit 32`,
    [subscriberId, name],
  )

export type NewRun = ReportRun & { subscriberId: string; name: ReportName; generatedAt: Date }

export const insertRun = (connection: Connection, run: NewRun) =>
  connection.query(
    `insert into reports (subscriber_id, report_name, report_date, sha256, size, row_count, generated_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing`,
    [run.subscriberId, run.name, run.reportDate, run.sha256, run.size, run.rowCount, run.generatedAt],
  )
