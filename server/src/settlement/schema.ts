import { APPROVAL_ACTIONS } from '../auth/scopes.ts'
import { Id, PathId } from '../events/ids.ts'
import {
  Answer,
  CalendarDate,
  Choice,
  Closed,
  Email,
  HISTORY_ITEMS_MAX,
  Pounds,
  type Static,
  Text,
  Timestamp,
  Type,
  Uuid,
  When,
} from '../platform/http/schema.ts'
import { BankReference, CompletionDate, PaymentReference, ReferenceNumber } from '../workspaces/shapes.ts'
import { SCHEDULE_STATUSES } from '../workspaces/status.ts'
import { PAYMENT_SCHEMES } from './port.ts'
import {
  AMOUNT_POUNDS_MAX,
  AMOUNT_POUNDS_MIN,
  CATEGORIES,
  LINE_ITEMS_MAX,
  LINE_TYPES,
  type LineType,
  SUM_POUNDS_MAX,
} from './rules.ts'

// What goes over the wire about the money. Which fields go together, rules.ts says.

const BankAccount = Closed(
  {
    accountName: Text(1, 35, { description: 'In whose name it is held.', examples: ['Harbour Conveyancing LLP'] }),
    accountNumber: Type.String({
      pattern: '^[0-9]{8}$',
      'x-expected': '8 digits',
      description: '8 digits, zeros in front included.',
      examples: ['12345678'],
    }),
    sortCode: Type.String({
      pattern: '^[0-9]{6}$',
      'x-expected': '6 digits',
      description: '6 digits, without hyphens.',
      examples: ['204060'],
    }),
  },
  { title: 'BankAccount', description: 'Where the money goes. Of a `DESTINATION` only, which must have one.' },
)

const lineParts = {
  type: Choice(LINE_TYPES, { description: 'Money that comes in, or money that goes out.' }),
  category: Choice([...CATEGORIES.SOURCE, ...CATEGORIES.DESTINATION], {
    description:
      '`Mortgage Advance` or `Borrower Contribution` (a shortfall that the borrower pays) for a `SOURCE`, one of the ' +
      'others for a `DESTINATION`.',
  }),
  amount: Pounds(AMOUNT_POUNDS_MIN, AMOUNT_POUNDS_MAX, { description: 'Pounds, with at most two decimals.' }),
  reference: PaymentReference('Goes with the payment, for the payee. Not blank.'),
  bankAccount: Type.Optional(BankAccount),
}

const example = {
  type: 'DESTINATION',
  category: 'Redemption',
  amount: 180_250.5,
  reference: 'REM-2026-0042',
  bankAccount: { accountName: 'Westbury Building Society', accountNumber: '12345678', sortCode: '204060' },
}

const isOf = (type: LineType) => ({ properties: { type: { const: type } }, required: ['type'] })
const categoryOf = (type: LineType) => ({ category: { type: 'string', enum: CATEGORIES[type] } })

const ofSource = When(isOf('SOURCE'), { properties: { ...categoryOf('SOURCE'), bankAccount: false } })
const ofDestination = When(isOf('DESTINATION'), { properties: categoryOf('DESTINATION') })
const needsAccount = When(isOf('DESTINATION'), { required: ['bankAccount'] })

export const LineItemRequest = Closed(lineParts, {
  title: 'LineItemRequest',
  'x-contract': { allOf: [ofSource, ofDestination, needsAccount] },
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
    'x-contract': { allOf: [ofSource, ofDestination] },
    description:
      'What is left out stays as it is. `type` cannot change. A `bankAccount` replaces the one before whole.',
    examples: [{ amount: 180_312.75 }],
  },
)

/** What a person confirms of a line. */
export const paymentParts = {
  paidOn: CalendarDate({ description: 'The day on which the money moved, in London. Not in the future.' }),
  bankReference: BankReference('The bank’s own name for the payment, from the statement of the account.'),
  confirmedBy: Email({ description: 'Who saw that it was paid or received. Not a person who has changed this line.' }),
}

export const LineItem = Answer('LineItem', {
  lineItemId: Id.lineItemId,
  ...lineParts,
  reference: ReferenceNumber('Goes with the payment, for the payee.'),
  payment: Type.Optional(
    Answer(
      'LinePayment',
      { ...paymentParts, confirmedAt: Timestamp({ description: 'When it was confirmed.' }) },
      {
        description: 'That it was paid, or for a `SOURCE` received. Only where the law firm pays and has confirmed it.',
      },
    ),
  ),
})

const Sum = (minimum: number, description: string, examples = [206_000]) =>
  Pounds(minimum, SUM_POUNDS_MAX, { description, examples })

const ScheduleTotals = Answer(
  'ScheduleTotals',
  {
    sources: Sum(0, 'The sum of all sources, in pounds.'),
    destinations: Sum(0, 'The sum of all destinations, in pounds.'),
    difference: Sum(-SUM_POUNDS_MAX, 'Sources less destinations. Approval needs it to be 0.', [0]),
  },
  { description: 'What the line items come to.' },
)

export const ScheduleStatus = Choice(SCHEDULE_STATUSES, {
  description:
    '`PREPARED` is approved, `AUTHORISED` released by the lender, `SETTLED` paid. `PAYING`: it is completion day, and the ' +
    'law firm pays from its own account and confirms each line.',
})

export const Done = Choice(APPROVAL_ACTIONS, { description: 'What was done.' })

const ScheduleApproval = Answer('ScheduleApproval', {
  action: Done,
  approvedBy: Email({ description: 'Who did it, as the caller stated it.' }),
  at: Timestamp({ description: 'When it was done.' }),
})

export const Schedule = Answer('FinancialSettlementSchedule', {
  financialSettlementScheduleId: Id.financialSettlementScheduleId,
  workspaceId: Id.workspaceId,
  status: ScheduleStatus,
  completionDate: Type.Optional(CompletionDate),
  lineItems: Type.Array(LineItem, { maxItems: LINE_ITEMS_MAX, description: 'In the order in which they were added.' }),
  totals: ScheduleTotals,
  approvals: Type.Array(ScheduleApproval, {
    maxItems: HISTORY_ITEMS_MAX,
    description:
      'Every approval, and every withdrawal by hand, oldest first. `status` says whether the schedule is approved now.',
  }),
  failure: Type.Optional(
    Answer(
      'PaymentFailure',
      {
        at: Timestamp({ description: 'When the bank refused it, or the law firm said that it could not be paid.' }),
        lineItemId: Type.Optional(
          Uuid({
            description: 'The line whose payment was refused, where it was one. It may have been deleted since.',
          }),
        ),
        reason: Type.String({
          minLength: 1,
          description: 'What the bank said, which names no account; or the law firm, where it was to pay.',
          examples: ['The bank refused the payment: an account is closed.'],
        }),
      },
      { description: 'Why the last payment was refused. Left out once funds are authorised again.' },
    ),
  ),
  settlement: Type.Optional(
    Answer(
      'ScheduleSettlement',
      {
        at: Timestamp({ description: 'When the money had moved.' }),
        scheme: Type.Optional(Choice(PAYMENT_SCHEMES, { description: 'How it was paid.' })),
        paymentReference: Type.Optional(
          Type.String({
            minLength: 1,
            description: 'The bank’s own name for the payment.',
            examples: ['SIM-7F0A3C21D9E4'],
          }),
        ),
      },
      {
        description:
          'Only when it is read, and once it is `SETTLED`. Scheme and reference are left out where the law firm paid and ' +
          'confirmed each line.',
      },
    ),
  ),
})

/** Always one record: a workspace has one schedule. */
export const Schedules = Answer('FinancialSettlementSchedules', {
  records: Type.Array(Schedule, { minItems: 1, maxItems: 1, description: 'Always one: a workspace has one schedule.' }),
})

export const UpdateScheduleRequest = Closed(
  {
    completionDate: CalendarDate({
      description: 'A business day of England and Wales, not past and at most 6 months ahead.',
    }),
  },
  { title: 'UpdateScheduleRequest' },
)

export const SchedulesQuery = Type.Object({ workspace_id: PathId.workspace_id })
export const SchedulePath = Type.Object({
  financial_settlement_schedule_id: PathId.financial_settlement_schedule_id,
})
export const LineItemPath = Type.Object({
  financial_settlement_schedule_id: PathId.financial_settlement_schedule_id,
  line_item_id: PathId.line_item_id,
})

export type LineItem = Static<typeof LineItem>
export type Schedule = Static<typeof Schedule>
