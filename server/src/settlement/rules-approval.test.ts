import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { fieldsAt } from '../../test/fixtures/refusals.ts'
import { isBusinessDay } from '../jurisdiction/business-days.ts'
import { addDays, addMonths } from '../jurisdiction/london.ts'
import { completionDateErrors } from './rules.ts'

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
