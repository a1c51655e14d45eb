import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { MAIN_DOCUMENT_TYPES } from '../../../server/src/lodgement/attachments.ts'
import { MAIN_DOCUMENTS } from '../words.ts'
import { amountOf, type Line, lineSteps, lineValues, masked, sortCode } from './money-lines.ts'

const bankAccount = { accountName: 'Eastmoor Bank plc', sortCode: '204060', accountNumber: '40117788' }
const LINES: Line[] = [
  { lineItemId: 'a', type: 'SOURCE', category: 'Mortgage Advance', amount: 206_000, reference: 'ADVANCE' },
  { lineItemId: 'b', type: 'DESTINATION', category: 'Redemption', amount: 180_250.5, reference: 'R 1', bankAccount },
]

const stepsOf = (changes: Record<string, string>) => {
  const values = lineValues(LINES, new URLSearchParams(changes))
  return lineSteps(LINES, values).map((one) => ('body' in one ? [one.do, one.row, one.body] : [one.do, one.row]))
}

describe('the lines of the money', () => {
  it('show of an account number the last four digits alone', () => {
    assert.deepEqual([masked('40117788'), sortCode('204060')], ['••••7788', '20-40-60'])
    assert.doesNotMatch(lineValues(LINES, new URLSearchParams()).toString(), /40117788/)
  })

  for (const [what, changes, expected] of [
    ['nothing when nothing was typed', {}, []],
    ['the same amount, written otherwise', { 'a.amount': '£206,000' }, []],
    ['another amount', { 'a.amount': '206,000.01' }, [['change', 'a', { amount: 206_000.01 }]]],
    [
      'something that is no amount, for the service to refuse',
      { 'a.amount': '1,50' },
      [['change', 'a', { amount: '1,50' }]],
    ],
    ['a deletion, whatever else was typed', { 'b.remove': 'yes', 'b.amount': '1' }, [['delete', 'b']]],
    [
      'another sort code with the number that is stored',
      { 'b.bankAccount.sortCode': '20 00 00' },
      [['change', 'b', { bankAccount: { ...bankAccount, sortCode: '200000' } }]],
    ],
    [
      'another number',
      { 'b.bankAccount.accountNumber': '1234 5678' },
      [['change', 'b', { bankAccount: { ...bankAccount, accountNumber: '12345678' } }]],
    ],
    [
      'a new source',
      { 'SOURCE.category': 'Borrower Contribution', 'SOURCE.amount': '5', 'SOURCE.reference': 'X' },
      [['add', 'SOURCE', { type: 'SOURCE', category: 'Borrower Contribution', amount: 5, reference: 'X' }]],
    ],
    [
      'an incomplete destination, for the service to name what is missing',
      { 'DESTINATION.category': 'Surplus', 'DESTINATION.bankAccount.accountName': 'W Prynne' },
      [['add', 'DESTINATION', { type: 'DESTINATION', category: 'Surplus', bankAccount: { accountName: 'W Prynne' } }]],
    ],
  ] as const) {
    it(`ask for ${what}`, () => assert.deepEqual(stepsOf(changes), expected))
  }

  it('take an amount as people in England write it, and nothing else', () => {
    const read = { '206000': 206_000, ' £1,234,567.89 ': 1_234_567.89, '0.5': 0.5, '12.': 12 }
    for (const [text, amount] of Object.entries(read)) assert.equal(amountOf(text), amount, text)
    for (const text of ['', 'ten', '1,50', '1.2.3', '-5', '1e3', '0x10']) assert.equal(amountOf(text), text)
  })
})

it('the console knows the main documents of each application', () => {
  assert.deepEqual(MAIN_DOCUMENTS, MAIN_DOCUMENT_TYPES)
})
