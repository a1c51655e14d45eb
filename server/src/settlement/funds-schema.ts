import { APPROVAL_ACTIONS } from '../auth/scopes.ts'
import { Id, PathId } from '../events/ids.ts'
import { Answer, CalendarDate, Choice, Closed, Email, Pounds, Text, Timestamp, Type } from '../platform/http/schema.ts'
import { ADVANCE, AMOUNT_POUNDS_MIN, SUM_POUNDS_MAX } from './rules.ts'
import { MISMATCHES } from './rules-funds.ts'
import { Done, paymentParts, ScheduleStatus } from './schema.ts'

// What goes over the wire when the money is approved and authorised, and where the law firm pays it.

export const FinancialApprovalRequest = Closed(
  {
    action: Choice(APPROVAL_ACTIONS, { description: 'Each needs a scope of its own.' }),
    approvedBy: Email({ description: 'Who does it, as the caller states it.' }),
  },
  { title: 'FinancialApprovalRequest' },
)

export const FinancialApprovalAnswer = Answer('FinancialApprovalAnswer', {
  financialSettlementScheduleId: Id.financialSettlementScheduleId,
  action: Done,
  status: ScheduleStatus,
  approvedBy: Email({ description: 'As the request stated it.' }),
  approvedAt: Timestamp({ description: 'When it was done.' }),
})

export const FundsAuthorisationRequest = Closed(
  {
    completionDate: CalendarDate({ description: 'The day that you expect, to be compared with that of the schedule.' }),
    lineItem: Closed(
      {
        authorised: Type.Boolean({ description: 'False takes the authorisation back.' }),
        category: Choice([ADVANCE], { description: 'What a lender pays.' }),
        amount: Pounds(AMOUNT_POUNDS_MIN, SUM_POUNDS_MAX, { description: 'The sum of all lines of the category.' }),
      },
      { title: 'AuthorisedLineItemRequest', description: 'What is authorised, and how much.' },
    ),
  },
  { title: 'FundsAuthorisationRequest' },
)

export const FundsAuthorisationAnswer = Answer('FundsAuthorisationAnswer', {
  matched: Type.Boolean({
    description: 'Whether date and amount are those of the schedule. False where the authorisation is taken back.',
  }),
  authorised: Type.Boolean({
    description: 'Whether funds are authorised after the request. An earlier authorisation is not lost by a mismatch.',
  }),
  mismatches: Type.Optional(
    Type.Array(Choice(MISMATCHES), {
      maxItems: MISMATCHES.length,
      uniqueItems: true,
      description:
        'In what the request differs from the schedule: empty if it matched. Left out with `authorised: false`.',
    }),
  ),
})

export const ConfirmPaymentRequest = Closed(paymentParts, { title: 'ConfirmPaymentRequest' })

export const PaymentFailureRequest = Closed(
  {
    reason: Text(1, 500, {
      description: 'Why it cannot be paid, for the lender. Name no account.',
      examples: ['The bank returned the redemption: the account is closed.'],
    }),
    confirmedBy: Email({ description: 'Who says so.' }),
  },
  { title: 'PaymentFailureRequest' },
)

export const PaymentFileContent = Type.Unsafe<unknown>({
  type: 'string',
  format: 'binary',
  description: 'ISO 20022 (pain.001.001.09) as XML, or CSV in UTF-8 by RFC 4180 with a header row.',
})

export const MoneyPath = Type.Object({ workspace_id: PathId.workspace_id })
