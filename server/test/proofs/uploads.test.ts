import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proveUploads } from './uploads.ts'

// A small run; `npm run proof -- uploads` makes the large one, whose figures are in docs/reliability.md.

describe('kill -9 of the service during uploads', () => {
  it('leaves no row without its bytes, no other bytes, no upload lost or twice, and no orphans after the sweep', async () => {
    const { lost, twice, withoutBytes, otherBytes, leftAfterSweep, accepted } = await proveUploads({ kills: 1 })
    assert.deepEqual(
      { lost, twice, withoutBytes, otherBytes, leftAfterSweep },
      { lost: 0, twice: 0, withoutBytes: 0, otherBytes: 0, leftAfterSweep: 0 },
    )
    assert.ok(accepted > 0)
  })
})
