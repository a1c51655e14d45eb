// Long because each promise of the queue is tried.
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
    await using env = await testQueue()
    const started = new Map<number, number>()
    await env.work(async (_, { round }) => void started.set(round, performance.now()))
    const waits: number[] = []
    for (let round = 0; round < 20; round++) {
      await env.enqueue('test.note', { round })
      const committed = performance.now()
      await eventually(() => started.has(round))
      waits.push((started.get(round) ?? Number.POSITIVE_INFINITY) - committed)
    }
    const median = waits.sort((a, b) => a - b)[10] ?? Number.POSITIVE_INFINITY
    assert.ok(median < 100, `the median was ${median} ms`)
  })

  it('sends no NOTIFY in the transaction that enqueues a job, where it would make commits wait for each other', async () => {
    await using env = await testQueue()
    const sent: string[] = []
    const channels: string[] = []
    const tx: Transaction = {
      query: async () => [],
      send: (text) => void sent.push(text),
      notify: (channel) => void channels.push(channel),
    }
    await env.queue.enqueue(tx, 'test.note', {}, CONTEXT)
    assert.equal(sent.length, 1)
    assert.doesNotMatch(sent.join(), /notify/i)
    assert.deepEqual(channels, ['lodgeway_jobs'])
  })

  it('runs no job of a transaction that was rolled back', async () => {
    await using env = await testQueue()
    const refused = env.db.transaction(async (tx) => {
      await env.queue.enqueue(tx, 'test.note', {}, CONTEXT)
      throw new Error('changed my mind')
    })
    await assert.rejects(refused, /changed my mind/)
    assert.equal(await env.queue.unfinished(), 0)
  })

  it('refuses to enqueue or run a job that has no queue', async () => {
    await using env = await testQueue()
    await assert.rejects(env.enqueue('test.unheard-of', {}), /does not exist/)
    await assert.rejects(env.queue.work([job({ name: 'test.unheard-of', run: async () => {} })]), /Run migrate/)
  })

  it('gives the job its payload, the time, and the correlation id of the request that caused it', async () => {
    await using env = await testQueue()
    const seen: unknown[] = []
    await env.work(async ({ correlationId, now }, payload) => void seen.push(correlationId, now, payload))
    await env.enqueue('test.note', { round: 7 })
    await env.finished()
    assert.deepEqual(seen, ['a-correlation-id', NOW, { round: 7 }])
  })

  it('runs every one of a hundred jobs that one transaction enqueued', async () => {
    await using env = await testQueue()
    let runs = 0
    await env.work(async () => void runs++)
    await env.db.transaction(async (tx) => {
      for (let round = 0; round < 100; round++) await env.queue.enqueue(tx, 'test.note', { round }, CONTEXT)
    })
    await env.finished()
    assert.equal(runs, 100)
  })

  it('undoes both the effect and the completion of a failed attempt, and tries again', async () => {
    await using env = await testQueue()
    let attempts = 0
    await env.work(async ({ tx }) => {
      attempts++
      tx.send('insert into test_notes (note) values ($1)', [`attempt ${attempts}`])
      if (attempts === 1) tx.send('select 1 / 0')
    })
    await env.enqueue('test.note', {})
    await env.finished()
    assert.deepEqual(await env.notes(), ['attempt 2'])
    assert.match(JSON.stringify(env.logged), /division by zero/)
  })

  it('undoes the effect of a job that was handed to another worker meanwhile', async () => {
    await using env = await testQueue()
    let attempts = 0
    await env.work(async ({ tx }) => {
      attempts++
      await tx.query('insert into test_notes (note) values ($1)', [`attempt ${attempts}`])
      if (attempts === 1) await env.db.query(`update pgboss.job set state = 'retry' where name = 'test.note'`)
    })
    await env.enqueue('test.note', {})
    await env.finished()
    assert.deepEqual(await env.notes(), ['attempt 2'])
  })

  it('lists a job that failed for the last time without its payload, and runs it again on request', async () => {
    await using env = await testQueue()
    let broken = true
    let runs = 0
    await env.work(async () => {
      runs++
      if (broken) throw new Error('the registry is closed')
    })
    await env.enqueue('test.note', { surname: 'Prynne' })
    await env.finished()
    assert.equal(runs, 2)
    const [dead, ...others] = await env.queue.listDead()
    assert.ok(dead && others.length === 0)
    assert.equal(await env.queue.dead(), 1)
    const { id, diedAt, ...facts } = dead
    const expected = { job: 'test.note', attempts: 2, error: 'the registry is closed', ...CONTEXT }
    assert.deepEqual(facts, expected)
    assert.doesNotMatch(JSON.stringify([env.logged, dead]), /Prynne/)
    assert.equal(env.logged.length, 2)

    broken = false
    assert.equal(await env.queue.retryDead([id]), 1)
    await env.finished()
    assert.equal(runs, 3)
    assert.deepEqual(await env.queue.listDead(), [])
    assert.equal(await env.queue.retryDead('all'), 0)
  })

  it('lets slow work run outside a transaction', async () => {
    await using env = await testQueue()
    const received: string[] = []
    const run = async (context: object) => void received.push(...Object.keys(context))
    await env.queue.work([job({ name: 'test.note', transactional: false, run })])
    await env.enqueue('test.note', {})
    await env.finished()
    assert.deepEqual(received, ['correlationId', 'now', 'signal'])
  })

  it('lets running jobs finish when it stops, and hands back one that takes too long', async () => {
    await using env = await testQueue()
    const node = await env.anotherNode()
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
    await env.enqueue('test.note', {})
    await env.enqueue('test.long', {})
    await eventually(() => started.length === 2)
    await node.stop(2000)
    assert.deepEqual(await env.notes(), ['test.note'])
    assert.deepEqual(await env.states(), [
      { name: 'test.long', state: 'retry' },
      { name: 'test.note', state: 'completed' },
    ])
  })

  it('runs the job of a killed worker again within 30 seconds', async () => {
    await using env = await testQueue()
    const doomed = spawn(process.execPath, ['--input-type=module', '-e', DOOMED_WORKER], {
      env: { ...process.env, URL: env.url, FOLDER: import.meta.dirname },
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    await env.enqueue('test.long', {})
    await once(doomed.stdout, 'data')
    doomed.kill('SIGKILL')
    const killedAt = performance.now()
    await env.queue.work([job({ name: 'test.long', run: async () => {} })])
    await env.finished(40_000)
    const seconds = (performance.now() - killedAt) / 1000
    assert.ok(seconds < 30, `it took ${seconds} s`)
  })

  it('runs a chore once, even with several nodes, and forgets a job that is no longer a chore', async () => {
    await using env = await testQueue()
    let runs = 0
    const run = async () => void runs++
    const chore = job({ name: 'test.chore', cron: '* * * * *', run })
    const node = await env.anotherNode()
    await Promise.all([env.queue.work([chore]), node.work([chore])])
    await eventually(() => runs > 0, 20_000)
    assert.equal(await env.queue.unfinished(), 0)
    await delay(6_000)
    assert.equal(runs, 1)
    const scheduled = async () =>
      (await env.db.query<{ name: string }>('select name from pgboss.schedule')).map(({ name }) => name)
    const nodeOfYesterday = await env.anotherNode()
    await env.enqueue('test.long', {})
    await nodeOfYesterday.work([job({ name: 'test.note', run })])
    assert.deepEqual(await scheduled(), ['test.chore'], 'a node that does not know a chore leaves it to others')
    assert.equal(await env.queue.unfinished(), 1, 'and a job of a queue that it does not know')
    const nodeOfTomorrow = await env.anotherNode()
    await nodeOfTomorrow.work([job({ name: 'test.chore', run })])
    assert.deepEqual(await scheduled(), [])
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

/** A database with an open queue. */
async function testQueue() {
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
