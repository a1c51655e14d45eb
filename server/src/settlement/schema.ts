import {
  Answer,
  CalendarDate,
  Closed,
  Email,
  Pounds,
  type Static,
  Text,
  Timestamp,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { ReferenceNumber } from '../workspaces/shapes.ts'
import { SCHEDULE_STATUSES } from '../workspaces/status.ts'
import { AMOUNT_POUNDS_MAX, AMOUNT_POUNDS_MIN, CATEGORIES, LINE_ITEMS_MAX, SUM_POUNDS_MAX } from './rules.ts'

// What goes over the wire about the money. Which fields go together, rules.ts says.

const TYPES = ['SOURCE', 'DESTINATION'] as const
const ACTIONS = ['APPROVE', 'UNAPPROVE'] as const

const Amount = Pounds(AMOUNT_POUNDS_MIN, AMOUNT_POUNDS_MAX, { description: 'Pounds.' })
const Sum = (description: string) => Type.Number({ description, examples: [206_000] })

const BankAccount = Closed(
  {
    accountName: Text(1, 35, { examples: ['Harbour Conveyancing LLP'] }),
    accountNumber: Type.String({ pattern: '^[0-9]{8}$', 'x-expected': '8 digits', examples: ['12345678'] }),
    sortCode: Type.String({ pattern: '^[0-9]{6}$', 'x-expected': '6 digits', examples: ['204060'] }),
  },
  { title: 'BankAccount' },
)

const lineParts = {
  type: Type.Enum([...TYPES]),
  category: Type.Enum([...CATEGORIES.SOURCE, ...CATEGORIES.DESTINATION], {
    description: '`Mortgage Advance` for a `SOURCE`, one of the others for a `DESTINATION`.',
  }),
  amount: Amount,
  reference: ReferenceNumber(),
  bankAccount: Type.Optional(BankAccount),
}

const example = {
  type: 'DESTINATION',
  category: 'Redemption',
  amount: 180_250.5,
  reference: 'REM-2026-0042',
  bankAccount: { accountName: 'Westbury Building Society', accountNumber: '12345678', sortCode: '204060' },
}

export const LineItemRequest = Closed(lineParts, {
  title: 'LineItemRequest',
  description: '`bankAccount` is required for a `DESTINATION`, and not expected for a `SOURCE`.',
  examples: [example],
})

export const UpdateLineItemRequest = Closed(
  {
    type: Type.Optional(lineParts.type),
    category: Type.Optional(lineParts.category),
    amount: Type.Optional(lineParts.amount),
    reference: Type.Optional(lineParts.reference),
    bankAccount: lineParts.bankAccount,
  },
  {
    title: 'UpdateLineItemRequest',
    description:
      'What is left out stays as it is. `type` cannot change. A `bankAccount` replaces the one before whole.',
    examples: [{ amount: 180_312.75 }],
  },
)

export const LineItem = Answer('LineItem', { lineItemId: Uuid(), ...lineParts })

export const Schedule = Answer('FinancialSettlementSchedule', {
  financialSettlementScheduleId: Uuid(),
  workspaceId: Uuid(),
  status: Type.Enum([...SCHEDULE_STATUSES]),
  completionDate: Type.Optional(CalendarDate({ description: 'Left out until it is set.' })),
  lineItems: Type.Array(LineItem, { maxItems: LINE_ITEMS_MAX, description: 'In the order in which they were added.' }),
  totals: Answer('ScheduleTotals', {
    sources: Sum('The sum of all sources, in pounds.'),
    destinations: Sum('The sum of all destinations, in pounds.'),
    difference: Type.Number({ description: 'Sources less destinations.', examples: [0] }),
  }),
  approvals: Type.Array(
    Answer('ScheduleApproval', { action: Type.Enum([...ACTIONS]), approvedBy: Email(), at: Timestamp() }),
    { description: 'Every approval and its taking back by hand, oldest first. `status` says whether one stands.' },
  ),
})

/** Always one record: a workspace has one schedule. */
export const Schedules = Answer('FinancialSettlementSchedules', { records: Type.Array(Schedule) })

export const UpdateScheduleRequest = Closed(
  {
    completionDate: CalendarDate({
      description: 'A business day of England and Wales, not past and at most 6 months ahead.',
    }),
  },
  { title: 'UpdateScheduleRequest' },
)

export const FinancialApprovalRequest = Closed(
  {
    action: Type.Enum([...ACTIONS]),
    approvedBy: Email({ description: 'Who does it, as the caller states it.' }),
  },
  { title: 'FinancialApprovalRequest' },
)

export const FinancialApprovalAnswer = Answer('FinancialApprovalAnswer', {
  financialSettlementScheduleId: Uuid(),
  action: Type.Enum([...ACTIONS]),
  status: Type.Enum([...SCHEDULE_STATUSES]),
  approvedBy: Email(),
  approvedAt: Timestamp(),
})

export const FundsAuthorisationRequest = Closed(
  {
    completionDate: CalendarDate(),
    lineItem: Closed(
      {
        authorised: Type.Boolean({ description: 'False takes the authorisation back.' }),
        category: Type.Enum([...CATEGORIES.SOURCE]),
        amount: Pounds(AMOUNT_POUNDS_MIN, SUM_POUNDS_MAX, { description: 'The sum of all lines of the category.' }),
      },
      { title: 'AuthorisedLineItemRequest' },
    ),
  },
  { title: 'FundsAuthorisationRequest' },
)

export const FundsAuthorisationAnswer = Answer('FundsAuthorisationAnswer', {
  matched: Type.Boolean({ description: 'Whether date and amount are those of the schedule.' }),
  authorised: Type.Boolean(),
})

export const SchedulesQuery = Type.Object({ workspace_id: Uuid() })
export const SchedulePath = Type.Object({ financial_settlement_schedule_id: Uuid() })
export const LineItemPath = Type.Object({ financial_settlement_schedule_id: Uuid(), line_item_id: Uuid() })
export const MoneyPath = Type.Object({ workspace_id: Uuid() })

export type LineItem = Static<typeof LineItem>
export type Schedule = Static<typeof Schedule>
