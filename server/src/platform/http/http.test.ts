import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { conflict } from '../errors.ts'
import { type App, createApp } from './http.ts'

const LIMIT = '"default";r=598;t=42'
const OF_SUCCESS = {
  etag: '"of a state that was never committed"',
  location: '/x',
  'content-disposition': 'attachment',
  'cache-control': 'private',
}

let app: App
before(async () => {
  app = await createApp({ log: pino({ enabled: false }), trustProxy: false })
  app.post('/echo', { config: { scope: 'none' } }, async ({ body }) => ({ body: body ?? 'none' }))
  app.get('/failing', { config: { scope: 'none' } }, async ({ query }, reply) => {
    reply
      .code(201)
      .type('application/octet-stream')
      .headers({ ...OF_SUCCESS, ratelimit: LIMIT })
    throw (query as { error: string }).error === 'refused' ? conflict({ message: 'No.' }) : new Error('broken')
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => app.close())

const dial = () => connect((app.server.address() as AddressInfo).port, '127.0.0.1')

describe('a request with a content type but without a body', () => {
  const post = async (contentType: string) => {
    const socket = dial()
    socket.write(`POST /echo HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: ${contentType}\r\n\r\n`)
    return text(socket)
  }

  it('is treated like one with an empty body', async () => {
    assert.match(await post('application/json'), /^HTTP\/1.1 200 [\s\S]*"none"/)
  })

  it('is refused for its type like any other', async () => {
    assert.match(await post('text/plain'), /^HTTP\/1.1 415 /)
  })
})

describe('an error after a handler has set the headers of its response', () => {
  for (const [error, status] of [
    ['refused', 409],
    ['broken', 500],
  ] as const) {
    it(`has none of them, as ${status}`, async () => {
      const answer = await app.inject(`/failing?error=${error}`)
      assert.deepEqual([answer.statusCode, Object.keys(answer.json())], [status, ['errors']])
      for (const name of Object.keys(OF_SUCCESS)) assert.equal(answer.headers[name], undefined, name)
      assert.equal(answer.headers['ratelimit'], LIMIT)
      assert.ok(answer.headers['x-request-correlation-id'])
    })
  }
})
