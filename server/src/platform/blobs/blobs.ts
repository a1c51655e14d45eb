import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { Db } from '../database/db.ts'
import { openFolderStore } from './folder.ts'
import { openSpool, type Source, type Staged, type StageLimits } from './spool.ts'
import { sweepOrphans } from './sweep.ts'
import { type BlobLocation, blobLocation } from './url.ts'

/** Bytes stored by their SHA-256, in a folder or a bucket. A row that refers to them always finds them complete. */
export type Blobs = {
  /** Spools a stream to a local file in constant memory. The caller must keep or discard it. */
  stage(source: Source, limits: StageLimits): Promise<Staged>
  /**
   * Stores staged bytes durably. Only after that may a row that refers to them be written.
   * Takes the database and not a transaction, as its `touch` must be committed before the bytes arrive.
   * The staged file is gone afterwards, also after an error.
   */
  keep(db: Db, staged: Staged): Promise<{ sha256: string; size: number }>
  /** Streams the bytes, or the part in `range`. The caller must destroy the stream or read it to its end. */
  open(sha256: string, range?: ByteRange): Promise<OpenedBlob>
  /** Deletes blobs that no row refers to and that were not touched for `ageMs`. Returns how many. */
  sweep(db: Db, options?: { ageMs?: number }): Promise<number>
  /** Throws unless the store can be reached and written to. Leaves nothing behind. */
  check(): Promise<void>
  close(): void
}

/** Both ends included, as in HTTP. An end beyond the last byte means the last byte. */
export type ByteRange = { start: number; end: number }

/** `size` is that of the whole blob, also with a range. */
export type OpenedBlob = { size: number; stream: Readable }

/** What a folder and a bucket have in common. */
export type BlobStore = {
  /** Does what can be done before the bytes may have their name. Always called before `put`. */
  prepare(key: string, staged: Staged): Promise<void>
  /** Returns when the bytes are durable under their key. Writes nothing if they exist. */
  put(key: string, staged: Staged): Promise<void>
  open(key: string, range?: ByteRange): Promise<OpenedBlob>
  /** Does nothing if there is no such blob. */
  remove(key: string): Promise<void>
  /** The blobs after this key, in the order of their keys. */
  list(after: string): AsyncIterable<StoredBlob>
  check(): Promise<void>
  close(): void
}

export type StoredBlob = { sha256: string; size: number }

const ORPHAN_AGE_MS_MIN = 24 * 60 * 60 * 1000

export async function openBlobs({ url, dataDir }: { url: string | undefined; dataDir: string }): Promise<Blobs> {
  const location = blobLocation(url, dataDir)
  const store = await openStore(location)
  // A file is renamed from the spool to its final path, so the spool of a folder is inside it.
  const spool = await openSpool(join(location.kind === 'folder' ? location.folder : resolve(dataDir), 'spool'))

  return {
    stage: spool.stage,

    async keep(db, staged) {
      const key = keyOf(staged.sha256)
      try {
        await Promise.all([touch(db, staged), store.prepare(key, staged)])
        await store.put(key, staged)
        return { sha256: staged.sha256, size: staged.size }
      } finally {
        await staged.discard()
      }
    },

    open: async (sha256, range) => store.open(keyOf(sha256), range),

    async sweep(db, { ageMs = ORPHAN_AGE_MS_MIN } = {}) {
      await spool.sweep(ageMs)
      return sweepOrphans(db, ageMs, (sha256) => store.remove(keyOf(sha256)))
    },

    async check() {
      await Promise.all([spool.check(), store.check()])
    },

    close: () => store.close(),
  }
}

export async function openStore(location: BlobLocation): Promise<BlobStore> {
  if (location.kind === 'folder') return openFolderStore(location.folder)
  const { openS3Store } = await import('./s3.ts') // loaded only here, as the SDK costs 70 ms and 30 MB
  return openS3Store(location)
}

// Committed before the bytes get their name: a sweep that has locked the row makes us wait until it has removed the
// bytes, and a later sweep finds the row young and leaves it.
async function touch(db: Db, { sha256, size }: Staged): Promise<void> {
  await db.query(
    `insert into blobs (sha256, size) values ($1, $2) on conflict (sha256) do update set touched_at = now()`,
    [sha256, size],
  )
}

/** The same in a folder and a bucket. The only way from a hash to a path, so that no other text becomes a path. */
export function keyOf(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new TypeError(`Not a SHA-256 in lower-case hex: ${JSON.stringify(sha256)}`)
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}

/** The way back. Undefined for what is no blob, such as the object that `check` writes. */
export const hashIn = (key: string): string | undefined =>
  /^([0-9a-f]{2})\/([0-9a-f]{2})\/(\1\2[0-9a-f]{60})$/.exec(key)?.[3]
