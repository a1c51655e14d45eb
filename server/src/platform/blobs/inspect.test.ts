import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { pairs } from './inspect.ts'

const each = async function* <T>(...all: T[]) {
  yield* all
}
const rows = (text: string) => each(...[...text].map((sha256) => ({ sha256, size: 1, isNamed: true })))
const stored = (text: string) => each(...[...text].map((sha256) => ({ sha256, size: 1 })))

describe('pairs', () => {
  const CASES: [rows: string, stored: string, expected: string][] = [
    ['', '', ''],
    ['ab', 'ab', 'a= b='],
    ['', 'ab', 'a+ b+'],
    ['ab', '', 'a- b-'],
    ['acde', 'bcf', 'a- b+ c= d- e- f+'],
  ]
  for (const [some, others, expected] of CASES) {
    it(`of the rows "${some}" and the files "${others}"`, async () => {
      const found: string[] = []
      for await (const { sha256, row, blob } of pairs(rows(some), stored(others)))
        found.push(`${sha256}${row && blob ? '=' : row ? '-' : '+'}`)
      assert.equal(found.join(' '), expected)
    })
  }

  it('does not take a list that is not in order', async () => {
    await assert.rejects(Array.fromAsync(pairs(rows('ab'), stored('ba'))), /does not list its files in the order/)
  })
})
