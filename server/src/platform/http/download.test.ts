import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pino } from 'pino'
import type { Blobs } from '../blobs/blobs.ts'
import { unavailable } from '../errors.ts'
import { readRange, sendBlob } from './download.ts'
import { type App, createApp } from './http.ts'

describe('sendBlob', () => {
  let app: App
  before(async () => {
    app = await createApp({ log: pino({ enabled: false }), trustProxy: false })
    const open = () => Promise.reject(unavailable('The store is down.'))
    const file = { sha256: 'a'.repeat(64), size: 10, fileName: 'deed.pdf' }
    app.get('/deed', { config: { scope: 'none' } }, (request, reply) =>
      sendBlob(request, reply, { open } as unknown as Blobs, file),
    )
  })
  after(() => app.close())

  it('answers 503 while the store is down, without the headers of a file', async () => {
    const { statusCode, headers } = await app.inject({ url: '/deed', headers: { range: 'bytes=0-4' } })
    assert.equal(statusCode, 503)
    assert.match(String(headers['content-type']), /^application\/json/)
    assert.deepEqual([headers['content-disposition'], headers['content-range']], [undefined, undefined])
  })

  it('answers a HEAD with the length, and opens nothing', async () => {
    const { statusCode, headers, body } = await app.inject({ method: 'HEAD', url: '/deed' })
    assert.deepEqual([statusCode, headers['content-length'], body], [200, '10', ''])
  })
})

describe('readRange', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['bytes=0-4', { start: 0, end: 4 }],
    ['bytes=5-', { start: 5, end: 9 }],
    ['bytes=-3', { start: 7, end: 9 }],
    ['bytes=-30', { start: 0, end: 9 }],
    ['bytes=8-99', { start: 8, end: 9 }],
    ['bytes=0-1,3-4', undefined],
    ['bytes=4-2', undefined],
    ['lines=1-2', undefined],
    ['bytes=-', undefined],
  ] as const) {
    it(`reads ${header} of ten bytes`, () => assert.deepEqual(readRange(header, 10), expected))
  }
  for (const header of ['bytes=10-', 'bytes=99-100', 'bytes=-0']) {
    it(`refuses ${header} of ten bytes`, () => {
      assert.throws(() => readRange(header, 10), { reason: 'range_not_satisfiable' })
    })
  }
})
