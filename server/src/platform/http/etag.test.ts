import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { FastifyRequest } from 'fastify'
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
  it('accepts the current version, any version, and a request without the header', () => {
    for (const value of [etagOf(1), `"x", ${etagOf(1)}`, '*', undefined]) checkIfMatch(request(value), () => 1)
  })
  it('refuses an old version', () => {
    assert.throws(() => checkIfMatch(request(etagOf(2)), () => 1), { reason: 'stale' })
  })
})

describe('names', () => {
  it('finds an entity tag in a list, also a weak one', () => {
    assert.ok(names('W/"a", "b"', '"a"'))
    assert.ok(!names('"c"', '"a"'))
    assert.ok(!names(undefined, '"a"'))
  })
})
