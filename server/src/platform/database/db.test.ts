import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { type Db, openDb } from './db.ts'
import { deleteInBatches } from './delete-in-batches.ts'
import { chooseLane } from './lanes.ts'

const lane = (moves: boolean, waiting: number) => ({ moves: () => moves, waiting: () => waiting })

describe('chooseLane', () => {
  it('keeps to the first lane while its answers come, goes round it when they do not, and to the emptiest at last', () => {
    const [moving, stalled, emptier] = [lane(true, 9), lane(false, 5), lane(false, 2)]
    assert.equal(chooseLane([moving, lane(true, 0)]), moving)
    assert.equal(chooseLane([stalled, moving]), moving)
    assert.equal(chooseLane([stalled, emptier]), emptier)
  })
})

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

  it('reads the same from a statement it knows as from a new one', async () => {
    const row = { n: 1, nothing: null, at: new Date('2026-03-14T09:30:00Z'), list: ['a'] }
    for (let time = 0; time < 3; time++) {
      assert.deepEqual(await Promise.all([db.read.query(NUMBERS, [1]), db.read.query(NUMBERS, [0])]), [[row], []])
    }
    assert.equal((await db.read.query(NUMBERS, [100])).length, 100)
  })

  it('reads a moment in whatever zone and year it is told', async () => {
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

  it('fails only the statement that is wrong among those that travel together', async () => {
    const told = await Promise.allSettled(
      [1, 0, 2].map((divisor) => db.read.query('select 2 / $1::int as half', [divisor])),
    )
    assert.deepEqual(
      told.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    assert.deepEqual(await db.read.query('select 2 / $1::int as half', [2]), [{ half: 1 }])
  })

  it('does not keep later reads waiting behind a slow one', async () => {
    const slow = db.read.query('select pg_sleep(1)')
    await new Promise((resolve) => setTimeout(resolve, 50))
    const startedAt = performance.now()
    await db.read.query('select 1 as one')
    assert.ok(performance.now() - startedAt < 700)
    await slow
  })

  it('tells of a value that cannot be sent', async () => {
    const endless: Record<string, unknown> = {}
    endless['itself'] = endless
    await assert.rejects(db.read.query('select $1::jsonb as value', [endless]), TypeError)
    assert.deepEqual(await db.read.query('select 1 as one'), [{ one: 1 }])
  })
})

describe('deleteInBatches', () => {
  it('deletes all that fits and nothing else, however many batches it takes', async () => {
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
