import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it } from 'node:test'
import { verifyWebhook } from '../../client/src/webhooks.ts'
import { startReceiver } from '../../server/test/fakes/receiver.ts'
import { atEnd } from '../../server/test/fixtures/at-end.ts'
import { lock } from '../src/listen/lock.ts'
import { ATTEMPTS_MAX, type Attempt, deliver } from '../src/listen/post.ts'
import { createSaver, readState, sharedSecretOf, stateFile, writeState } from '../src/listen/state.ts'

const folder = await mkdtemp(join(tmpdir(), 'lodgeway-state-'))
atEnd(() => rm(folder, { recursive: true, force: true }))

const ENV = { XDG_STATE_HOME: folder }
const PLACE = { service: 'http://127.0.0.1:8080', profile: 'me', address: 'http://localhost:3000/hooks' }
const FILE = stateFile(ENV, PLACE)
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`

describe('the state of a listener', () => {
  it('is one file for each service, profile and address, which others cannot read', async () => {
    const others = [{ service: 'https://api.example' }, { profile: 'you' }, { address: 'http://localhost:4000/' }]
    assert.equal(
      new Set([PLACE, ...others.map((one) => ({ ...PLACE, ...one }))].map((one) => stateFile(ENV, one))).size,
      4,
    )
    assert.equal(await readState(FILE), undefined)
    const state = { cursor: 'c1', settled: ['a'], failed: [{ id: 'b', type: 'TEST', reason: 'status 500' }] }
    await writeState(FILE, PLACE, state)
    assert.deepEqual(await readState(FILE), state)
    assert.equal((await stat(FILE)).mode & 0o777, 0o600)
    assert.equal((await stat(dirname(FILE))).mode & 0o777, 0o700)
  })

  it('is whole when a process is killed while it writes', async () => {
    await writeFile(`${FILE}.new`, '{"version":1,"cursor":"c2","sett')
    assert.equal((await readState(FILE))?.cursor, 'c1')
    await writeFile(FILE, 'something else')
    await assert.rejects(readState(FILE), /Delete it to listen from now on/)
  })

  it('is written once for all who wait', async () => {
    const writes: number[] = []
    let value = 0
    const save = createSaver(async () => {
      const written = value
      await new Promise((done) => setTimeout(done, 1))
      writes.push(written)
    })
    const first = save()
    await Promise.resolve()
    value = 1
    await Promise.all([first, save(), save()])
    assert.equal(writes.at(-1), 1)
    assert.ok(writes.length <= 2, String(writes))
  })

  it('has a secret that stays the same', async () => {
    const [one, other] = await Promise.all([sharedSecretOf(ENV, PLACE), sharedSecretOf(ENV, PLACE)])
    assert.equal(one, other)
    assert.match(one, /^whsec_/)
    const name = (await readdir(dirname(FILE))).find((file) => file.endsWith('.secret')) ?? ''
    assert.equal((await stat(join(dirname(FILE), name))).mode & 0o777, 0o600)
    assert.equal(await readFile(join(dirname(FILE), name), 'utf8'), `${one}\n`)
    assert.notEqual(await sharedSecretOf(ENV, { ...PLACE, profile: 'you' }), one)
  })
})

describe('the lock of a listener', () => {
  it('is held by one, and free again when that one ends', async () => {
    const held = await lock(FILE)
    assert.ok(held)
    assert.equal(await lock(FILE), undefined)
    await held.release()
    const again = await lock(FILE)
    assert.ok(again)
    await again.release()
  })

  it('is free after kill -9 of its holder, for one of those who want it', async () => {
    const path = FILE.replace('.json', '.lock')
    const script = `require('node:net').createServer().listen(${JSON.stringify(path)}, () => console.log('held'))`
    const holder = spawn(process.execPath, ['-e', script], { stdio: ['ignore', 'pipe', 'inherit'] })
    await once(holder.stdout, 'data')
    assert.equal(await lock(FILE), undefined)
    holder.kill('SIGKILL')
    await once(holder, 'exit')
    assert.ok((await stat(path)).isSocket(), 'it is left behind')
    const got = await Promise.all([lock(FILE), lock(FILE), lock(FILE)])
    const [held, ...rest] = got.filter((one) => one !== undefined)
    assert.deepEqual([held !== undefined, rest.length], [true, 0])
    await held?.release()
  })
})

describe('a delivery to a local receiver', () => {
  const event = {
    id: '7c0f0b52-97a4-4f02-8a55-8b7b0f7d4c11',
    type: 'WORKSPACE_CREATED',
    timestamp: '2026-03-14T09:30:00.000Z',
    data: { workspaceId: 'ce4c1f0a-7d9b-4c55-9b1f-0f6f3f0f8a11', subscriberId: '10000000-0000-4000-8000-000000000001' },
  } as const
  const waitsMs = [1, 1, 1, 1, 1]

  it('is signed, and sent again until it is taken', async () => {
    const receiver = await startReceiver(() => ({ status: receiver.received.length < 3 ? 302 : 204 }))
    atEnd(receiver.stop)
    const attempts: Attempt[] = []
    const onAttempt = (_: unknown, attempt: Attempt) => void attempts.push(attempt)
    const target = { address: receiver.url, secret: SECRET, onAttempt, waitsMs }
    const outcome = await deliver(target, event, new AbortController().signal)
    assert.deepEqual([outcome?.isDelivered, outcome?.number], [true, 3])
    assert.deepEqual(
      attempts.map(({ status }) => status),
      [302, 302, 204],
    )
    for (const { headers, body, id } of receiver.received) {
      assert.deepEqual(verifyWebhook({ secret: SECRET, headers, body }), event)
      assert.equal(id, event.id)
      assert.equal(headers['content-type'], 'application/json')
    }
  })

  it('is given up after six attempts, and unknown when it is stopped', async () => {
    const target = { address: 'http://127.0.0.1:1/', secret: SECRET, waitsMs }
    const outcome = await deliver(target, event, new AbortController().signal)
    assert.deepEqual([outcome?.isDelivered, outcome?.number], [false, ATTEMPTS_MAX])
    assert.ok(outcome?.error)
    assert.equal(await deliver(target, event, AbortSignal.abort()), undefined)
  })
})
