import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proveRegistry } from './registry.ts'

// A small run; `npm run proof -- registry` makes the large one, whose figures are in docs/reliability.md.

describe('kill -9 of the worker while a gateway loses answers and repeats notifications', () => {
  it('lodges and registers each case once, with its documents byte for byte', async () => {
    const figures = await proveRegistry({ cases: 4, kills: 1 })
    assert.partialDeepStrictEqual(figures, {
      kills: 1,
      lodgedOnce: 4,
      lodgedTwice: 0,
      lost: 0,
      registered: 4,
      withoutOneEvent: 0,
      documentsSent: 4,
      documentsReceived: 12,
      otherBytes: 0,
    })
    assert.ok(figures.answersLost > 0)
  })
})
