import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, describe, it, mock } from 'node:test'
import { pino } from 'pino'
import { eventually } from '../../../test/fixtures/eventually.ts'
import type { Blobs } from '../blobs/blobs.ts'
import { Refusal } from '../errors.ts'
import { closeIdleClients } from './connections.ts'
import { takeForms } from './form.ts'
import { type App, createApp } from './http.ts'

const LARGE = 'x'.repeat(32 * 1024 * 1024) // more than the system's send buffers hold
const log = pino({ enabled: false })
const work = { begin: Promise.withResolvers<void>(), end: Promise.withResolvers<void>() }

let app: App
before(async () => {
  app = await createApp({ log, trustProxy: false })
  app.post('/echo', { config: { scope: 'none' } }, async ({ body }) => ({ body: body ?? 'none' }))
  app.get('/large', { config: { scope: 'none' } }, async () => ({ LARGE }))
  app.get('/work', { config: { scope: 'none' } }, async () => {
    work.begin.resolve()
    await work.end.promise
    return 'done'
  })
  const refuse = async () => Promise.reject(new Refusal('unauthenticated', [{ message: 'Not you.' }]))
  app.post('/refused', { config: { scope: 'none' }, onRequest: refuse }, async () => {})
  app.register(async (scoped) => {
    const stage = async (source: AsyncIterable<Uint8Array>) => {
      for await (const _ of source);
      return { sha256: 'whole', size: 1 }
    }
    takeForms(scoped as unknown as App, { blobs: { stage } as unknown as Blobs, fileBytesMax: 1_000, fileTypes: [] })
    scoped.post('/files', { config: { scope: 'none' } }, async ({ body }) => body)
  })
  await app.listen({ host: '127.0.0.1', port: 0 })
})
after(() => app.close())

const dial = (server: Server) => connect((server.address() as AddressInfo).port, '127.0.0.1')

/** Our end of a connection on which this was sent, and the server's. */
async function talk(sent: string, server: Server = app.server): Promise<{ ours: Socket; socket: Socket }> {
  const ours = dial(server).on('error', () => {})
  ours.write(sent)
  const [socket] = (await once(server, 'connection')) as [Socket]
  return { ours, socket }
}

describe('a client that stops sending', () => {
  it('is closed without a response between two requests: it would be taken for the response to the next', async () => {
    const { ours, socket } = await talk('POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 0\r\n\r\n')
    const heard = text(ours)
    await eventually(() => (socket.timeout ?? 0) > 60_000)
    socket.emit('timeout')
    assert.match(await heard, /^HTTP\/1.1 200 [\s\S]*"none"}$/)
  })

  it('is answered 408 within a request', async () => {
    const { ours, socket } = await talk('POST /echo HTTP/1.1\r\nHost: here\r\n')
    const heard = text(ours)
    await eventually(() => socket.bytesRead > 0)
    socket.emit('timeout')
    assert.match(await heard, /^HTTP\/1.1 408 /)
  })
})

describe('a client that stops reading', () => {
  it('is closed after a minute, also when its response was sent in one piece', async () => {
    const { ours, socket } = await talk('GET /large HTTP/1.1\r\nHost: here\r\n\r\n')
    await eventually(() => socket.writableLength > 0)
    assert.equal(socket.timeout, 60_000)
    socket.emit('timeout')
    assert.equal(socket.destroyed, true)
    ours.destroy()
  })

  it('is closed on any request of a connection, also on the admin port', async () => {
    const server = createServer((request, response) => response.end(request.url === '/large' ? LARGE : 'small'))
    closeIdleClients(server)
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { ours, socket } = await talk('GET / HTTP/1.1\r\nHost: here\r\n\r\n', server)
    await eventually(() => (socket.timeout ?? 0) > 60_000)
    ours.write('GET /large HTTP/1.1\r\nHost: here\r\n\r\n')
    await eventually(() => socket.writableLength > 0)
    assert.equal(socket.timeout, 60_000)
    socket.emit('timeout')
    assert.equal(socket.destroyed, true)
    ours.destroy()
    server.close()
  })

  it('is not confused with one that waits for us', async () => {
    const { ours, socket } = await talk('GET /work HTTP/1.1\r\nHost: here\r\nConnection: close\r\n\r\n')
    await work.begin.promise
    socket.emit('timeout')
    assert.equal(socket.timeout, 60_000, 'and is checked again')
    work.end.resolve()
    assert.match(await text(ours), /^HTTP\/1.1 200 [\s\S]*done$/)
  })
})

describe('a body that arrives slowly', () => {
  const post = (path: string, type: string, begin: string) =>
    `POST ${path} HTTP/1.1\r\nHost: here\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: 100\r\n\r\n${begin}`

  /** Sends the beginning of a request, lets half a minute pass when the server is ready for it, and sends the rest. */
  async function drip(begin: string, rest: string, isReady: (socket: Socket) => boolean): Promise<string> {
    mock.timers.enable({ apis: ['setTimeout'] })
    try {
      const { ours, socket } = await talk(begin)
      const heard = text(ours)
      await eventually(() => socket.bytesRead >= begin.length && isReady(socket))
      mock.timers.tick(30_000)
      ours.write(rest)
      return await heard
    } finally {
      mock.timers.reset()
    }
  }

  it('is answered 408 after half a minute, even if it keeps arriving', async () => {
    const begin = post('/echo', 'application/json', '{"a":"')
    assert.match(await drip(begin, '', () => true), /^HTTP\/1.1 408 [\s\S]*did not arrive in time/)
  })

  it('is cut off if its response was sent already', async () => {
    const begin = post('/refused', 'application/json', '{"a":"').replace('Connection: close\r\n', '')
    const answer = await drip(begin, '', (socket) => (socket.timeout ?? 0) > 60_000)
    assert.match(answer, /^HTTP\/1.1 401 /)
    assert.doesNotMatch(answer, /HTTP\/1.1 408/)
  })

  it('may take longer if it is a file', async () => {
    const part = '--b\r\nContent-Disposition: form-data; name="file"; filename="a.pdf"\r\n\r\n'
    const rest = `${'x'.repeat(100 - part.length - 9)}\r\n--b--\r\n`
    const answer = await drip(post('/files', 'multipart/form-data; boundary=b', part), rest, () => true)
    assert.match(answer, /^HTTP\/1.1 200 [\s\S]*whole/)
  })
})

describe('a service at its connection limit', () => {
  it('closes the next one', async () => {
    const small = await createApp({ log, trustProxy: false, connectionsMax: 1 })
    await small.listen({ host: '127.0.0.1', port: 0 })
    const { ours: first } = await talk('', small.server)
    const second = dial(small.server).on('error', () => {})
    assert.equal(await text(second).catch(() => ''), '')
    first.destroy()
    await small.close()
  })
})
