import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { policyOf, retryAfterMs, sleep, waitAfter } from '../src/retry.ts'

describe('waitAfter', () => {
  const policy = policyOf({ firstMs: 100, longestMs: 1_000 })

  it('doubles with each attempt up to the longest', () => {
    const longest = [1, 2, 3, 4, 5, 9].map((attempt) => waitAfter(attempt, policy, 0, 1))
    assert.deepEqual(longest, [100, 200, 400, 800, 1_000, 1_000])
  })

  it('is half random', () => {
    assert.equal(waitAfter(2, policy, 0, 0), 100)
    assert.equal(waitAfter(2, policy, 0, 0.5), 150)
  })

  it('is never shorter than Retry-After', () => {
    assert.ok(waitAfter(1, policy, 7_000, 0) >= 7_000)
  })
})

describe('retryAfterMs', () => {
  const now = Date.parse('2026-03-14T09:30:00Z')
  for (const [value, expected] of [
    ['0', 0],
    ['2', 2_000],
    ['Sat, 14 Mar 2026 09:30:05 GMT', 5_000],
    ['Sat, 14 Mar 2026 09:29:00 GMT', 0],
    ['soon', undefined],
  ] as const) {
    it(`reads ${value}`, () => assert.equal(retryAfterMs(new Headers({ 'retry-after': value }), now), expected))
  }

  it('is undefined without the header', () => assert.equal(retryAfterMs(new Headers()), undefined))
})

describe('sleep', () => {
  it('ends with the reason of its signal', async () => {
    const controller = new AbortController()
    const sleeping = sleep(60_000, controller.signal)
    controller.abort(new Error('enough'))
    await assert.rejects(sleeping, /enough/)
    await assert.rejects(sleep(60_000, controller.signal), /enough/)
  })
})
