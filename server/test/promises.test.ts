import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'

// Each promise names the tests that show it, by file and by the name of the test. `…` is what a table of the test fills in.

const ROOT = resolve(import.meta.dirname, '../..')
const HEADING = /^\| \| \*\*[^|]+\*\* \| \|$/
const PROMISE = /^\| (\d+) \| ([^|]+) \| (.+) \|$/
const SHOWN = /^`([^`]+\.test\.ts)`: (.+)$/

const page = await readFile(resolve(ROOT, 'docs/promises.md'), 'utf8')
const [, , ...rows] = page.split('\n').filter((line) => line.startsWith('|'))

describe('docs/promises.md', () => {
  it('has complete rows, numbered in order', () => {
    const numbers = rows.flatMap((row) => (HEADING.test(row) ? [] : [PROMISE.exec(row)?.[1] ?? assert.fail(row)]))
    assert.ok(numbers.length >= 40)
    assert.deepEqual(
      numbers,
      numbers.map((_, index) => String(index + 1)),
    )
  })

  it('names tests that exist', async () => {
    for (const [, number, promise, shown = ''] of rows.flatMap((row) => [PROMISE.exec(row) ?? []])) {
      for (const one of number ? shown.split('<br>') : []) {
        const [, file = '', name = ''] = SHOWN.exec(one) ?? assert.fail(`${number}, ${promise}: ${one}`)
        const source = await readFile(resolve(ROOT, file), 'utf8')
        assert.ok(testOf(name).test(source), `${number}, ${promise}: ${file} has no test "${name}"`)
      }
    }
  })
})

/** The name of a test in a source, beside its test or in a table. */
function testOf(name: string): RegExp {
  const words = name.split('…').map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&'))
  return new RegExp(`(['"\`])${words.join('\\$\\{[^}]*\\}')}\\1`)
}
