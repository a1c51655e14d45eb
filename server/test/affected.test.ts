import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'
import { affectedBy, readSources } from './scripts/affected.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const sources = await readSources(ROOT)

describe('npm test -- --changed', () => {
  const CASES: [changed: string, affects: string, not: string][] = [
    ['server/src/settlement/rules.ts', 'server/src/settlement/rules.test.ts', 'console/src/ui/letters.test.ts'],
    ['server/src/settlement/rules.ts', 'server/src/lodgement/scenarios.test.ts', 'client/test/call.test.ts'],
    ['server/src/platform/pdf/worker-process.ts', 'server/src/platform/pdf/pdf.test.ts', 'client/test/call.test.ts'],
    ['docs/guide/reports.md', 'server/test/guide/guide.test.ts', 'server/src/reports/routes.test.ts'],
    ['openapi.json', 'server/test/contract.test.ts', 'server/src/settlement/rules.test.ts'],
    ['client/test/call.test.ts', 'client/test/call.test.ts', 'client/test/token.test.ts'],
  ]
  for (const [changed, affects, not] of CASES) {
    it(`runs ${affects} after a change of ${changed}, and not ${not}`, () => {
      const files = affectedBy(sources, [changed])
      assert.deepEqual([files.includes(affects), files.includes(not)], [true, false])
    })
  }

  it('runs everything after a change of what all databases are made from', () => {
    assert.equal(affectedBy(sources, ['server/migrations/0001_start.sql']), 'all')
  })
})

describe('npm test -- --test-name-pattern', () => {
  it('comes to its end where a file has no test of that name', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'lodgeway-batch-'))
    const files = ['server/src/jurisdiction/money.test.ts', 'server/src/jurisdiction/london.test.ts']
    const [batch, first, second] = ['server/test/scripts/batch.ts', ...files].map((file) =>
      JSON.stringify(resolve(ROOT, file)),
    )
    const program = `import { runFiles } from ${batch}\nawait runFiles(${first}, [${second}], ${JSON.stringify(folder)})\n`
    await writeFile(join(folder, 'batch.ts'), program)
    const { NODE_TEST_CONTEXT: _, ...env } = process.env
    const options = ['--test-name-pattern=no test has this name', join(folder, 'batch.ts')]
    await promisify(execFile)(process.execPath, options, { env }).finally(() => rm(folder, { recursive: true }))
  })
})
