import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'

// Each change of the interface names the tests that show it, by file and by words of the test.

const ROOT = resolve(import.meta.dirname, '../..')
const CHANGES = 38
const ROW = /^\| (\d+) \|.*\| (.*) \|$/gm
const SHOWN = /^`([^`]+\.ts)`: (.+)$/
/** Those whose tests are not named yet. */
const OPEN: readonly number[] = [12, 17, 19, 24, 37]

const page = await readFile(resolve(ROOT, 'docs/amendments.md'), 'utf8')
const rows = [...page.matchAll(ROW)].map(([, number, shown = '']) => ({ number: Number(number), shown }))

describe('docs/amendments.md', () => {
  it('has a row for each change, in order', () => {
    assert.deepEqual(
      rows.map(({ number }) => number),
      Array.from({ length: CHANGES }, (_, index) => index + 1),
    )
  })

  for (const { number, shown } of rows) {
    if (OPEN.includes(number)) continue
    it(`names tests that show change ${number}`, async () => {
      for (const one of shown.split('<br>')) {
        const [, file = '', name = ''] = SHOWN.exec(one) ?? assert.fail(`not a file and a test: ${one}`)
        assert.ok((await readFile(resolve(ROOT, file), 'utf8')).includes(name), `${file} has no test "${name}"`)
      }
    })
  }
})
