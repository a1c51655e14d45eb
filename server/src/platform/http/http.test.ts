import assert from 'node:assert/strict'
import { type AddressInfo, connect } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import { type App, createApp } from './http.ts'

let app: App
before(async () => {
  app = await createApp({ log: pino({ enabled: false }), trustProxy: false })
  app.post('/echo', { config: { scope: 'none' } }, async ({ body }) => ({ body: body ?? 'none' }))
  await app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => app.close())

const dial = () => connect((app.server.address() as AddressInfo).port, '127.0.0.1')

describe('a request that names a content type but has no body', () => {
  const post = async (contentType: string) => {
    const socket = dial()
    socket.write(`POST /echo HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: ${contentType}\r\n\r\n`)
    return text(socket)
  }

  it('is answered as one with an empty body', async () => {
    assert.match(await post('application/json'), /^HTTP\/1.1 200 [\s\S]*"none"/)
  })

  it('is refused for its type as any other', async () => {
    assert.match(await post('text/plain'), /^HTTP\/1.1 415 /)
  })
})
