import { isDeepStrictEqual } from 'node:util'
import { addBusinessDays, isBusinessDay } from '../jurisdiction/business-days.ts'
import { addDays, addMonths } from '../jurisdiction/london.ts'
import { penceOf, poundsOf } from '../jurisdiction/money.ts'
import { conflict, type FieldError, invalid, notFound } from '../platform/errors.ts'
import type { ScheduleStatus } from '../workspaces/status.ts'
import type { PaymentScheme } from './port.ts'

export const LINE_TYPES = ['SOURCE', 'DESTINATION'] as const
export type LineType = (typeof LINE_TYPES)[number]

/** What the lender pays, and authorises. */
export const ADVANCE = 'Mortgage Advance' as const

export const CATEGORIES = {
  SOURCE: [ADVANCE, 'Borrower Contribution'],
  DESTINATION: ['Redemption', 'Conveyancing Fees', 'Surplus', 'Onward Funds'],
} as const satisfies Record<LineType, readonly string[]>

export type Category = (typeof CATEGORIES)[LineType][number]

export const AMOUNT_POUNDS_MIN = 0.01
export const AMOUNT_POUNDS_MAX = 999_999_999_999.99
/** So many largest amounts still add up exactly, in whole pence and as a JSON number of pounds. */
export const LINE_ITEMS_MAX = 50
export const SUM_POUNDS_MAX = poundsOf(LINE_ITEMS_MAX * penceOf(AMOUNT_POUNDS_MAX))
export const COMPLETION_MONTHS_MAX = 6

export type BankAccount = { accountName: string; accountNumber: string; sortCode: string }

/** Money that comes in, or money that goes out, and then where to. */
export type LineItem = {
  lineItemId: string
  type: LineType
  category: Category
  amountPence: number
  reference: string
  bankAccount?: BankAccount
  /** Where a person confirmed that it was paid, or received. */
  payment?: LinePayment
  /** Whom four eyes keep from confirming it; undefined where only those who changed the schedule are known. */
  changedBy?: readonly string[]
}

export type LinePayment = {
  /** A London date. */
  paidOn: string
  bankReference: string
  confirmedBy: string
  confirmedAt: string | Date
}

/** What the rules look at of a schedule. */
export type Schedule = {
  status: ScheduleStatus
  /** A London date; null until it has one. */
  completionDate: string | null
  lines: readonly LineItem[]
  failure?: PaymentFailure | null
}

/** Why the last payment was refused, until funds are authorised again; the line that it was refused for, if known. */
export type PaymentFailure = { at: string | Date; lineItemId?: string; reason: string }

/** What does not go together in the body of a line item, sound or not. Of one without a type there is nothing to say. */
export function lineItemErrors(body: unknown): FieldError[] {
  const { type, bankAccount } = (body ?? {}) as Record<string, unknown>
  const missing = type === 'DESTINATION' && bankAccount === undefined
  return [
    ...lineItemChangeErrors(body),
    ...(missing ? [{ field: 'bankAccount', message: 'bankAccount is required where type is DESTINATION.' }] : []),
  ]
}

/** The same of a change, whose bank account may be left as it is. */
export function lineItemChangeErrors(body: unknown): FieldError[] {
  const given = (body ?? {}) as Record<string, unknown>
  const { type } = given
  return type === 'SOURCE' || type === 'DESTINATION' ? misfits(type, given) : []
}

function misfits(
  type: LineType,
  { category, bankAccount }: { category?: unknown; bankAccount?: unknown },
): FieldError[] {
  const fitting: readonly unknown[] = CATEGORIES[type]
  const errors: FieldError[] = []
  if (category !== undefined && !fitting.includes(category)) {
    const message = `category must be ${fitting.length > 1 ? 'one of ' : ''}${fitting.join(', ')} where type is ${type}.`
    errors.push({ field: 'category', message })
  }
  if (type === 'SOURCE' && bankAccount !== undefined) {
    errors.push({ field: 'bankAccount', message: 'bankAccount is not expected where type is SOURCE.' })
  }
  return errors
}

export type LineItemChange = Partial<{
  type: LineType
  category: Category
  amount: number
  reference: string
  bankAccount: BankAccount
}>

/** The line after the change: the very same one where nothing changes. */
export function changeLine(line: LineItem, { type, amount, ...change }: LineItemChange): LineItem {
  const errors = misfits(line.type, change)
  if (type !== undefined && type !== line.type) {
    errors.unshift({ field: 'type', message: `type must be ${line.type}: that of a line item cannot change.` })
  }
  if (errors.length) throw invalid(...errors)
  const next = { ...line, ...change, ...(amount !== undefined && { amountPence: penceOf(amount) }) }
  return isDeepStrictEqual(next, line) ? line : next
}

export function lineIn({ lines }: Pick<Schedule, 'lines'>, lineItemId: string): LineItem {
  const line = lines.find((one) => one.lineItemId === lineItemId)
  if (!line) throw notFound('line_item_id', 'There is no such line item in this schedule.')
  return line
}

export function checkRoom(lines: readonly LineItem[]): void {
  if (lines.length < LINE_ITEMS_MAX) return
  throw conflict({ message: `The schedule has ${LINE_ITEMS_MAX} line items already. Delete one first.` })
}

/** What is wrong with a completion date, as it is set on a day. */
export function completionDateErrors(body: unknown, today: string): FieldError[] {
  const { completionDate } = (body ?? {}) as Record<string, unknown>
  if (typeof completionDate !== 'string') return []
  const last = addMonths(today, COMPLETION_MONTHS_MAX)
  const says = (what: string) => [{ field: 'completionDate', message: `completionDate must ${what}.` }]
  if (completionDate < today) return says(`not lie in the past: in London it is ${today}`)
  if (completionDate > last) return says(`be at most ${COMPLETION_MONTHS_MAX} months ahead, ${last} at the latest`)
  return isBusinessDay(completionDate) ? [] : says('be a business day of England and Wales')
}

/** The last business day that is accepted. */
export const latestCompletionDate = (today: string): string =>
  addBusinessDays(addDays(addMonths(today, COMPLETION_MONTHS_MAX), 1), -1)

/** Sums of whole pence. */
export function totalsOf(lines: readonly Pick<LineItem, 'type' | 'amountPence'>[]) {
  const sum = (type: LineType) =>
    lines.reduce((pence, line) => (line.type === type ? pence + line.amountPence : pence), 0)
  const [sources, destinations] = [sum('SOURCE'), sum('DESTINATION')]
  return { sources, destinations, difference: sources - destinations }
}

/** When the money had moved. How is not known where the law firm paid. */
type Paid = { at: Date; scheme?: PaymentScheme; paymentReference?: string }

/** What can happen to a schedule, its lines and its funds. */
export type ScheduleChange =
  | { kind: 'completion date set'; completionDate: string }
  | { kind: 'line item added' | 'line item changed'; line: LineItem }
  | { kind: 'line item deleted'; lineItemId: string }
  | { kind: 'schedule approved'; approvedBy: string }
  /** By hand, and by whom; or by a change of what was approved. */
  | { kind: 'schedule unapproved'; unapprovedBy?: string }
  | { kind: 'funds authorised'; completionDate: string; amount: number }
  | { kind: 'funds authorisation taken back' }
  | { kind: 'payment initiated'; settlementId: string }
  /** From now on the law firm pays, and confirms each line. */
  | { kind: 'settlement due'; settlementId: string }
  | { kind: 'payment confirmed'; lineItemId: string; payment: LinePayment }
  | { kind: 'payment confirmation taken back'; lineItemId: string }
  | { kind: 'payment settled'; settlementId: string; outcome: Paid }
  /** By the bank, or by the law firm that was to pay: then a person says so. */
  | { kind: 'payment refused'; settlementId: string; reason: string; line?: LineItem; confirmedBy?: string }
