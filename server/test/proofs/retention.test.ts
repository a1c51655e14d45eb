import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proveRetention } from './retention.ts'

// A small run; `npm run proof -- retention` makes the large one, whose figures are in docs/reliability.md.

describe('a worker that erases matters while the service is read from', () => {
  it('erases those that are due with all their rows, touches no other, and leaves the audit whole', async () => {
    const figures = await proveRetention({ matters: 800, due: 200, readsPerSecond: 20, phaseMs: 500 })
    assert.partialDeepStrictEqual(figures, {
      surplusRows: 0,
      changed: 0,
      auditFindings: 0,
      payloadsErased: 400,
      swept: 201,
    })
    assert.equal(figures.reads.erasing.failed, 0)
  })
})
