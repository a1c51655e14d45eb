import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openDb, type Transaction } from '../database/db.ts'
import { installQueue, type JobContext, job, openQueue, type Queue, type QueueLog } from './queue.ts'

describe('the job queue', { concurrency: true }, () => {
  it('starts a job within 100 ms of its commit', async () => {
    await using house = await aHouse()
    const started = new Map<number, number>()
    await house.work(async (_, { round }) => void started.set(round, performance.now()))
    const waits: number[] = []
    for (let round = 0; round < 20; round++) {
      await house.enqueue('test.note', { round })
      const committed = performance.now()
      await eventually(() => started.has(round))
      waits.push((started.get(round) ?? Number.POSITIVE_INFINITY) - committed)
    }
    const median = waits.sort((a, b) => a - b)[10] ?? Number.POSITIVE_INFINITY
    assert.ok(median < 100, `the median was ${median} ms`)
  })

  it('runs no job of a transaction that was rolled back', async () => {
    await using house = await aHouse()
    const refused = house.db.transaction(async (tx) => {
      await house.queue.enqueue(tx, 'test.note', {}, CONTEXT)
      throw new Error('changed my mind')
    })
    await assert.rejects(refused, /changed my mind/)
    assert.equal(await house.queue.unfinished(), 0)
  })

  it('refuses to enqueue or to work on a job that has no queue', async () => {
    await using house = await aHouse()
    await assert.rejects(house.enqueue('test.unheard-of', {}), /does not exist/)
    await assert.rejects(house.queue.work([job({ name: 'test.unheard-of', run: async () => {} })]), /Run migrate/)
  })

  it('gives the job its payload, the time, and the correlation id of whoever asked for it', async () => {
    await using house = await aHouse()
    const seen: unknown[] = []
    await house.work(async ({ correlationId, now }, payload) => void seen.push(correlationId, now, payload))
    await house.enqueue('test.note', { round: 7 })
    await house.finished()
    assert.deepEqual(seen, ['a-correlation-id', NOW, { round: 7 }])
  })

  it('runs every one of a hundred jobs that one transaction enqueued', async () => {
    await using house = await aHouse()
    let runs = 0
    await house.work(async () => void runs++)
    await house.db.transaction(async (tx) => {
      for (let round = 0; round < 100; round++) await house.queue.enqueue(tx, 'test.note', { round }, CONTEXT)
    })
    await house.finished()
    assert.equal(runs, 100)
  })

  it('keeps neither the effect nor the completion of an attempt that failed, and tries again', async () => {
    await using house = await aHouse()
    let attempts = 0
    await house.work(async ({ tx }) => {
      attempts++
      tx.send('insert into test_notes (note) values ($1)', [`attempt ${attempts}`])
      if (attempts === 1) tx.send('select 1 / 0')
    })
    await house.enqueue('test.note', {})
    await house.finished()
    assert.deepEqual(await house.notes(), ['attempt 2'])
    assert.match(JSON.stringify(house.logged), /division by zero/)
  })

  it('undoes the effect of a job that was handed to another worker meanwhile', async () => {
    await using house = await aHouse()
    let attempts = 0
    await house.work(async ({ tx }) => {
      attempts++
      await tx.query('insert into test_notes (note) values ($1)', [`attempt ${attempts}`])
      if (attempts === 1) await house.db.query(`update pgboss.job set state = 'retry' where name = 'test.note'`)
    })
    await house.enqueue('test.note', {})
    await house.finished()
    assert.deepEqual(await house.notes(), ['attempt 2'])
  })

  it('lists a job that failed for good, tells nobody its payload, and runs it again when asked', async () => {
    await using house = await aHouse()
    let broken = true
    let runs = 0
    await house.work(async () => {
      runs++
      if (broken) throw new Error('the registry is closed')
    })
    await house.enqueue('test.note', { surname: 'Prynne' })
    await house.finished()
    assert.equal(runs, 2)
    const [dead, ...others] = await house.queue.listDead()
    assert.ok(dead && others.length === 0)
    assert.equal(await house.queue.dead(), 1)
    const { id, diedAt, ...facts } = dead
    const expected = { job: 'test.note', attempts: 2, error: 'the registry is closed', ...CONTEXT }
    assert.deepEqual(facts, expected)
    assert.doesNotMatch(JSON.stringify([house.logged, dead]), /Prynne/)
    assert.equal(house.logged.length, 2)

    broken = false
    assert.equal(await house.queue.retryDead([id]), 1)
    await house.finished()
    assert.equal(runs, 3)
    assert.deepEqual(await house.queue.listDead(), [])
    assert.equal(await house.queue.retryDead('all'), 0)
  })

  it('lets slow work run outside a transaction', async () => {
    await using house = await aHouse()
    const given: string[] = []
    const run = async (context: object) => void given.push(...Object.keys(context))
    await house.queue.work([job({ name: 'test.note', transactional: false, run })])
    await house.enqueue('test.note', {})
    await house.finished()
    assert.deepEqual(given, ['correlationId', 'now', 'signal'])
  })

  it('lets a running job finish when it is stopped, and hands back one that takes too long', async () => {
    await using house = await aHouse()
    const node = await house.anotherNode()
    const started: string[] = []
    const note = (name: string, forMs: number) =>
      job({
        name,
        async run({ tx, signal }) {
          started.push(name)
          await delay(forMs, undefined, { signal })
          tx.send('insert into test_notes (note) values ($1)', [name])
        },
      })
    await node.work([note('test.note', 200), note('test.long', 60_000)])
    await house.enqueue('test.note', {})
    await house.enqueue('test.long', {})
    await eventually(() => started.length === 2)
    await node.stop(2000)
    assert.deepEqual(await house.notes(), ['test.note'])
    assert.deepEqual(await house.states(), [
      { name: 'test.long', state: 'retry' },
      { name: 'test.note', state: 'completed' },
    ])
  })

  it('runs the job of a killed worker again within 30 seconds', async () => {
    await using house = await aHouse()
    const doomed = spawn(process.execPath, ['--input-type=module-typescript', '-e', DOOMED_WORKER], {
      env: { ...process.env, URL: house.url, FOLDER: import.meta.dirname },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await house.enqueue('test.long', {})
    await once(doomed.stdout, 'data')
    doomed.kill('SIGKILL')
    const killedAt = performance.now()
    await house.queue.work([job({ name: 'test.long', run: async () => {} })])
    await house.finished(40_000)
    const seconds = (performance.now() - killedAt) / 1000
    assert.ok(seconds < 30, `it took ${seconds} s`)
  })

  it('runs a chore once, however many nodes there are, and forgets a chore that is no longer one', async () => {
    await using house = await aHouse()
    let runs = 0
    const run = async () => void runs++
    const chore = job({ name: 'test.chore', cron: '* * * * *', run })
    const node = await house.anotherNode()
    await Promise.all([house.queue.work([chore]), node.work([chore])])
    await eventually(() => runs > 0, 20_000)
    assert.equal(await house.queue.unfinished(), 0)
    await delay(6_000)
    assert.equal(runs, 1)
    const nodeOfTomorrow = await house.anotherNode()
    await nodeOfTomorrow.work([job({ name: 'test.chore', run })])
    assert.deepEqual(await house.db.query('select name from pgboss.schedule'), [])
  })
})

type Run = (context: JobContext & { tx: Transaction }, payload: { round: number }) => Promise<void>

const NOW = new Date('2026-12-01T09:00:00Z')
const CONTEXT = { correlationId: 'a-correlation-id' }

const DOOMED_WORKER = `
  const { openDb } = await import(process.env.FOLDER + '/../database/db.ts')
  const { openQueue } = await import(process.env.FOLDER + '/queue.ts')
  const { realClock } = await import(process.env.FOLDER + '/clock.ts')
  const url = process.env.URL
  const log = { info() {}, warn() {}, error() {} }
  const queue = await openQueue({ db: openDb({ url }), url, clock: realClock, log })
  const run = () => new Promise(() => process.stdout.write('running'))
  await queue.work([{ name: 'test.long', run }])`

/** A database with a queue open on it, and the few things that these tests do with one. */
async function aHouse() {
  const { url, ownerUrl, drop } = await testDatabase()
  await installQueue(ownerUrl, ['test.note', 'test.long', 'test.chore'])
  const owner = new pg.Client(ownerUrl)
  await owner.connect()
  await owner.query('create table test_notes (note text); grant all on test_notes to public')
  await owner.end()
  const db = openDb({ url })
  const logged: object[] = []
  const note = (about: object) => void logged.push(about)
  const log = { info: note, warn: note, error: note } as unknown as QueueLog
  const clock = { now: () => NOW }
  const nodes: Queue[] = []
  const anotherNode = async () => {
    const node = await openQueue({ db, url, clock, log })
    nodes.push(node)
    return node
  }
  const queue = await anotherNode()
  return {
    db,
    url,
    queue,
    logged,
    anotherNode,
    work: (run: Run) => queue.work([job({ name: 'test.note', retries: 1, run })]),
    enqueue: (name: string, payload: object) => db.transaction((tx) => queue.enqueue(tx, name, payload, CONTEXT)),
    finished: (forMs = 10_000) => eventually(async () => (await queue.unfinished()) === 0, forMs),
    states: () => db.query('select name, state::text from pgboss.job order by name'),
    notes: async () => (await db.query<{ note: string }>('select note from test_notes')).map(({ note }) => note),
    async [Symbol.asyncDispose]() {
      for (const node of nodes) await node.stop(0)
      await db.close()
      await drop()
    },
  }
}
