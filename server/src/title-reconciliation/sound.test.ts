import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { soundsLike } from './sound.ts'

describe('soundsLike', () => {
  // The registry's own examples, and the two of the journey.
  for (const [a, b, expected] of [
    ['steven', 'stephen', true],
    ['lin', 'lynne', true],
    ['smith', 'smythe', true],
    ['smith', 'smyth', true],
    ['smith', 'schmidt', true],
    ['goodbourn', 'woodburn', false],
    ['wooldridge', 'aldridge', true],
    ['prinne', 'prynne', true],
    ['bill', 'william', false],
  ] as const) {
    it(`says ${expected} of ${a} and ${b}`, () => assert.equal(soundsLike(a, b), expected))
  }
  it('hears nothing in a name that it cannot read, not even itself', () => {
    for (const name of ['', '王小明', "'", '12']) assert.ok(!soundsLike(name, name))
  })
  it('is symmetric for any two texts', () => {
    const text = fc.string({ unit: 'binary', maxLength: 100 })
    fc.assert(fc.property(text, text, (a, b) => assert.equal(soundsLike(a, b), soundsLike(b, a))))
  })
})
