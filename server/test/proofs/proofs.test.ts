import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { atEnd } from '../fixtures/at-end.ts'
import { lightServiceProcess, type ServiceProcess } from '../fixtures/process.ts'
import { type TestService, testService } from '../fixtures/service.ts'
import { proveEvidence } from './evidence.ts'
import { proveIdle, sendSlowly, swallowRoute } from './idle.ts'
import { proveKills } from './kills.ts'
import { proveOneKey } from './one-key.ts'
import { proveRace } from './race.ts'
import { proveRepresentations } from './representations.ts'
import { proveUploads } from './uploads.ts'

// Small runs; `npm run proof -- <name>` makes the large ones, whose figures are in docs/reliability.md.

describe('a service in its own process', () => {
  let service: ServiceProcess
  before(async () => {
    service = await lightServiceProcess()
    atEnd(service.remove)
  })

  describe('fifty requests at once with one idempotency key', () => {
    it('have one effect, across a restart too', async () => {
      assert.equal((await proveOneKey(service, { requests: 50 })).effects, 1)
    })
  })

  describe('two changes of one workspace at once', () => {
    it('end as one after the other would, without an internal error; of two with the same If-Match one wins', async () => {
      const { answers, lostUpdates, brokenChains, doubleApplications } = await proveRace(service, { rounds: 16 })
      assert.deepEqual(
        { lostUpdates, brokenChains, doubleApplications },
        { lostUpdates: 0, brokenChains: 0, doubleApplications: 0 },
      )
      const { 200: done = 0, 409: refused = 0, 412: stale } = answers
      assert.deepEqual([done + refused, stale], [30, 2], 'every eighth pair had the same If-Match')
    })
  })

  describe('kill -9 of service and worker while representations are posted', () => {
    it('ends each that was accepted, once, with one event, within 30 seconds of the last restart', async () => {
      const figures = await proveRepresentations(service, { requests: 40, kills: 1 })
      const { ended, lost, twice, withoutOneEvent, outOfOrder, secondsToSettle, slowestRestartMs } = figures
      assert.deepEqual(
        { ended, lost, twice, withoutOneEvent, outOfOrder },
        { ended: 40, lost: 0, twice: 0, withoutOneEvent: 0, outOfOrder: 0 },
      )
      const seconds = secondsToSettle - slowestRestartMs / 1000 // counted from the kill, and a busy machine restarts slowly
      assert.ok(seconds < 30, `${seconds} s`)
    })
  })

  describe('kill -9 of the service during uploads', () => {
    it('leaves no row without its bytes, no other bytes, no upload lost or twice, and no orphans after the sweep', async () => {
      const size = { kills: 1, senders: 3, bytesMax: 400_000 }
      const { lost, twice, withoutBytes, otherBytes, leftAfterSweep, accepted } = await proveUploads(service, size)
      assert.deepEqual(
        { lost, twice, withoutBytes, otherBytes, leftAfterSweep },
        { lost: 0, twice: 0, withoutBytes: 0, otherBytes: 0, leftAfterSweep: 0 },
      )
      assert.ok(accepted > 0)
    })
  })

  describe('the evidence of a matter with large documents, by the button of the console', {
    skip: process.platform !== 'linux',
  }, () => {
    it('is whole, and takes less than 64 MB of memory', async () => {
      const { findings, aboveIdleMegabytes } = await proveEvidence(service, { megabytes: 45, by: 'console' })
      assert.deepEqual(findings, [])
      assert.ok(aboveIdleMegabytes < 64, `${aboveIdleMegabytes} MB`)
    })
  })

  describe('kill -9 of the service under writes', () => {
    it('loses nothing that was acknowledged', async () => {
      const { acknowledged, missing } = await proveKills(service, { kills: 1 })
      assert.ok(acknowledged > 0)
      assert.equal(missing, 0)
    })
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
