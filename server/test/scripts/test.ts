import { glob, mkdtemp, rm } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import pg from 'pg'
import { migrate } from '../../src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { jobNames } from '../../src/worker.ts'
import { TEMPLATE, withDatabase } from '../fixtures/database.ts'

// `npm test [-- file …]`: one real PostgreSQL for the run, a migrated template in it, then every test file.

const FILE_MS_MAX = Number(process.env['FILE_MS_MAX'] ?? 300_000)
const AT_ONCE = cpus().length + 1 // many a test waits for a while, and another uses the time
const ROOT = resolve(import.meta.dirname, '../../..')

const folder = await mkdtemp(join(tmpdir(), 'lodgeway-test-'))
// The machine does not lose power in a test; what is killed is the service, and that costs PostgreSQL nothing.
const settings = { fsync: 'off', max_connections: '200' }
const postgres = await startEmbeddedPostgres({ folder, mode: 'own', settings })
const counts = { passed: 0, failed: 0, skipped: 0 }
try {
  await prepareTemplate()
  Object.assign(process.env, { TEST_OWNER_URL: postgres.ownerUrl, TEST_URL: postgres.url, NODE_ENV: 'test' })
  await runTests(await testFiles())
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0

async function prepareTemplate(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.ownerUrl })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const ownerUrl = withDatabase(postgres.ownerUrl, TEMPLATE)
  await migrate({ ownerUrl, url: withDatabase(postgres.url, TEMPLATE), jobs: jobNames })
}

async function testFiles(): Promise<string[]> {
  const named = process.argv.slice(2)
  if (named.length) return named.map((file) => resolve(file))
  const found = await Array.fromAsync(glob('{server,client}/**/*.test.ts', { cwd: ROOT, exclude: ['**/node_modules'] }))
  // What takes longest comes first, so that nothing runs on alone at the end: the whole house before its features.
  const isOfTheHouse = (file: string) => file.startsWith('server/test/')
  found.sort((a, b) => Number(isOfTheHouse(b)) - Number(isOfTheHouse(a)) || (a < b ? -1 : 1))
  return found.map((file) => join(ROOT, file))
}

async function runTests(files: string[]): Promise<void> {
  const stream = run({ files, concurrency: AT_ONCE, timeout: FILE_MS_MAX })
  stream.on('test:pass', ({ details, skip }) => {
    if (details.type === 'suite') return
    if (skip !== undefined) counts.skipped += 1
    else counts.passed += 1
  })
  stream.on('test:fail', ({ details }) => {
    if (details.type !== 'suite') counts.failed += 1
  })
  const output = stream.compose(new spec())
  for await (const chunk of output) process.stdout.write(chunk)
}
