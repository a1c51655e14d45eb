import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { aDestination, anAdvance } from '../../test/fixtures/line-items.ts'
import { fieldsAt, refused } from '../../test/fixtures/refusals.ts'
import { isBusinessDay } from '../jurisdiction/business-days.ts'
import { addDays, addMonths } from '../jurisdiction/london.ts'
import type { WorkspaceStatus } from '../workspaces/status.ts'
import { approvalErrors, checkApprovable, completionDateErrors, type LineItem } from './rules.ts'

describe('completionDateErrors', () => {
  const judge = (completionDate: unknown, today: string) => completionDateErrors({ completionDate }, today)

  for (const [what, date, today] of [
    ['today', '2026-06-01', '2026-06-01'],
    ['tomorrow', '2026-06-02', '2026-06-01'],
    ['six months ahead to the day', '2026-12-01', '2026-06-01'],
    ['six months ahead of a 31st, which is a 28th', '2025-02-28', '2024-08-31'],
  ] as const) {
    it(`takes ${what}`, () => assert.deepEqual(judge(date, today), []))
  }

  for (const [what, date, today, says] of [
    ['yesterday', '2026-06-01', '2026-06-02', /not lie in the past: in London it is 2026-06-02/],
    ['a Saturday', '2026-06-06', '2026-06-01', /business day/],
    ['a Sunday', '2026-06-07', '2026-06-01', /business day/],
    ['Good Friday', '2026-04-03', '2026-03-30', /business day/],
    ['Easter Monday', '2026-04-06', '2026-03-30', /business day/],
    ['the day that stands in for Boxing Day', '2026-12-28', '2026-12-01', /business day/],
    ['a day beyond six months', '2026-12-02', '2026-06-01', /6 months ahead, 2026-12-01 at the latest/],
    ['a day that the sixth month does not have', '2025-03-03', '2024-08-31', /2025-02-28 at the latest/],
  ] as const) {
    it(`refuses ${what}, and says why`, () => {
      const faults = judge(date, today)
      assert.deepEqual(fieldsAt(faults), ['completionDate'])
      assert.match(faults[0]?.message ?? '', says)
    })
  }

  it('has nothing to say of what is no text', () => {
    for (const date of [undefined, null, 5, {}]) assert.deepEqual(judge(date, '2026-06-01'), [])
  })

  it('takes a date exactly where it is a business day from today to six months on', () => {
    const day = fc.integer({ min: 0, max: 1_500 }).map((days) => addDays('2026-01-01', days))
    fc.assert(
      fc.property(day, fc.integer({ min: -10, max: 200 }), (today, ahead) => {
        const date = addDays(today, ahead)
        const isGood = isBusinessDay(date) && date >= today && date <= addMonths(today, 6)
        assert.equal(judge(date, today).length === 0, isGood)
      }),
    )
  })
})

describe('checkApprovable', () => {
  const may = (status: WorkspaceStatus, schedule: 'DRAFT' | 'PREPARED', action: 'APPROVE' | 'UNAPPROVE') =>
    assert.doesNotThrow(() => checkApprovable(status, schedule, action))

  it('lets a draft be approved, and an approval be taken back', () => {
    may('CREATED', 'DRAFT', 'APPROVE')
    may('CREATED', 'PREPARED', 'UNAPPROVE')
    may('PREPARED', 'PREPARED', 'UNAPPROVE')
  })

  for (const [what, status, schedule, action, says] of [
    ['a second approval', 'CREATED', 'PREPARED', 'APPROVE', /approved already/],
    ['the same in a prepared workspace', 'PREPARED', 'PREPARED', 'APPROVE', /approved already/],
    ['taking back what is not there', 'CREATED', 'DRAFT', 'UNAPPROVE', /not approved/],
    ['taking back once funds are authorised', 'FUNDS_AUTHORISED', 'AUTHORISED', 'UNAPPROVE', /FUNDS_AUTHORISED/],
    ['either of a settled one', 'FUNDS_EXCHANGED', 'SETTLED', 'UNAPPROVE', /FUNDS_EXCHANGED/],
    ['either in a workspace that ended', 'CANCELLED', 'DRAFT', 'APPROVE', /CANCELLED/],
  ] as const) {
    it(`refuses ${what}`, () => {
      const refusal = refused(() => checkApprovable(status, schedule, action))
      assert.equal(refusal.reason, 'conflict')
      assert.match(refusal.message, says)
    })
  }
})

const TODAY = '2026-06-01'
const LINES: LineItem[] = [anAdvance(100_00), aDestination(100_00)]
const GOOD = { status: 'DRAFT' as const, completionDate: TODAY, lines: LINES }

describe('approvalErrors', () => {
  it('finds none where all is well, on completion day itself too', () => {
    assert.deepEqual(approvalErrors(GOOD, TODAY), [])
  })

  for (const [what, schedule, ...fields] of [
    ['no source', { ...GOOD, lines: LINES.slice(1) }, 'lineItems', 'lineItems'],
    ['no destination', { ...GOOD, lines: LINES.slice(0, 1) }, 'lineItems', 'lineItems'],
    ['sums that differ by a penny', { ...GOOD, lines: [anAdvance(100_01), aDestination(100_00)] }, 'lineItems'],
    ['no date', { ...GOOD, completionDate: null }, 'completionDate'],
    ['a date past', { ...GOOD, completionDate: '2026-05-29' }, 'completionDate'],
    ['a date that is no business day', { ...GOOD, completionDate: '2026-06-06' }, 'completionDate'],
    ['an empty schedule', { ...GOOD, completionDate: null, lines: [] }, 'lineItems', 'lineItems', 'completionDate'],
  ] as const) {
    it(`says of ${what}: ${fields.join(', ')}`, () => {
      assert.deepEqual(fieldsAt(approvalErrors(schedule, TODAY)), fields)
    })
  }

  it('names both sums where they differ', () => {
    const [fault] = approvalErrors({ ...GOOD, lines: [anAdvance(100_01), aDestination(9)] }, TODAY)
    assert.match(fault?.message ?? '', /sources come to 100\.01, destinations to 0\.09/)
  })
})
