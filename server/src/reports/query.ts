import pg from 'pg'
import type { SubscriberKind } from '../auth/store.ts'
import type { Report } from './cells.ts'
import { financialSummary } from './financial-summary.ts'
import { boundsOf, type ReportName } from './rules.ts'
import { settlementHistory } from './settlement-history.ts'
import { workspaceSummary } from './workspace-summary.ts'

const REPORTS: Record<ReportName, Report> = {
  'report-financialsummary-todate': financialSummary,
  'report-settlementhistory-daily': settlementHistory,
  'report-workspacesummary-todate': workspaceSummary,
}

const OWNER: Record<SubscriberKind, string> = { LENDER: 'w.lender_id', LAW_FIRM: 'w.law_firm_id' }

/** Whose report, and for which London date. */
export type ReportInput = { subscriberId: string; kind: SubscriberKind; date: string }

export const headerOf = (name: ReportName): string => `${Object.keys(REPORTS[name].cells).join(',')}\r\n`

/** Values are part of the text, because COPY takes no parameters. */
export function queryOf(name: ReportName, { subscriberId, kind, date }: ReportInput): string {
  const { since, until } = boundsOf(date)
  const { cells, rows } = REPORTS[name]
  const columns = Object.entries(cells).map(([column, cell]) => `${cell} as ${column}`)
  const isOwn = `${OWNER[kind]} = ${pg.escapeLiteral(subscriberId)}`
  return `
    with report_day as (
      select date ${pg.escapeLiteral(date)} as date, timestamptz '${since.toISOString()}' as since,
             timestamptz '${until.toISOString()}' as until, uuid ${pg.escapeLiteral(subscriberId)} as subscriber_id)
    select ${columns.join(',\n      ')} ${rows(isOwn)}`
}
