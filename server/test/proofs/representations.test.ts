import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proveRepresentations } from './representations.ts'

// A small run; `npm run proof -- representations` makes the large one, whose figures are in docs/reliability.md.

describe('kill -9 of service and worker while representations are posted', () => {
  it('ends each that was accepted, once, with one event, within 30 seconds of the last restart', async () => {
    const { ended, lost, twice, withoutOneEvent, outOfOrder, secondsToSettle } = await proveRepresentations({
      requests: 40,
      kills: 1,
    })
    assert.deepEqual(
      { ended, lost, twice, withoutOneEvent, outOfOrder },
      { ended: 40, lost: 0, twice: 0, withoutOneEvent: 0, outOfOrder: 0 },
    )
    assert.ok(secondsToSettle < 30, `${secondsToSettle} s`)
  })
})
