import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type TestDatabase, testDatabase } from '../../../test/fixtures/database.ts'
import { type Db, openDb } from '../database/db.ts'
import { sweepOrphans } from './sweep.ts'

describe('sweepOrphans', () => {
  let database: TestDatabase
  let db: Db

  before(async () => {
    database = await testDatabase()
    db = openDb({ url: database.url })
  })

  beforeEach(() => db.query('delete from blobs'))

  after(async () => {
    await db.close()
    await database.drop()
  })

  const touch = (name: string) =>
    db.query(`insert into blobs (sha256, size) values ($1, 1) on conflict (sha256) do update set touched_at = now()`, [
      hashOf(name),
    ])
  const rows = async () => (await db.query<{ sha256: string }>('select sha256 from blobs')).map((row) => row.sha256)

  it('deletes more than one batch, and each blob once when several sweep at the same time', async () => {
    for (let number = 0; number < 90; number++) await touch(`blob ${number}`)
    const removed: string[] = []
    const sweep = () => sweepOrphans(db, 0, async (sha256) => void removed.push(sha256))
    const counts = await Promise.all([sweep(), sweep(), sweep()])
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      90,
    )
    assert.equal(new Set(removed).size, removed.length)
    assert.deepEqual(await rows(), [])
  })

  it('checks every table that refers to blobs, also one that is added later', async () => {
    await touch('named')
    await touch('orphan')
    const owner = new pg.Client({ connectionString: database.ownerUrl })
    await owner.connect()
    await owner.query(`create table "Some day's files" ("the hash" text references blobs)`)
    await owner.query(`grant select on "Some day's files" to public`)
    await owner.query(`insert into "Some day's files" values ($1)`, [hashOf('named')])
    await sweepOrphans(db, 0, async () => {})
    assert.deepEqual(await rows(), [hashOf('named')])
    await owner.query(`drop table "Some day's files"`)
    await owner.end()
  })

  it('makes a writer of the same content wait until its bytes are gone', async () => {
    await touch('wanted again')
    const order: string[] = []
    const sweep = sweepOrphans(db, 0, async () => {
      order.push('removing')
      await pause(200)
      order.push('removed')
    })
    while (order.length === 0) await pause(5)
    await touch('wanted again').then(() => order.push('touched'))
    await sweep
    assert.deepEqual(order, ['removing', 'removed', 'touched'])
    assert.deepEqual(await rows(), [hashOf('wanted again')])
  })

  it('keeps the row of a blob whose bytes could not be removed, and says so', async () => {
    await touch('stuck')
    await touch('loose')
    const sweep = sweepOrphans(db, 0, async (sha256) => {
      if (sha256 === hashOf('stuck')) throw new Error('The disk does not let go.')
    })
    await assert.rejects(sweep, { message: 'Some orphaned blobs could not be removed.' })
    assert.deepEqual(await rows(), [hashOf('stuck')])
  })
})

const hashOf = (name: string) => createHash('sha256').update(name).digest('hex')
