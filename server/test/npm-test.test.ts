import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, describe, it } from 'node:test'
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
    const files = ['server/src/jurisdiction/money.test.ts', 'server/src/jurisdiction/london.test.ts']
    const { code } = await runBatch(
      files.map((file) => resolve(ROOT, file)),
      ['--test-name-pattern=no test has this name'],
    )
    assert.equal(code, 0)
  })
})

describe('npm test', () => {
  it('ends, and says what is open, where a test leaves something open', async () => {
    const left = await testFile(`process.getBuiltinModule('node:net').createServer().listen(0, '127.0.0.1')`)
    const { code, output } = await runBatch([left], [], { LEFT_OPEN_MS_MAX: '100' })
    assert.equal(code, 0)
    assert.match(output, /still open:\n.*"type":"tcp".*127\.0\.0\.1/)
  })

  it('stops after a while, and names the tests that have not ended', async () => {
    const file = await testFile(`await new Promise(() => setInterval(() => {}, 1000))`)
    const { code, output } = await runNode([join(ROOT, 'server/test/scripts/test.ts'), file], { RUN_MS_MAX: '2000' })
    assert.equal(code, 1)
    assert.match(output, /still running:\n.*\/never-ends\.test\.ts:\d+ a test\n/s)
  })
})

const folder = await mkdtemp(join(tmpdir(), 'lodgeway-batch-'))
after(() => rm(folder, { recursive: true }))

async function testFile(body: string): Promise<string> {
  const path = join(folder, 'never-ends.test.ts')
  await writeFile(path, `import { it } from 'node:test'\nit('a test', async () => {\n${body}\n})\n`)
  return path
}

async function runBatch([first, ...others]: string[], options: string[], env: Record<string, string> = {}) {
  const taken = await mkdtemp(join(folder, 'taken-'))
  const [batch, ...values] = [join(ROOT, 'server/test/scripts/batch.ts'), first, others, taken].map((value) =>
    JSON.stringify(value),
  )
  const program = join(taken, 'batch.ts')
  await writeFile(program, `import { runFiles } from ${batch}\nawait runFiles(${values.join(', ')})\n`)
  return runNode([...options, program], env)
}

async function runNode(args: string[], env: Record<string, string>): Promise<{ code: unknown; output: string }> {
  const { NODE_TEST_CONTEXT: _, ...inherited } = process.env
  const run = promisify(execFile)(process.execPath, args, { env: { ...inherited, ...env } })
  return run.then(
    ({ stdout, stderr }) => ({ code: 0, output: stdout + stderr }),
    ({ code, stdout, stderr }) => ({ code, output: stdout + stderr }),
  )
}
