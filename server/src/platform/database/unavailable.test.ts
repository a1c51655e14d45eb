import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { conflict, Refusal } from '../http/errors.ts'
import { asUnavailable } from './unavailable.ts'

describe('asUnavailable', () => {
  for (const error of [
    Object.assign(new Error('terminating connection'), { code: '57P01' }),
    new Error('Connection terminated unexpectedly'),
  ]) {
    it(`makes "${error.message}" a refusal to be tried again, and keeps what it was`, () => {
      const refusal = asUnavailable(error)
      assert.ok(refusal instanceof Refusal && refusal.reason === 'unavailable')
      assert.equal(refusal.cause, error)
    })
  }

  it('leaves a refusal as it is, whatever its sentence says', () => {
    const refusal = conflict({ message: 'The completion day has ended.' })
    assert.equal(asUnavailable(refusal), refusal)
  })

  it('leaves other errors as they are', () => {
    const error = new Error('duplicate key')
    assert.equal(asUnavailable(error), error)
  })
})
