import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { proveEvidence } from './evidence.ts'

// A small run; `npm run proof -- evidence` makes the large one, whose figures are in docs/reliability.md.

describe('the evidence of a matter with large documents, by the button of the console', {
  skip: process.platform !== 'linux',
}, () => {
  it('is whole, and takes less than 64 MB of memory', async () => {
    const { findings, aboveIdleMegabytes } = await proveEvidence({ megabytes: 45, by: 'console' })
    assert.deepEqual(findings, [])
    assert.ok(aboveIdleMegabytes < 64, `${aboveIdleMegabytes} MB`)
  })
})
