import { londonDate, londonMoment } from '../jurisdiction/london.ts'
import { penceOf } from '../jurisdiction/money.ts'
import { conflict } from '../platform/errors.ts'
import type { WorkspaceStatus } from '../workspaces/status.ts'
import type { Payment, PaymentInstruction, PaymentOutcome } from './port.ts'
import { type ADVANCE, type LineItem, type Schedule, type ScheduleChange, totalsOf } from './rules.ts'

// When the money goes, and what it takes for that.

const SETTLEMENT_TIME = '09:00:00'

/** The money moves only if what comes in goes out. That it does was seen at the approval; here it is seen again. */
export function isBalanced(lines: readonly LineItem[]): boolean {
  const { sources, difference } = totalsOf(lines)
  return sources > 0 && difference === 0
}

export type AskedAuthorisation = {
  completionDate: string
  lineItem: { authorised: boolean; category: typeof ADVANCE; amount: number }
}

export const MISMATCHES = ['COMPLETION_DATE', 'AMOUNT'] as const
export type Mismatch = (typeof MISMATCHES)[number]

/** In what a request differs from the schedule. Of the sources, the lender authorises the advance alone. */
export function mismatchesOf({ completionDate, lines }: Schedule, asked: AskedAuthorisation): Mismatch[] {
  const { category, amount } = asked.lineItem
  const advance = totalsOf(lines.filter((line) => line.category === category)).sources
  const differs = { COMPLETION_DATE: asked.completionDate !== completionDate, AMOUNT: penceOf(amount) !== advance }
  return MISMATCHES.filter((one) => differs[one])
}

/** What a request changes. One that does not match changes nothing, whether funds are authorised or not. */
export function decideAuthorisation(
  status: WorkspaceStatus,
  schedule: Schedule & { isPaymentUnderWay: boolean },
  asked: AskedAuthorisation,
  today: string,
): ScheduleChange[] {
  if (status !== 'PREPARED' && status !== 'FUNDS_AUTHORISED') {
    throw conflict({ message: `The workspace is ${status}: its funds can be neither authorised nor taken back.` })
  }
  const { completionDate } = schedule
  const isAuthorised = status === 'FUNDS_AUTHORISED'
  if (!asked.lineItem.authorised) return isAuthorised ? takeBack(schedule, today) : []
  if (completionDate !== null && today > completionDate) {
    const message = `The completion day ${completionDate} has ended. Another one must be set and approved first.`
    throw conflict({ field: 'completionDate', message })
  }
  if (isAuthorised || mismatchesOf(schedule, asked).length) return []
  return [{ kind: 'funds authorised', completionDate: asked.completionDate, amount: asked.lineItem.amount }]
}

/** Until completion day begins. A payment that the bank was instructed to make can no longer be stopped. */
function takeBack(
  { completionDate, isPaymentUnderWay }: Schedule & { isPaymentUnderWay: boolean },
  today: string,
): ScheduleChange[] {
  if (completionDate !== null && today >= completionDate) {
    const message = `The completion day ${completionDate} has begun: the authorisation can no longer be taken back.`
    throw conflict({ field: 'lineItem.authorised', message })
  }
  if (isPaymentUnderWay) throw conflict({ message: 'The payment is under way: money may have moved.' })
  return [{ kind: 'funds authorisation taken back' }]
}

/** What is true after a request, whatever it asked for. */
export function authorisationAfter(status: WorkspaceStatus, schedule: Schedule, asked: AskedAuthorisation) {
  const authorised = status === 'FUNDS_AUTHORISED'
  if (!asked.lineItem.authorised) return { matched: false, authorised }
  const mismatches = mismatchesOf(schedule, asked)
  return { matched: mismatches.length === 0, authorised, mismatches }
}

/**
 * The bank is instructed once, for good and under one id, and only when it is time. The repeat of a job of an
 * earlier day, whose payment was refused, must not pay before this one's time.
 */
export function initiatePayment(
  { status, completionDate, lines, isPaymentUnderWay }: Payable,
  now: Date,
  settlementId: string,
): ScheduleChange[] {
  if (status !== 'FUNDS_AUTHORISED' || isPaymentUnderWay) return []
  if (completionDate === null) throw new Error('The funds are authorised for no day.')
  if (now < settlesAt(completionDate)) return []
  if (!isBalanced(lines)) throw new Error('The schedule does not balance and is not paid.')
  return [{ kind: 'payment initiated', settlementId }]
}

type Payable = {
  status: WorkspaceStatus
  completionDate: string | null
  lines: readonly LineItem[]
  isPaymentUnderWay: boolean
}

/**
 * What the bank's answer changes. One that is to come later changes nothing, nor does one to a payment that has ended
 * or is the law firm's to make.
 */
export function endPayment(
  underWay: { settlementId: string; lines: readonly LineItem[] } | undefined,
  outcome: PaymentOutcome,
): ScheduleChange[] {
  if (!underWay || outcome.kind === 'later') return []
  const { settlementId, lines } = underWay
  if (outcome.kind === 'manual') return [{ kind: 'settlement due', settlementId }]
  if (outcome.kind === 'settled') return [{ kind: 'payment settled', settlementId, outcome }]
  const { reason, lineItemId } = outcome
  const line = lines.find((one) => one.lineItemId === lineItemId)
  return [{ kind: 'payment refused', settlementId, reason, ...(line && { line }) }]
}

/** When the payment of a completion day is asked for. */
export const settlesAt = (completionDate: string): Date => londonMoment(completionDate, SETTLEMENT_TIME)

/** The instruction to the bank. Made from what was stored, so that a repeat says the same. */
export function instructionOf(
  { workspaceId, reference, lenderId, lawFirmId, completionDate }: Matter,
  lines: readonly LineItem[],
): PaymentInstruction {
  return {
    workspaceId,
    reference,
    lenderId,
    lawFirmId,
    completionDate,
    sources: lines.filter(({ type }) => type === 'SOURCE').map(paymentOf),
    destinations: lines.flatMap((line) => {
      const { bankAccount } = line
      return bankAccount ? [{ ...paymentOf(line), bankAccount }] : []
    }),
  }
}

const paymentOf = ({ lineItemId, category, amountPence, reference }: LineItem): Payment => ({
  lineItemId,
  category,
  amountPence,
  reference,
})

type Matter = Pick<PaymentInstruction, 'workspaceId' | 'reference' | 'lenderId' | 'lawFirmId' | 'completionDate'>

/** A settlement that is heard of on a later day counts there: the report of its own day was made without it. */
export const countsAt = (settledAt: Date, now: Date): Date =>
  londonDate(settledAt) === londonDate(now) && settledAt <= now ? settledAt : now
