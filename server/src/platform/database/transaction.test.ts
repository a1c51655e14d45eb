import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isHeldUp, runSql, type TestDatabase, testDatabase, withDatabase } from '../../../test/fixtures/database.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { conflict, Refusal } from '../errors.ts'
import { type Db, openDb, type Transaction } from './db.ts'

const INSERT = 'insert into test_notes (note) values ($1)'
const LOCK = 'select pg_advisory_xact_lock(1)'

let database: TestDatabase
let db: Db
before(async () => {
  database = await testDatabase()
  const owner = openDb({ url: database.ownerUrl, poolSize: 1 })
  await owner.query('create table test_notes (note text constraint one_note primary key)')
  await owner.query('grant all on test_notes to public')
  await owner.close()
  db = openDb({ url: database.url, limits: { readMs: 5_000, transactionMs: 10_000, lockMs: 1_000 } })
})
after(async () => {
  await db.close()
  await database.drop()
})

describe('db.transaction', () => {
  it('waits for the disk, except while its commits may be lost', async () => {
    let mayLose = true
    const url = new URL(database.url)
    url.searchParams.set('options', '-c synchronous_commit=on') // which the tests' PostgreSQL has not
    const losing = openDb({ url: url.href, poolSize: 1, mayLose: () => mayLose })
    const waits = async () => (await losing.query(`select current_setting('synchronous_commit') as waits`))[0]
    assert.deepEqual(await waits(), { waits: 'off' })
    mayLose = false
    assert.deepEqual(await waits(), { waits: 'on' })
    await losing.close()
  })

  it('throws the refusal of its work, even if a statement that was sent before has failed', async () => {
    const refusal = conflict({ message: 'No.' })
    const refused = db.transaction(async (tx) => {
      tx.send('select 1 / 0')
      await assert.rejects(tx.query('select 1'))
      throw refusal
    })
    await assert.rejects(refused, (error) => error === refusal)
  })

  it('throws the first error, which made a later statement fail', async () => {
    const failed = db.transaction(async (tx) => {
      tx.send('select 1 / 0')
      await tx.query('select 1')
    })
    await assert.rejects(failed, /division by zero/)
  })

  it('names the constraint that a statement violated, sent or awaited, so that callers can translate it', async () => {
    await db.query(INSERT, ['twice'])
    const violated = { code: '23505', constraint: 'one_note' }
    await assert.rejects(
      db.transaction(async (tx) => tx.send(INSERT, ['twice'])),
      violated,
    )
    await assert.rejects(db.query(INSERT, ['twice']), violated)
  })

  it('does nothing if a statement that was not awaited has failed', async () => {
    const failed = db.transaction(async (tx) => {
      tx.send(INSERT, ['half'])
      tx.send('select 1 / 0')
    })
    await assert.rejects(failed, /division by zero/)
    assert.deepEqual(await db.read.query('select from test_notes where note = $1', ['half']), [])
  })
})

describe('a lock that another transaction holds', () => {
  const isUnavailable = (error: unknown) =>
    error instanceof Refusal && error.reason === 'unavailable' && /Nothing was done/.test(error.message)

  it('makes transactions that need it unavailable, and leaves connections for all others', () =>
    whileLocked(async () => {
      const hot = Array.from({ length: 20 }, () => db.transaction((tx) => tx.query(LOCK), { key: 'hot' }))
      const ended = Promise.allSettled(hot)
      await eventually(() => isHeldUp(db.read))
      const passed = db.query(INSERT, ['passes']).then(() => 'passed')
      assert.equal(await Promise.race([passed, ended.then(() => 'waited')]), 'passed')
      for (const result of await ended) assert.ok(result.status === 'rejected' && isUnavailable(result.reason))
    }))

  it('lets transactions with the same key run in turn once it is free', async () => {
    const results: number[] = []
    const work = (turn: number) => async (tx: Transaction) => {
      await tx.query(LOCK)
      results.push(turn)
    }
    await Promise.all(Array.from({ length: 12 }, (_, turn) => db.transaction(work(turn), { key: 'hot' })))
    assert.equal(results.length, 12)
  })

  it('makes a read unavailable', () => whileLocked(() => assert.rejects(db.read.query(LOCK), isUnavailable)))

  async function whileLocked(work: () => Promise<void>): Promise<void> {
    const holder = await db.dedicated()
    await holder.query('select pg_advisory_lock(1)')
    await work().finally(() => holder.end())
  }
})

describe('a server that only reads, as a standby does', () => {
  it('is unavailable, and its connection is not used again', async () => {
    const name = new URL(database.url).pathname.slice(1)
    const change = (sql: string) => runSql(withDatabase(database.ownerUrl, 'postgres'), `alter database ${name} ${sql}`)
    await change('set default_transaction_read_only = on')
    const standby = openDb({ url: database.url, poolSize: 1 })
    await assert.rejects(standby.query(INSERT, ['on a standby']), {
      reason: 'unavailable',
      message: /Nothing was done/,
    })
    await change('reset default_transaction_read_only')
    await standby.query(INSERT, ['on a primary'])
    await standby.close()
  })

  it('says so, also where it refuses to begin the transaction', async () => {
    await runSql(database.ownerUrl, 'revoke execute on function pg_current_xact_id from public')
    await assert.rejects(db.query('select 1'), /permission denied for function pg_current_xact_id/)
    await runSql(database.ownerUrl, 'grant execute on function pg_current_xact_id to public')
  })
})

describe('a statement that takes too long', () => {
  it('is unavailable', async () => {
    const sleeping = db.transaction(async (tx) => {
      tx.send('set local statement_timeout = 50')
      await tx.query('select pg_sleep(5)')
    })
    await assert.rejects(sleeping, { reason: 'unavailable' })
  })
})
