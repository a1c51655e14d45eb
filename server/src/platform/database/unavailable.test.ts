import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conflict, Refusal } from '../errors.ts'
import { asUnavailable } from './unavailable.ts'

describe('asUnavailable', () => {
  for (const error of [
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    new Error('Connection terminated unexpectedly'),
    new Error('timeout expired'),
    Object.assign(new Error('canceling statement due to lock timeout'), { code: '55P03' }),
    Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' }),
    Object.assign(new Error('cannot execute INSERT in a read-only transaction'), { code: '25006' }),
    new Error('Client was closed and is not queryable'),
    Object.assign(new Error('getaddrinfo EAI_AGAIN database'), { code: 'EAI_AGAIN' }),
  ]) {
    it(`turns "${error.message}" into a refusal that can be retried, with the error as its cause`, () => {
      const refusal = asUnavailable(error)
      assert.ok(refusal instanceof Refusal && refusal.reason === 'unavailable')
      assert.equal(refusal.cause, error)
    })
  }

  it('leaves a refusal as it is, whatever its message', () => {
    const refusal = conflict({ message: 'The completion day has ended.' })
    assert.equal(asUnavailable(refusal), refusal)
  })

  it('leaves other errors as they are', () => {
    for (const message of ['duplicate key', 'The entry was appended twice.']) {
      const error = new Error(message)
      assert.equal(asUnavailable(error), error)
    }
  })
})
