import type { Schemas } from '../../../client/src/index.ts'

// The lines of a settlement schedule as fields of one form, and what the form asks for. A line is called by its id; the
// empty one at the end of each side by the side. Pure.

export type Line = Schemas['LineItem']
export type Side = Line['type']

const ACCOUNT = ['accountName', 'sortCode', 'accountNumber'] as const
const TEXTS = ['category', 'amount', 'reference', ...ACCOUNT.map((part) => `bankAccount.${part}` as const)] as const

export const SIDES: readonly Side[] = ['SOURCE', 'DESTINATION']

/** "20-40-60" */
export const sortCode = (digits: string): string => digits.replace(/^(\d\d)(\d\d)(\d\d)$/, '$1-$2-$3')

/** "••••5678": enough to recognise an account, and too little to use it. */
export const masked = (accountNumber: string): string => `••••${accountNumber.slice(-4)}`

/** The fields of all lines: what was typed, else what is stored. The number of an account is typed again or kept. */
export function lineValues(lines: readonly Line[], typed: URLSearchParams): URLSearchParams {
  const values = new URLSearchParams()
  for (const { lineItemId, category, amount, reference, bankAccount } of lines) {
    values.set(`${lineItemId}.category`, category)
    values.set(`${lineItemId}.amount`, amount.toFixed(2))
    values.set(`${lineItemId}.reference`, reference)
    if (!bankAccount) continue
    values.set(`${lineItemId}.bankAccount.accountName`, bankAccount.accountName)
    values.set(`${lineItemId}.bankAccount.sortCode`, sortCode(bankAccount.sortCode))
  }
  for (const [name, value] of typed) values.set(name, value)
  return values
}

export const fieldsOf = (row: string): string[] => [...TEXTS, 'remove'].map((name) => `${row}.${name}`)

export type Step =
  | { do: 'add'; row: string; body: Schemas['LineItemRequest'] }
  | { do: 'change'; row: string; line: Line; body: Schemas['UpdateLineItemRequest'] }
  | { do: 'delete'; row: string; line: Line }

/** What must be done so that the lines are as the form says. A line that the form does not name stays. */
export function lineSteps(lines: readonly Line[], form: URLSearchParams): Step[] {
  const known = lines.filter(({ lineItemId }) => form.has(`${lineItemId}.amount`))
  return [...known.flatMap((line) => stepOf(line, form)), ...SIDES.flatMap((side) => additionOf(side, form))]
}

function stepOf(line: Line, form: URLSearchParams): Step[] {
  const row = line.lineItemId
  if (form.has(`${row}.remove`)) return [{ do: 'delete', row, line }]
  const { category, amount, reference, account } = read(row, form)
  const { bankAccount } = line
  const given = bankAccount && { ...account, accountNumber: account.accountNumber || bankAccount.accountNumber }
  const isMoved = ACCOUNT.some((part) => given?.[part] !== bankAccount?.[part])
  const body = {
    ...(category !== line.category && { category }),
    ...(amount !== line.amount && { amount }),
    ...(reference !== line.reference && { reference }),
    ...(isMoved && { bankAccount: given }),
  }
  // The service says what is wrong with it.
  return Object.keys(body).length > 0
    ? [{ do: 'change', row, line, body: body as Schemas['UpdateLineItemRequest'] }]
    : []
}

function additionOf(side: Side, form: URLSearchParams): Step[] {
  const { category, amount, reference, account } = read(side, form)
  const isEmpty = amount === '' && reference === '' && ACCOUNT.every((part) => account[part] === '')
  if (isEmpty) return []
  const body = {
    type: side,
    category,
    ...(amount !== '' && { amount }),
    ...(reference && { reference }),
    ...(side === 'DESTINATION' && {
      bankAccount: Object.fromEntries(Object.entries(account).filter(([, value]) => value !== '')),
    }),
  }
  return [{ do: 'add', row: side, body: body as Schemas['LineItemRequest'] }]
}

function read(row: string, form: URLSearchParams) {
  const text = (name: (typeof TEXTS)[number]) => form.get(`${row}.${name}`)?.trim() ?? ''
  const digits = (name: (typeof TEXTS)[number]) => text(name).replaceAll(/[\s-]/g, '')
  return {
    category: text('category'),
    amount: amountOf(text('amount')),
    reference: text('reference'),
    account: {
      accountName: text('bankAccount.accountName'),
      sortCode: digits('bankAccount.sortCode'),
      accountNumber: digits('bankAccount.accountNumber'),
    },
  }
}

const AMOUNT = /^(\d+|\d{1,3}(,\d{3})+)(\.\d*)?$/

/** "£206,000.00" as a number. Anything else stays text, which the service refuses. */
export function amountOf(text: string): number | string {
  const plain = text.replaceAll(/[£\s]/g, '')
  return AMOUNT.test(plain) ? Number(plain.replaceAll(',', '')) : text
}
