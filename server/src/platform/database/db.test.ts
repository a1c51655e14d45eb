import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { type Db, openDb } from './db.ts'
import { deleteInBatches } from './delete-in-batches.ts'

describe('db.read', () => {
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

  const NUMBERS = `select n, null as nothing, '2026-03-14 09:30:00Z'::timestamptz as at, array['a'] as list
                     from generate_series(1, $1::int) n`

  it('reads the same from a prepared statement as from a new one', async () => {
    const row = { n: 1, nothing: null, at: new Date('2026-03-14T09:30:00Z'), list: ['a'] }
    for (let time = 0; time < 3; time++) {
      assert.deepEqual(await Promise.all([db.read.query(NUMBERS, [1]), db.read.query(NUMBERS, [0])]), [[row], []])
    }
    assert.equal((await db.read.query(NUMBERS, [100])).length, 100)
  })

  it('reads a time of any zone and year', async () => {
    for (const [text, zone] of [
      ['2026-03-14T09:30:00.123Z', 'UTC'],
      ['2026-07-14T09:30:00.000Z', 'Europe/London'],
      ['2026-07-14T09:30:00.100Z', 'Asia/Kolkata'],
      ['+012026-01-01T00:00:00.000Z', 'UTC'],
    ] as const) {
      const at = new Date(text)
      const rows = await db.transaction(async (tx) => {
        tx.send(`set local timezone = '${zone}'`)
        return tx.query('select $1::timestamptz as at', [text.replace(/^\+0/, '')])
      })
      assert.deepEqual(rows, [{ at }])
    }
  })

  it('sends values of every kind', async () => {
    const at = new Date('2026-03-14T09:30:00.5Z')
    const list = ['a', '"b\\', 'NULL', '{}', '', null]
    const [row] = await db.read.query(
      `select $1::int as number, $2::boolean as yes, $3::timestamptz as at, $4::text[] as list, $5::int[] as numbers,
         $6::jsonb as json, $7::bytea as bytes, $8::text as nothing, $9::bytea[] as pieces, $10::int[] as nested`,
      [7, true, at, list, [1, -2], { a: ['b'] }, Buffer.from('\0a'), undefined, [Buffer.from('\\')], [[1], [2]]],
    )
    const bytes = { bytes: Buffer.from('\0a'), pieces: [Buffer.from('\\')] }
    const sent = {
      number: 7,
      yes: true,
      at,
      list,
      numbers: [1, -2],
      json: { a: ['b'] },
      nothing: null,
      nested: [[1], [2]],
    }
    assert.deepEqual(row, { ...sent, ...bytes })
  })

  it('runs a statement again that failed at first, or whose columns have changed', async () => {
    const owner = openDb({ url: database.ownerUrl, poolSize: 1 })
    const later = () => owner.read.query('select * from later')
    await assert.rejects(Promise.all([later(), later()]), { code: '42P01' })
    await owner.query('create table later as select 1 as a')
    assert.deepEqual(await later(), [{ a: 1 }])
    await owner.query('alter table later add column b text')
    await assert.rejects(later(), { code: '0A000' })
    assert.deepEqual(await later(), [{ a: 1, b: null }])
    await owner.close()
  })

  it('keeps at most 500 prepared statements on a connection', async () => {
    const numbers = Array.from({ length: 600 }, (_, n) => n)
    const read = (n: number) => db.read.query<{ n: number }>(`select ${n} as n, $1::int as one`, [1])
    for (let time = 0; time < 2; time++) {
      assert.deepEqual(
        (await Promise.all(numbers.map(read))).flat().map(({ n }) => n),
        numbers,
      )
    }
    const [row] = await db.read.query<{ count: number }>('select count(*) from pg_prepared_statements')
    assert.ok(row && row.count <= 500, `${row?.count}`)
  })

  it('fails only the wrong statement among those that are sent together', async () => {
    const results = await Promise.allSettled(
      [1, 0, 2].map((divisor) => db.read.query('select 2 / $1::int as half', [divisor])),
    )
    assert.deepEqual(
      results.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await db.read.query('select 2 / $1::int as half', [2]), [{ half: 1 }])
  })

  it('waits for no other read while eight statements are stuck, sent at the same moment or earlier', async () => {
    const holder = await db.dedicated()
    await holder.query('select pg_advisory_lock(1)')
    const stuck = Array.from({ length: 8 }, () => db.read.query('select pg_advisory_lock_shared(1)'))
    const sentBehind = db.read.query('select 1 as one')
    const isStuck = Promise.race(stuck).then(() => 'stuck')
    assert.deepEqual(await Promise.race([sentBehind, isStuck]), [{ one: 1 }])
    assert.deepEqual(await Promise.race([db.read.query('select 2 as two'), isStuck]), [{ two: 2 }])
    await holder.end()
    await Promise.all(stuck)
  })

  it('rejects a value that cannot be sent', async () => {
    const endless: Record<string, unknown> = {}
    endless['itself'] = endless
    await assert.rejects(db.read.query('select $1::jsonb as value', [endless]), TypeError)
    assert.deepEqual(await db.read.query('select 1 as one'), [{ one: 1 }])
  })
})

describe('deleteInBatches', () => {
  it('deletes all matching rows and no others, in any number of batches', async () => {
    const database = await testDatabase()
    const db = openDb({ url: database.url })
    const left = await db.transaction(async (tx) => {
      tx.send('create temp table numbers as select generate_series(1, 25) as n')
      await deleteInBatches(tx, 'numbers', 'n <= $1', [21], 7)
      return tx.query('select n from numbers order by n')
    })
    assert.deepEqual(left, [{ n: 22 }, { n: 23 }, { n: 24 }, { n: 25 }])
    await db.close()
    await database.drop()
  })
})
