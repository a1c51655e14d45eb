import { Answer, CalendarDate, Choice, Timestamp, Type } from '../platform/http/schema.ts'
import { WhoName } from '../workspaces/shapes.ts'
import { WORKSPACE_STATUSES } from '../workspaces/status.ts'
import { FIGURE_DAYS, FIGURE_NAMES, REASONS_MAX, WEEKS_MAX } from './rules.ts'

const WHOS_MAX = 10

const Count = (description: string) => Type.Integer({ minimum: 0, description, examples: [12] })
const Ms = (description: string) => Type.Integer({ minimum: 0, description, examples: [87] })
const Days = (description: string) => Type.Number({ minimum: 0, description, examples: [41.5] })

const StatusCount = Answer('StatusCount', {
  date: CalendarDate({ description: 'A day in London.' }),
  status: Choice(WORKSPACE_STATUSES, { description: 'Only of open workspaces. A status that none had is left out.' }),
  count: Count('How many had it at the end of the day.'),
})

const RegistrationTimes = Answer(
  'RegistrationTimes',
  {
    count: Count('How many workspaces were closed, because their case was registered.'),
    medianDays: Type.Optional(
      Days('Half of them took at most this long from the order. Left out where there are none.'),
    ),
    p90Days: Type.Optional(Days('Nine of ten took at most this long.')),
    weeks: Type.Array(
      Answer('RegistrationWeek', {
        weeks: Type.Integer({
          minimum: 0,
          maximum: WEEKS_MAX,
          description: `Whole weeks from the order to the registration; ${WEEKS_MAX} is all that took longer.`,
          examples: [6],
        }),
        count: Count('How many took that long.'),
      }),
      { maxItems: WEEKS_MAX + 1, description: 'How long they took, the shortest first.' },
    ),
  },
  { description: 'From the order to the registration.' },
)

const PartyWaiting = Answer('PartyWaiting', {
  who: WhoName,
  days: Days('How long workspaces waited for this one, all together.'),
  share: Type.Number({ minimum: 0, maximum: 100, description: 'Of all waiting, in per cent.', examples: [41] }),
})

const RequisitionFigures = Answer(
  'RequisitionFigures',
  {
    cases: Count('How many cases were sent to the registry.'),
    reasons: Type.Array(
      Answer('RequisitionReason', {
        reason: Type.String({
          minLength: 1,
          description: 'The point that the registry raised, or `LETTER`.',
          examples: ['Please lodge evidence of the identity of the borrower.'],
        }),
        count: Count('How often it was raised.'),
      }),
      { maxItems: REASONS_MAX, description: 'The most frequent first.' },
    ),
  },
  { description: 'What the registry asked.' },
)

const DeliveryDay = Answer('DeliveryDay', {
  date: CalendarDate({ description: 'A day in London on which something was delivered or given up.' }),
  count: Count('Deliveries to your webhooks of this day that have ended.'),
  deliveredAtFirstTry: Count('Those that needed one attempt.'),
  medianMs: Ms('Half of the last attempts took at most this long.'),
  p90Ms: Ms('Nine of ten took at most this long.'),
})

export const FiguresAnswer = Answer('Figures', {
  computedAt: Type.Optional(Timestamp({ description: 'When they were counted. Left out before the first night.' })),
  mattersByStatus: Type.Array(StatusCount, {
    maxItems: FIGURE_DAYS * WORKSPACE_STATUSES.length,
    description: 'Your open workspaces at the end of each day, oldest first.',
  }),
  timeToRegistration: RegistrationTimes,
  waiting: Type.Array(PartyWaiting, {
    maxItems: WHOS_MAX,
    description: 'For whom workspaces that are open or ended in this time have waited, the longest first.',
  }),
  requisitions: RequisitionFigures,
  deliveries: Type.Array(DeliveryDay, { maxItems: FIGURE_DAYS, description: 'Oldest first.' }),
})

export const FigurePath = Type.Object({
  figure_name: Choice(FIGURE_NAMES, { description: 'Which figure.', examples: ['waiting'] }),
})

export const FigureContent = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  description: 'CSV in UTF-8 by RFC 4180, with a header row.',
})
