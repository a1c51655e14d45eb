import { type Fault, invalid, notFound } from '../platform/http/errors.ts'
import { addDays, londonDate } from '../platform/london.ts'

export const REPORT_NAMES = [
  'report-financialsummary-todate',
  'report-settlementhistory-daily',
  'report-workspacesummary-todate',
] as const

export type ReportName = (typeof REPORT_NAMES)[number]

/** A report is served while it is less than so many days old. */
export const REPORT_AGE_DAYS_MAX = 15

const DATE_FORMAT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const WRONG_FORMAT: Fault = { field: 'date', message: 'date must have the format yyyy-mm-dd.' }

export function checkReportName(name: string): ReportName {
  const known = REPORT_NAMES.find((one) => one === name)
  if (known) return known
  throw notFound('reportName', `There is no report of this name. Known are ${REPORT_NAMES.join(', ')}.`)
}

/** The query's `date` as it came: a string, several, or nothing. */
export function checkReportDate(date: unknown): string | undefined {
  if (date === undefined) return undefined
  if (typeof date !== 'string' || !DATE_FORMAT.test(date)) throw invalid(WRONG_FORMAT)
  return date
}

/** The oldest London date whose report is still served. */
export const oldestServed = (now: Date): string => addDays(londonDate(now), 1 - REPORT_AGE_DAYS_MAX)

/** Of the subscriber's runs of one report, newest first, the one that was asked for. */
export function chooseRun<Run extends { reportDate: string }>(
  runs: readonly Run[],
  date: string | undefined,
  now: Date,
) {
  if (!runs.length) throw notFound('subscriberId', 'This report has not been generated for your organisation.')
  const oldest = oldestServed(now)
  const served = runs.filter((run) => run.reportDate >= oldest)
  const chosen = date === undefined ? served[0] : served.find((run) => run.reportDate === date)
  if (chosen) return chosen
  const message = `There is no report for ${date ?? 'the last days'}. Reports from ${oldest} to yesterday can be retrieved.`
  throw notFound('requestedDate', message)
}

export const reportFileName = (name: ReportName, subscriberId: string, date: string): string =>
  `${name}_${subscriberId}_${date}.csv`
