import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { testDatabase } from '../fixtures/database.ts'
import { proveClock } from './clock.ts'

// A small run; `npm run proof -- clock` makes the large one, whose figures are in docs/reliability.md.

describe('a worker whose clock is three days ahead', () => {
  it('is not ready, takes no due row, makes no report and seals no audit, until its clock is right', async () => {
    const database = await testDatabase()
    try {
      const figures = await proveClock({ url: database.url, watchMs: 1_500 })
      const { dueRowsTaken, reportsMade, auditsSealed } = figures
      assert.deepEqual(
        { dueRowsTaken, reportsMade, auditsSealed },
        { dueRowsTaken: 0, reportsMade: 0, auditsSealed: 0 },
      )
      assert.ok(figures.reportsMadeThen > 0 && figures.auditsSealedThen === 1)
    } finally {
      await database.drop()
    }
  })
})
