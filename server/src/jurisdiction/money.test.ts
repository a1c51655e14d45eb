import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { hasAtMostTwoDecimals } from '../platform/http/validate.ts'
import { penceOf, poundsOf } from './money.ts'

/** Fifty of the largest amounts of the interface. */
const PENCE_MAX = 50 * 99_999_999_999_999
const pence = fc.integer({ min: -PENCE_MAX, max: PENCE_MAX })

const written = (amount: number): string => {
  const digits = String(Math.abs(amount)).padStart(3, '0')
  return `${amount < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}

describe('penceOf and poundsOf', () => {
  it('are inverse for every possible sum', () => {
    fc.assert(fc.property(pence, (amount) => assert.equal(penceOf(poundsOf(amount)), amount)))
  })

  it('read and write amounts exactly to the penny', () => {
    fc.assert(
      fc.property(pence, (amount) => {
        assert.equal(penceOf(JSON.parse(written(amount))), amount)
        assert.equal(JSON.parse(JSON.stringify(poundsOf(amount))), JSON.parse(written(amount)))
        assert.ok(hasAtMostTwoDecimals(poundsOf(amount)))
      }),
    )
  })

  for (const [pounds, amount] of [
    [0.01, 1],
    [0.07, 7],
    [1.1, 110],
    [4.35, 435],
    [206_000, 20_600_000],
    [999_999_999_999.99, 99_999_999_999_999],
    [49_999_999_999_999.5, PENCE_MAX],
  ] as const) {
    it(`takes ${pounds} as ${amount} pence`, () => assert.equal(penceOf(pounds), amount))
  }
})
