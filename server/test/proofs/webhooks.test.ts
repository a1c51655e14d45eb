import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proveWebhooks } from './webhooks.ts'

// A small run; `npm run proof -- webhooks` makes the large one.

describe('kill -9 of the dispatcher before a receiver that fails half the time', () => {
  it('has every event delivered, in order for each workspace', async () => {
    const { delivered, outOfOrder } = await proveWebhooks({ kills: 1, events: 50 })
    assert.deepEqual({ delivered, outOfOrder }, { delivered: 50, outOfOrder: 0 })
  })
})
