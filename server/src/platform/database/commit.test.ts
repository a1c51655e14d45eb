import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type Relay, startRelay } from '../../../test/fakes/database-relay.ts'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { findOutcome, findServer, outcomeOf } from './commit.ts'
import { type Db, openDb } from './db.ts'

describe('outcomeOf', () => {
  const server = { place: '7:00000001', run: '2026-03-14' }
  const elsewhere = { ...server, place: '7:00000002' }
  const afterCrash = { ...server, run: '2026-03-15' }

  it('is the status that the same server reports', () => {
    for (const status of ['committed', 'aborted', 'in progress'] as const) {
      assert.equal(outcomeOf(server, server, status), status)
    }
  })

  it('is unknown on another timeline, and if the server is not known or has forgotten the transaction', () => {
    assert.equal(outcomeOf(server, elsewhere, 'committed'), 'unknown')
    assert.equal(outcomeOf(undefined, server, 'committed'), 'unknown')
    assert.equal(outcomeOf(server, undefined, 'committed'), 'unknown')
    assert.equal(outcomeOf(server, server, null), 'unknown')
  })

  it('is unknown after a crash if the status is committed: another transaction may have got the same id', () => {
    assert.equal(outcomeOf(server, afterCrash, 'committed'), 'unknown')
    assert.equal(outcomeOf(server, afterCrash, 'aborted'), 'aborted')
  })
})

describe('findOutcome', () => {
  let database: TestDatabase
  let writer: pg.Client
  before(async () => {
    database = await testDatabase()
    writer = new pg.Client(database.url)
    await writer.connect()
  })
  after(async () => {
    await writer.end()
    await database.drop()
  })

  for (const [end, outcome] of [
    ['commit', 'committed'],
    ['rollback', 'aborted'],
  ] as const) {
    it(`waits for a transaction that is still in progress: ${outcome}`, async () => {
      await writer.query('begin')
      const { rows } = await writer.query<{ xid: string }>('select pg_current_xact_id()::text as xid')
      const committing = { xid: rows[0]?.xid ?? '', server: await findServer(writer) }
      const found = findOutcome({ connectionString: database.url }, committing)
      await delay(200)
      await writer.query(end)
      assert.equal(await found, outcome)
    })
  }

  it('gives up after five seconds in which PostgreSQL cannot be asked', async () => {
    const startedAt = performance.now()
    const nowhere = { connectionString: 'postgres://nobody@127.0.0.1:1/none' }
    assert.equal(await findOutcome(nowhere, { xid: '1', server: undefined }), 'unknown')
    assert.ok(performance.now() - startedAt >= 4_900)
  })
})

describe('a connection that is cut at COMMIT', () => {
  let database: TestDatabase
  let relay: Relay
  let db: Db
  before(async () => {
    database = await testDatabase()
    relay = await startRelay(database.url)
    db = openDb({ url: relay.url })
  })
  after(async () => {
    await db.close()
    await relay.close()
    await database.drop()
  })

  // Named in a comment, as the relay cuts only transactions that write to the audit.
  const INSERT = 'insert into blobs (sha256, size) values ($1, 1) -- audit_entries'
  const count = async (sha256: string) => (await db.read.query('select from blobs where sha256 = $1', [sha256])).length

  it('has committed if only the response was lost', async () => {
    relay.cutNext('after COMMIT')
    await db.query(INSERT, ['a'.repeat(64)])
    assert.deepEqual([relay.cuts(), await count('a'.repeat(64))], [1, 1])
  })

  it('has done nothing if COMMIT never arrived', async () => {
    relay.cutNext('before COMMIT')
    await assert.rejects(db.query(INSERT, ['b'.repeat(64)]), { reason: 'unavailable', message: /Nothing was done/ })
    assert.deepEqual([relay.cuts(), await count('b'.repeat(64))], [2, 0])
  })

  for (const cut of ['before COMMIT', 'after COMMIT'] as const) {
    it(`has an unknown outcome if there was a failover, cut ${cut}`, async () => {
      relay.cutNext(cut, { failOver: true })
      await assert.rejects(db.query(INSERT, ['c'.repeat(64)]), { reason: 'outcome_unknown', message: /unknown/ })
    })
  }

  it('has committed if there was a failover and a row of the transaction exists', async () => {
    const proven = 'd'.repeat(64)
    relay.cutNext('after COMMIT', { failOver: true })
    await db.transaction((tx) => tx.query(INSERT, [proven]), { isProven: async () => (await count(proven)) === 1 })
    assert.equal(relay.cuts(), 5)
  })
})
