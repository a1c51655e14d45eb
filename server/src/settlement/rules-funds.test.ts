import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aDestination, aLineOf, anAdvance } from '../../test/fixtures/line-items.ts'
import { fieldsAt, refused } from '../../test/fixtures/refusals.ts'
import type { WorkspaceStatus } from '../workspaces/status.ts'
import { CATEGORIES, type Category } from './rules.ts'
import { countsAt, instructionOf, isBalanced, judgeAuthorisation, settlesAt } from './rules-funds.ts'

const TODAY = '2026-06-01'

describe('isBalanced', () => {
  it('is so where as much goes out as comes in, to the penny', () => {
    assert.ok(isBalanced([anAdvance(100), aDestination(60), aDestination(40)]))
    assert.ok(!isBalanced([anAdvance(100), aDestination(99)]))
    assert.ok(!isBalanced([anAdvance(99), aDestination(100)]))
  })

  it('is not so of nothing', () => assert.ok(!isBalanced([])))
})

describe('judgeAuthorisation', () => {
  const schedule = {
    status: 'PREPARED' as const,
    completionDate: '2026-06-10',
    lines: [anAdvance(100_00), aDestination(100_00)],
  }
  const asked = (facts: { authorised?: boolean; amount?: number; completionDate?: string } = {}) => ({
    completionDate: facts.completionDate ?? '2026-06-10',
    lineItem: {
      authorised: facts.authorised ?? true,
      category: 'Mortgage Advance' as const,
      amount: facts.amount ?? 100,
    },
  })
  const judge = (status: WorkspaceStatus, facts: Parameters<typeof asked>[0], today: string) =>
    judgeAuthorisation(status, schedule, asked(facts), today)
  const YES = { matched: true, authorised: true }
  const NO = { matched: false, authorised: false }

  for (const [what, status, facts, today, outcome] of [
    ['date and amount of the schedule', 'PREPARED', {}, TODAY, { does: 'authorise', ...YES }],
    ['the same on completion day', 'PREPARED', {}, '2026-06-10', { does: 'authorise', ...YES }],
    ['the same again', 'FUNDS_AUTHORISED', {}, TODAY, { does: 'nothing', ...YES }],
    ['another date', 'PREPARED', { completionDate: '2026-06-11' }, TODAY, { does: 'nothing', ...NO }],
    ['a penny too much', 'PREPARED', { amount: 100.01 }, TODAY, { does: 'nothing', ...NO }],
    ['another amount once it stands', 'FUNDS_AUTHORISED', { amount: 99 }, TODAY, { does: 'nothing', ...NO }],
    ['taking back', 'FUNDS_AUTHORISED', { authorised: false, amount: 5 }, '2026-06-09', { does: 'take back', ...NO }],
    ['taking back nothing', 'PREPARED', { authorised: false }, '2026-06-10', { does: 'nothing', ...NO }],
  ] as const) {
    it(`makes of ${what}: ${outcome.does}, ${outcome.authorised}`, () => {
      assert.deepEqual(judge(status, facts, today), outcome)
    })
  }

  it('adds up all lines of the advance, and no other', () => {
    const lines = [anAdvance(60_00), anAdvance(40_00), aDestination(70_00), aDestination(30_00)]
    assert.equal(judgeAuthorisation('PREPARED', { ...schedule, lines }, asked(), TODAY).does, 'authorise')
  })

  for (const [what, status, facts, today, field] of [
    ['what comes after completion day', 'PREPARED', {}, '2026-06-11', 'completionDate'],
    ['the same, however wrong else', 'PREPARED', { amount: 1 }, '2026-06-11', 'completionDate'],
    ['taking back on completion day', 'FUNDS_AUTHORISED', { authorised: false }, '2026-06-10', 'lineItem.authorised'],
    ['taking back after it', 'FUNDS_AUTHORISED', { authorised: false }, '2026-06-12', 'lineItem.authorised'],
    ['a workspace that is not prepared', 'CREATED', {}, TODAY, undefined],
    ['one whose money has moved', 'FUNDS_EXCHANGED', { authorised: false }, TODAY, undefined],
    ['one that was cancelled', 'CANCELLED', {}, TODAY, undefined],
  ] as const) {
    it(`refuses ${what}`, () => {
      const refusal = refused(() => judge(status, facts, today))
      assert.deepEqual([refusal.reason, fieldsAt(refusal.fieldErrors)], ['conflict', [field]])
    })
  }
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
