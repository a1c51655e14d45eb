import { addDays, londonDate, londonMoment } from '../jurisdiction/london.ts'
import { type FieldError, invalid, notFound } from '../platform/errors.ts'

export const REPORT_NAMES = [
  'report-financialsummary-todate',
  'report-settlementhistory-daily',
  'report-workspacesummary-todate',
] as const

export type ReportName = (typeof REPORT_NAMES)[number]

/** A report is served while it is less than this many days old. */
export const REPORT_AGE_DAYS_MAX = 15

const DATE_FORMAT = /^\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\d|3[01])$/
const WRONG_FORMAT: FieldError = { field: 'date', message: 'date must have the format yyyy-mm-dd.' }

export function checkReportName(name: string): ReportName {
  const known = REPORT_NAMES.find((one) => one === name)
  if (known) return known
  throw notFound('reportName', `There is no report with this name. The reports are ${REPORT_NAMES.join(', ')}.`)
}

/** `date` as received: a string, several, or nothing. */
export function checkReportDate(date: unknown): string | undefined {
  if (date === undefined) return undefined
  if (typeof date !== 'string' || !DATE_FORMAT.test(date)) throw invalid(WRONG_FORMAT)
  return date
}

/** The oldest London date whose report is still served. */
export const oldestServed = (now: Date): string => addDays(londonDate(now), 1 - REPORT_AGE_DAYS_MAX)

/** `runs` are the subscriber's runs of one report, newest first. */
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

/** The London day of a date: 23 hours where the clocks go forward, 25 where they go back. */
export const boundsOf = (date: string): { since: Date; until: Date } => ({
  since: londonMoment(date, '00:00:00'),
  until: londonMoment(addDays(date, 1), '00:00:00'),
})

/** When reports are made: half an hour into the London day after the one that they cover. */
export const madeAt = (date: string): Date => londonMoment(addDays(date, 1), '00:30:00')

/** The next time at which reports are made. */
export function nextNight(now: Date): Date {
  const today = londonDate(now)
  const tonight = madeAt(addDays(today, -1))
  return tonight > now ? tonight : madeAt(today)
}

/** The dates, oldest first, that have ended and whose reports are still served. */
export const endedDates = (now: Date): string[] =>
  Array.from({ length: REPORT_AGE_DAYS_MAX - 1 }, (_, index) => addDays(oldestServed(now), index))

/** Those whose reports should exist by now. */
export const dueDates = (now: Date): string[] => endedDates(now).filter((date) => madeAt(date) <= now)

export const reportFileName = (name: ReportName, subscriberId: string, date: string): string =>
  `${name}_${subscriberId}_${date}.csv`
