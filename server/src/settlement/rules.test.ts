import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { aDestination, anAdvance } from '../../test/fixtures/line-items.ts'
import { fieldsAt, refused } from '../../test/fixtures/refusals.ts'
import { penceOf } from '../jurisdiction/money.ts'
import {
  CATEGORIES,
  changeLine,
  checkRoom,
  LINE_ITEMS_MAX,
  lineItemChangeErrors,
  lineItemErrors,
  totalsOf,
} from './rules.ts'

describe('lineItemErrors', () => {
  const ACCOUNT = { accountName: 'A', accountNumber: '12345678', sortCode: '204060' }
  for (const [what, body, ...fields] of [
    ['a source as it should be', { type: 'SOURCE', category: 'Mortgage Advance' }],
    ['a destination as it should be', { type: 'DESTINATION', category: 'Surplus', bankAccount: ACCOUNT }],
    ['a source with an account', { type: 'SOURCE', category: 'Mortgage Advance', bankAccount: ACCOUNT }, 'bankAccount'],
    ['a destination without one', { type: 'DESTINATION', category: 'Redemption' }, 'bankAccount'],
    ['all of it wrong', { type: 'SOURCE', category: 'Surplus', bankAccount: {} }, 'category', 'bankAccount'],
    ['a type that is none, of which the schema tells', { type: 'LOAN', category: 'Surplus' }],
    ['no type', { category: 'Surplus' }],
    ['no category', { type: 'SOURCE' }],
    ['nothing', null],
  ] as const) {
    it(`says of ${what}: ${fields.join(', ') || 'nothing'}`, () => {
      assert.deepEqual(fieldsAt(lineItemErrors(body)), fields)
    })
  }

  for (const type of ['SOURCE', 'DESTINATION'] as const) {
    const others = type === 'SOURCE' ? CATEGORIES.DESTINATION : CATEGORIES.SOURCE
    it(`takes each category of a ${type}, and none of the others`, () => {
      const judge = (category: string) => fieldsAt(lineItemChangeErrors({ type, category }))
      for (const category of CATEGORIES[type]) assert.deepEqual(judge(category), [])
      for (const category of others) assert.deepEqual(judge(category), ['category'])
    })
  }

  it('lets a change leave the account as it is', () => {
    assert.deepEqual(lineItemChangeErrors({ type: 'DESTINATION', category: 'Surplus' }), [])
  })
})

describe('changeLine', () => {
  const line = aDestination(100_00)

  it('changes what is given and leaves the rest', () => {
    assert.deepEqual(changeLine(line, { amount: 99.99 }), { ...line, amountPence: 99_99 })
    const bankAccount = { accountName: 'New', accountNumber: '87654321', sortCode: '102030' }
    assert.deepEqual(changeLine(line, { bankAccount }), { ...line, bankAccount })
  })

  it('gives the very same line where nothing changes', () => {
    assert.equal(changeLine(line, {}), line)
    const { type, category, reference } = line
    assert.equal(changeLine(line, { type, category, reference, amount: 100 }), line)
  })

  for (const [what, of, change, ...fields] of [
    ['another type', line, { type: 'SOURCE' }, 'type'],
    ['a category of another type', line, { category: 'Mortgage Advance' }, 'category'],
    ['an account for a source', anAdvance(1), { bankAccount: line.bankAccount }, 'bankAccount'],
    ['all of it', anAdvance(1), { type: 'DESTINATION', category: 'Surplus' }, 'type', 'category'],
  ] as const) {
    it(`refuses ${what}, at the field`, () => {
      const refusal = refused(() => changeLine(of, change as never))
      assert.deepEqual([refusal.reason, fieldsAt(refusal.fieldErrors)], ['invalid', fields])
    })
  }
})

describe('checkRoom', () => {
  it('has room for the last line, and for none after it', () => {
    const lines = Array.from({ length: LINE_ITEMS_MAX }, () => anAdvance(1))
    checkRoom(lines.slice(1))
    assert.equal(refused(() => checkRoom(lines)).reason, 'conflict')
  })
})

describe('totalsOf', () => {
  const line = fc.record({
    type: fc.constantFrom('SOURCE' as const, 'DESTINATION' as const),
    amountPence: fc.integer({ min: 1, max: penceOf(999_999_999_999.99) }),
  })

  it('is exact to the penny for as many of the largest amounts as a schedule holds', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: LINE_ITEMS_MAX }), (lines) => {
        const sum = (type: string) =>
          lines.filter((one) => one.type === type).reduce((total, one) => total + BigInt(one.amountPence), 0n)
        const { sources, destinations, difference } = totalsOf(lines)
        assert.deepEqual([BigInt(sources), BigInt(destinations)], [sum('SOURCE'), sum('DESTINATION')])
        assert.equal(BigInt(difference), sum('SOURCE') - sum('DESTINATION'))
      }),
    )
  })

  it('does not care for the order', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: LINE_ITEMS_MAX }), (lines) => {
        assert.deepEqual(totalsOf(lines.toReversed()), totalsOf(lines))
      }),
    )
  })
})
