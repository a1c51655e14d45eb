import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { testDatabase } from '../../../test/fixtures/database.ts'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { openDb } from '../database/db.ts'
import { movableClock } from './clock.ts'
import { holdClock, moveClock, schedule, startTicker, unschedule } from './due.ts'
import { installQueue, job, openQueue, type QueueLog } from './queue.ts'

describe('startTicker', { concurrency: true }, () => {
  it('enqueues what is due, in order, and nothing before its time', async () => {
    await using env = await testQueue()
    await env.schedule(in_(-1), 'second')
    await env.schedule(in_(-2), 'first')
    await env.schedule(in_(60_000), 'too early')
    await env.tickUntil(2)
    assert.deepEqual(env.ran(), ['first', 'second'])
    assert.equal(await env.waiting(), 1)
  })

  it('enqueues each row once, even with several tickers', async () => {
    await using env = await testQueue()
    const labels = Array.from({ length: 120 }, (_, n) => `row ${n}`)
    await env.db.transaction(async (tx) => {
      for (const label of labels) schedule(tx, in_(-1), 'test.note', { label }, CONTEXT)
    })
    await env.tickUntil(120, 3)
    assert.deepEqual(env.ran().sort(), labels.sort())
  })

  it('skips a row whose job has no queue', async () => {
    await using env = await testQueue()
    await env.db.transaction(async (tx) => schedule(tx, in_(-5), 'test.unheard-of', {}, CONTEXT))
    await env.schedule(in_(-1), 'the next')
    await env.tickUntil(1)
    assert.deepEqual(env.ran(), ['the next'])
  })

  it('waits while the clock is being moved', async () => {
    await using env = await testQueue()
    await env.schedule(in_(-1), 'later')
    const ticker = await holdClock(env.db, async () => {
      const ticker = startTicker({ ...env, everyMs: 10 })
      await delay(100)
      assert.deepEqual([env.ran(), await env.waiting()], [[], 1])
      return ticker
    })
    await eventually(() => env.ran().length === 1)
    await ticker.stop()
  })
})

describe('schedule', () => {
  it('moves a job with the same key, unschedule removes it, and both are part of their transaction', async () => {
    await using env = await testQueue()
    await env.schedule(in_(-1), 'at first', 'a key')
    await env.schedule(in_(-1), 'moved', 'a key')
    await env.schedule(in_(-1), 'removed', 'another key')
    await env.db.transaction(async (tx) => unschedule(tx, 'another key'))
    const refused = env.db.transaction(async (tx) => {
      unschedule(tx, 'a key')
      throw new Error('changed my mind')
    })
    await assert.rejects(refused)
    await env.tickUntil(1)
    assert.deepEqual(env.ran(), ['moved'])
  })
})

describe('moveClock', { concurrency: true }, () => {
  it('runs all jobs that become due on the way in order, each at its time, with the jobs that they cause', async () => {
    await using env = await testQueue()
    await env.schedule(in_(3 * DAY_MS), 'third day')
    await env.schedule(in_(1 * DAY_MS), 'first day, which causes more')
    await env.schedule(in_(10 * DAY_MS), 'beyond')
    await env.db.query(`update due set due_at = due_at + interval '1 microsecond'`) // which no Date can hold
    const target = in_(5 * DAY_MS)
    const { now, ran } = await moveClock(env, () => target)

    assert.deepEqual(
      env.runs.map(({ label, now }) => [label, Math.floor((now.getTime() - START.getTime()) / DAY_MS)]),
      [
        ['first day, which causes more', 1],
        ['caused at once', 1],
        ['caused for the day after', 2],
        ['third day', 3],
      ],
    )
    assert.equal(ran, 4)
    assert.ok(now >= target && now.getTime() - target.getTime() < 1000)
    assert.equal(await env.waiting(), 1)
    const [state] = await env.db.query<{ clock_offset_ms: number }>('select clock_offset_ms from service_state')
    assert.equal(state?.clock_offset_ms, env.clock.offsetMs())
  })

  it('runs due jobs when it is moved by zero', async () => {
    await using env = await testQueue()
    await env.schedule(in_(-1), 'due')
    assert.equal((await moveClock(env, (now) => now)).ran, 1)
    assert.deepEqual(env.ran(), ['due'])
  })

  it('runs two moves one after the other', async () => {
    await using env = await testQueue()
    await env.schedule(in_(DAY_MS / 2), 'first half')
    await env.schedule(in_(DAY_MS + DAY_MS / 2), 'second half')
    const aDayOn = (now: Date) => new Date(now.getTime() + DAY_MS)
    const moves = await Promise.all([moveClock(env, aDayOn), moveClock(env, aDayOn)])
    assert.deepEqual(env.ran(), ['first half', 'second half'])
    assert.deepEqual(
      moves.map(({ ran }) => ran),
      [1, 1],
    )
    assert.ok(env.clock.now() >= in_(2 * DAY_MS))
  })

  it('continues after a job that keeps failing, which becomes a dead letter', async () => {
    await using env = await testQueue()
    await env.schedule(in_(DAY_MS), 'fails')
    await env.schedule(in_(2 * DAY_MS), 'after it')
    const { ran } = await moveClock(env, () => in_(3 * DAY_MS))
    assert.equal(ran, 2)
    assert.deepEqual(env.ran(), ['after it'])
    assert.equal((await env.queue.listDead()).length, 1)
  })

  it('never goes back', async () => {
    await using env = await testQueue()
    await moveClock(env, (now) => new Date(now.getTime() - DAY_MS))
    assert.equal(env.clock.offsetMs(), 0)
  })
})

const DAY_MS = 86_400_000
const CONTEXT = { correlationId: 'a-correlation-id' }
const START = new Date()
const in_ = (ms: number) => new Date(START.getTime() + ms)

/** A database whose jobs record their label and the time. */
async function testQueue() {
  const { url, ownerUrl, drop } = await testDatabase()
  await installQueue(ownerUrl, ['test.note'])
  const db = openDb({ url })
  const clock = movableClock()
  const log = { info() {}, warn() {}, error() {} } as unknown as QueueLog
  const queue = await openQueue({ db, url, clock, log })
  const runs: { label: string; now: Date }[] = []
  await queue.work([
    job<{ label: string }>({
      name: 'test.note',
      retries: 1,
      async run({ tx, now }, { label }) {
        if (label === 'fails') throw new Error('as it always does')
        runs.push({ label, now })
        if (!label.includes('causes more')) return
        await queue.enqueue(tx, 'test.note', { label: 'caused at once' }, CONTEXT)
        schedule(tx, new Date(now.getTime() + DAY_MS), 'test.note', { label: 'caused for the day after' }, CONTEXT)
      },
    }),
  ])
  return {
    db,
    queue,
    clock,
    log,
    runs,
    ran: () => runs.map(({ label }) => label),
    schedule: (dueAt: Date, label: string, key?: string) =>
      db.transaction(async (tx) => schedule(tx, dueAt, 'test.note', { label }, CONTEXT, key)),
    waiting: async () => (await db.query('select from due')).length,
    async tickUntil(count: number, tickers = 1) {
      const all = Array.from({ length: tickers }, () => startTicker({ db, queue, clock, log, everyMs: 5 }))
      try {
        await eventually(() => runs.length >= count, 120_000)
      } finally {
        await Promise.all(all.map((ticker) => ticker.stop()))
      }
    },
    async [Symbol.asyncDispose]() {
      await queue.stop()
      await db.close()
      await drop()
    },
  }
}
