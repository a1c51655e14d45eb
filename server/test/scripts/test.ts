import { glob, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { cpus, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import pg from 'pg'
import { migrate } from '../../src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { rightsOf } from '../../src/rights.ts'
import { jobNames } from '../../src/worker.ts'
import { TEMPLATE, withDatabase } from '../fixtures/database.ts'

// `npm test [-- file or folder …]`: one real PostgreSQL for the run, a migrated template in it, then every test file. Loading the
// service takes a process about as long as the tests of a file, so that many files share a process.

const BATCH_MS_MAX = Number(process.env['BATCH_MS_MAX'] ?? 1_800_000)
const BATCH_FILES_MAX = 20
const SLOW_FILES_MAX = 2
const AT_ONCE = cpus().length + 1 // some tests wait, and others use the time
const ROOT = resolve(import.meta.dirname, '../../..')

const SLOWEST_SHOWN = 10

const batches = batchesOf(await testFiles())
const folder = await mkdtemp(join(tmpdir(), 'lodgeway-test-'))
// Tests kill the service, never the machine, so PostgreSQL need not write what only a crash would need. Its databases are
// too small and too short-lived to be vacuumed.
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
  autovacuum: 'off',
  max_connections: '500',
}
const postgres = await startEmbeddedPostgres({ folder, mode: 'own', settings })
const counts = { passed: 0, failed: 0, skipped: 0 }
const secondsOf = new Map<string, number>()
try {
  await prepareTemplate()
  Object.assign(process.env, {
    TEST_OWNER_URL: postgres.ownerUrl,
    TEST_URL: postgres.url,
    NODE_ENV: 'test',
    TEST_FOLDER: folder,
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'), // halves the time to load the service
  })
  await runTests(await Promise.all(batches.map(writeBatch)))
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
if (secondsOf.size > SLOWEST_SHOWN) process.stdout.write(`\nThe slowest files:\n${slowest()}\n`)
process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
process.exitCode = counts.failed > 0 || counts.passed === 0 ? 1 : 0

async function prepareTemplate(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.ownerUrl })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const ownerUrl = withDatabase(postgres.ownerUrl, TEMPLATE)
  await migrate({ ownerUrl, url: withDatabase(postgres.url, TEMPLATE), rights: rightsOf(), jobs: jobNames })
}

async function testFiles(): Promise<string[]> {
  const named = process.argv.slice(2)
  return (await Promise.all((named.length ? named : ['server', 'client', 'console']).map(filesIn))).flat()
}

/** The tests of a folder, or the file itself. */
async function filesIn(name: string): Promise<string[]> {
  const path = resolve(ROOT, name)
  const found = await stat(path).catch(() => undefined)
  if (found?.isFile() && path.endsWith('.test.ts')) return [path]
  const below = found?.isDirectory()
    ? await Array.fromAsync(glob('**/*.test.ts', { cwd: path, exclude: ['**/node_modules'] }))
    : []
  if (below.length) return below.sort().map((file) => join(path, file))
  process.stderr.write(`${name} is neither a file whose name ends in .test.ts nor a folder with such files.\n`)
  process.exit(2)
}

// The slowest come first, so that nothing runs on alone at the end: the tests that belong to no feature, which start their
// own processes.
function batchesOf(files: readonly string[]): string[][] {
  const isSlow = (file: string) => relative(ROOT, file).startsWith('server/test/') && !file.includes('/fakes/')
  const { slow = [], quick = [] } = Object.groupBy(files, (file) => (isSlow(file) ? 'slow' : 'quick'))
  return [...chunksOf(slow, SLOW_FILES_MAX), ...chunksOf(quick, BATCH_FILES_MAX)]
}

// Of equal size, not twenty and a rest of one, and neighbours together: they load the same.
function chunksOf(files: readonly string[], filesMax: number): string[][] {
  const chunks = Math.ceil(files.length / filesMax)
  const size = files.length / chunks
  return Array.from({ length: chunks }, (_, chunk) =>
    files.slice(Math.round(chunk * size), Math.round((chunk + 1) * size)),
  )
}

async function writeBatch(files: readonly string[], number: number): Promise<string> {
  const path = join(folder, `batch-${number}.ts`)
  const runner = JSON.stringify(join(import.meta.dirname, 'batch.ts'))
  await writeFile(path, `import { runFiles } from ${runner}\nawait runFiles(${JSON.stringify(files)})\n`)
  return path
}

function slowest(): string {
  const files = [...secondsOf].sort(([, one], [, other]) => other - one).slice(0, SLOWEST_SHOWN)
  return files.map(([name, seconds]) => `${seconds.toFixed(1).padStart(6)} s  ${name}`).join('\n')
}

async function runTests(files: string[]): Promise<void> {
  const stream = run({ files, concurrency: AT_ONCE, timeout: BATCH_MS_MAX })
  stream.on('test:pass', ({ name, details, skip }) => {
    if (details.type === 'suite') {
      if (name.endsWith('.test.ts')) secondsOf.set(name, details.duration_ms / 1000)
      return
    }
    if (skip !== undefined) counts.skipped += 1
    else counts.passed += 1
  })
  stream.on('test:fail', ({ details }) => {
    // A suite fails with its tests, which count, or by itself: a file that cannot be loaded, a hook that throws.
    const { failureType } = details.error as { failureType?: string }
    if (failureType !== 'subtestsFailed') counts.failed += 1
  })
  const output = stream.compose(new spec())
  for await (const chunk of output) process.stdout.write(chunk)
}
