import { LodgewayError } from './errors.ts'

/**
 * A file to upload: a path (a string or a `file:` URL), bytes, a `Blob`, a stream, or a function that opens a stream.
 * A stream can be read only once, so its upload is not retried when the connection is lost. All others are.
 *
 * @example
 * ```ts
 * import { createReadStream } from 'node:fs'
 * import type { FileSource } from '@lodgeway/client'
 *
 * const sources: FileSource[] = [
 *   './deed.pdf',
 *   new Uint8Array([0x25, 0x50, 0x44, 0x46]),
 *   createReadStream('./deed.pdf'),
 *   () => createReadStream('./deed.pdf'),
 * ]
 * ```
 */
export type FileSource = string | URL | Uint8Array | ArrayBuffer | Blob | ByteStream | (() => ByteStream)

/** A source of bytes in pieces: a stream of Node, a web stream, a generator. */
type ByteStream = AsyncIterable<Uint8Array> | ReadableStream<Uint8Array>

export type OpenedSource = {
  read(): AsyncIterable<Uint8Array>
  /** Its length, where it is known before it is read. */
  size: number | undefined
  /** Its name, where it has one. */
  fileName: string | undefined
  isReadOnce: boolean
}

/** Opens a source without reading it. Throws a `LodgewayError` where there is no file at a path. */
export async function openSource(source: FileSource): Promise<OpenedSource> {
  if (typeof source === 'string' || source instanceof URL) return openPath(source)
  if (typeof source === 'function') return { ...UNKNOWN, read: () => iterable(source()), isReadOnce: false }
  if (source instanceof Blob) {
    const fileName = 'name' in source && typeof source.name === 'string' ? source.name : undefined
    return { read: () => iterable(source.stream()), size: source.size, fileName, isReadOnce: false }
  }
  if (source instanceof ArrayBuffer || ArrayBuffer.isView(source)) {
    const bytes = source instanceof ArrayBuffer ? new Uint8Array(source) : source
    return { read: () => pieces(bytes), size: bytes.byteLength, fileName: undefined, isReadOnce: false }
  }
  return { ...UNKNOWN, read: () => iterable(source), isReadOnce: true }
}

const UNKNOWN = { size: undefined, fileName: undefined }
const PIECE_BYTES = 65_536

async function openPath(path: string | URL): Promise<OpenedSource> {
  const [{ createReadStream }, { stat }, { basename }, { fileURLToPath }] = await Promise.all([
    import('node:fs'),
    import('node:fs/promises'),
    import('node:path'),
    import('node:url'),
  ])
  const found = await stat(path).catch((cause: Error) => {
    throw new LodgewayError(`The file ${path} cannot be read: ${cause.message}.`, { cause })
  })
  if (!found.isFile()) throw new LodgewayError(`There is no file at ${path}, but a folder or a device.`)
  const { size } = found
  const fileName = basename(path instanceof URL ? fileURLToPath(path) : path)
  return { read: () => createReadStream(path), size, fileName, isReadOnce: false }
}

// In pieces, so that progress can be reported.
async function* pieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) yield bytes.subarray(at, at + PIECE_BYTES)
}

// Web streams are iterable in Node, but not everywhere in their types.
const iterable = (stream: ByteStream) => stream as AsyncIterable<Uint8Array>
