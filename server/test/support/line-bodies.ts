import { ADVANCE, REDEMPTION } from './settling.ts'
import { put, UNKNOWN_ID } from './workspaces.ts'

/** Bodies of a line item, new or changed, that are refused whatever stands in the schedule; and at which fields. */
export const REFUSED_LINES = [
  ['an unknown type', put(ADVANCE, 'type', 'LOAN'), 'type'],
  ['an unknown category', put(ADVANCE, 'category', 'Gift'), 'category'],
  ['a category of another type', put(ADVANCE, 'category', 'Surplus'), 'category'],
  ['the other way round', put(REDEMPTION, 'category', 'Mortgage Advance'), 'category'],
  ['an account for a source', { ...ADVANCE, bankAccount: REDEMPTION.bankAccount }, 'bankAccount'],
  ['nothing at all of a sum', put(ADVANCE, 'amount', 0), 'amount'],
  ['less than nothing', put(ADVANCE, 'amount', -1), 'amount'],
  ['more than the most', put(ADVANCE, 'amount', 1_000_000_000_000), 'amount'],
  ['a sum in words', put(ADVANCE, 'amount', '100'), 'amount'],
  ['three decimals', put(ADVANCE, 'amount', 100.001), 'amount'],
  ['what a machine makes of 0.1 and 0.2', put(ADVANCE, 'amount', 0.1 + 0.2), 'amount'],
  ['null as the sum', put(ADVANCE, 'amount', null), 'amount'],
  ['an empty reference', put(ADVANCE, 'reference', ''), 'reference'],
  ['a reference too long', put(ADVANCE, 'reference', 'x'.repeat(19)), 'reference'],
  ['a closing brace', put(ADVANCE, 'reference', '}'), 'reference'],
  ['a blank name', put(REDEMPTION, 'bankAccount.accountName', ' '), 'bankAccount.accountName'],
  ['a name too long', put(REDEMPTION, 'bankAccount.accountName', 'x'.repeat(36)), 'bankAccount.accountName'],
  ['seven digits', put(REDEMPTION, 'bankAccount.accountNumber', '1234567'), 'bankAccount.accountNumber'],
  ['nine digits', put(REDEMPTION, 'bankAccount.accountNumber', '123456789'), 'bankAccount.accountNumber'],
  ['a letter among the digits', put(REDEMPTION, 'bankAccount.accountNumber', '1234567O'), 'bankAccount.accountNumber'],
  ['a sort code with hyphens', put(REDEMPTION, 'bankAccount.sortCode', '20-40-60'), 'bankAccount.sortCode'],
  ['half an account', put(REDEMPTION, 'bankAccount.sortCode', undefined), 'bankAccount.sortCode'],
  ['a strange part of an account', put(REDEMPTION, 'bankAccount.iban', 'GB1'), 'bankAccount.iban'],
  ['an id of one’s own', put(ADVANCE, 'lineItemId', UNKNOWN_ID), 'lineItemId'],
] as const
