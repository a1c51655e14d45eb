import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type TestService, testService } from '../fixtures/service.ts'
import { proveIdle, sendSlowly, swallowRoute } from './idle.ts'
import { proveKills } from './kills.ts'
import { proveOneKey } from './one-key.ts'

// Small runs; `npm run proof -- <name>` makes the large ones, whose figures are in docs/reliability.md.

describe('kill -9 of the service under writes', () => {
  it('loses nothing that was acknowledged', async () => {
    const { acknowledged, missing } = await proveKills({ kills: 1 })
    assert.ok(acknowledged > 0)
    assert.equal(missing, 0)
  })
})

describe('fifty requests at once with one idempotency key', () => {
  it('have one effect, across a restart too', async () => {
    assert.equal((await proveOneKey({ requests: 50 })).effects, 1)
  })
})

// Together, as both wait.
describe('clients that stop sending', { concurrency: 2 }, () => {
  let service: TestService
  before(async () => {
    service = await testService({ worker: false, extra: swallowRoute })
  })

  it('are closed within 10 seconds of their last byte, while others are served', async () => {
    const { slowestCloseMs, servedMeanwhile } = await proveIdle(service.url, { connections: 50 })
    assert.ok(slowestCloseMs < 10_000, `the slowest was closed after ${slowestCloseMs} ms`)
    assert.ok(servedMeanwhile > 20)
  })

  it('are not those that are slow but keep sending', async () => {
    const bytes = 120_000
    const { counted, seconds } = await sendSlowly(service.url, { bytes, bitsPerSecond: 80_000 })
    assert.equal(counted, bytes)
    assert.ok(seconds > 10, 'longer than the longest silence that is allowed')
  })
})
