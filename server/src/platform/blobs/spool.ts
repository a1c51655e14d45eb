import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { Refusal } from '../http/errors.ts'

/** A file that has arrived whole and is not kept yet. It may be read at `path` until it is kept or discarded. */
export type Staged = {
  readonly path: string
  readonly size: number
  readonly sha256: string
  /** May be called at any time, and again. */
  discard(): Promise<void>
}

/** `field` is what a refusal names. */
export type StageLimits = { bytesMax: number; field?: string }

type Spool = {
  stage(source: Readable, limits: StageLimits): Promise<Staged>
  /** Removes what a killed process left behind. */
  sweep(ageMs: number): Promise<void>
  check(): Promise<void>
}

const WRITE_BUFFER_BYTES = 256 * 1024

export async function openSpool(folder: string): Promise<Spool> {
  await mkdir(folder, { recursive: true, mode: 0o700 })

  return {
    async stage(source, limits) {
      // Reading tells of an error before and during it; after a refusal nobody reads, and it must not end the process.
      source.on('error', () => {})
      const path = join(folder, randomUUID())
      const discard = () => rm(path, { force: true })
      const file = await open(path, 'wx', 0o600)
      const seen = { size: 0, hash: createHash('sha256') }
      try {
        await pipeline(measured(source, seen, limits), file.createWriteStream({ highWaterMark: WRITE_BUFFER_BYTES }))
        return { path, size: seen.size, sha256: seen.hash.digest('hex'), discard }
      } catch (error) {
        await discard()
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
      const path = join(folder, randomUUID())
      await writeFile(path, 'ready')
      await rm(path)
    },
  }
}

type Seen = { size: number; hash: ReturnType<typeof createHash> }

async function* measured(source: Readable, seen: Seen, { bytesMax, field }: StageLimits): AsyncGenerator<Uint8Array> {
  // A source that was left is not destroyed: with a request that would end the connection before its answer.
  for await (const chunk of source.iterator({ destroyOnReturn: false })) {
    const bytes: Uint8Array = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    seen.size += bytes.length
    if (seen.size > bytesMax) throw tooLarge(bytesMax, field)
    seen.hash.update(bytes)
    yield bytes
  }
}

export function tooLarge(bytesMax: number, field: string | undefined): Refusal {
  const message = `A file may have at most ${bytesMax.toLocaleString('en-GB')} bytes.`
  return new Refusal('too_large', [field === undefined ? { message } : { field, message }])
}
