import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { ApiError, FollowOptions, Lodgeway } from '../src/index.ts'
import { aFault, DROPPED, type Reply, type Seen, startStub } from './support/stub.ts'

const afterOf = ({ url }: Seen) => new URL(url, 'http://x').searchParams.get('after')
const isForStream = ({ headers }: Seen) => headers['accept'] === 'text/event-stream'

/** Events with these numbers, each with the cursor after it, and then the connection breaks. */
function streamed(...numbers: number[]): Reply {
  const lines = numbers.map((number) => `id: c${number}\r\ndata: {"id":"E${number}",\r\ndata: "type":"TEST"}\r\n\r\n`)
  const bytes = Buffer.from(`retry: 2000\n\n:\n\n${lines.join('')}id: c9\ndata: {"id":"cut`)
  return { bytes, headers: { 'content-type': 'text/event-stream' }, dropAfterBytes: bytes.length }
}

/** Follows until so many events have come. */
async function take(lodgeway: Lodgeway, count: number, options: FollowOptions = {}) {
  const [ids, states]: [string[], string[]] = [[], []]
  const onConnection: FollowOptions['onConnection'] = ({ state }) => void states.push(state)
  let cursor = ''
  for await (const { records, nextCursor } of lodgeway.follow({ everyMs: 1, onConnection, ...options })) {
    ids.push(...records.map(({ id }) => id))
    cursor = nextCursor
    if (ids.length >= count) break
  }
  return { ids, cursor, states }
}

describe('follow', () => {
  it('goes on where a stream broke off, and says so', async () => {
    const { lodgeway, seen } = await startStub([streamed(1, 2), streamed(3), streamed(4)])
    const { ids, cursor, states } = await take(lodgeway, 4, { after: 'c0', listener: 'me' })
    assert.deepEqual(ids, ['E1', 'E2', 'E3', 'E4'])
    assert.equal(cursor, 'c4')
    assert.deepEqual(states, ['streaming', 'lost', 'streaming', 'lost', 'streaming'])
    assert.deepEqual(seen.map(afterOf), ['c0', 'c2', 'c3'])
    assert.ok(seen.every(({ url }) => url.includes('listener=me')))
  })

  it('goes on where a stream fell silent, as after the sleep of a machine', async () => {
    const { dropAfterBytes: stallAfterBytes = 0, ...reply } = streamed(1)
    const silent = { ...reply, bytes: Buffer.concat([reply.bytes ?? Buffer.of(), Buffer.alloc(1)]), stallAfterBytes }
    const { lodgeway, seen } = await startStub([silent, streamed(2)])
    const { ids, states } = await take(lodgeway, 2, { after: 'c0', silenceMs: 300 })
    assert.deepEqual(ids, ['E1', 'E2'])
    assert.deepEqual(states, ['streaming', 'lost', 'streaming'])
    assert.deepEqual(seen.map(afterOf), ['c0', 'c1'])
  })

  it('polls where no stream gets through', async () => {
    const pages = [[1, 2], [], [3]]
    const { lodgeway } = await startStub((one, index) => {
      if (isForStream(one)) return index === 0 ? { json: { records: [], nextCursor: 'c0' } } : DROPPED
      const records = (pages.shift() ?? []).map((number) => ({ id: `E${number}` }))
      return { json: { records, nextCursor: `c${records.at(-1)?.id.slice(1) ?? afterOf(one)?.slice(1)}` } }
    })
    const { ids, cursor, states } = await take(lodgeway, 3)
    assert.deepEqual({ ids, cursor, states }, { ids: ['E1', 'E2', 'E3'], cursor: 'c3', states: ['lost', 'polling'] })
  })

  it('knows where now is before the first event', async () => {
    const { lodgeway, seen } = await startStub([{ json: { records: [], nextCursor: 'c7' } }, streamed(8)])
    const { ids } = await take(lodgeway, 1, { after: 'now' })
    assert.deepEqual(ids, ['E8'])
    assert.deepEqual(seen.map(afterOf), ['now', 'c7'])
  })

  it('ends with what waiting does not change, and with its signal', async () => {
    const { lodgeway } = await startStub([aFault(400, 'after must be a cursor.', 'after')])
    await assert.rejects(take(lodgeway, 1), (error: ApiError) => error.messageAt('after') !== undefined)
    const down = await startStub([aFault(503, 'Please try again.')])
    const lost = new AbortController()
    const reason = new Error('enough')
    const onConnection = () => lost.abort(reason)
    await assert.rejects(take(down.lodgeway, 1, { signal: lost.signal, onConnection }), reason)
  })
})
