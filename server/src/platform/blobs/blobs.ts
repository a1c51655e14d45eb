import { join, resolve } from 'node:path'
import type { Readable } from 'node:stream'
import type { Db } from '../database/db.ts'
import { openFolderStore } from './folder.ts'
import { openSpool, type Source, type Staged, type StageLimits } from './spool.ts'
import { sweepOrphans } from './sweep.ts'
import { type BlobLocation, blobLocation } from './url.ts'

/** Bytes kept by their SHA-256, in a folder or a bucket. A row that names some always finds them, and whole. */
export type Blobs = {
  /** Spools a stream to a local file in constant memory. Whoever staged it keeps or discards it. */
  stage(source: Source, limits: StageLimits): Promise<Staged>
  /**
   * Puts staged bytes where they last, and only then returns: now the row that names them may be written.
   * Takes the database and no transaction, as its touch must be committed before the bytes arrive.
   * The staged file is gone afterwards, whatever the outcome.
   */
  keep(db: Db, staged: Staged): Promise<{ sha256: string; size: number }>
  /** Streams the bytes, or the part of them in `range`. Whoever opens destroys the stream or reads it to its end. */
  open(sha256: string, range?: ByteRange): Promise<OpenedBlob>
  /** Removes what no row names any more and nobody touched for `ageMs`. Returns how many blobs went. */
  sweep(db: Db, options?: { ageMs?: number }): Promise<number>
  /** Throws unless the store can be reached and written. Leaves nothing behind. */
  check(): Promise<void>
  close(): void
}

/** Both ends included, as in HTTP. An end beyond the last byte means the last byte. */
export type ByteRange = { start: number; end: number }

/** `size` is that of the whole blob, whatever the range. */
export type OpenedBlob = { size: number; stream: Readable }

/** What a folder and a bucket have in common. */
export type BlobStore = {
  /** Does what can be done before the bytes may have their name. Always comes before `put`. */
  prepare(place: string, staged: Staged): Promise<void>
  /** Returns once the bytes are durable under their name. Writes nothing where they already are. */
  put(place: string, staged: Staged): Promise<void>
  open(place: string, range?: ByteRange): Promise<OpenedBlob>
  /** Not there is fine, too. */
  remove(place: string): Promise<void>
  check(): Promise<void>
  close(): void
}

const ORPHAN_AGE_MS_MIN = 24 * 60 * 60 * 1000

export async function openBlobs({ url, dataDir }: { url: string | undefined; dataDir: string }): Promise<Blobs> {
  const location = blobLocation(url, dataDir)
  const store = await openStore(location)
  // A file is renamed from the spool to its place, so the spool of a folder lies inside it.
  const spool = await openSpool(join(location.kind === 'folder' ? location.folder : resolve(dataDir), 'spool'))

  return {
    stage: spool.stage,

    async keep(db, staged) {
      const place = placeOf(staged.sha256)
      try {
        await Promise.all([touch(db, staged), store.prepare(place, staged)])
        await store.put(place, staged)
        return { sha256: staged.sha256, size: staged.size }
      } finally {
        await staged.discard()
      }
    },

    open: async (sha256, range) => store.open(placeOf(sha256), range),

    async sweep(db, { ageMs = ORPHAN_AGE_MS_MIN } = {}) {
      await spool.sweep(ageMs)
      return sweepOrphans(db, ageMs, (sha256) => store.remove(placeOf(sha256)))
    },

    async check() {
      await Promise.all([spool.check(), store.check()])
    },

    close: () => store.close(),
  }
}

async function openStore(location: BlobLocation): Promise<BlobStore> {
  if (location.kind === 'folder') return openFolderStore(location.folder)
  const { openS3Store } = await import('./s3.ts') // only here, as the SDK costs 70 ms and 30 MB
  return openS3Store(location)
}

// Committed before the bytes are named: a sweep that has taken the row makes us wait until it has removed the bytes,
// and one that comes later finds the row young and leaves it.
async function touch(db: Db, { sha256, size }: Staged): Promise<void> {
  await db.query(
    `insert into blobs (sha256, size) values ($1, $2) on conflict (sha256) do update set touched_at = now()`,
    [sha256, size],
  )
}

/** The same in a folder and a bucket. The one way from a hash to a path, so that no other text becomes one. */
function placeOf(sha256: string): string {
  if (!/^[0-9a-f]{64}$/.test(sha256)) throw new TypeError(`Not a SHA-256 in lower-case hex: ${JSON.stringify(sha256)}`)
  return `${sha256.slice(0, 2)}/${sha256.slice(2, 4)}/${sha256}`
}
