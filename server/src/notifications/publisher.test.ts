import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { type TestDatabase, testDatabase } from '../../test/fixtures/database.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { EVENTS_CHANNEL, recordEvent } from '../events/record.ts'
import { type Db, openDb } from '../platform/database/db.ts'
import { PUBLISHER_LOCK_KEY, readFeed, startPublisher } from './feed.ts'

const SUBSCRIBER = { subscriberId: randomUUID() }
const NEVER_MS = 600_000

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

const deps = () => ({
  db,
  queue: { enqueue: async () => {}, noteEnd: () => {} } as never,
  log: pino({ level: 'silent' }),
})
const write = async (reference: string) => {
  const actor = { correlationId: 'c', at: new Date() }
  const recipients = [SUBSCRIBER.subscriberId]
  await db.transaction(async (tx) => recordEvent(tx, { type: 'WORKSPACE_CREATED', recipients, reference }, actor))
}
const isPublished = async (reference: string) => {
  const { events } = await readFeed(db.read, SUBSCRIBER, 0, 1_000)
  return events.some(({ payload }) => payload.data['reference'] === reference)
}
const published = (reference: string) => eventually(() => isPublished(reference))

/** The process ids of those who listen for events. */
const listeners = () =>
  db.query<{ pid: number }>(`select pid from pg_stat_activity where datname = current_database() and query = $1`, [
    `listen ${EVENTS_CHANNEL}`,
  ])

describe('the publisher', () => {
  it('is woken by the commit of an event, also after its connection was lost', async (t) => {
    const publisher = startPublisher(deps(), { pollMs: NEVER_MS })
    const latenciesMs: number[] = []
    for (let n = 0; n < 20; n++) {
      await write(`event ${n}`)
      const committedAt = performance.now()
      const giveUpAt = committedAt + 30_000
      while (!(await isPublished(`event ${n}`))) assert.ok(performance.now() < giveUpAt, `event ${n} was not published`)
      latenciesMs.push(performance.now() - committedAt)
    }
    const [median = 0, most = 0] = [10, 19].map((at) => latenciesMs.toSorted((a, b) => a - b)[at])
    t.diagnostic(`from commit to feed: median ${median.toFixed(1)} ms, most ${most.toFixed(1)} ms`)
    assert.ok(median < 2_000, `${median} ms`)
    const [listener] = await listeners()
    assert.ok(listener)
    await db.query('select pg_terminate_backend($1)', [listener.pid])
    await write('while nobody listened')
    await published('while nobody listened')
    await write('afterwards')
    await published('afterwards')
    await publisher.stop()
    assert.deepEqual(await listeners(), [])
  })

  it('finds by itself what no NOTIFY announced', async () => {
    await write('before it started')
    const publisher = startPublisher(deps(), { pollMs: 10 })
    await published('before it started')
    await db.query(
      `insert into events (event_id, type, told, data, actor, correlation_id, at, unpublished)
       values (gen_random_uuid(), 'WORKSPACE_CREATED', array[$1::uuid], '{"reference": "unsaid"}', 'a', 'c', now(), true)`,
      [SUBSCRIBER.subscriberId],
    )
    await published('unsaid')
    await publisher.stop()
  })

  it('waits for another one that publishes, and goes on when that is killed', async () => {
    const killed = await db.dedicated()
    await killed.query('begin')
    await killed.query('select pg_advisory_xact_lock($1)', [PUBLISHER_LOCK_KEY])
    await killed.query('update events set unpublished = false where unpublished')
    const { rows } = await killed.query('select pg_backend_pid() as pid')
    const publishers = [startPublisher(deps()), startPublisher(deps())]
    await write('left behind')
    await eventually(async () => (await waiting()) > 0)
    assert.equal(await isPublished('left behind'), false)
    await db.query('select pg_terminate_backend($1)', [rows[0].pid])
    await published('left behind')
    for (const publisher of publishers) await publisher.stop()
  })
})

const waiting = async () => {
  const rows = await db.query(
    `select from pg_locks where locktype = 'advisory' and not granted and objid = ${PUBLISHER_LOCK_KEY}`,
  )
  return rows.length
}
