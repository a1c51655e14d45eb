import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { hasAtMostTwoDecimals } from './validate.ts'

describe('hasAtMostTwoDecimals', () => {
  for (const value of [0, 1, 0.1, 0.01, 0.29, 1.15, 1e12])
    it(`is true of ${value}`, () => assert.ok(hasAtMostTwoDecimals(value)))
  for (const value of [0.001, 0.1 + 0.2, 1.005, 1e-7, 1e21, 1234.567, Number.NaN, Number.POSITIVE_INFINITY]) {
    it(`is false of ${value}`, () => assert.ok(!hasAtMostTwoDecimals(value)))
  }
})
