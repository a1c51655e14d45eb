import type { Logger } from 'pino'
import type { BankAccount, Category } from './rules.ts'

/**
 * The bank, as the rest of Lodgeway sees it. `PAYMENTS` names the adapter behind it: the simulator, `manual` for law firms
 * that pay themselves, or a module with the operator's own accounts. `docs/payment-port.md` says how to write one.
 *
 * The caller may have crashed after asking and before storing the answer. So every call may come again, late, or while
 * another of the same is under way, and must then move no more money than it did the first time.
 */
export type Payments = {
  /**
   * Has a schedule paid whole: all of its lines or none. It balances, and nothing in it changes between repeats.
   *
   * What passes by itself is `later`, never an exception: the bank is closed, slow, or fails. What it throws is taken for
   * a bug of the adapter. An answer other than `later` is final, and a repeat gets the same.
   */
  pay(instruction: PaymentInstruction, asking: Asking): Promise<PaymentOutcome>
}

/** What a module that `PAYMENTS` names exports as `openPayments`. It is called once, when a worker starts. */
export type OpenPayments = (parts: { log: Logger }) => Payments | Promise<Payments>

/** The circumstances of one call. Times are of the business clock, which the sandbox moves; an adapter reads no other. */
export type Asking = {
  now: Date
  /** When the bank was first instructed to make this payment: `now` the first time, and the same in every repeat. */
  firstAskedAt: Date
  /** One for each attempt to pay a schedule, the same in its repeats. An attempt that was refused is never repeated. */
  messageId: string
  /** For logs, at both ends. */
  correlationId: string
}

/** Amounts in whole pence, sterling. */
export type PaymentInstruction = {
  workspaceId: string
  /** The lender's own reference of the matter. */
  reference: string
  lenderId: string
  lawFirmId: string
  /** A London date. */
  completionDate: string
  /** What comes in: the advance of the lender, and what the borrower adds (`Borrower Contribution`). */
  sources: readonly Payment[]
  /** Where it goes; together as much as the sources. */
  destinations: readonly (Payment & { bankAccount: BankAccount })[]
}

export type Payment = { lineItemId: string; category: Category; amountPence: number; reference: string }

export type PaymentOutcome =
  | { kind: 'settled'; at: Date; scheme: PaymentScheme; paymentReference: string }
  /**
   * Nothing moved, and nothing will. The reason is a sentence that lender and law firm read; it names no account.
   * `lineItemId` is the line whose payment was refused, where it was one.
   */
  | { kind: 'refused'; reason: string; lineItemId?: string }
  /** The law firm pays it from its own account and confirms each line. The port is not asked again. */
  | { kind: 'manual' }
  /** No answer yet. To be asked again, not before this moment; it lies after `now`. */
  | { kind: 'later'; askAgainAt: Date }

export const PAYMENT_SCHEMES = ['CHAPS', 'RTGS', 'FPS', 'BOOK'] as const

export type PaymentScheme = (typeof PAYMENT_SCHEMES)[number]

/** An outcome that ends a payment. */
export type FinalOutcome = Extract<PaymentOutcome, { kind: 'settled' | 'refused' }>
