import type { ReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import type { ByteRange } from './blobs.ts'

// Large responses are read into a buffer that is used again: with a new buffer for every chunk the garbage collector would
// scan the whole heap several times a second, and tens of megabytes would wait for it.

const BUFFER_BYTES = 64 * 1024

/** What was read. It is only valid until the next is asked for. */
type Chunks = AsyncIterable<Uint8Array>

const chunksOf = new WeakMap<Readable, () => Chunks>()

/** A part of a file as a stream. */
export function pouringStream(file: FileHandle, range: ByteRange): ReadStream {
  const stream = file.createReadStream({ ...range, highWaterMark: BUFFER_BYTES })
  return pouring(stream, () => readAll(file, range))
}

/** The same for anything that is made of chunks. */
export const streamOfChunks = (chunks: () => Chunks): Readable =>
  pouring(Readable.from(copiesOf(chunks), { objectMode: false }), chunks)

/** What a stream holds, to be part of other chunks. */
export async function* readChunks(stream: Readable): AsyncGenerator<Uint8Array> {
  try {
    yield* chunksOf.get(stream)?.() ?? stream
  } finally {
    stream.destroy()
  }
}

/** Piped, as responses are, it is poured. Otherwise it is an ordinary stream. */
function pouring<S extends Readable>(stream: S, chunks: () => Chunks): S {
  chunksOf.set(stream, chunks)
  stream.pipe = (sink) => {
    const stop = () => stream.destroy()
    sink.once('close', stop).emit('pipe', stream)
    pour(chunks(), sink).then(
      () => {
        sink.off('close', stop).end()
        stream.push(null)
        stream.resume()
      },
      (error: Error) => stream.destroy(error),
    )
    return sink
  }
  return stream
}

async function* copiesOf(chunks: () => Chunks): AsyncGenerator<Uint8Array> {
  for await (const bytes of chunks()) yield Buffer.from(bytes)
}

async function* readAll(file: FileHandle, { start, end }: ByteRange): AsyncGenerator<Uint8Array> {
  const buffers = [Buffer.allocUnsafeSlow(BUFFER_BYTES), Buffer.allocUnsafeSlow(BUFFER_BYTES)] as const
  const read = async (at: number, turn: number) => {
    const buffer = buffers[turn % 2 === 0 ? 0 : 1]
    const { bytesRead } = await file.read(buffer, 0, Math.min(BUFFER_BYTES, end + 1 - at), at)
    if (bytesRead === 0) throw new Error('The file is shorter than it was.')
    return buffer.subarray(0, bytesRead)
  }
  for (let at = start, turn = 0, next = read(at, turn); at <= end; ) {
    const bytes = await next
    at += bytes.length
    if (at <= end) next = read(at, ++turn) // while these are sent
    next.catch(() => {}) // thrown when it is awaited
    yield bytes
  }
}

async function pour(chunks: Chunks, sink: NodeJS.WritableStream): Promise<void> {
  for await (const bytes of chunks) await written(sink, bytes)
}

/** Resolves when the bytes were handed to the system, and their buffer can be used again. */
const written = (sink: NodeJS.WritableStream, bytes: Uint8Array): Promise<void> =>
  new Promise((done, failed) => {
    const gone = () => failed(new Error('The reader has gone.'))
    let waits = 2
    const taken = () => {
      if (--waits > 0) return
      sink.off('close', gone)
      done()
    }
    sink.once('close', gone)
    // A sink that copies has the bytes at once, so it is also waited for while it is full.
    const hasRoom = sink.write(bytes, (error) => (error ? failed(error) : taken()))
    if (hasRoom) taken()
    else sink.once('drain', taken)
  })
