import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proveRace } from './race.ts'

// A small run; `npm run proof -- race` makes the large one, whose figures are in docs/reliability.md.

describe('two changes of one workspace at once', () => {
  it('end as one after the other would, without an internal error; of two with the same If-Match one wins', async () => {
    const { answers, lostUpdates, brokenChains, doubleApplications } = await proveRace({ rounds: 24 })
    assert.deepEqual({ lostUpdates, brokenChains, doubleApplications }, NOTHING_WRONG)
    const { 200: done = 0, 409: refused = 0, 412: stale } = answers
    assert.deepEqual([done + refused, stale], [45, 3], 'every eighth pair had the same If-Match')
  })
})

const NOTHING_WRONG = { lostUpdates: 0, brokenChains: 0, doubleApplications: 0 }
