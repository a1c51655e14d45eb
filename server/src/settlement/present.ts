import { poundsOf } from '../jurisdiction/money.ts'
import { type LineItem as Line, type LinePayment, type PaymentFailure, totalsOf } from './rules.ts'
import type { LineItem, Schedule } from './schema.ts'
import type { ScheduleRow } from './store.ts'

// From rows to what the interface shows, and to what the audit may.

export function presentSchedule(row: ScheduleRow): Schedule {
  const { sources, destinations, difference } = totalsOf(row.lines)
  return {
    financialSettlementScheduleId: row.scheduleId,
    workspaceId: row.workspaceId,
    status: row.status,
    ...(row.completionDate !== null && { completionDate: row.completionDate }),
    lineItems: row.lines.map(presentLine),
    totals: {
      sources: poundsOf(sources),
      destinations: poundsOf(destinations),
      difference: poundsOf(difference),
    },
    approvals: row.approvals.map(({ action, approvedBy, at }) => ({
      action,
      approvedBy,
      at: new Date(at).toISOString(),
    })),
    ...(row.failure && { failure: presentFailure(row.failure) }),
    ...(row.settlement && { settlement: { ...row.settlement, at: new Date(row.settlement.at).toISOString() } }),
  }
}

const presentFailure = ({ at, lineItemId, reason }: PaymentFailure) => ({
  at: new Date(at).toISOString(),
  ...(lineItemId !== undefined && { lineItemId }),
  reason,
})

/** The body of `GET`, whose ETag is that of the schedule. */
export const presentSchedules = (row: ScheduleRow) => ({ records: [presentSchedule(row)] })

// In one order, for PostgreSQL keeps none and the ETag of a line just given must be that of the line when read.
export function presentLine(line: Line): LineItem {
  const { lineItemId, type, category, amountPence, reference, bankAccount, payment } = line
  const { accountName = '', accountNumber = '', sortCode = '' } = bankAccount ?? {}
  return {
    lineItemId,
    type,
    category,
    amount: poundsOf(amountPence),
    reference,
    ...(bankAccount && { bankAccount: { accountName, accountNumber, sortCode } }),
    ...(payment && { payment: presentPayment(payment) }),
  }
}

const presentPayment = ({ paidOn, bankReference, confirmedBy, confirmedAt }: LinePayment) => ({
  paidOn,
  bankReference,
  confirmedBy,
  confirmedAt: new Date(confirmedAt).toISOString(),
})

/** For the audit, which is stored for ever: of a bank account the last digits alone. */
export function pictureLine({ type, category, amountPence, reference, bankAccount }: Line) {
  const picture = { type, category, amountPence, reference }
  return bankAccount ? { ...picture, account: maskAccount(bankAccount.accountNumber) } : picture
}

export const maskAccount = (accountNumber: string): string => `****${accountNumber.slice(-4)}`
