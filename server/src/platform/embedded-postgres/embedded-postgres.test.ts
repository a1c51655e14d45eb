// Long because each way in which a server can be started, shared, interrupted or lost is tried.
import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, realpath, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, it, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { Client } from 'pg'
import { type EmbeddedPostgres, type EmbeddedPostgresOptions, startEmbeddedPostgres } from './embedded-postgres.ts'

const undos = new Map<string, (() => unknown)[]>()

/** Where its server has run and stopped: copied, as creating one takes longer than most tests. */
let stopped: string
before(async () => {
  stopped = await mkdtemp(join(tmpdir(), 'lodgeway-postgres-'))
})
after(() => rm(stopped, { recursive: true }))

describe('the PostgreSQL of a fresh folder', () => {
  let server: EmbeddedPostgres

  before(async () => {
    server = await startEmbeddedPostgres({ folder: stopped, mode: 'own' })
  })

  after(() => server.stop())

  it('has version 18, is durable, and listens to this machine only', async () => {
    const rows = await ask(server.ownerUrl, 'select name, setting from pg_settings')
    const settings = Object.fromEntries(rows.map((row) => [row['name'], row['setting']]))
    assert.match(settings['server_version'], /^18\./)
    assert.partialDeepStrictEqual(settings, { fsync: 'on', synchronous_commit: 'on', data_checksums: 'on' })
    assert.partialDeepStrictEqual(settings, { listen_addresses: '127.0.0.1', unix_socket_directories: '' })
  })

  it('gives the service a role that is not a superuser and cannot create in the schema public', async () => {
    const [role] = await ask(server.url, 'select rolname, rolsuper from pg_roles where rolname = current_user')
    assert.deepEqual(role, { rolname: 'lodgeway', rolsuper: false })
    await assert.rejects(ask(server.url, 'create table public.mine (id int)'), /permission denied for schema public/)
  })

  it('hides its passwords from other users and lets nobody in without one', async () => {
    assert.equal((await stat(join(stopped, 'postgres-passwords.json'))).mode & 0o777, 0o600)
    await assert.rejects(ask(server.url.replace(/:[^:@]+@/, ':guess@'), 'select 1'), /password authentication failed/)
  })
})

describe('startEmbeddedPostgres', { concurrency: 4 }, () => {
  it('stops the server completely, and has all data after the next start', async (t) => {
    const folder = await aUsedFolder(t)
    const first = await start(folder)
    await ask(first.ownerUrl, 'create table kept as select 7 as seven')
    const pid = await postmasterOf(folder)
    await Promise.all([first.stop(), first.stop()])
    await assertGone(pid, first.port)
    const second = await start(folder)
    assert.deepEqual(await ask(second.ownerUrl, 'select seven from kept'), [{ seven: 7 }])
    assert.equal(new URL(second.url).password, new URL(first.url).password)
  })

  for (const signal of ['SIGKILL', 'SIGINT'] as const) {
    it(`takes over the server of a service that ended by ${signal}, and can stop it`, async (t) => {
      const folder = await aUsedFolder(t)
      const service = await aService(folder)
      const pid = await postmasterOf(folder)
      // To the whole process group, as a terminal sends Ctrl-C.
      process.kill(-Number(service.pid), signal)
      const adopted = await start(folder)
      assert.equal(await postmasterOf(folder), pid)
      await adopted.stop()
      await assertGone(pid, adopted.port)
    })
  }

  it('refuses a folder that another service uses, and says which process and what to do', async (t) => {
    const folder = await aUsedFolder(t)
    const service = await aService(folder)
    const message = new RegExp(`${folder} is in use by another Lodgeway, process ${service.pid}\\. Stop .* DATA_DIR`)
    await assert.rejects(start(folder), message)
  })

  it('lets exactly one of two services use a fresh folder', async (t) => {
    const folder = await aFolder(t)
    const outcomes = await Promise.allSettled([aService(folder), aService(folder)])
    const [lost] = outcomes.filter((outcome) => outcome.status === 'rejected')
    assert.match(String(lost?.reason), /is in use by another Lodgeway/)
    assert.ok(outcomes.some((outcome) => outcome.status === 'fulfilled'))
  })

  it('lets a command use the server of the service, and leaves it running', async (t) => {
    const folder = await aUsedFolder(t)
    const service = await start(folder)
    const command = await start(folder, { mode: 'share' })
    assert.equal(command.port, service.port)
    await command.stop()
    assert.deepEqual(await ask(service.url, 'select 1 as one'), [{ one: 1 }])
  })

  it('starts the server for a command that is alone, and stops it with the last of them', async (t) => {
    const folder = await aUsedFolder(t)
    const first = await start(folder, { mode: 'share' })
    const second = await start(folder, { mode: 'share' })
    await first.stop()
    assert.deepEqual(await ask(second.url, 'select 1 as one'), [{ one: 1 }])
    await second.stop()
    await assert.rejects(postmasterOf(folder), { code: 'ENOENT' })
  })

  it('ignores a lock file that is empty or whose process number belongs to another process now', async (t) => {
    const folder = await aUsedFolder(t)
    await (await start(folder)).stop()
    const lockFile = join(folder, 'postgres/postmaster.pid')
    for (const content of [`1\n${folder}/postgres\n`, `${process.pid}\n${folder}/postgres\n`, '4194304\n', '']) {
      await writeFile(lockFile, content)
      await utimes(lockFile, 1, 1)
      const { stop, url } = await start(folder)
      assert.deepEqual(await ask(url, 'select 1 as one'), [{ one: 1 }])
      await stop()
    }
  })

  it('starts again after an interrupted first start, and leaves nothing incomplete', async (t) => {
    const folder = await aFolder(t)
    const interrupted = aProcess(folder)
    while (!(await readdir(folder)).some((name) => name.startsWith('postgres.new-'))) await sleep(5)
    await sleep(150)
    process.kill(-Number(interrupted.pid), 'SIGKILL')
    await once(interrupted, 'exit')
    assert.ok(!(await readdir(folder)).includes('postgres'))
    const { url } = await start(folder)
    assert.deepEqual(await ask(url, 'select 1 as one'), [{ one: 1 }])
    assert.deepEqual((await readdir(folder)).sort(), ['postgres', 'postgres-passwords.json', 'postgres.log'])
  })

  it('creates a role or a database that an interrupted start left out', async (t) => {
    const folder = await aUsedFolder(t)
    const first = await start(folder)
    const maintenance = first.ownerUrl.replace('/lodgeway?', '/postgres?')
    await ask(maintenance, 'drop database lodgeway')
    await ask(maintenance, 'drop role lodgeway')
    await first.stop()
    const second = await start(folder)
    assert.deepEqual(await ask(second.url, 'select 1 as one'), [{ one: 1 }])
  })

  it('restarts a server that was killed, at the same address', async (t) => {
    const folder = await aUsedFolder(t)
    const { url, ownerUrl, stop } = await start(folder)
    await ask(ownerUrl, 'create table kept as select 7 as seven')
    const killed = await postmasterOf(folder)
    process.kill(killed, 'SIGKILL')
    await until(() => ask(url, 'select 1'))
    assert.deepEqual(await ask(ownerUrl, 'select seven from kept'), [{ seven: 7 }])
    assert.notEqual(await postmasterOf(folder), killed)
    await until(() => ask(ownerUrl, "select 1 / count(*) from pg_stat_activity where application_name like '% own,%'"))
    await assert.rejects(start(folder), /is in use/)
    await stop()
    await assert.rejects(postmasterOf(folder), { code: 'ENOENT' })
  })

  it('says why a server does not start, with the end of its log', async (t) => {
    const attempt = start(await aUsedFolder(t), { settings: { shared_buffers: 'plenty' } })
    await assert.rejects(attempt, /did not start.*postgres\.log:.*invalid value for parameter "shared_buffers"/s)
  })

  it('says so if the folder cannot be created, or its passwords are lost', async (t) => {
    const folder = await aUsedFolder(t)
    await writeFile(join(folder, 'file'), '')
    await assert.rejects(start(join(folder, 'file/data')), /file\/data is not a folder, or not in one/)
    await (await start(folder)).stop()
    await rm(join(folder, 'postgres-passwords.json'))
    await assert.rejects(start(folder), /postgres-passwords\.json is missing/)
  })
})

async function aUsedFolder(t: TestContext): Promise<string> {
  const used = await aFolder(t)
  await promisify(execFile)('cp', ['-a', `${stopped}/.`, used])
  return used
}

async function aFolder(t: TestContext): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'lodgeway-postgres-')))
  const undo: (() => unknown)[] = []
  undos.set(folder, undo)
  t.after(async () => {
    for (const step of undo.reverse()) await step()
    const leftOver = await postmasterOf(folder).catch(() => undefined)
    if (leftOver) await (await startEmbeddedPostgres({ folder, mode: 'own' })).stop()
    await rm(folder, { recursive: true })
  })
  return folder
}

async function start(folder: string, options: Partial<EmbeddedPostgresOptions> = {}): Promise<EmbeddedPostgres> {
  const started = await startEmbeddedPostgres({ folder, mode: 'own', ...options })
  undos.get(folder)?.push(started.stop)
  return started
}

/** A service in another process, once it has its server. */
async function aService(folder: string): Promise<ChildProcess> {
  const service = aProcess(folder)
  const started = once(service, 'message')
  const failed = text(service.stderr ?? Readable.from([])).then((output) => Promise.reject(new Error(output)))
  await Promise.race([started, failed])
  failed.catch(() => undefined)
  return service
}

function aProcess(folder: string): ChildProcess {
  const code = `
    import { startEmbeddedPostgres } from ${JSON.stringify(import.meta.resolve('./embedded-postgres.ts'))}
    await startEmbeddedPostgres({ folder: ${JSON.stringify(folder)}, mode: 'own' })
    process.send('started')`
  const child = spawn(process.execPath, ['--input-type=module', '--eval', code], {
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe', 'ipc'],
  })
  undos.get(folder)?.push(() => child.kill('SIGKILL'))
  return child
}

async function ask(url: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new Client(url)
  client.on('error', () => undefined)
  try {
    await client.connect()
    return (await client.query(sql)).rows
  } finally {
    await client.end()
  }
}

async function postmasterOf(folder: string): Promise<number> {
  return Number.parseInt(await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8'), 10)
}

async function assertGone(pid: number, port: number): Promise<void> {
  await assert.rejects(ask(`postgres://lodgeway@127.0.0.1:${port}/lodgeway`, 'select 1'), { code: 'ECONNREFUSED' })
  // A process whose parent has died is reaped by process 1, which may take a moment.
  await until(async () => assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' }))
}

async function until(attempt: () => Promise<unknown>): Promise<void> {
  for (const deadline = Date.now() + 10_000; ; await sleep(50)) {
    try {
      return void (await attempt())
    } catch (error) {
      if (Date.now() > deadline) throw error
    }
  }
}
