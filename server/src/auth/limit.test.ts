import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { batchOf, createLimiter, shareOf, type TakeLease, type Verdict } from './limit.ts'

const WAY_MS_MAX = 20 // from a node to the database, and back again

describe('the rate limit of a client', () => {
  it('is kept over all nodes, by one batch for each, whatever the requests and however late the leases', () =>
    fc.assert(
      fc.asyncProperty(
        fc.constantFrom(1, 5, 60, 200),
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.record({ afterMs: fc.nat(700), node: fc.nat(3), count: fc.nat(40) }), { maxLength: 200 }),
        fc.array(fc.nat(WAY_MS_MAX), { minLength: 1, maxLength: 20 }),
        async (perMinute, count, requests, ways) => {
          const world = aWorld(perMinute, count, ways)
          for (const { afterMs, node, count: burst } of requests) await world.send(afterMs, node % count, burst)
          await world.end()
          const error = batchOf(perMinute)
          for (const { admitted, admittedAtRefusal = perMinute } of world.minutes) {
            assert.ok(admitted <= perMinute + count * error, `${admitted} admitted by ${count} nodes, of ${perMinute}`)
            const promised = perMinute - (count - 1) * error
            assert.ok(admittedAtRefusal >= promised, `refused after ${admittedAtRefusal}, promised were ${promised}`)
          }
        },
      ),
      { numRuns: 60 },
    ))

  it('is whole on one node, and costs one statement for half a batch and no wait', async () => {
    const world = aWorld(600, 1, [1])
    for (let sent = 0; sent < 700; sent++) await world.send(50, 0, 1)
    assert.deepEqual(
      world.minutes.map(({ admitted }) => admitted),
      [600],
    )
    assert.equal(world.waited(), 0)
    assert.ok(world.leases() <= 40, `${world.leases()} leases`)
  })

  it('is divided by the nodes while the database does not answer, and shared again in the next minute', async () => {
    let now = 0
    let isDown = false
    const errors: unknown[] = []
    const lease: TakeLease = async (_, wanted) => {
      if (isDown) throw new Error('down')
      return { granted: wanted, left: 600 - wanted, msLeft: 60_000, nodes: 3 }
    }
    const { take } = createLimiter({ perMinute: 600, lease, onError: (error) => errors.push(error), now: () => now })
    const admittedOf = async (count: number) => {
      const verdicts: Verdict[] = []
      for (let sent = 0; sent < count; sent++) verdicts.push(await take('one'))
      return verdicts.filter(({ isAdmitted }) => isAdmitted).length
    }
    assert.equal(await admittedOf(1), 1)
    ;[now, isDown] = [60_001, true]
    assert.equal(await admittedOf(500), 200)
    assert.equal(errors.length, 1)
    ;[now, isDown] = [120_002, false]
    assert.equal(await admittedOf(500), 500)
  })
})

describe('shareOf', () => {
  it('grants what is left', () => {
    assert.deepEqual(shareOf(30, 30, 600), { granted: 30, left: 570 })
    assert.deepEqual(shareOf(610, 30, 600), { granted: 20, left: 0 })
    assert.deepEqual(shareOf(640, 30, 600), { granted: 0, left: 0 })
  })
})

type Minute = { endsAt: number; taken: number; admitted: number; admittedAtRefusal?: number }

/** Nodes and one database with a clock of their own. A lease takes a while to the database, and a while back. */
function aWorld(perMinute: number, nodeCount: number, ways: readonly number[]) {
  let [now, leases, waited, early] = [0, 0, 0, 0]
  const minutes: Minute[] = []
  const underWay: { at: number; go(): void }[] = []
  const later = (ms: number, go: () => void) => void underWay.push({ at: now + ms, go })

  const inDatabase = (wanted: number) => {
    let minute = minutes.at(-1)
    if (!minute || minute.endsAt <= now) {
      minute = { endsAt: now + 60_000, taken: 0, admitted: early }
      minutes.push(minute)
      early = 0
    }
    minute.taken += wanted
    return { ...shareOf(minute.taken, wanted, perMinute), msLeft: minute.endsAt - now, nodes: nodeCount }
  }
  const lease: TakeLease = (_, wanted) =>
    new Promise((resolve) => {
      const [there = 0, back = 0] = [ways[leases % ways.length], ways[(leases + 7) % ways.length]]
      leases++
      later(there, () => {
        const answer = inDatabase(wanted)
        later(back, () => resolve(answer))
      })
    })
  const nodes = Array.from({ length: nodeCount }, () =>
    createLimiter({ perMinute, lease, onError: assert.fail, now: () => now }),
  )

  // What is admitted before the database has begun a minute belongs to that minute.
  const note = ({ isAdmitted, msLeft }: Verdict) => {
    const minute = minutes.at(-1)
    const isCurrent = minute && now < minute.endsAt
    if (isAdmitted && isCurrent) minute.admitted++
    if (isAdmitted && !isCurrent) early++
    // Just before the end a node may already wait for the next minute.
    if (isAdmitted || !isCurrent || msLeft <= 2 * WAY_MS_MAX) return
    // Those that waited longer are noted after it, though they were admitted before.
    setImmediate(() => {
      minute.admittedAtRefusal ??= minute.admitted
    })
  }
  const settle = () => new Promise((resolve) => setImmediate(resolve))

  async function passUntil(at: number): Promise<void> {
    for (;;) {
      underWay.sort((a, b) => a.at - b.at)
      const next = underWay[0]
      if (!next || next.at > at) break
      underWay.shift()
      now = next.at
      next.go()
      await settle()
    }
    now = at
  }

  return {
    async send(afterMs: number, node: number, count: number): Promise<void> {
      await passUntil(now + afterMs)
      for (let sent = 0; sent < count; sent++) {
        const verdict = nodes[node]?.take('one')
        if (verdict instanceof Promise) waited++
        if (verdict instanceof Promise) verdict.then(note)
        else if (verdict) note(verdict)
      }
    },
    end: () => passUntil(now + 1_000),
    leases: () => leases,
    waited: () => waited,
    minutes,
  }
}
