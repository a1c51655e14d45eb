import { CalendarDate, Choice, Type } from '../platform/http/schema.ts'
import { REPORT_NAMES } from './rules.ts'

export const ReportPath = Type.Object({
  report_name: Choice(REPORT_NAMES, {
    description: 'The reports to date cover every workspace up to the end of the day, the daily report only that day.',
  }),
})

export const ReportQuery = Type.Object({
  date: Type.Optional(
    CalendarDate({
      pattern: '^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$',
      description: 'The London date of the report, less than 15 days old. The newest when left out.',
    }),
  ),
})

export const ReportContent = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  description: 'CSV in UTF-8 by RFC 4180, with a header row.',
})
