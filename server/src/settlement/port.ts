import type { BankAccount, Category } from './rules.ts'

/**
 * The bank, as the rest of Lodgeway sees it. The simulator stands behind it in the sandbox; an adapter with the
 * operator's own accounts stands behind it everywhere else. `docs/payment-port.md` says how to write one.
 *
 * Whoever calls may have crashed after asking and before keeping the answer. So every call may come again, late, or while
 * another of the same is under way, and must then move no more money than it did the first time.
 */
export type Payments = {
  /**
   * Has a schedule paid whole: all of its lines or none. It balances, and nothing in it changes between repeats.
   *
   * What mends itself is `later`, never an exception: the bank is shut, slow, or errs. What it throws is taken for a
   * fault of the adapter. An answer other than `later` is final, and a repeat gets the same.
   */
  pay(instruction: PaymentInstruction, asking: Asking): Promise<PaymentOutcome>
}

/** The circumstances of one call. Times are of the business clock, which the sandbox moves; an adapter reads no other. */
export type Asking = {
  now: Date
  /** When the bank was first told of this payment: `now` the first time, and the same in every repeat. */
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
  /** What the lender pays in. */
  sources: readonly Payment[]
  /** Where it goes; together as much as the sources. */
  destinations: readonly (Payment & { bankAccount: BankAccount })[]
}

export type Payment = { lineItemId: string; category: Category; amountPence: number; reference: string }

export type PaymentOutcome =
  | { kind: 'settled'; at: Date; scheme: PaymentScheme; paymentReference: string }
  /** Nothing moved, and nothing will. The reason is a sentence that lender and law firm read; it names no account. */
  | { kind: 'refused'; reason: string }
  /** No answer yet. To be asked again, not before this moment; it lies after `now`. */
  | { kind: 'later'; askAgainAt: Date }

type PaymentScheme = 'CHAPS' | 'RTGS' | 'FPS' | 'BOOK'

/** An outcome that ends a payment. */
export type FinalOutcome = Exclude<PaymentOutcome, { kind: 'later' }>
