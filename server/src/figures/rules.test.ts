import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { WORKSPACE_STATUSES } from '../workspaces/status.ts'
import { csvOf, daysToCount, daysUntil, type Figures, STATUS_AFTER, sharesOf } from './rules.ts'

const NOW = new Date('2026-06-01T00:30:00Z') // half past one in London

const NOTHING: Figures = {
  mattersByStatus: [],
  timeToRegistration: { count: 0, weeks: [] },
  waiting: [],
  requisitions: { cases: 0, reasons: [] },
  deliveries: [],
}

describe('the days of the figures', () => {
  it('are 90, up to yesterday in London', () => {
    const days = daysUntil(NOW)
    assert.deepEqual([days.length, days[0], days.at(-1)], [90, '2026-03-03', '2026-05-31'])
  })

  it('are counted once, the last two again, and none before the first matter', () => {
    const first = new Date('2026-05-27T10:00:00Z')
    const cases: [first: Date | null, days: string[], expected: string[]][] = [
      [null, [], []],
      [first, [], ['2026-05-27', '2026-05-28', '2026-05-29', '2026-05-30', '2026-05-31']],
      [first, ['2026-05-27', '2026-05-29', '2026-05-30'], ['2026-05-28', '2026-05-30', '2026-05-31']],
      [NOW, [], []],
    ]
    for (const [first, days, expected] of cases) assert.deepEqual(daysToCount(NOW, { first, days }), expected)
  })
})

describe('the status after an event', () => {
  it('is known for each that a workspace can have', () => {
    const reached = new Set(Object.values(STATUS_AFTER))
    assert.deepEqual(reached, new Set(WORKSPACE_STATUSES))
  })
})

describe('shares', () => {
  it('are in days and per cent, the longest first, without those who had nothing to do', () => {
    assert.deepEqual(sharesOf({ LAW_FIRM: 86_400, LENDER: 3 * 86_400, BANK: 0 }), [
      { who: 'LENDER', days: 3, share: 75 },
      { who: 'LAW_FIRM', days: 1, share: 25 },
    ])
    assert.deepEqual(sharesOf({}), [])
  })
})

describe('a figure as CSV', () => {
  it('has a header row, quotes what needs it, and runs nothing', () => {
    const reasons = [
      { reason: '=1+1', count: 2 },
      { reason: 'Say "why", please.', count: 1 },
    ]
    assert.equal(
      csvOf({ ...NOTHING, requisitions: { cases: 3, reasons } }, 'requisitions'),
      `reason,count\r\n'=1+1,2\r\n"Say ""why"", please.",1\r\n`,
    )
    assert.equal(csvOf(NOTHING, 'waiting'), 'who,days,share\r\n')
  })
})
