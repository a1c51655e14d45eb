import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { VALUE_BANDS } from '../registry/lodgement.ts'
import { feeOf, hasTransfer } from './fees.ts'
import { APPLICATION_TYPES, type ApplicationType } from './rules.ts'

const ALONE = { hasTransfer: false }
const BESIDE_A_TRANSFER = { hasTransfer: true }

const feeFor = (applicationType: ApplicationType, pounds?: number, beside = ALONE, status = 'DRAFT') => {
  const transactionValuePence = pounds === undefined ? undefined : Math.round(pounds * 100)
  const application = { applicationType, status, ...(transactionValuePence !== undefined && { transactionValuePence }) }
  const pence = feeOf(application, beside)
  return pence === undefined ? undefined : pence / 100
}

describe('feeOf', () => {
  for (const [pounds, fee] of [
    [0, 20],
    [0.01, 20],
    [100_000, 20],
    [100_000.01, 30],
    [200_000, 30],
    [200_000.01, 45],
    [500_000, 45],
    [500_000.01, 65],
    [1_000_000, 65],
    [1_000_000.01, 140],
    [999_999_999_999.99, 140],
  ] as const) {
    it(`is £${fee} for a charge, or a transfer that is not for value, of £${pounds}`, () => {
      assert.equal(feeFor('MORTGAGE_DEED', pounds), fee)
      assert.equal(feeFor('TRANSFER_OF_WHOLE', pounds, BESIDE_A_TRANSFER), fee)
    })
  }

  for (const [pounds, fee] of [
    [80_000, 20],
    [80_000.01, 40],
    [100_000.01, 100],
    [200_000.01, 150],
    [500_000.01, 295],
    [1_000_000.01, 500],
  ] as const) {
    it(`is £${fee} for a transfer for £${pounds}`, () => {
      const sale = {
        applicationType: 'TRANSFER_OF_WHOLE',
        status: 'DRAFT',
        considerationType: 'MONETARY_VALUE',
      } as const
      const transactionValuePence = Math.round(pounds * 100)
      assert.equal(feeOf({ ...sale, transactionValuePence }, BESIDE_A_TRANSFER), fee * 100)
      assert.equal(feeOf({ ...sale, transactionValueBand: 'UP_TO_100000' }, BESIDE_A_TRANSFER), undefined)
    })
  }

  it('is that of the band where the value is not known exactly', () => {
    const gift = { applicationType: 'TRANSFER_OF_WHOLE', status: 'DRAFT' } as const
    const fees = VALUE_BANDS.map((transactionValueBand) => feeOf({ ...gift, transactionValueBand }, BESIDE_A_TRANSFER))
    assert.deepEqual(fees, [20_00, 30_00, 45_00, 65_00, 140_00])
  })

  it('is not known while it depends on a value that nobody gave', () => {
    assert.equal(feeFor('MORTGAGE_DEED'), undefined)
    assert.equal(feeFor('TRANSFER_OF_WHOLE', undefined, BESIDE_A_TRANSFER), undefined)
  })

  it('is nothing for a charge that accompanies a transfer, whatever its value', () => {
    for (const pounds of [undefined, 0, 206_000]) assert.equal(feeFor('MORTGAGE_DEED', pounds, BESIDE_A_TRANSFER), 0)
  })

  for (const type of ['DISCHARGE', 'CHANGE_OF_NAME', 'CANCEL_A_RESTRICTION'] as const) {
    it(`is nothing for ${type}, with a value or without`, () => {
      assert.deepEqual([feeFor(type), feeFor(type, 206_000), feeFor(type, 1, BESIDE_A_TRANSFER)], [0, 0, 0])
    })
  }

  it('is left out for what is withdrawn, for that is not lodged', () => {
    for (const type of APPLICATION_TYPES) assert.equal(feeFor(type, 206_000, ALONE, 'WITHDRAWN'), undefined)
  })
})

describe('hasTransfer', () => {
  for (const [what, applications, expected] of [
    ['nothing', [], false],
    ['a deed', [['MORTGAGE_DEED', 'DRAFT']], false],
    [
      'a transfer',
      [
        ['MORTGAGE_DEED', 'DRAFT'],
        ['TRANSFER_OF_WHOLE', 'READY'],
      ],
      true,
    ],
    ['a transfer that was withdrawn', [['TRANSFER_OF_WHOLE', 'WITHDRAWN']], false],
  ] as const) {
    it(`is ${expected} of ${what}`, () => {
      const given = applications.map(([applicationType, status]) => ({ applicationType, status }))
      assert.equal(hasTransfer(given), expected)
    })
  }
})
