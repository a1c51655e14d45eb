import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aDestination, anAdvance } from '../../test/fixtures/line-items.ts'
import type { LineItem } from '../settlement/rules.ts'
import { SCHEDULE_STATUSES } from '../workspaces/status.ts'
import { clientAccountErrors, type Payable, paymentFileOf } from './rules-file.ts'

const ACCOUNT = { accountName: 'Harbour Conveyancing LLP Client', accountNumber: '31926819', sortCode: '110001' }
const AUTHORISED_AT = new Date('2026-05-28T11:00:00Z')

const named = (accountName: string, reference = 'REM-1'): LineItem => ({
  ...aDestination(100),
  reference,
  bankAccount: { accountName, accountNumber: '12345678', sortCode: '204060' },
})

const payable = (facts: Partial<Payable> = {}): Payable => ({
  scheduleId: 's',
  status: 'PAYING',
  completionDate: '2026-06-01',
  authorisedAt: AUTHORISED_AT,
  lines: [anAdvance(100), aDestination(100)],
  clientAccount: ACCOUNT,
  ...facts,
})

describe('paymentFileOf', () => {
  it('has the destinations alone, on completion day, from the account of the law firm', () => {
    const { executionDate, debtor, payments } = paymentFileOf(payable(), 'CSV')
    const types = payments.map(({ type }) => type)
    assert.deepEqual([executionDate, debtor, types], ['2026-06-01', ACCOUNT, ['DESTINATION']])
  })

  it('is named by its authorisation: every copy alike, and another one when funds are authorised again', () => {
    const idOf = (authorisedAt = AUTHORISED_AT) => paymentFileOf(payable({ authorisedAt }), 'CSV').authorisation
    assert.equal(idOf(), idOf())
    assert.notEqual(idOf(), idOf(new Date('2026-06-01T11:00:00Z')))
  })

  for (const status of SCHEDULE_STATUSES) {
    const exists = ['AUTHORISED', 'PAYING', 'SETTLED'].includes(status)
    it(`${exists ? 'exists' : 'is refused'} while the schedule is ${status}`, () => {
      const act = () => paymentFileOf(payable({ status }), 'PAIN_001')
      if (exists) act()
      else assert.throws(act, { reason: 'conflict', message: new RegExp(`is ${status}`) })
    })
  }

  it('is refused until the account of the law firm is set', () => {
    assert.throws(() => paymentFileOf(payable({ clientAccount: null }), 'CSV'), {
      reason: 'conflict',
      message: /not set/,
    })
  })

  for (const [what, line, format, field] of [
    ['an ampersand and an apostrophe', named("Moorland & Vale's"), 'PAIN_001', undefined],
    ['35 characters', named('x'.repeat(35)), 'CSV', undefined],
    ['every character of a reference', named('A', `/-\\?:().,'#=!"%&*`), 'CSV', undefined],
    ['the rest of them', named('A', 'a<>;@{+ Z09'), 'PAIN_001', undefined],
    ['an accent in a name', named('Siân Rees'), 'PAIN_001', 'bankAccount.accountName'],
    ['an accent of its own', named('Sia\u0302n Rees'), 'CSV', 'bankAccount.accountName'],
    ['a typographic apostrophe', named('O’Brien'), 'CSV', 'bankAccount.accountName'],
    ['a brace that closes', named('{A}'), 'PAIN_001', 'bankAccount.accountName'],
    ['a no-break space in a reference', named('A', 'REM\u00a01'), 'PAIN_001', 'reference'],
    ['what a spreadsheet takes for a formula', named('=SUM(1)'), 'CSV', 'bankAccount.accountName'],
    ['the same without a spreadsheet', named('=SUM(1)'), 'PAIN_001', undefined],
  ] as const) {
    it(`${field ? 'is refused at its line for' : 'takes as it is'} ${what}`, () => {
      const act = () => paymentFileOf(payable({ lines: [anAdvance(100), line] }), format)
      if (!field) return void assert.deepEqual(act().payments[0]?.bankAccount, line.bankAccount)
      assert.throws(act, (error: { reason: string; fieldErrors: { field: string }[] }) => {
        assert.deepEqual(
          [error.reason, error.fieldErrors.map((one) => one.field)],
          ['conflict', [`lineItems[1].${field}`]],
        )
        return true
      })
    })
  }

  it('names all that is wrong at once', () => {
    const lines = [named('Siân'), anAdvance(100), named('Zoë', 'a\u2003b')]
    assert.throws(
      () => paymentFileOf(payable({ lines }), 'CSV'),
      ({ fieldErrors }: { fieldErrors: unknown[] }) => {
        assert.equal(fieldErrors.length, 3)
        return true
      },
    )
  })
})

describe('clientAccountErrors', () => {
  for (const [what, facts, count] of [
    ['a good account', {}, 0],
    ['a blank name', { accountName: ' ' }, 1],
    ['a name that is too long', { accountName: 'x'.repeat(36) }, 1],
    ['an accent', { accountName: 'Siân & Co' }, 1],
    ['a sort code with hyphens, and too few digits', { sortCode: '11-00-01', accountNumber: '3192681' }, 2],
  ] as const) {
    it(`finds ${count} wrong with ${what}`, () =>
      assert.equal(clientAccountErrors({ ...ACCOUNT, ...facts }).length, count))
  }
})
