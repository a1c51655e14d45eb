import { Answer, CalendarDate, PAGE_RECORDS_MAX, PageQuery, Type } from '../platform/http/schema.ts'

export const BusinessDaysQuery = Type.Object({
  from: Type.Optional(
    CalendarDate({
      pattern: '^20',
      'x-expected': 'a date from 2000-01-01 to 2099-12-31, in the format yyyy-mm-dd',
      description: 'The first date to look at, past or not. Today in London, where it is left out.',
    }),
  ),
  limit: PageQuery.limit,
})

export const BusinessDays = Answer('BusinessDays', {
  records: Type.Array(
    Answer('BusinessDay', { date: CalendarDate({ description: 'Not a Saturday, a Sunday or a bank holiday.' }) }),
    { maxItems: PAGE_RECORDS_MAX, description: '`limit` of them, the earliest first.' },
  ),
  latestCompletionDate: CalendarDate({
    description: 'The last business day that is accepted as a completion date today.',
  }),
})
