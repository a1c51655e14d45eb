import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { runSql, type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { SEAL_LOCK_KEY } from '../audit/seal.ts'
import { recordEvent } from '../events/record.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { publishEvents, readFeed, UNPUBLISHED } from './feed.ts'

const SUBSCRIBER = { subscriberId: randomUUID() }
const queue = { enqueue: async () => {} }
const ACTOR = { clientId: 'a-client', correlationId: 'corr-1', at: new Date('2026-03-02T12:00:00.000Z') }

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
beforeEach(async () => void (await runSql(database.ownerUrl, 'delete from event_feed')))

/** A transaction that has written its event and commits when it is asked to. */
async function anOpenChange(reference: string, recipients = [SUBSCRIBER.subscriberId]) {
  const written = Promise.withResolvers<void>()
  const go = Promise.withResolvers<void>()
  const ended = db.transaction(async (tx) => {
    recordEvent(tx, { type: 'WORKSPACE_CREATED', workspaceId: randomUUID(), recipients, reference }, ACTOR)
    await tx.query('select 1')
    written.resolve()
    await go.promise
  })
  await written.promise
  return async () => {
    go.resolve()
    await ended
  }
}

const change = async (reference: string) => (await anOpenChange(reference))()

async function read(position = 0, rows = 100) {
  await publishEvents({ db, queue })
  const page = await readFeed(db.read, SUBSCRIBER, position, rows)
  return { references: page.events.map(({ payload }) => payload.data['reference']), position: page.position }
}

const bySequence = async (afterSeq: number) =>
  db.query<{ seq: number; reference: string }>(
    `select seq, data ->> 'reference' as reference from events where seq > $1 and $2 = any (told) order by seq`,
    [afterSeq, SUBSCRIBER.subscriberId],
  )

describe('the feed', () => {
  it('never skips an event that commits late, as a plain sequence does', async () => {
    const [last] = await db.query<{ seq: number }>('select coalesce(max(seq), 0) as seq from events')
    const commitEarly = await anOpenChange('written first, committed last')
    const commitLate = await anOpenChange('written last, committed first')
    await commitLate()

    const first = await read()
    assert.deepEqual(first.references, ['written last, committed first'])
    const seen = await bySequence(last?.seq ?? 0)
    await commitEarly()

    assert.deepEqual((await read(first.position)).references, ['written first, committed last'])
    assert.deepEqual(await bySequence(seen.at(-1)?.seq ?? 0), [], 'a reader who follows the sequence has missed it')
  })

  it('gives each event one position, however many publish at once', async () => {
    const references = Array.from({ length: 60 }, (_, n) => `event ${n}`)
    const writing = references.map((reference) => change(reference))
    const reading = Array.from({ length: 20 }, () => read())
    await Promise.all([...writing, ...reading])
    const { references: found } = await read()
    assert.deepEqual([...found].sort(), [...references].sort())
    assert.deepEqual((await read()).references, found, 'and the same order to every reader')
  })

  it('shows a follower everything, once, in the order of the feed, while others write', async () => {
    const references = Array.from({ length: 200 }, (_, n) => `event ${n}`)
    let isWriting = true
    const writing = Promise.all(references.map((reference) => change(reference))).finally(() => {
      isWriting = false
    })
    const seen: (string | undefined)[] = []
    let position = 0
    for (let quiet = 0; quiet < 2; ) {
      const page = await read(position, 7)
      seen.push(...page.references)
      position = page.position
      quiet = isWriting || page.references.length ? 0 : quiet + 1
    }
    await writing
    assert.deepEqual(seen, (await read(0, 1_000)).references)
    assert.equal(new Set(seen).size, 200)
  })

  it('is the recipient’s alone, and knows no position of another’s', async () => {
    const stranger = { subscriberId: randomUUID() }
    await change('mine')
    await (await anOpenChange('theirs', [stranger.subscriberId]))()
    const mine = await read()
    assert.deepEqual(mine.references, ['mine'])
    await assert.rejects(readFeed(db.read, stranger, mine.position, 10), { reason: 'invalid' })
    const theirs = await readFeed(db.read, stranger, 0, 10)
    assert.deepEqual(
      theirs.events.map(({ payload }) => payload.data['subscriberId']),
      [stranger.subscriberId],
    )
  })

  it('does not wait while the audit is being sealed', async () => {
    await change('meanwhile')
    const sealing = Promise.withResolvers<void>()
    const sealed = Promise.withResolvers<void>()
    const seal = db.transaction(async (tx) => {
      await tx.query('select pg_advisory_xact_lock($1)', [SEAL_LOCK_KEY])
      sealing.resolve()
      await sealed.promise
    })
    await sealing.promise
    const reading = read()
    const inTime = await Promise.race([reading, delay(5_000, undefined, { ref: false })])
    sealed.resolve()
    assert.deepEqual(inTime?.references, ['meanwhile'])
    await seal
  })

  it('also has the events that version 1.0.0 left unpublished', async () => {
    await db.query(
      `with event as (
         insert into events (event_id, type, told, data, actor, correlation_id, at)
         values (gen_random_uuid(), 'WORKSPACE_CREATED', array[$1::uuid], '{"reference": "old"}', 'a', 'c', now())
         returning seq)
       insert into event_outbox select seq from event`,
      [SUBSCRIBER.subscriberId],
    )
    await change('new')
    assert.deepEqual((await read()).references, ['old', 'new'])
    assert.deepEqual(await db.query(UNPUBLISHED), [])
  })

  it('leaves out what was undone', async () => {
    const undone = db.transaction(async (tx) => {
      recordEvent(tx, { type: 'WORKSPACE_CREATED', recipients: [SUBSCRIBER.subscriberId] }, ACTOR)
      throw new Error('changed my mind')
    })
    await assert.rejects(undone)
    assert.deepEqual((await read()).references, [])
  })
})
