import { Id } from '../events/ids.ts'
import { Answer, CalendarDate, Page, PageQuery, Pounds, Type } from '../platform/http/schema.ts'
import { Turn, WorkspaceReferenceId, WorkspaceStatus } from '../workspaces/shapes.ts'
import { OF_A_DAY_MAX } from './completions.ts'

const DAYS_MAX = 31
const POUNDS_MAX = 90_000_000_000_000 // as pence still exact

const Amount = (description: string) => Pounds(0, POUNDS_MAX, { description, examples: [206_000] })
const Count = (description: string) =>
  Type.Integer({ minimum: 0, maximum: OF_A_DAY_MAX * 10, description, examples: [4] })

export const CompletionDaysQuery = Type.Object({
  from: Type.Optional(
    CalendarDate({
      pattern: '^20',
      'x-expected': 'a date from 2000-01-01 to 2099-12-31, in the format yyyy-mm-dd',
      description: 'The first date to look at, past or not. Today in London, where it is left out.',
    }),
  ),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: DAYS_MAX, default: 10, description: 'How many business days.' }),
  ),
})

export const CompletionDays = Answer('CompletionDays', {
  records: Type.Array(
    Answer('CompletionDay', {
      date: CalendarDate({ description: 'A business day of England and Wales.' }),
      count: Count(`How many workspaces complete then; of each status at most ${OF_A_DAY_MAX} are counted.`),
      notReady: Count('How many of them have no authorised funds.'),
      amount: Amount('The sum of their sources, in pounds.'),
    }),
    { maxItems: DAYS_MAX, description: 'The earliest first.' },
  ),
})

export const CompletionsQuery = Type.Object({
  ...PageQuery,
  date: CalendarDate({ pattern: '^20', description: 'The completion day.' }),
})

export const CompletionsPage = Page(
  'CompletionsPage',
  Answer('Completion', {
    workspaceId: Id.workspaceId,
    workspaceReferenceId: WorkspaceReferenceId(),
    reference: Type.String({ minLength: 1, description: 'The lender’s own name for it.', examples: ['REM-2026-0042'] }),
    status: WorkspaceStatus,
    amount: Amount('The sum of its sources, in pounds.'),
    refusal: Type.Optional(
      Type.String({
        minLength: 1,
        description: 'Why the last payment was refused. Left out once funds are authorised again.',
        examples: ['The bank refused the payment: an account is closed.'],
      }),
    ),
    turn: Type.Optional(Turn),
  }),
)
