import { readFileSync, watch } from 'node:fs'
import { chmod, glob, mkdtemp, rm, stat, statfs, writeFile } from 'node:fs/promises'
import { flushCompileCache } from 'node:module'
import { cpus, tmpdir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { setTimeout as delay } from 'node:timers/promises'
import { parseArgs } from 'node:util'
import pg from 'pg'
import { migrate } from '../../src/platform/database/migrate.ts'
import { startEmbeddedPostgres } from '../../src/platform/embedded-postgres/embedded-postgres.ts'
import { rightsOf } from '../../src/rights.ts'
import { jobNames } from '../../src/worker.ts'
import { TEMPLATE, withDatabase } from '../fixtures/database.ts'
import { installed } from '../on-demand/on-demand.ts'
import { affectedBy, changedFiles, readSources } from './affected.ts'

// `npm test [-- file or folder …]`: one real PostgreSQL for the run, a migrated template in it, then every test file. Loading the
// service takes about as long as the tests of a file, so that a few processes share the files.
//   --changed              only what differs from the branch `main` can affect
//   --watch                then, whenever a file is saved, what that can affect, until Ctrl-C
//   --test-name-pattern    only tests whose names match

// Long enough for a machine that is several times slower.
const TEST_MS_MAX = 1_500_000
const RUN_MS_MAX = Number(process.env['RUN_MS_MAX'] ?? 4_500_000)
const AT_ONCE = cpus().length + 2 // some tests wait, and others use the time
const FOLDERS = ['server', 'client', 'console', 'cli']
const SAVED_MS = 300
const ROOT = resolve(import.meta.dirname, '../../..')

const SLOWEST_SHOWN = 10
const MEMORY_FOLDER = '/dev/shm'
const MEMORY_BYTES_MIN = 8_000_000_000

// The slowest come first, so that nothing runs on alone at the end: the guide and those in a browser, those that wait, then
// those that belong to no feature, which start their own processes. The others stay beside their neighbours, which load the same.
// Those that share a service come last, in a row for each kind.
const ORDER = [
  /\/guide\/|^console\/test\/browser\//,
  /\/proofs\/|^server\/src\/(platform\/(pdf|blobs|embedded-postgres|jobs)|sandbox)\//,
  /^server\/test\/(?!fakes)|^(cli|client|console)\/test\//,
  /^server\/src\/(lodgement|reports|settlement|approvals|notifications)\//,
]
const SHARED = ['moved', 'still', 'idle']

const { values: options, positionals } = readOptions()
const chosen = await testFiles()
const stopped = new AbortController()
const stop = () => stopped.abort()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.once(signal, stop)
const folder = await mkdtemp(join(await parentFolder(), 'lodgeway-test-'))
await chmod(folder, 0o711) // some tests run PostgreSQL as another user
// Tests kill the service, never the machine, so PostgreSQL need not write what only a crash would need. Its databases are
// too small and too short-lived to be vacuumed.
const settings = {
  fsync: 'off',
  full_page_writes: 'off',
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_wal_size: '4GB',
  checkpoint_timeout: '1h',
  synchronous_commit: 'off',
  autovacuum: 'off',
  max_connections: '500',
}
const postgres = await startEmbeddedPostgres({ folder, mode: 'own', settings })
let counts = { passed: 0, failed: 0, skipped: 0 }
const secondsOf = new Map<string, number>()
try {
  // Here, as otherwise several processes would install the same at once. Those that need it say what is wrong.
  const isWhole = positionals.length === 0 && !options.changed && !options.watch
  await Promise.all([prepareTemplate(), isWhole && installed().catch(() => {})])
  Object.assign(process.env, {
    TEST_OWNER_URL: postgres.ownerUrl,
    TEST_URL: postgres.url,
    NODE_ENV: 'test',
    TEST_FOLDER: folder,
    TMPDIR: folder,
    NODE_COMPILE_CACHE: join(ROOT, 'node_modules/.cache/compiled'), // halves the time to load the service
  })
  flushCompileCache() // what is loaded here, the test processes load too
  await runTests(chosen)
  if (options.watch) for await (const saved of savedFiles()) await runTests(await affectedFiles(saved))
} finally {
  await postgres.stop()
  await rm(folder, { recursive: true, force: true })
}
process.exitCode = counts.failed > 0 || (counts.passed === 0 && chosen.length > 0) ? 1 : 0

/** In memory, if the machine has enough: a database is then made in an eighth of the time. `TMPDIR` chooses another folder. */
async function parentFolder(): Promise<string> {
  const memory = await statfs(MEMORY_FOLDER).catch(() => undefined)
  const bytesFree = Math.min(process.availableMemory(), memory ? memory.bavail * memory.bsize : 0)
  return process.env['TMPDIR'] === undefined && bytesFree > MEMORY_BYTES_MIN ? MEMORY_FOLDER : tmpdir()
}

function readOptions() {
  try {
    const options = {
      changed: { type: 'boolean' },
      watch: { type: 'boolean' },
      'test-name-pattern': { type: 'string', multiple: true },
    } as const
    return parseArgs({ options, allowPositionals: true })
  } catch (error) {
    process.stderr.write(`${(error as Error).message.split('. ')[0]}.\n`)
    process.exit(2)
  }
}

async function prepareTemplate(): Promise<void> {
  const client = new pg.Client({ connectionString: postgres.ownerUrl })
  await client.connect()
  await client.query(`create database ${TEMPLATE}`)
  await client.end()
  const ownerUrl = withDatabase(postgres.ownerUrl, TEMPLATE)
  await migrate({ ownerUrl, url: withDatabase(postgres.url, TEMPLATE), rights: rightsOf(), jobs: jobNames })
}

async function testFiles(): Promise<string[]> {
  if (options.changed) return affectedFiles(await changedFiles(ROOT))
  if (options.watch && positionals.length === 0) return []
  return (await Promise.all((positionals.length ? positionals : FOLDERS).map(filesIn))).flat()
}

async function affectedFiles(changed: readonly string[]): Promise<string[]> {
  const affected = affectedBy(await readSources(ROOT), changed)
  const files =
    affected === 'all' ? (await Promise.all(FOLDERS.map(filesIn))).flat() : affected.map((file) => join(ROOT, file))
  process.stdout.write(`${changed.length} changed files can affect ${files.length} test files.\n`)
  return files
}

/** What was saved, a moment after the last of it. */
async function* savedFiles(): AsyncGenerator<string[]> {
  const saved = new Set<string>()
  const { signal } = stopped
  for (const name of FOLDERS)
    watch(join(ROOT, name), { recursive: true, signal }, (_, file) => file && saved.add(join(name, file)))
  process.stdout.write('\nWaiting for a change; Ctrl-C ends.\n')
  while (!signal.aborted) {
    const before = saved.size
    await delay(SAVED_MS, undefined, { signal }).catch(() => {})
    if (saved.size === 0 || saved.size !== before) continue
    const files = [...saved].filter((file) => !file.includes('node_modules'))
    saved.clear()
    if (files.length) yield files
  }
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

function inOrder(files: readonly string[]): string[] {
  const rank = (file: string) => {
    const [, kind] = / sharedService\('(\w+)'\)/.exec(readFileSync(file, 'utf8')) ?? []
    if (kind) return ORDER.length + 1 + SHARED.indexOf(kind)
    const found = ORDER.findIndex((place) => place.test(relative(ROOT, file)))
    return found < 0 ? ORDER.length : found
  }
  const ranks = new Map(files.map((file) => [file, rank(file)]))
  return files.toSorted((one, other) => (ranks.get(one) ?? 0) - (ranks.get(other) ?? 0))
}

/** The processes that share the files. */
async function writeBatches(files: readonly string[]): Promise<string[]> {
  const taken = await mkdtemp(join(folder, 'taken-'))
  const runner = join(import.meta.dirname, 'batch.ts')
  const ordered = inOrder(files)
  const others = ordered.slice(AT_ONCE)
  return Promise.all(
    ordered.slice(0, AT_ONCE).map(async (first, index) => {
      const path = join(taken, `batch-${index}.ts`)
      const [from, ...values] = [runner, first, others, taken].map((value) => JSON.stringify(value))
      await writeFile(path, `import { runFiles } from ${from}\nawait runFiles(${values.join(', ')})\n`)
      return path
    }),
  )
}

function slowest(): string {
  const files = [...secondsOf].sort(([, one], [, other]) => other - one).slice(0, SLOWEST_SHOWN)
  return files.map(([name, seconds]) => `${seconds.toFixed(1).padStart(6)} s  ${name}`).join('\n')
}

function named({ file = '', line = 0, name }: { file?: string; line?: number; name: string }): string {
  return `${relative(ROOT, file)}:${line} ${name}`
}

async function runTests(testFiles: readonly string[]): Promise<void> {
  counts = { passed: 0, failed: 0, skipped: 0 }
  secondsOf.clear()
  const running = new Set<string>()
  const files = await writeBatches(testFiles)
  const testNamePatterns = options['test-name-pattern']
  const stream = run({
    files,
    concurrency: AT_ONCE,
    timeout: TEST_MS_MAX,
    signal: stopped.signal,
    ...(testNamePatterns && { testNamePatterns }),
  })
  stream.on('test:pass', ({ name, details, skip }) => {
    if (details.type === 'suite') return
    if (name.startsWith(folder)) return // a process in which no test had the wanted name
    if (skip !== undefined) counts.skipped += 1
    else counts.passed += 1
  })
  stream.on('test:fail', ({ details }) => {
    // A suite fails with its tests, which count, or by itself: a file that cannot be loaded, a hook that throws.
    const { failureType } = details.error as { failureType?: string }
    if (failureType !== 'subtestsFailed') counts.failed += 1
  })
  stream.on('test:dequeue', (test) => void running.add(named(test)))
  stream.on('test:complete', (test) => {
    running.delete(named(test))
    if (test.name.endsWith('.test.ts')) secondsOf.set(test.name, test.details.duration_ms / 1000)
  })
  const tooLong = setTimeout(stop, RUN_MS_MAX)
  for await (const chunk of stream.compose(new spec())) process.stdout.write(chunk)
  clearTimeout(tooLong)
  if (stopped.signal.aborted) process.stdout.write(`\nStopped. These were still running:\n${[...running].join('\n')}\n`)
  const missing = testFiles.map((file) => relative(ROOT, file)).filter((name) => !secondsOf.has(name))
  if (missing.length && !testNamePatterns) {
    process.stdout.write(`\nThese files did not finish:\n${missing.join('\n')}\n`)
    counts.failed += missing.length
  }
  if (secondsOf.size > SLOWEST_SHOWN) process.stdout.write(`\nThe slowest files:\n${slowest()}\n`)
  const isNone = testNamePatterns && counts.passed + counts.failed + counts.skipped === 0
  if (isNone) process.stdout.write(`\nNo test of these files has a name like ${testNamePatterns.join(' or ')}.\n`)
  process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`)
}
