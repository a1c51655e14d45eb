import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aDestination, aLineOf, anAdvance } from '../../test/fixtures/line-items.ts'
import { fieldsAt, refused } from '../../test/fixtures/refusals.ts'
import type { WorkspaceStatus } from '../workspaces/status.ts'
import { ADVANCE, CATEGORIES, type Category } from './rules.ts'
import {
  authorisationAfter,
  countsAt,
  decideAuthorisation,
  endPayment,
  instructionOf,
  isBalanced,
  type Mismatch,
  settlesAt,
} from './rules-funds.ts'

const TODAY = '2026-06-01'

describe('isBalanced', () => {
  it('is so where as much goes out as comes in, to the penny', () => {
    assert.ok(isBalanced([anAdvance(100), aDestination(60), aDestination(40)]))
    assert.ok(!isBalanced([anAdvance(100), aDestination(99)]))
    assert.ok(!isBalanced([anAdvance(99), aDestination(100)]))
  })

  it('is not so of nothing', () => assert.ok(!isBalanced([])))
})

describe('decideAuthorisation', () => {
  const schedule = {
    status: 'PREPARED' as const,
    completionDate: '2026-06-10',
    lines: [anAdvance(60_00), anAdvance(40_00), aLineOf('Borrower Contribution', 7_00), aDestination(107_00)],
    isPaymentUnderWay: false,
  }
  const asked = (facts: { authorised?: boolean; amount?: number; completionDate?: string } = {}) => ({
    completionDate: facts.completionDate ?? '2026-06-10',
    lineItem: { authorised: facts.authorised ?? true, category: ADVANCE, amount: facts.amount ?? 100 },
  })
  const decide = (
    status: WorkspaceStatus,
    facts: Parameters<typeof asked>[0],
    today: string,
    isPaymentUnderWay = false,
  ) => decideAuthorisation(status, { ...schedule, isPaymentUnderWay }, asked(facts), today)

  const MATCHED = { matched: true, authorised: true, mismatches: [] }
  const NOT_ASKED = { matched: false, authorised: false }
  const mismatched = (authorised: boolean, ...mismatches: Mismatch[]) => ({ matched: false, authorised, mismatches })
  const OTHER_DAY = { completionDate: '2026-06-11' }
  const AUTHORISED = 'FUNDS_AUTHORISED'
  for (const [what, before, facts, today, after, answer] of [
    ['date and advance of the schedule', 'PREPARED', {}, TODAY, AUTHORISED, MATCHED],
    ['the same on completion day', 'PREPARED', {}, '2026-06-10', AUTHORISED, MATCHED],
    ['the same again', AUTHORISED, {}, TODAY, AUTHORISED, MATCHED],
    ['another date', 'PREPARED', OTHER_DAY, TODAY, 'PREPARED', mismatched(false, 'COMPLETION_DATE')],
    ['a penny too much', 'PREPARED', { amount: 100.01 }, TODAY, 'PREPARED', mismatched(false, 'AMOUNT')],
    ['what the borrower adds as well', 'PREPARED', { amount: 107 }, TODAY, 'PREPARED', mismatched(false, 'AMOUNT')],
    [
      'both wrong',
      'PREPARED',
      { ...OTHER_DAY, amount: 1 },
      TODAY,
      'PREPARED',
      mismatched(false, 'COMPLETION_DATE', 'AMOUNT'),
    ],
    ['another amount once authorised', AUTHORISED, { amount: 99 }, TODAY, AUTHORISED, mismatched(true, 'AMOUNT')],
    ['taking back', AUTHORISED, { authorised: false, amount: 5 }, '2026-06-09', 'PREPARED', NOT_ASKED],
    ['taking back nothing', 'PREPARED', { authorised: false }, '2026-06-10', 'PREPARED', NOT_ASKED],
  ] as const) {
    it(`leaves a workspace ${after} after ${what}, and answers what is true then`, () => {
      const kinds = decide(before, facts, today).map(({ kind }) => kind)
      const kind = after === AUTHORISED ? 'funds authorised' : 'funds authorisation taken back'
      assert.deepEqual(kinds, before === after ? [] : [kind])
      assert.deepEqual(authorisationAfter(after, schedule, asked(facts)), answer)
    })
  }

  for (const [what, status, facts, today, field, underWay] of [
    ['what comes after completion day', 'PREPARED', {}, '2026-06-11', 'completionDate'],
    ['the same, whatever else is wrong', 'PREPARED', { amount: 1 }, '2026-06-11', 'completionDate'],
    ['taking back on completion day', AUTHORISED, { authorised: false }, '2026-06-10', 'lineItem.authorised'],
    ['taking back after it', AUTHORISED, { authorised: false }, '2026-06-12', 'lineItem.authorised'],
    ['taking back while the bank pays', AUTHORISED, { authorised: false }, TODAY, undefined, true],
    ['a workspace that is not prepared', 'CREATED', {}, TODAY, undefined],
    ['one whose money has moved', 'FUNDS_EXCHANGED', { authorised: false }, TODAY, undefined],
    ['one that was cancelled', 'CANCELLED', {}, TODAY, undefined],
  ] as const) {
    it(`refuses ${what}`, () => {
      const refusal = refused(() => decide(status, facts, today, underWay))
      assert.deepEqual([refusal.reason, fieldsAt(refusal.fieldErrors)], ['conflict', [field]])
    })
  }
})

describe('endPayment', () => {
  const line = aDestination(100)
  const underWay = { settlementId: 's', lines: [anAdvance(100), line] }
  const refused = { kind: 'refused', reason: 'No.' } as const

  it('names the line that the bank refused, if it is one of the payment', () => {
    const change = { kind: 'payment refused', settlementId: 's', reason: 'No.' }
    assert.deepEqual(endPayment(underWay, { ...refused, lineItemId: line.lineItemId }), [{ ...change, line }])
    assert.deepEqual(endPayment(underWay, { ...refused, lineItemId: 'unknown' }), [change])
    assert.deepEqual(endPayment(underWay, refused), [change])
  })

  it('changes nothing for a payment that has ended, or has no answer yet', () => {
    assert.deepEqual(endPayment(undefined, refused), [])
    assert.deepEqual(endPayment(underWay, { kind: 'later', askAgainAt: new Date() }), [])
  })
})

describe('settlesAt', () => {
  it('is nine in the morning in London, in winter and in summer', () => {
    assert.equal(settlesAt('2026-01-15').toISOString(), '2026-01-15T09:00:00.000Z')
    assert.equal(settlesAt('2026-07-15').toISOString(), '2026-07-15T08:00:00.000Z')
    assert.equal(settlesAt('2026-03-30').toISOString(), '2026-03-30T08:00:00.000Z', 'the day after the clocks changed')
    assert.equal(settlesAt('2026-10-26').toISOString(), '2026-10-26T09:00:00.000Z')
  })
})

describe('instructionOf', () => {
  it('tells the bank who pays what, and where it goes, line by line', () => {
    const matter = {
      workspaceId: 'w',
      reference: 'REM-1',
      lenderId: 'l',
      lawFirmId: 'f',
      completionDate: TODAY,
    }
    const lines = [anAdvance(100), ...CATEGORIES.DESTINATION.map((category: Category) => aLineOf(category, 25))]
    const { sources, destinations, ...rest } = instructionOf(matter, lines)
    assert.deepEqual(rest, matter)
    assert.deepEqual(
      [...sources, ...destinations].map(({ lineItemId }) => lineItemId),
      lines.map(({ lineItemId }) => lineItemId),
    )
    assert.deepEqual(
      destinations.map(({ bankAccount }) => bankAccount),
      lines.slice(1).map(({ bankAccount }) => bankAccount),
    )
  })
})

describe('countsAt', () => {
  const now = new Date('2026-06-10T09:00:00Z')
  it('is when it settled, on the same day in London', () => {
    const at = new Date('2026-06-10T08:00:00Z')
    assert.equal(countsAt(at, now), at)
  })

  it('is when it is heard of, where its own day has been reported or is yet to come', () => {
    for (const at of ['2026-06-09T22:59:59Z', '2026-06-10T09:00:01Z']) {
      assert.equal(countsAt(new Date(at), now), now)
    }
    const midnight = new Date('2026-06-09T23:00:00Z')
    assert.equal(countsAt(midnight, now), midnight, 'in London it is the tenth already')
  })
})
