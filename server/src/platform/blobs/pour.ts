import type { ReadStream } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import type { ByteRange } from './blobs.ts'

const BUFFER_BYTES = 64 * 1024

/**
 * A part of a file as a stream. When it is piped, as responses are, it is read into two buffers in turn: with a new
 * buffer for every chunk the garbage collector would scan the whole heap several times a second. Otherwise it is an
 * ordinary file stream.
 */
export function pouringStream(file: FileHandle, range: ByteRange): ReadStream {
  const stream = file.createReadStream({ ...range, highWaterMark: BUFFER_BYTES })
  stream.pipe = (sink) => {
    const stop = () => stream.destroy()
    sink.once('close', stop).emit('pipe', stream)
    pour(file, range, sink).then(
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

async function pour(file: FileHandle, { start, end }: ByteRange, sink: NodeJS.WritableStream): Promise<void> {
  const buffers = [Buffer.allocUnsafeSlow(BUFFER_BYTES), Buffer.allocUnsafeSlow(BUFFER_BYTES)] as const
  let writing = Promise.resolve()
  for (let at = start, turn = 0; at <= end; turn++) {
    const buffer = buffers[turn % 2 === 0 ? 0 : 1]
    const { bytesRead } = await file.read(buffer, 0, Math.min(BUFFER_BYTES, end + 1 - at), at)
    if (bytesRead === 0) throw new Error('The file is shorter than it was.')
    await writing
    writing = written(sink, buffer.subarray(0, bytesRead))
    writing.catch(() => {}) // thrown when it is awaited
    at += bytesRead
  }
  await writing
}

/** Resolves when the bytes were handed to the system, and their buffer can be used again. */
const written = (sink: NodeJS.WritableStream, bytes: Uint8Array): Promise<void> =>
  new Promise((done, failed) => {
    sink.write(bytes, (error) => (error ? failed(error) : done()))
  })
