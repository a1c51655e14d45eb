import { pounds } from './ui/money.ts'

// What the record of changes says, for people. Its actions and fields are open: one that is not here is shown as it is.

const ACTIONS: Record<string, string> = {
  'workspace created': 'the order',
  'workspace updated': 'the order',
  'title added': 'the title',
  'title removed': 'the title',
  'title received': 'the register of the title',
  UPDATE_PARTY_NAME: 'the name of a borrower',
  SET_AS_INCOMING_PROPRIETOR: 'who joins the title',
  SET_AS_OUTGOING_PROPRIETOR: 'who leaves the title',
  UPDATE_PROPRIETOR_NAME: 'the name of an owner',
  UPDATE_OUTGOING_PROPRIETOR_NAME: 'the name of an owner who leaves',
  'representation queued': 'who represents a party',
  'representation processed': 'who represents a party',
  'external law firm changed': 'another law firm',
  'application updated': 'the deed or its value',
  'file uploaded': 'the documents',
  'file processed': 'the documents',
  'file withdrawn': 'the documents',
  'readiness confirmed': 'a confirmation',
  'confirmation taken back': 'a confirmation',
  'confirmation lapsed': 'a confirmation',
  'completion date set': 'the completion day',
  'line item added': 'the money',
  'line item changed': 'the money',
  'line item deleted': 'the money',
}

/** What a change touched: "the deed or its value". */
export const touchedBy = (action: string): string => ACTIONS[action] ?? action

const FIELDS: Record<string, string> = {
  transactionValuePence: 'value',
  mortgageDeedReference: 'reference of the deed',
  mortgageDeedReferenceType: 'type of the deed',
  amountPence: 'amount',
  completionDate: 'completion day',
  titleNumber: 'title number',
  fileName: 'file',
  category: 'kind',
  reference: 'reference',
  account: 'account',
  representedBy: 'represented by',
  reason: 'reason',
}

export const isKnownField = (field: string): boolean => Object.hasOwn(FIELDS, field)

export const fieldWords = (field: string): string => FIELDS[field] ?? field

/** A value before or after; amounts are stored in pence. */
export function valueWords(field: string, value: string | number | boolean | undefined): string {
  if (value === undefined) return 'nothing'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return field.endsWith('Pence') ? pounds(Number(value) / 100) : String(value)
}
