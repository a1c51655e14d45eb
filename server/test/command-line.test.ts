import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { type AddressInfo, createServer, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import { delimiter, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { generateSigningKey } from '../src/auth/keys.ts'
import { type TestDatabase, testDatabase } from './fixtures/database.ts'
import { BASE_ENV, runCommand } from './fixtures/process.ts'

// How the executable is started, why it does not start, and what a small command loads.

const ROOT = resolve(import.meta.dirname, '../..')
const MAIN = resolve(ROOT, 'server/src/main.ts')
const AFTER_INSTALL = resolve(ROOT, 'server/test/scripts/after-install.js')
const run = promisify(execFile)
const FLAGS = ['--no-allocation-site-pretenuring', '--max-semi-space-size=8']

// The driver, the parser of commands, our own files except those that load the whole service, and the versions in
// package.json. Of the commands for integrators only their names.
const SMALL =
  /\/node_modules\/(commander|pg|pg-(?!boss)[a-z0-9-]+|pgpass|postgres-[a-z]+|split2|xtend)\/|\/server\/src\/(?!(app|service|worker|run)\.ts)|\/package\.json$|\/cli\/src\/(program|table|terminal|print|failure|version)\.ts$/
const MODULES_MAX = 97

describe('a small command', () => {
  it('loads the database driver and its own few files, and nothing else of the service', async () => {
    const database = await testDatabase()
    try {
      const loaded = await loadedBy(['subscriber', 'list'], { DATABASE_URL: database.url })
      assert.deepEqual(
        loaded.filter((url) => !SMALL.test(url)),
        [],
      )
      assert.ok(loaded.length <= MODULES_MAX, `${loaded.length} modules:\n${loaded.join('\n')}`)
    } finally {
      await database.drop()
    }
  })
})

describe('a service that starts, or cannot', { concurrency: 3 }, () => {
  let database: TestDatabase
  let taken: Server
  before(async () => {
    database = await testDatabase()
    taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
  })
  after(async () => {
    taken.close()
    await database.drop()
  })

  const KEY = { kty: 'EC', crv: 'P-256', x: 'AAAA', y: 'AAAA', d: 'AAAA', kid: 'broken' }
  const takenPort = () => String((taken.address() as AddressInfo).port)
  const strangerTo = (url: string) => url.replace(/:\/\/[^@]+@/, '://stranger:wrong@')
  const CASES: [
    what: string,
    command: 'serve' | 'work' | 'migrate',
    env: () => Record<string, string>,
    says: RegExp,
  ][] = [
    [
      'a key that is none',
      'serve',
      () => ({ SIGNING_KEYS: JSON.stringify(KEY) }),
      /^The key broken in SIGNING_KEYS is/,
    ],
    [
      'a port that is taken',
      'serve',
      () => ({ PORT: takenPort() }),
      /^PORT \d+ is in use by another program\. .*: PORT=\d+ npx lodgeway serve$/m,
    ],
    [
      'an admin host that is none',
      'work',
      () => ({ ADMIN_HOST: '192.0.2.1' }),
      /^ADMIN_HOST 192\.0\.2\.1 is not an address .* npx lodgeway work$/m,
    ],
    [
      'no database there',
      'work',
      () => ({ DATABASE_URL: 'postgres://me@127.0.0.1:1/x' }),
      /^The database of DATABASE_URL, 127\.0\.0\.1:1\/x, cannot be used: .*ECONNREFUSED/,
    ],
    [
      'no database of the owner there',
      'migrate',
      () => ({ DATABASE_OWNER_URL: 'postgres://me:secret@127.0.0.1:1/x' }),
      /^The database of DATABASE_OWNER_URL, 127\.0\.0\.1:1\/x, cannot be used: .*ECONNREFUSED/,
    ],
    ['a wrong password', 'work', () => ({ DATABASE_URL: strangerTo(database.url) }), /^The database of DATABASE_URL/],
    [
      'an adapter that is none',
      'work',
      () => ({ REGISTRY: './no-such-module.ts' }),
      /^REGISTRY names \.\/no-such-module/,
    ],
  ]
  for (const [what, command, env, says] of CASES) {
    it(`explains why in a sentence: ${what}`, async () => {
      const settings = await settingsOf(database)
      const { code, errors } = await runCommand(command, { ...settings, ...env() })
      await rm(settings.DATA_DIR, { recursive: true })
      assert.match(errors, says)
      assert.doesNotMatch(errors, /\n +at /, 'a sentence, not a stack')
      assert.equal(code, 1)
    })
  }

  it('logs which adapters it uses', async () => {
    const settings = await settingsOf(database)
    const env = { ...settings, ...BASE_ENV, LOG_LEVEL: 'info' }
    const child = spawn(process.execPath, [MAIN, 'work'], { env, stdio: ['ignore', 'pipe', 'inherit'] })
    let logged: object = {}
    for await (const line of createInterface({ input: child.stdout })) {
      if (line.includes('adapters in use')) logged = JSON.parse(line)
      if ('registry' in logged) break
    }
    child.stdout.resume()
    child.kill('SIGTERM')
    await once(child, 'exit')
    await rm(settings.DATA_DIR, { recursive: true })
    assert.partialDeepStrictEqual(logged, { level: 'warn', registry: 'simulator', payments: 'simulator' })
  })
})

const settingsOf = async ({ url }: TestDatabase) => ({
  DATABASE_URL: url,
  DATA_DIR: await mkdtemp(join(tmpdir(), 'lodgeway-start-')),
  HOST: '127.0.0.1',
  PORT: '0',
  ADMIN_PORT: '0',
  LOG_LEVEL: 'silent',
  SECRET_PEPPER: 'p'.repeat(32),
  SIGNING_KEYS: JSON.stringify(await generateSigningKey()),
  REGISTRY: 'simulator',
  PAYMENTS: 'simulator',
})

describe('an older Node', () => {
  it('is told what to type instead', async (t) => {
    const older = await olderNode()
    if (!older) return t.skip('there is only a new Node here')
    const { stdout, stderr, code } = await run(older, [MAIN, 'dev']).catch((error) => error)
    assert.match(stderr, /^Lodgeway needs Node 24, and this is v\d+\.\d+\.\d+\. .*`npx lodgeway`.*\n$/)
    assert.deepEqual({ stdout, code }, { stdout: '', code: 1 })
  })

  it('may run npm, whose warnings about it are explained', async () => {
    const said = async (npm_config_user_agent: string) =>
      (await run(process.execPath, [AFTER_INSTALL], { env: { npm_config_user_agent } })).stdout
    assert.match(await said('npm/11.0.0 node/v20.20.2 linux x64'), /^The warnings EBADENGINE above do no harm: .* v20/)
    assert.equal(await said(`npm/11.0.0 node/${process.version} linux x64`), '')
  })
})

/** Of those in the path, one that cannot run the service. */
async function olderNode(): Promise<string | undefined> {
  for (const folder of (process.env['PATH'] ?? '').split(delimiter)) {
    const node = join(folder, 'node')
    const { stdout = 'v24' } = await run(node, ['--version']).catch(() => ({ stdout: undefined }))
    if (Number.parseInt(stdout.slice(1), 10) < 24) return node
  }
  return undefined
}

describe('every start command', () => {
  const STARTS: [file: string, start: string][] = [
    ['package.json', `node ${FLAGS.join(' ')} server/src/main.ts dev`],
    ['Dockerfile', `ENTRYPOINT ${JSON.stringify(['node', ...FLAGS, 'server/src/main.ts']).replaceAll(',', ', ')}`],
    ['server/src/main.ts', `#!/usr/bin/env -S node ${FLAGS.join(' ')}`],
    ['cli/bin/lodgeway.js', `#!/usr/bin/env -S node ${FLAGS.join(' ')}`],
  ]
  for (const [file, start] of STARTS) {
    it(`has the flags of V8: ${file}`, async () => {
      assert.ok((await readFile(resolve(ROOT, file), 'utf8')).includes(start))
    })
  }
})

const HOOK = `
  import { registerHooks } from 'node:module'
  const urls = []
  registerHooks({ load: (url, context, next) => { urls.push(url); return next(url, context) } })
  process.on('exit', () => process.stderr.write(urls.join('\\n')))`

async function loadedBy(words: readonly string[], env: Record<string, string>): Promise<string[]> {
  const hook = `data:text/javascript,${encodeURIComponent(HOOK)}`
  const child = spawn(process.execPath, ['--import', hook, MAIN, ...words], {
    env: { ...BASE_ENV, ...env },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const [urls, [code]] = await Promise.all([text(child.stderr), once(child, 'close')])
  assert.equal(code, 0, urls)
  return urls.split('\n').filter((url) => url.startsWith('file:'))
}
