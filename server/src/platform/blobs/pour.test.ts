import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, open, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { pouringStream, readChunks, streamOfChunks } from './pour.ts'

const BYTES = randomBytes(200_001)
let folder: string
let path: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'lodgeway-pour-'))
  path = join(folder, 'file')
  await writeFile(path, BYTES)
})
after(() => rm(folder, { recursive: true }))

/** Slow, and copies a chunk only at the end, so that a buffer that was reused too early shows. */
function slowSink() {
  const taken: Buffer[] = []
  const sink = new Writable({
    highWaterMark: 1_000_000,
    async write(chunk, _encoding, done) {
      await delay(1)
      taken.push(Buffer.from(chunk))
      done()
    },
  })
  return { sink, taken: () => Buffer.concat(taken) }
}

describe('pouringStream', () => {
  for (const [start, end] of [
    [0, BYTES.length - 1],
    [0, 0],
    [0, 65_535],
    [0, 65_536],
    [65_535, 131_072],
    [BYTES.length - 1, BYTES.length - 1],
  ] as const) {
    it(`pours the bytes from ${start} to ${end}, and closes the file`, async () => {
      const file = await open(path)
      const stream = pouringStream(file, { start, end })
      const { sink, taken } = slowSink()
      let ended = false
      stream.on('end', () => {
        ended = true
      })
      await Promise.all([once(stream, 'close'), once(stream.pipe(sink), 'finish')])
      assert.deepEqual(taken(), BYTES.subarray(start, end + 1))
      assert.deepEqual([ended, file.fd], [true, -1])
    })
  }

  it('emits `pipe` on the sink, as a stream does', async () => {
    const stream = pouringStream(await open(path), { start: 0, end: 9 })
    const { sink } = slowSink()
    const piped = once(sink, 'pipe')
    stream.pipe(sink)
    assert.equal((await piped)[0], stream)
    await once(stream, 'close')
  })

  it('is an ordinary stream if it is not piped', async () => {
    const stream = pouringStream(await open(path), { start: 1, end: 150_000 })
    assert.deepEqual(await buffer(stream), BYTES.subarray(1, 150_001))
  })

  it('closes the file when the sink goes away', async () => {
    const file = await open(path)
    const stream = pouringStream(file, { start: 0, end: BYTES.length - 1 })
    stream.on('error', () => {})
    const sink = new Writable({ write: () => {} })
    sink.on('error', () => {})
    stream.pipe(sink)
    await delay(20)
    sink.destroy(new Error('gone'))
    await once(stream, 'close')
    assert.equal(file.fd, -1)
  })

  it('waits for a sink that has taken the bytes at once, but is full', async () => {
    let written = 0
    const sink = new Writable({ highWaterMark: 1, write: (_chunk, _encoding, done) => done() })
    sink.write = (_bytes: unknown, done?: unknown) => {
      written++
      if (typeof done === 'function') done()
      return false
    }
    const stream = pouringStream(await open(path), { start: 0, end: BYTES.length - 1 })
    stream.pipe(sink)
    await delay(20)
    assert.equal(written, 1)
    sink.emit('drain')
    await delay(20)
    assert.equal(written, 2)
    sink.destroy()
    await once(stream, 'close')
  })

  it('fails if the file ends too early', async () => {
    const short = join(folder, 'short')
    await writeFile(short, BYTES)
    const stream = pouringStream(await open(short), { start: 0, end: BYTES.length - 1 })
    await truncate(short, 100_000)
    const { sink } = slowSink()
    const failure = once(stream, 'error')
    stream.pipe(sink)
    assert.match(String((await failure)[0]), /shorter/)
  })
})

describe('streamOfChunks', () => {
  /** Two files, one after the other, in buffers that are used again. */
  async function* twice() {
    for (let time = 0; time < 2; time++)
      yield* readChunks(pouringStream(await open(path), { start: 0, end: BYTES.length - 1 }))
  }
  const expected = Buffer.concat([BYTES, BYTES])

  it('pours what it is made of, and may also be read', async () => {
    const { sink, taken } = slowSink()
    await once(streamOfChunks(twice).pipe(sink), 'finish')
    assert.deepEqual(taken(), expected)
    assert.deepEqual(await buffer(streamOfChunks(twice)), expected)
  })

  it('asks for no more when the sink goes away', async () => {
    const file = await open(path)
    const stream = streamOfChunks(() => readChunks(pouringStream(file, { start: 0, end: BYTES.length - 1 })))
    stream.on('error', () => {})
    const sink = new Writable({ write: () => {} })
    stream.pipe(sink)
    await delay(20)
    sink.destroy()
    await once(stream, 'close')
    await delay(20)
    assert.equal(file.fd, -1)
  })
})
