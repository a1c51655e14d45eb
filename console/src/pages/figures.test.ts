import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Schemas } from '../../../client/src/index.ts'
import { figurePlots } from './figures.ts'

const FIGURES: Schemas['Figures'] = {
  computedAt: '2026-12-04T00:30:00.000Z',
  mattersByStatus: [
    { date: '2026-12-02', status: 'CREATED', count: 3 },
    { date: '2026-12-03', status: 'CREATED', count: 1 },
    { date: '2026-12-03', status: 'LODGED', count: 2 },
  ],
  timeToRegistration: {
    count: 3,
    medianDays: 15,
    p90Days: 34.5,
    weeks: [
      { weeks: 2, count: 2 },
      { weeks: 4, count: 1 },
    ],
  },
  waiting: [
    { who: 'LENDER', days: 41.5, share: 41 },
    { who: 'REGISTRY', days: 60, share: 59 },
  ],
  requisitions: {
    cases: 4,
    reasons: [
      { reason: 'Please lodge <evidence>.', count: 1 },
      { reason: 'LETTER', count: 1 },
    ],
  },
  deliveries: [{ date: '2026-12-03', count: 4, deliveredAtFirstTry: 3, medianMs: 80, p90Ms: 210 }],
}

describe('the figures', () => {
  const words = [figurePlots(FIGURES, '/figures')]
    .flat()
    .map(({ text }) => text.replaceAll(/<[^>]*>/g, ' ').replaceAll(/\s+/g, ' '))
    .join(' ')
  for (const expected of [
    '3 matters are open at the end of 3 Dec, 1 of them being prepared.',
    '3 matters were registered: half of them within 15 days of the order, nine of ten within 34.5.',
    'median 15 days',
    '2 to 3 2 3 to 4 0 4 to 5 1 5 to 6 0',
    'The lender took 41 % of all waiting.',
    '2 questions about 4 cases: 50 for each 100 cases.',
    'Please lodge &lt;evidence&gt;. 1 A letter 1',
    '4 deliveries, 75 % delivered at the first try.',
  ]) {
    it(`say "${expected}"`, () => assert.ok(words.includes(expected), words))
  }
})
