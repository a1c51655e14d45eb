import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyRequest } from 'fastify'
import { readRange } from './download.ts'
import { checkIfMatch, etagOf, names } from './etag.ts'

describe('etagOf', () => {
  it('is equal for equal representations and differs otherwise', () => {
    assert.equal(etagOf({ a: 1 }), etagOf({ a: 1 }))
    assert.notEqual(etagOf({ a: 1 }), etagOf({ a: 2 }))
    assert.match(etagOf({}), /^"[\w-]+"$/)
  })
})

describe('checkIfMatch', () => {
  const request = (value?: string) => ({ headers: { 'if-match': value } }) as unknown as FastifyRequest
  it('lets pass what has not changed, any version, and a request without the header', () => {
    for (const value of [etagOf(1), `"x", ${etagOf(1)}`, '*', undefined]) checkIfMatch(request(value), () => 1)
  })
  it('refuses what has', () => {
    assert.throws(() => checkIfMatch(request(etagOf(2)), () => 1), { reason: 'stale' })
  })
})

describe('names', () => {
  it('finds an entity tag in a list, weak ones too', () => {
    assert.ok(names('W/"a", "b"', '"a"'))
    assert.ok(!names('"c"', '"a"'))
    assert.ok(!names(undefined, '"a"'))
  })
})

describe('readRange', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['bytes=0-4', { start: 0, end: 4 }],
    ['bytes=5-', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=8-99', { start: 8, end: 9 }],
    ['bytes=0-1,3-4', undefined],
    ['bytes=4-2', undefined],
    ['lines=1-2', undefined],
    ['bytes=-', undefined],
  ] as const) {
    it(`reads ${header} of ten bytes`, () => assert.deepEqual(readRange(header, 10), expected))
  }
  for (const header of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
    it(`refuses ${header} of ten bytes`, () => {
      assert.throws(() => readRange(header, 10), { reason: 'range_not_satisfiable' })
    })
  }
})
