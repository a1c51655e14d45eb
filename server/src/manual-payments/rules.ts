import { conflict, type FieldError } from '../platform/errors.ts'
import type { LineItem, LinePayment, ScheduleChange } from '../settlement/rules.ts'
import type { ScheduleStatus } from '../workspaces/status.ts'

// A law firm pays a schedule from its own account: what a person confirms of it, and what that changes.

/** What the rules look at of a schedule. */
export type Paying = {
  status: ScheduleStatus
  lines: readonly LineItem[]
  /** Who changed the schedule or any of its lines. */
  changedBy: readonly string[]
  fourEyes: boolean
  /** The attempt to pay it, which is under way while the schedule is `PAYING`. */
  settlementId: string | undefined
}

export type Confirmed = Omit<LinePayment, 'confirmedAt'>

/** What is wrong with the day of a payment, as it is given on a day. */
export function paidOnErrors(body: unknown, today: string): FieldError[] {
  const { paidOn } = (body ?? {}) as Record<string, unknown>
  if (typeof paidOn !== 'string' || paidOn <= today) return []
  return [{ field: 'paidOn', message: `paidOn must not lie in the future: in London it is ${today}.` }]
}

/** A line was paid, or its money received. With the last one the schedule is settled. The same again changes nothing. */
export function confirmPayment(paying: Paying, line: LineItem, confirmed: Confirmed, at: Date): ScheduleChange[] {
  const settlementId = attemptOf(paying)
  const { paidOn, bankReference, confirmedBy } = confirmed
  const { lineItemId, payment: former } = line
  const isSame = former?.paidOn === paidOn && former.bankReference === bankReference
  if (isSame && former?.confirmedBy === confirmedBy) return []
  const { lines, fourEyes, changedBy } = paying
  if (fourEyes && (line.changedBy ?? changedBy).includes(confirmedBy.toLowerCase())) {
    throw conflict({ field: 'confirmedBy', message: 'confirmedBy must be a person who has not changed this line.' })
  }
  const payment = { paidOn, bankReference, confirmedBy, confirmedAt: at }
  const isLast = lines.every((one) => one.payment !== undefined || one.lineItemId === lineItemId)
  return [
    { kind: 'payment confirmed', lineItemId, payment },
    ...(isLast ? [{ kind: 'payment settled', settlementId, outcome: { at } } as const] : []),
  ]
}

/** Until the schedule is settled. Of a line that was not confirmed there is nothing to take back. */
export function takeBackPayment(paying: Paying, { lineItemId, payment }: LineItem): ScheduleChange[] {
  attemptOf(paying)
  return payment ? [{ kind: 'payment confirmation taken back', lineItemId }] : []
}

/** As if the bank had refused it. */
export function failPayment(paying: Paying, { reason, confirmedBy }: Failure): ScheduleChange[] {
  const settlementId = attemptOf(paying)
  if (paying.lines.some(({ payment }) => payment)) {
    const message = 'A line is confirmed: money has moved. Take the confirmation back first, if it is wrong.'
    throw conflict({ message })
  }
  return [{ kind: 'payment refused', settlementId, reason, confirmedBy }]
}

type Failure = { reason: string; confirmedBy: string }

function attemptOf({ status, settlementId }: Paying): string {
  if (status === 'PAYING' && settlementId !== undefined) return settlementId
  throw conflict({
    message: `The settlement schedule is ${status}: the law firm confirms payments while it is PAYING.`,
  })
}
