import { conflict, type FieldError } from '../platform/errors.ts'
import type { BankAccount, LineItem } from '../settlement/rules.ts'
import type { ScheduleStatus } from '../workspaces/status.ts'

// Whether the destinations of a schedule can be written to a file for a bank.

export const FILE_FORMATS = ['PAIN_001', 'CSV'] as const
export type FileFormat = (typeof FILE_FORMATS)[number]

export type Payable = {
  scheduleId: string
  status: ScheduleStatus
  /** A London date. */
  completionDate: string | null
  authorisedAt: Date | null
  lines: readonly LineItem[]
  /** From which the law firm pays; null until an operator has set it. */
  clientAccount: BankAccount | null
}

/** What the file says. */
export type PaymentFile = {
  /** The same for every copy of it, so that a bank can recognise one that was sent twice. */
  authorisation: string
  executionDate: string
  debtor: BankAccount
  payments: readonly (LineItem & { bankAccount: BankAccount })[]
}

/** Those of a payment reference, which are those of the payment schemes. */
const OTHERS = /[^a-zA-Z0-9/\-\\?:().,'#=!"%&*<>;@{+ ]/u

/** A spreadsheet would take such a cell for a formula. */
const FORMULA = /^[=+\-@]/

const AUTHORISED: readonly ScheduleStatus[] = ['AUTHORISED', 'PAYING', 'SETTLED']

/** Nothing is left out or rewritten: what cannot be written as it is, is refused. */
export function paymentFileOf(payable: Payable, format: FileFormat): PaymentFile {
  const { scheduleId, status, completionDate, authorisedAt, lines, clientAccount: debtor } = payable
  if (!AUTHORISED.includes(status) || completionDate === null || authorisedAt === null) {
    const message = `The settlement schedule is ${status}: there is a payment file once the lender has authorised the funds.`
    throw conflict({ message })
  }
  if (!debtor) {
    const message = 'The account that the law firm pays from is not set. Ask the operator of the platform to set it.'
    throw conflict({ message })
  }
  const errors = lines.flatMap((line, index) => lineErrors(line, `lineItems[${index}]`, format))
  if (errors.length) throw conflict(...errors)
  return {
    authorisation: `${scheduleId} ${authorisedAt.toISOString()}`,
    executionDate: completionDate,
    debtor,
    payments: lines.flatMap((line) => (line.bankAccount ? [{ ...line, bankAccount: line.bankAccount }] : [])),
  }
}

function lineErrors({ bankAccount, reference }: LineItem, at: string, format: FileFormat): FieldError[] {
  if (!bankAccount) return []
  const texts = { 'bankAccount.accountName': bankAccount.accountName, reference }
  return Object.entries(texts).flatMap(([name, text]) => {
    const wrong = textError(text, format)
    return wrong ? [{ field: `${at}.${name}`, message: `${at}.${name} ${wrong}` }] : []
  })
}

function textError(text: string, format: FileFormat): string | undefined {
  const [other] = OTHERS.exec(text) ?? []
  if (other)
    return `has the character “${other}”, which UK payments do not allow. Correct it, or pay this line without the file.`
  if (format === 'CSV' && FORMULA.test(text))
    return `begins with “${text[0]}”, like a formula. Use the format PAIN_001.`
  return undefined
}

/** What is wrong with the account that a law firm pays from. */
export function clientAccountErrors({ accountName, sortCode, accountNumber }: BankAccount): string[] {
  const isName = accountName.trim() === accountName && /^.{1,35}$/.test(accountName) && !OTHERS.test(accountName)
  return [
    ...(isName ? [] : ['the name must have 1 to 35 of the characters that UK payments allow']),
    ...(/^[0-9]{6}$/.test(sortCode) ? [] : ['the sort code must have 6 digits, without hyphens']),
    ...(/^[0-9]{8}$/.test(accountNumber) ? [] : ['the account number must have 8 digits']),
  ]
}
