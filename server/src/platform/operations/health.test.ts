import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pino } from 'pino'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { type Db, openDb } from '../database/db.ts'
import type { Deps } from '../deps.ts'
import { createApp } from '../http/http.ts'
import { startAdmin } from './admin.ts'
import { healthRoutes, readinessOf } from './health.ts'
import { createMetrics } from './metrics.ts'

const working = { check: async () => {} }
const broken = { check: () => Promise.reject(new Error('s3://bucket: AccessDenied')) }
const READY = { database: 'ok', migrations: 'ok', blobs: 'ok', clock: 'ok', node: 'ok' }

let database: TestDatabase
let db: Db

before(async () => {
  database = await testDatabase()
  db = openDb({ url: database.url })
})

after(async () => {
  await db.close()
  await database.drop()
})

describe('readinessOf', () => {
  it('is ready when the database, its migrations and the blobs are, and the node is not stopping', async () => {
    assert.deepEqual(await aReadiness()(), { ready: true, checks: READY })
  })

  it('is not ready without the database, and says so within the limit', async () => {
    const never = { read: { query: () => new Promise(() => {}) } }
    const began = performance.now()
    const { ready, checks } = await aReadiness({ db: never as unknown as Db })()
    assert.equal(ready, false)
    assert.equal(checks['database'], 'The database does not answer.')
    assert.ok(performance.now() - began < 2_500)
  })

  it('is not ready if a migration is missing', async () => {
    const owner = openDb({ url: database.ownerUrl, poolSize: 1 })
    const removed = await owner.query('delete from schema_migrations returning name, checksum')
    const { ready, checks } = await aReadiness()()
    for (const { name, checksum } of removed) {
      await owner.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    }
    await owner.close()
    assert.deepEqual([ready, checks['migrations']], [false, 'The database does not have the version of this service.'])
  })

  it('is not ready without its blobs, and does not say where they are', async () => {
    const { ready, checks } = await aReadiness({ blobs: broken as unknown as Deps['blobs'] })()
    assert.deepEqual([ready, checks['blobs']], [false, 'The blob store cannot be written to.'])
  })

  it('is ready although the process was busy for longer than the limit while the answer arrived', async () => {
    const readiness = aReadiness({ blobs: { check: () => stat('.') } as unknown as Deps['blobs'] })()
    const busyUntil = performance.now() + 2_100
    while (performance.now() < busyUntil);
    assert.deepEqual((await readiness).checks, READY)
  })

  it('soon looks again after a failure', async () => {
    const results = [Promise.reject(new Error('EIO')), Promise.resolve()]
    const readiness = aReadiness({ blobs: { check: () => results.shift() } as unknown as Deps['blobs'] })
    assert.equal((await readiness()).ready, false)
    await delay(1_050)
    assert.equal((await readiness()).ready, true)
  })

  it('is not ready while the clock of the machine is wrong', async () => {
    const { ready, checks } = await aReadiness({ machineClock: { isRight: () => false } })()
    assert.deepEqual([ready, checks['clock']], [false, 'The clock of this machine differs from the database’s.'])
  })

  it('is not ready from the moment it stops', async () => {
    let stopping = false
    const readiness = aReadiness({ isStopping: () => stopping })
    assert.equal((await readiness()).ready, true)
    stopping = true
    assert.equal((await readiness()).ready, false)
  })

  it('checks once when it is called a hundred times at once', async () => {
    let checks = 0
    const blobs = { check: async () => void checks++ }
    const readiness = aReadiness({ blobs: blobs as unknown as Deps['blobs'] })
    await Promise.all(Array.from({ length: 100 }, readiness))
    assert.equal(checks, 1)
  })
})

const NODE_ID = '0b0f3c3e-7f1c-4e8e-9d3a-000000000001'
const ANYWHERE = { host: '127.0.0.1', port: 0, nodeId: NODE_ID }

describe('the admin port', () => {
  it('serves metrics, liveness and readiness with every check, and nothing else', async () => {
    const admin = await startAdmin({ ...ANYWHERE, metrics: createMetrics(), readiness: aReadiness() })
    const get = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${admin.address.port}${path}`, { method })
    try {
      const metrics = await get('/metrics')
      assert.match(metrics.headers.get('content-type') ?? '', /^text\/plain; version=/)
      assert.match(await metrics.text(), /process_cpu_seconds_total/)
      assert.deepEqual(await (await get('/livez')).json(), { status: 'live', nodeId: NODE_ID })
      assert.deepEqual(await (await get('/readyz')).json(), { status: 'ready', checks: READY })
      assert.deepEqual([(await get('/')).status, (await get('/metrics', 'POST')).status], [404, 404])
    } finally {
      await admin.stop()
    }
    await assert.rejects(get('/livez'))
  })

  it('answers 503 with the reason while the node is not ready', async () => {
    const readiness = aReadiness({ isStopping: () => true })
    const admin = await startAdmin({ ...ANYWHERE, metrics: createMetrics(), readiness })
    const answer = await fetch(`http://127.0.0.1:${admin.address.port}/readyz`)
    await admin.stop()
    assert.equal(answer.status, 503)
    assert.deepEqual(await answer.json(), { status: 'not ready', checks: { ...READY, node: 'This node is stopping.' } })
  })
})

describe('GET /livez and GET /readyz', () => {
  it('give partners no details', async () => {
    for (const [blobs, status, body] of [
      [working, 200, { status: 'ready' }],
      [broken, 503, { errors: [{ message: 'This node is not ready.' }] }],
    ] as const) {
      const app = await createApp({ log: pino({ enabled: false }), trustProxy: false })
      healthRoutes(app, aReadiness({ blobs: blobs as unknown as Deps['blobs'] }), NODE_ID)
      const [live, ready] = [await app.inject('/livez'), await app.inject('/readyz')]
      await app.close()
      assert.deepEqual(live.json(), { status: 'live', nodeId: NODE_ID })
      assert.deepEqual([ready.statusCode, ready.json()], [status, body])
    }
  })
})

const aReadiness = (parts: Partial<Parameters<typeof readinessOf>[0]> = {}) =>
  readinessOf({
    db,
    blobs: working as unknown as Deps['blobs'],
    machineClock: { isRight: () => true },
    isStopping: () => false,
    ...parts,
  })
