import { createHash, randomUUID } from 'node:crypto'
import { type FileHandle, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { Refusal } from '../errors.ts'

/** A complete file that is not stored yet. It may be read at `path` until it is kept or discarded. */
export type Staged = {
  readonly path: string
  readonly size: number
  readonly sha256: string
  /** Returns when the bytes are durable. */
  sync(): Promise<void>
  /** Renames the file within the same file system. After that, `discard` leaves it alone. */
  moveTo(path: string): Promise<void>
  /** May be called at any time, also twice. */
  discard(): Promise<void>
}

/** A stream, which is not destroyed when it is refused, or a part of one. */
export type Source = Readable | AsyncIterable<Uint8Array>

/** `field` is the field that a refusal names. */
export type StageLimits = { bytesMax: number; field?: string }

type Spool = {
  stage(source: Source, limits: StageLimits): Promise<Staged>
  /** Removes what a killed process left behind. */
  sweep(ageMs: number): Promise<void>
  check(): Promise<void>
}

const BUFFER_BYTES = 128 * 1024

export async function openSpool(folder: string): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 })

  return {
    async stage(source, limits) {
      // Reading throws the errors of the stream. After a refusal nobody reads, and an error must not end the process.
      if (source instanceof Readable) source.on('error', () => {})
      const path = join(folder, randomUUID())
      const file = await open(path, 'wx', 0o600)
      const staged = stagedFile(file, path)
      try {
        return { ...staged, ...(await write(file, source, limits)) }
      } catch (error) {
        await staged.discard()
        throw error
      }
    },

    async sweep(ageMs) {
      for (const name of await readdir(folder)) {
        const path = join(folder, name)
        const written = await stat(path).catch(() => undefined)
        if (written && written.mtimeMs <= Date.now() - ageMs) await rm(path, { force: true })
      }
    },

    async check() {
      // The name is removed before anything is written. A file of a process that was killed is reused.
      const path = join(folder, 'check')
      const file = await open(path, 'w', 0o600)
      try {
        await rm(path, { force: true })
        await file.write('ready')
      } finally {
        await file.close()
      }
    },
  }
}

// Open until it is kept or discarded: opening it again to sync it would cost as much as writing it.
function stagedFile(file: FileHandle, path: string): Pick<Staged, 'path' | 'sync' | 'moveTo' | 'discard'> {
  let discarded: Promise<void> | undefined
  let isMoved = false
  return {
    path,
    sync: () => file.sync(),
    async moveTo(other) {
      await rename(path, other)
      isMoved = true
    },
    discard() {
      // A full disk may be reported only when a file is closed.
      discarded ??= file.close().finally(() => (isMoved ? undefined : rm(path, { force: true })))
      return discarded
    },
  }
}

/**
 * While one buffer is written the next one is filled. Chunks are copied: if they were held until they are written, they
 * would survive the garbage collector's fast passes, and the slow ones scan the whole heap.
 */
async function write(file: FileHandle, source: Source, { bytesMax, field }: StageLimits) {
  const hash = createHash('sha256')
  const buffers = [takeBuffer(), takeBuffer()] as [Buffer, Buffer]
  let [filling, other] = buffers
  let size = 0
  let filled = 0
  let writing: Promise<unknown> = Promise.resolve()
  const flush = async () => {
    await writing
    writing = writeAll(file, filling.subarray(0, filled))
    writing.catch(() => {}) // thrown when it is awaited
    ;[filling, other] = [other, filling]
    filled = 0
  }
  try {
    for await (const bytes of chunksOf(source)) {
      size += bytes.length
      if (size > bytesMax) throw tooLarge(bytesMax, field)
      hash.update(bytes)
      for (let at = 0; at < bytes.length; ) {
        if (filled === BUFFER_BYTES) await flush()
        const piece = bytes.subarray(at, at + BUFFER_BYTES - filled)
        filling.set(piece, filled)
        filled += piece.length
        at += piece.length
      }
    }
    await flush()
    await writing
    return { size, sha256: hash.digest('hex') }
  } finally {
    await Promise.allSettled([writing]) // no write may be under way when the file is closed and the buffers are reused
    if (spare.length < SPARE_MAX) spare.push(...buffers)
  }
}

// A stream that is not read to its end is not destroyed: for a request that would close the connection too early.
async function* chunksOf(source: Source): AsyncGenerator<Uint8Array, void> {
  const chunks = source instanceof Readable ? source.iterator({ destroyOnReturn: false }) : source
  for await (const chunk of chunks) yield typeof chunk === 'string' ? Buffer.from(chunk) : chunk
}

async function writeAll(file: FileHandle, bytes: Uint8Array): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await file.write(bytes, at)).bytesWritten
}

// Reused by the next file.
const SPARE_MAX = 64
const spare: Buffer[] = []
const takeBuffer = (): Buffer => spare.pop() ?? Buffer.allocUnsafeSlow(BUFFER_BYTES)

export function tooLarge(bytesMax: number, field: string | undefined): Refusal {
  const message = `A file may have at most ${bytesMax.toLocaleString('en-GB')} bytes.`
  return new Refusal('too_large', [field === undefined ? { message } : { field, message }])
}
