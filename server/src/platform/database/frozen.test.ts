import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type Relay, startRelay } from '../../../test/fakes/database-relay.ts'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { Refusal } from '../errors.ts'
import { type Db, openDb } from './db.ts'
import { listen } from './listen.ts'

// Open connections go silent while new ones work: a firewall forgot them, or a server was moved.

const LIMITS = { readMs: 1_500, transactionMs: 2_000, lockMs: 1_000 }
const ONE = 'select 1 as one'

let database: TestDatabase
before(async () => {
  database = await testDatabase()
})
after(() => database.drop())

describe('a connection that has gone silent', { concurrency: true }, () => {
  it('fails the one read that waits for it, in time, and no other', () =>
    throughRelay(async (db, relay) => {
      await db.read.query(ONE)
      relay.freeze()
      const [first, ...others] = Array.from({ length: 5 }, () => db.read.query(ONE))
      await Promise.all([assert.rejects(first ?? Promise.resolve(), isUnavailable), ...others])
      assert.deepEqual(await db.read.query(ONE), [{ one: 1 }])
    }))

  it('fails no authentication: it is tried again on a new connection', () =>
    throughRelay(async (db, relay) => {
      await db.auth.query(ONE)
      relay.freeze()
      assert.deepEqual(await db.auth.query(ONE), [{ one: 1 }])
    }))

  it('fails the transaction on it, in time, and is replaced together with the idle ones', () =>
    throughRelay(async (db, relay) => {
      await Promise.all(Array.from({ length: 4 }, () => db.query(ONE)))
      relay.freeze()
      await assert.rejects(db.query(ONE), isUnavailable)
      for (let time = 0; time < 4; time++) assert.deepEqual(await db.query(ONE), [{ one: 1 }])
    }))

  it('fails a stream on a dedicated connection', () =>
    throughRelay(async (db, relay) => {
      const client = await db.dedicated({ silentMsMax: 1_000 })
      await client.query(ONE)
      relay.freeze()
      await assert.rejects(client.query(ONE), /terminated/)
      await client.end()
    }))

  it('is replaced by a new one for listening', () =>
    throughRelay(async (db, relay) => {
      let heard = 0
      const listening = listen(db, 'test_channel', () => heard++, 300)
      await eventually(() => heard === 1)
      relay.freeze()
      await eventually(() => heard === 2)
      await db.transaction(async (tx) => tx.notify('test_channel'))
      await eventually(() => heard === 3)
      await listening.stop()
    }))

  it('does not keep the service from stopping', () =>
    throughRelay(async (db, relay) => {
      await Promise.all([db.read.query(ONE), db.query(ONE)])
      relay.freeze()
    }))

  it('makes everything unavailable, in time, if new connections go silent too', () =>
    throughRelay(async (db, relay) => {
      const freezing = setInterval(relay.freeze, 1)
      const calls = [() => db.read.query(ONE), () => db.query(ONE), () => db.dedicated()]
      await Promise.all(calls.map((call) => assert.rejects(call, isUnavailable)))
      clearInterval(freezing)
    }))
})

async function throughRelay(work: (db: Db, relay: Relay) => Promise<void>): Promise<void> {
  const relay = await startRelay(database.url)
  const db = openDb({ url: relay.url, limits: LIMITS })
  try {
    await work(db, relay)
  } finally {
    await db.close()
    await relay.close()
  }
}

const isUnavailable = (error: unknown) =>
  error instanceof Refusal && error.reason === 'unavailable' && error.headers['retry-after'] !== undefined
