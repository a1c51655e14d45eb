import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createWindow, type Entry, PARALLEL_MAX, type Progress } from '../src/listen/window.ts'

type Event = { id: string; data: { workspaceId?: string } }

const page = (...ids: string[]) => ({
  records: ids.map((id) => ({ id, data: { workspaceId: id.slice(0, 1) } })),
  nextCursor: `after ${ids.at(-1)}`,
})

/** All that can be sent at once. */
function sendable(window: ReturnType<typeof createWindow<Event>>): Entry<Event>[] {
  const entry = window.next()
  return entry ? [entry, ...sendable(window)] : []
}
const idsOf = (entries: readonly Entry<Event>[]) => entries.map(({ event }) => event.id)

describe('the window of a listener', () => {
  it('sends one event of a matter at a time, and four matters at once', () => {
    const window = createWindow<Event>({ settled: [] })
    window.add(page('a1', 'a2', 'b1', 'c1', 'd1', 'e1'))
    const sent = sendable(window)
    assert.deepEqual(idsOf(sent), ['a1', 'b1', 'c1', 'd1'])
    for (const entry of sent.slice(0, 2)) window.settle(entry)
    assert.deepEqual(idsOf(sendable(window)), [], 'not before the progress is stored')
    for (const entry of sent.slice(0, 2)) window.release(entry)
    assert.deepEqual(idsOf(sendable(window)), ['a2', 'e1'])
  })

  it('moves its cursor only over what is settled', () => {
    const window = createWindow<Event>({ cursor: 'after 0', settled: [] })
    for (const id of ['a1', 'b1', 'c1']) window.add(page(id))
    const [a1, b1, c1] = sendable(window)
    assert.ok(a1 && b1 && c1)
    window.settle(b1)
    assert.deepEqual(window.progress(), { cursor: 'after 0', settled: ['b1'] })
    window.settle(a1)
    assert.deepEqual(window.progress(), { cursor: 'after b1', settled: [] })
    window.settle(c1)
    assert.deepEqual(window.progress(), { cursor: 'after c1', settled: [] })
  })

  it('knows the place in a polled page only at its end', () => {
    const window = createWindow<Event>({ cursor: 'after 0', settled: [] })
    window.add(page('a1', 'b1'))
    const [a1, b1] = sendable(window)
    assert.ok(a1 && b1)
    window.settle(a1)
    assert.deepEqual(window.progress(), { cursor: 'after 0', settled: ['a1'] })
    window.settle(b1)
    assert.deepEqual(window.progress(), { cursor: 'after b1', settled: [] })
  })

  it('keeps what is for later, and drops what is not wanted', () => {
    const window = createWindow<Event>({ cursor: 'after 0', settled: [] })
    window.add(page('a1'))
    window.setAside('kept')
    window.add(page('a2'))
    const [a2] = sendable(window)
    assert.ok(a2)
    window.settle(a2)
    assert.deepEqual(window.progress(), { cursor: 'after 0', settled: ['a2'] })

    const later = createWindow<Event>(window.progress())
    later.add(page('a1', 'a2'))
    assert.deepEqual(idsOf(sendable(later)), ['a1'])
    const dropped = createWindow<Event>(window.progress())
    dropped.add(page('a1', 'a2'))
    dropped.setAside('settled')
    assert.deepEqual(dropped.progress(), { cursor: 'after a2', settled: [] })
  })

  it('sends an event again that comes again, and one that a person asks for', () => {
    const window = createWindow<Event>({ cursor: 'after 0', settled: ['a1'] })
    window.add(page('b1'))
    window.add(page('a1'))
    window.add(page('a1'))
    const [b1, a1] = sendable(window)
    assert.ok(b1 && a1)
    assert.deepEqual(idsOf([b1, a1]), ['b1', 'a1'])
    window.settle(a1)
    assert.deepEqual(window.progress().settled, ['a1', 'a1'])
    window.settle(b1)
    for (const entry of [b1, a1]) window.release(entry)
    window.repeat(b1.event)
    const [again] = sendable(window)
    assert.ok(again)
    window.settle(again)
    assert.deepEqual(window.progress(), { cursor: 'after a1', settled: [] })
  })

  it('loses nothing and keeps the order in a matter, wherever it is stopped', () => {
    for (let seed = 1; seed <= 300; seed += 1) play(seed)
  })
})

/** A feed, a listener that is killed at random moments, and what its receiver saw. */
function play(seed: number): void {
  const random = randomOf(seed)
  const feed = Array.from({ length: 1 + random(40) }, (_, place) => `${'abcdefg'[random(7)]}${place}`)
  let stored: Progress = { cursor: '0', settled: [] }
  const seen: string[] = []
  let kills = 0
  for (let isDone = false; !isDone; kills += 1) {
    assert.ok(kills < 1_000, `seed ${seed} gets nowhere`)
    const window = createWindow<Event>(stored)
    let place = Number(stored.cursor)
    const sending: Entry<Event>[] = []
    // Killed after so many steps, at the latest when everything is settled.
    for (let steps = 5 + random(60); steps > 0; steps -= 1) {
      if (random(2) === 0 && place < feed.length) {
        const end = Math.min(feed.length, place + 1 + random(5))
        const hasMoved = window.add({ ...page(...feed.slice(place, end)), nextCursor: String(end) })
        if (hasMoved) stored = JSON.parse(JSON.stringify(window.progress()))
        place = end
      }
      const entry = window.next()
      if (entry) sending.push(entry)
      assert.ok(sending.length <= PARALLEL_MAX)
      assert.equal(new Set(sending.map(({ event }) => event.data.workspaceId)).size, sending.length)
      const [arrived] = random(3) > 0 ? sending.splice(random(sending.length), 1) : []
      if (!arrived) continue
      seen.push(arrived.event.id)
      if (random(8) === 0) break // killed between the delivery and the storing
      window.settle(arrived)
      stored = JSON.parse(JSON.stringify(window.progress()))
      window.release(arrived)
    }
    isDone = stored.cursor === String(feed.length)
  }
  const first = [...new Set(seen)]
  assert.deepEqual(first.toSorted(), feed.toSorted(), `seed ${seed}`)
  for (const matter of 'abcdefg') {
    const of = (ids: readonly string[]) => ids.filter((id) => id.startsWith(matter))
    assert.deepEqual(of(first), of(feed), `seed ${seed}, matter ${matter}`)
  }
  assert.ok(seen.length - first.length <= kills * PARALLEL_MAX, `seed ${seed}`)
}

/** Whole numbers below a limit, the same for the same seed (mulberry32). */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * below)
  }
}
