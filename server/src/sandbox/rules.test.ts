import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { addDuration, moveTarget } from './rules.ts'

const at = (text: string) => new Date(text)

describe('addDuration', () => {
  for (const [from, duration, to] of [
    ['2026-01-01T00:00:00.000Z', 'P3D', '2026-01-04T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 'PT0S', '2026-01-01T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 'P1W', '2026-01-08T00:00:00.000Z'],
    ['2026-01-01T00:00:00.000Z', 'P1Y2M3DT4H5M6.7S', '2027-03-04T04:05:06.700Z'],
    ['2026-01-31T00:00:00.000Z', 'P1M', '2026-02-28T00:00:00.000Z'],
    ['2024-02-29T00:00:00.000Z', 'P1Y', '2025-02-28T00:00:00.000Z'],
    ['2026-01-31T12:00:00.000Z', 'P1MT1H', '2026-02-28T13:00:00.000Z'],
  ] as const) {
    it(`${from} and ${duration} is ${to}`, () => {
      assert.equal(addDuration(at(from), duration).toISOString(), to)
    })
  }
  for (const bad of ['', 'P', 'PT', '3D', 'P3', 'P-3D', 'P1.5D', 'PT5', 'P3D ', 'p3d']) {
    it(`refuses "${bad}"`, () => assert.throws(() => addDuration(at('2026-01-01T00:00:00Z'), bad), /ISO 8601/))
  }
})

describe('moveTarget', () => {
  const now = at('2026-01-01T00:00:00Z')
  it('sets the clock', () => {
    assert.deepEqual(moveTarget(now, { set: '2026-12-01T09:00:00Z' }), at('2026-12-01T09:00:00Z'))
  })
  it('refuses to go backwards', () => {
    assert.throws(() => moveTarget(now, { set: '2025-12-31T23:59:59Z' }), /backwards/)
  })
  it('goes to the next thing that becomes due, and never back', () => {
    const next = at('2026-01-03T09:00:00Z')
    assert.deepEqual(moveTarget(now, { to: 'next' }, next), next)
    assert.deepEqual(moveTarget(now, { to: 'next' }, at('2025-12-31T09:00:00Z')), now)
    assert.deepEqual(moveTarget(now, { to: 'next' }), now)
  })
  it('refuses two at once and none', () => {
    assert.throws(() => moveTarget(now, { set: '2026-12-01T09:00:00Z', advance: 'P1D' }), /One of/)
    assert.throws(() => moveTarget(now, { to: 'next', advance: 'P1D' }), /One of/)
    assert.throws(() => moveTarget(now, {}), /One of/)
  })
  it('refuses more than ten years', () => {
    assert.throws(() => moveTarget(now, { advance: 'P11Y' }), /ten years|10 years/)
    assert.throws(() => moveTarget(now, { advance: 'P99999999Y' }), /10 years/)
  })
})
