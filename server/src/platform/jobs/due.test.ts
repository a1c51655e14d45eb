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
    await using house = await aHouse()
    await house.schedule(in_(-1), 'second')
    await house.schedule(in_(-2), 'first')
    await house.schedule(in_(60_000), 'too early')
    await house.tickUntil(2)
    assert.deepEqual(house.ran(), ['first', 'second'])
    assert.equal(await house.waiting(), 1)
  })

  it('enqueues each row once, however many do it at a time', async () => {
    await using house = await aHouse()
    const labels = Array.from({ length: 300 }, (_, n) => `row ${n}`)
    await house.db.transaction(async (tx) => {
      for (const label of labels) schedule(tx, in_(-1), 'test.note', { label }, CONTEXT)
    })
    await house.tickUntil(300, 3)
    assert.deepEqual(house.ran().sort(), labels.sort())
  })

  it('passes over a row whose job has no queue', async () => {
    await using house = await aHouse()
    await house.db.transaction(async (tx) => schedule(tx, in_(-5), 'test.unheard-of', {}, CONTEXT))
    await house.schedule(in_(-1), 'the next')
    await house.tickUntil(1)
    assert.deepEqual(house.ran(), ['the next'])
  })

  it('waits while the clock is being moved', async () => {
    await using house = await aHouse()
    await house.schedule(in_(-1), 'later')
    const ticker = await holdClock(house.db, async () => {
      const ticker = startTicker({ ...house, everyMs: 10 })
      await delay(100)
      assert.deepEqual([house.ran(), await house.waiting()], [[], 1])
      return ticker
    })
    await eventually(() => house.ran().length === 1)
    await ticker.stop()
  })
})

describe('schedule', () => {
  it('moves what was scheduled under the same key, unschedule removes it, and both go with their transaction', async () => {
    await using house = await aHouse()
    await house.schedule(in_(-1), 'at first', 'a key')
    await house.schedule(in_(-1), 'moved', 'a key')
    await house.schedule(in_(-1), 'removed', 'another key')
    await house.db.transaction(async (tx) => unschedule(tx, 'another key'))
    const refused = house.db.transaction(async (tx) => {
      unschedule(tx, 'a key')
      throw new Error('changed my mind')
    })
    await assert.rejects(refused)
    await house.tickUntil(1)
    assert.deepEqual(house.ran(), ['moved'])
  })
})

describe('moveClock', { concurrency: true }, () => {
  it('runs all that falls due on the way in order, each at its time, with the jobs that these cause', async () => {
    await using house = await aHouse()
    await house.schedule(in_(3 * DAY_MS), 'third day')
    await house.schedule(in_(1 * DAY_MS), 'first day, which causes more')
    await house.schedule(in_(10 * DAY_MS), 'beyond')
    await house.db.query(`update due set due_at = due_at + interval '1 microsecond'`) // which no Date can hold
    const target = in_(5 * DAY_MS)
    const { now, ran } = await moveClock(house, () => target)

    assert.deepEqual(
      house.runs.map(({ label, now }) => [label, Math.floor((now.getTime() - START.getTime()) / DAY_MS)]),
      [
        ['first day, which causes more', 1],
        ['caused at once', 1],
        ['caused for the day after', 2],
        ['third day', 3],
      ],
    )
    assert.equal(ran, 4)
    assert.ok(now >= target && now.getTime() - target.getTime() < 1000)
    assert.equal(await house.waiting(), 1)
    const [state] = await house.db.query<{ clock_offset_ms: number }>('select clock_offset_ms from service_state')
    assert.equal(state?.clock_offset_ms, house.clock.offsetMs())
  })

  it('drains what is due when it is moved by nothing', async () => {
    await using house = await aHouse()
    await house.schedule(in_(-1), 'due')
    assert.equal((await moveClock(house, (now) => now)).ran, 1)
    assert.deepEqual(house.ran(), ['due'])
  })

  it('lets two moves follow each other', async () => {
    await using house = await aHouse()
    await house.schedule(in_(DAY_MS / 2), 'first half')
    await house.schedule(in_(DAY_MS + DAY_MS / 2), 'second half')
    const aDayOn = (now: Date) => new Date(now.getTime() + DAY_MS)
    const moves = await Promise.all([moveClock(house, aDayOn), moveClock(house, aDayOn)])
    assert.deepEqual(house.ran(), ['first half', 'second half'])
    assert.deepEqual(
      moves.map(({ ran }) => ran),
      [1, 1],
    )
    assert.ok(house.clock.now() >= in_(2 * DAY_MS))
  })

  it('goes on past a job that keeps failing, which ends as a dead letter', async () => {
    await using house = await aHouse()
    await house.schedule(in_(DAY_MS), 'fails')
    await house.schedule(in_(2 * DAY_MS), 'after it')
    const { ran } = await moveClock(house, () => in_(3 * DAY_MS))
    assert.equal(ran, 2)
    assert.deepEqual(house.ran(), ['after it'])
    assert.equal((await house.queue.listDead()).length, 1)
  })

  it('never goes back', async () => {
    await using house = await aHouse()
    await moveClock(house, (now) => new Date(now.getTime() - DAY_MS))
    assert.equal(house.clock.offsetMs(), 0)
  })
})

const DAY_MS = 86_400_000
const CONTEXT = { correlationId: 'a-correlation-id' }
const START = new Date()
const in_ = (ms: number) => new Date(START.getTime() + ms)

/** A database whose jobs note their label and the time, and the few things that these tests do with it. */
async function aHouse() {
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
      await eventually(() => runs.length >= count)
      await Promise.all(all.map((ticker) => ticker.stop()))
    },
    async [Symbol.asyncDispose]() {
      await queue.stop()
      await db.close()
      await drop()
    },
  }
}
