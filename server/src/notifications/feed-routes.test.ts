import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import { eventually } from '../../test/fixtures/eventually.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { aWorkspace, fieldsOf, LENDER, LENDER_ID, OTHER_LENDER, UNKNOWN_ID } from '../../test/fixtures/workspaces.ts'
import { createStreams } from './feed-routes.ts'

const PATH = '/partner/api/notification/v1/events'
const BEATS = '/beats'

let service: TestService
before(async () => {
  service = await testService({
    extra: (app, deps) => {
      const open = createStreams(app, deps, () => () => {}, { heartbeatMs: 10 })
      const config = { scope: 'view:notifications', undocumented: true, streams: 'text/event-stream' }
      app.route({ method: 'GET', url: BEATS, config, handler: (request, reply) => open(request, reply, 0) })
    },
  })
  await aWorkspace(service, { reference: 'FIRST' })
})

type Message = { id?: string; reference?: string; text: string }

/** Opens a stream; `next` gives one message after the other, and undefined at the end. */
async function listen(query = '', { as = LENDER.as, path = PATH, ...headers }: Record<string, string> = {}) {
  const authorization = `Bearer ${await service.tokenOf(as)}`
  const leaving = new AbortController()
  const answer = await fetch(`${service.url}${path}?${query}`, {
    headers: { authorization, accept: 'text/event-stream', ...headers },
    signal: leaving.signal,
  })
  assert.equal(answer.status, 200, answer.status === 200 ? '' : await answer.text())
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader() ?? assert.fail()
  let received = ''
  const next = async (): Promise<Message | undefined> => {
    while (!received.includes('\n\n')) {
      const { value, done } = await reader.read()
      if (done) return undefined
      received += value
    }
    const [text = '', ...rest] = received.split('\n\n')
    received = rest.join('\n\n')
    const { id, data } = Object.fromEntries(text.split('\n').map((line) => line.split(/: (.*)/s)))
    return { text, id, ...(data && { reference: JSON.parse(data).data.reference }) }
  }
  return { answer, next, leave: () => leaving.abort() }
}

/** The next message about this workspace: the sandbox also makes reports. */
async function nextOf(reference: string, next: () => Promise<Message | undefined>): Promise<Message> {
  for (;;) {
    const message = (await next()) ?? assert.fail('the stream has ended')
    if (message.reference === reference) return message
    assert.notEqual(message.reference, 'THEIRS')
  }
}

describe('a listener', () => {
  const REPEAT = (id: string) => `${PATH}/${id}/repeat`
  const idsIn = async (query: string) => {
    const { body } = await service.call<{ records: { id: string }[] }>('GET', `${PATH}?${query}`, LENDER)
    return body.records.map(({ id }) => id)
  }

  it('is listed, and gets an event again that nobody else sees again', async () => {
    const { body: start } = await service.call<{ nextCursor: string }>('GET', `${PATH}?after=now&listener=desk`, LENDER)
    const { next, leave } = await listen('after=now&listener=laptop')
    await next()
    await aWorkspace(service, { reference: 'AGAIN' })
    const { text } = await nextOf('AGAIN', next)
    await nextOf('AGAIN', next)
    const { id } = JSON.parse(text.split('data: ')[1] ?? '')
    assert.deepEqual((await service.call('GET', `${PATH}/${id}`, LENDER)).body['id'], id)

    const { body } = await service.call<{ records: { name: string; isConnected: boolean }[] }>(
      'GET',
      '/partner/api/notification/v1/listeners',
      LENDER,
    )
    const names = body.records.map(({ name, isConnected }) => `${name} ${isConnected}`)
    assert.deepEqual(names.sort(), ['desk true', 'laptop true'])

    const repeated = await service.call('POST', REPEAT(id), { ...LENDER, json: { listener: 'laptop' } })
    assert.equal(repeated.status, 202)
    const again = await nextOf('AGAIN', next)
    assert.equal(JSON.parse(again.text.split('data: ')[1] ?? '').id, id)
    leave()
    const after = `after=${start.nextCursor}`
    const timesIn = async (query: string) => (await idsIn(query)).filter((one) => one === id).length
    assert.deepEqual(
      await Promise.all([after, `${after}&listener=desk`, `${after}&listener=laptop`].map(timesIn)),
      [1, 1, 2],
    )
    assert.deepEqual(await idsIn(`after=${again.id}`), [], 'its cursor is a place in the feed of all')
  })

  it('gets only events of its subscriber, and only if it is known', async () => {
    const [id = ''] = await idsIn('limit=1')
    for (const [as, event, listener, status, field] of [
      [LENDER, UNKNOWN_ID, 'laptop', 404, 'event_id'],
      [LENDER, id, 'nobody', 400, 'listener'],
      [OTHER_LENDER, id, 'laptop', 400, 'listener'],
    ] as const) {
      const answer = await service.call('POST', REPEAT(event), { ...as, json: { listener } })
      assert.equal(answer.status, status)
      assert.deepEqual(fieldsOf(answer), [field])
    }
    await service.call('GET', `${PATH}?after=now&listener=theirs`, OTHER_LENDER)
    const theirs = await service.call('POST', REPEAT(id), { ...OTHER_LENDER, json: { listener: 'theirs' } })
    const read = await service.call('GET', `${PATH}/${id}`, OTHER_LENDER)
    assert.deepEqual([theirs.status, read.status], [404, 404])
  })
})

describe('the feed as a stream', () => {
  it('has every event from the oldest on, and each new one as it is published', async () => {
    const { answer, next, leave } = await listen('listener=test')
    const { headers } = answer
    assert.match(headers.get('content-type') ?? '', /^text\/event-stream/)
    assert.deepEqual([headers.get('x-accel-buffering'), headers.get('cache-control')], ['no', 'no-store'])
    assert.equal((await next())?.text, 'retry: 2000')
    await nextOf('FIRST', next)
    await aWorkspace(service, { reference: 'THEIRS' }, OTHER_LENDER)
    await aWorkspace(service, { reference: 'SECOND' })
    const { id: second = '' } = await nextOf('SECOND', next)
    leave()

    for (const [query, headers] of [
      ['', { 'last-event-id': second }],
      [`after=${second}`, {}],
    ] as const) {
      const again = await listen(query, headers)
      const { text } = await nextOf('SECOND', again.next)
      assert.match(text, /WORKSPACE_PARTICIPANT_ADDED/) // the other one of the two
      again.leave()
    }
  })

  it('can begin now, and so can the feed that is polled', async () => {
    const { next, leave } = await listen('after=now')
    await next()
    const polled = await service.call<{ records: []; nextCursor: string }>('GET', `${PATH}?after=now`, LENDER)
    assert.deepEqual(polled.body.records, [])
    await aWorkspace(service, { reference: 'THIRD' })
    await nextOf('THIRD', next)
    leave()
    const { body } = await service.call<{ records: { data: { reference?: string } }[] }>(
      'GET',
      `${PATH}?after=${polled.body.nextCursor}`,
      LENDER,
    )
    assert.equal(body.records.filter(({ data }) => data.reference === 'THIRD').length, 2)
  })

  it('is refused with a cursor of nobody or of others, and only for those who ask for it', async () => {
    const stream = await listen()
    await stream.next()
    const { id = '' } = (await stream.next()) ?? assert.fail()
    stream.leave()
    const accept = { accept: 'text/event-stream' }
    for (const [as, cursor] of [
      [OTHER_LENDER, id],
      [LENDER, UNKNOWN_ID],
    ] as const) {
      const answer = await service.call('GET', PATH, { ...as, headers: { ...accept, 'last-event-id': cursor } })
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['after']])
    }
    const headers = { accept: '*/*, text/event-stream;q=0.5' }
    assert.equal((await service.call('GET', `${PATH}?limit=1`, { ...LENDER, headers })).status, 200)
    assert.equal((await service.call('GET', PATH, { headers: accept })).status, 401)
  })

  it('beats when nothing happens, and ends when its client may not act any more', async () => {
    const { next } = await listen('', { as: OTHER_LENDER.as, path: BEATS })
    const texts: (string | undefined)[] = []
    while (texts.filter((text) => text === ':').length < 3) texts.push((await next())?.text)
    await service.deps.db.query('update clients set enabled = false where client_id = $1', [OTHER_LENDER.as])
    let last: Message | undefined
    do last = await next()
    while (last)
  })

  it('is limited for each subscriber, and is free again when readers have left', async () => {
    const streams = await Promise.all(Array.from({ length: 50 }, () => listen('after=now')))
    const refused = await service.call('GET', PATH, { ...LENDER, headers: { accept: 'text/event-stream' } })
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '60'])
    for (const { leave } of streams) leave()
    await eventually(async () => {
      const answer = await fetch(`${service.url}${PATH}?after=now`, {
        headers: { authorization: `Bearer ${await service.tokenOf(LENDER.as)}`, accept: 'text/event-stream' },
      })
      await answer.body?.cancel()
      return answer.status === 200
    })
  })

  it('is read no further for a reader that does not read', async () => {
    const [stored] = await service.deps.db.query<object>('select * from events limit 1')
    let reads = 0
    const query = async () => {
      reads += 1
      return Array.from({ length: 100 }, (_, index) => ({ ...stored, ids: {}, at: new Date(), position: index + 1 }))
    }
    const { vault } = service.deps
    const open = createStreams({ addHook() {} } as never, { db: { read: { query } }, vault } as never, () => () => {})
    let stream: Readable | undefined
    const reply = {
      raw: new EventEmitter(),
      headers: () => reply,
      type: () => reply,
      send(body: Readable) {
        stream = body
        return reply
      },
    }
    open({ caller: { subscriberId: LENDER_ID }, isAdmitted: async () => true } as never, reply as never, 0)
    for (let chunks = 0; chunks < 3; chunks += 1) await once(stream ?? assert.fail(), 'readable')
    const before = reads
    await new Promise((done) => setTimeout(done, 50))
    assert.ok(reads === before && reads <= 3, `${reads} reads of 100 events for nobody`)
    stream?.destroy()
  })

  it('ends when the node stops, which does not wait for it', async () => {
    const streams = await Promise.all([listen('after=now'), listen('after=now')])
    for (const { next } of streams) await next()
    await service.stop()
    for (const { next } of streams) assert.equal(await next(), undefined)
  })
})
