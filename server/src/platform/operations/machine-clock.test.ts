import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventually } from '../../../test/fixtures/eventually.ts'
import type { Connection } from '../database/db.ts'
import { CLOCK_DIFFERENCE_MS_MAX, type MachineClock, watchMachineClock } from './machine-clock.ts'

const HOUR_MS = 3_600_000

describe('watchMachineClock', () => {
  it('gives the time while machine and database agree, even if they differ a little', async () => {
    await using world = await aWorld({ aheadMs: CLOCK_DIFFERENCE_MS_MAX - 100 })
    assert.equal(world.clock.isRight(), true)
    assert.ok(Math.abs(world.clock.now() - world.read()) < 100)
    assert.ok(Math.abs(world.clock.aheadMs() - world.aheadMs) < 100)
    assert.deepEqual(world.logged, [])
  })

  for (const aheadMs of [HOUR_MS, -HOUR_MS, CLOCK_DIFFERENCE_MS_MAX + 100]) {
    it(`gives no time when the machine is ${aheadMs} ms ahead at the start`, async () => {
      await using world = await aWorld({ aheadMs })
      assert.equal(world.clock.isRight(), false)
      assert.throws(() => world.clock.now(), { name: 'Refusal', reason: 'unavailable' })
      assert.deepEqual(world.logged, ['The clock of this machine is wrong: this node is not ready and runs no jobs.'])
    })
  }

  it('notices at once that the clock was changed, without asking the database', async () => {
    await using world = await aWorld({ aheadMs: 0 })
    world.aheadMs = HOUR_MS
    assert.throws(() => world.clock.now(), /clock of this node is wrong/)
    assert.equal(world.asked, 1)
  })

  it('gives the time again when the clock is right, and logs it', async () => {
    await using world = await aWorld({ aheadMs: HOUR_MS, tickMs: 1 })
    world.aheadMs = 0
    await eventually(() => world.logged.at(-1) === 'The clock of this machine is right again.')
    assert.equal(world.clock.isRight(), true)
  })

  it('asks the database every minute, as its clock may have been changed, too', async () => {
    await using world = await aWorld({ aheadMs: 0, tickMs: 1 })
    world.databaseAheadMs = HOUR_MS
    world.pass(59_000)
    await world.ticks(3)
    assert.deepEqual([world.asked, world.clock.isRight()], [1, true])
    world.pass(1_000)
    await eventually(() => !world.clock.isRight())
  })

  it('uses the last comparison while the database is down', async () => {
    await using world = await aWorld({ aheadMs: 0, tickMs: 1 })
    world.isAway = true
    world.pass(120_000)
    await world.ticks(3)
    assert.equal(world.clock.isRight(), true)
    world.aheadMs = HOUR_MS
    assert.equal(world.clock.isRight(), false)
  })
})

/** A database, a machine whose clock is ahead of it, and a steady clock. None of them moves by itself. */
async function aWorld({ aheadMs, tickMs = 1_000 }: { aheadMs: number; tickMs?: number }) {
  let steadyMs = 1_000_000
  const logged: string[] = []
  const note = (_: object, message: string) => void logged.push(message)
  const world = {
    aheadMs,
    databaseAheadMs: 0,
    isAway: false,
    asked: 0,
    logged,
    clock: {} as MachineClock,
    read: () => START + steadyMs + world.aheadMs,
    pass(ms: number) {
      steadyMs += ms
    },
    async ticks(count: number) {
      let seen = 0
      world.clock.onTick(() => seen++)
      await eventually(() => seen >= count)
    },
    async [Symbol.asyncDispose]() {
      world.clock.stop()
    },
  }
  const query = async () => {
    world.asked += 1
    if (world.isAway) throw new Error('The database is down.')
    return [{ at: new Date(START + steadyMs + world.databaseAheadMs) }]
  }
  world.clock = await watchMachineClock({
    connection: { query } as unknown as Connection,
    log: { error: note, info: note } as never,
    read: world.read,
    steady: () => steadyMs,
    tickMs,
  })
  return world
}

const START = Date.UTC(2026, 2, 14)
