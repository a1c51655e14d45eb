import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { evidence, filesPath, leftBehind, nothingSpooled, offer } from '../../test/fixtures/documents.ts'
import { aPdf, fieldParts, filePart, formOf, formType, upload } from '../../test/fixtures/multipart.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { aWorkspace, errorsOf, FIRM, fieldsOf, LENDER, UNKNOWN_ID } from '../../test/fixtures/workspaces.ts'

const PDF = aPdf()
const LARGER = Buffer.concat([PDF, Buffer.from('\n')])
const MEBIBYTE = 1_048_576

let service: TestService
let path: string
before(async () => {
  service = await testService({ worker: false, env: { UPLOAD_BYTES_MAX: String(PDF.length) } })
  path = filesPath((await aWorkspace(service)).workspaceId)
})

/** A request whose body the test writes itself, and what came back until the connection was closed. */
async function begin(headers: string, body: Uint8Array): Promise<{ socket: Socket; answer: Promise<string> }> {
  const { hostname, port } = new URL(service.url)
  const token = await service.tokenOf(FIRM.as)
  const socket = connect({ port: Number(port), host: hostname, allowHalfOpen: true })
  socket.on('error', () => {})
  let received = ''
  socket.on('data', (chunk) => {
    received += chunk
  })
  const answer = once(socket, 'end', { signal: AbortSignal.timeout(10_000) }).then(() => received)
  socket.write(
    `POST ${path} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${token}\r\nContent-Type: ${formType()}\r\n${headers}\r\n\r\n`,
  )
  socket.write(body)
  return { socket, answer }
}

describe('a file that is too large', () => {
  it('is one byte larger than it may be', async () => {
    assert.equal((await upload(service, path, { ...FIRM, fields: offer(), file: PDF })).status, 202)
    const before = await nothingSpooled(service)
    const answer = await upload(service, path, { ...FIRM, fields: offer(), file: LARGER })
    assert.deepEqual([answer.status, fieldsOf(answer)], [413, ['file']])
    assert.equal(errorsOf(answer)[0]?.message, `A file may have at most ${PDF.length} bytes.`)
    assert.deepEqual(await leftBehind(service), before)
  })

  it('is refused at once where the request says how long it is', async () => {
    const { socket, answer } = await begin(`Content-Length: ${10 ** 10}`, Buffer.of())
    assert.match(await answer, /^HTTP\/1.1 413 .*connection: close.*"field":"file"/is)
    socket.destroy()
  })

  it('is answered while it still comes, and its rest is not read', async () => {
    const before = await nothingSpooled(service)
    const endless = async function* () {
      yield formOf([...fieldParts(offer()), filePart(LARGER)]).subarray(0, -100)
      for (;;) yield Buffer.alloc(65_536)
    }
    const headers = { 'content-type': formType() }
    const answer = await service.call('POST', path, { ...FIRM, headers, body: endless() as never })
    assert.deepEqual([answer.status, fieldsOf(answer)], [413, ['file']])
    assert.deepEqual(await leftBehind(service), before)
  })

  it('is told also to a client that reads its answer late', async () => {
    const { socket, answer } = await begin(`Content-Length: ${10 ** 10}`, Buffer.of())
    socket.pause()
    const writing = setInterval(() => socket.write(Buffer.alloc(MEBIBYTE)), 10)
    await delay(300)
    clearInterval(writing)
    socket.resume()
    assert.match(await answer, /^HTTP\/1.1 413 /)
    socket.destroy()
  })

  it('holds a client that goes on sending no longer than a moment', async () => {
    const { socket, answer } = await begin('Transfer-Encoding: chunked', Buffer.from('100000\r\n'))
    socket.write(formOf([...fieldParts(offer()), filePart(LARGER)]).subarray(0, -100))
    let sent = 0
    while (!socket.destroyed && socket.write(Buffer.alloc(65_536))) sent += 65_536
    assert.match(await answer, /^HTTP\/1.1 413 /)
    const closed = new Promise((done) => socket.once('close', done))
    const writing = setInterval(() => socket.write(Buffer.alloc(65_536)), 10)
    await closed
    clearInterval(writing)
    assert.ok(sent < 64 * MEBIBYTE)
  })

  it('is what a lender is told who names an application after it, and not before', async () => {
    const [large, named] = [filePart(LARGER), ...fieldParts({ applicationId: UNKNOWN_ID })]
    assert.ok(large && named)
    const rest = fieldParts(evidence())
    assert.equal((await upload(service, path, { ...LENDER, parts: [large, named, ...rest] })).status, 413)
    assert.equal((await upload(service, path, { ...LENDER, parts: [named, large, ...rest] })).status, 403)
  })
})

describe('an upload that breaks off', () => {
  for (const [what, bytes] of [
    ['in its file', 300],
    ['before its file', 20],
  ] as const) {
    it(`leaves nothing behind, broken off ${what}`, async () => {
      const before = await nothingSpooled(service)
      const form = formOf([filePart(), ...fieldParts(offer())])
      const { socket, answer } = await begin(`Content-Length: ${form.length}`, form.subarray(0, bytes))
      answer.catch(() => {})
      await delay(50)
      socket.destroy()
      assert.deepEqual(await nothingSpooled(service), before)
    })
  }

  it('is answered 400 where only the client’s half was closed', async () => {
    const before = await nothingSpooled(service)
    const { socket, answer } = await begin('Content-Length: 5000', formOf([filePart()]).subarray(0, 300))
    socket.end()
    assert.match(await answer, /^HTTP\/1.1 400 /)
    assert.deepEqual(await nothingSpooled(service), before)
  })

  it('is closed after 8 seconds in which nothing came', async () => {
    const { socket, answer } = await begin('Content-Length: 5000', formOf([filePart()]).subarray(0, 300))
    assert.match(await answer, /^HTTP\/1.1 408 /)
    socket.destroy()
    await nothingSpooled(service)
  })
})

describe('a connection whose form was read', () => {
  it('serves the next request, whatever was wrong with the form', async () => {
    const form = formOf([filePart(), ...fieldParts({ colour: 'red' })])
    const { socket, answer } = await begin(`Content-Length: ${form.length}`, form)
    socket.write('GET /livez HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    assert.match(await answer, /^HTTP\/1.1 400 .*HTTP\/1.1 200 /s)
  })
})
