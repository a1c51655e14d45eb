import { createHash } from 'node:crypto'
import type { Connection } from '../database/db.ts'
import { describeError, Refusal } from '../errors.ts'
import { type BlobStore, keyOf, type StoredBlob } from './blobs.ts'
import { unnamedCondition } from './sweep.ts'

// Compares the rows of files with their bytes, after a restore. Both are read in the order of their hashes, a page at a
// time, so that memory does not grow with their number.

const PAGE_ROWS = 1_000
const READS_MAX = 8
const PROBLEMS_MAX = 1_000

export type BlobInspection = {
  /** Files that a row names, and their bytes. */
  named: number
  namedBytes: number
  /** How many of them were read whole and compared with their hash. */
  read: number
  /** Of a file that a row names. The list is cut; `problemCount` is how many there are. */
  problems: BlobProblem[]
  problemCount: number
  /** Stored, without a row in `blobs`: nothing would ever remove them. */
  orphans: number
  orphanBytes: number
}

export type BlobProblem = { sha256: string; problem: string }

type Options = {
  /** The share of the files that is read: 0 to 1. Existence and size are checked of all. */
  share: number
  /** Only files whose hash comes after this one. */
  after: string
  onOrphan?: (orphan: StoredBlob) => Promise<unknown>
  onProgress?: (done: number, sha256: string) => void
}

export async function inspectBlobs(
  connection: Connection,
  store: Pick<BlobStore, 'list' | 'open'>,
  { share, after, onOrphan, onProgress }: Options,
): Promise<BlobInspection> {
  const found: BlobInspection = {
    named: 0,
    namedBytes: 0,
    read: 0,
    problems: [],
    problemCount: 0,
    orphans: 0,
    orphanBytes: 0,
  }
  const note = (sha256: string, problem: string | undefined) => {
    if (problem === undefined) return
    found.problemCount += 1
    if (found.problems.length < PROBLEMS_MAX) found.problems.push({ sha256, problem })
  }
  const reads = limited(READS_MAX)
  const stored = store.list(after && keyOf(after))
  for await (const { sha256, row, blob } of pairs(rowsOf(connection, after), stored)) {
    if (blob && !row) {
      found.orphans += 1
      found.orphanBytes += blob.size
      await onOrphan?.(blob)
    }
    if (!row?.isNamed) continue
    found.named += 1
    found.namedBytes += row.size
    if (!blob) note(sha256, 'is missing')
    else if (blob.size !== row.size) note(sha256, `has ${blob.size} bytes instead of ${row.size}`)
    else if (Math.random() < share) {
      found.read += 1
      await reads.start(async () => note(sha256, await problemOf(store, sha256)))
    }
    if (found.named % PAGE_ROWS) continue
    await reads.end() // so that a later check may go on from here
    onProgress?.(found.named, sha256)
  }
  await reads.end()
  return found
}

type BlobRow = StoredBlob & { isNamed: boolean }
type Pair = { sha256: string; row?: BlobRow; blob?: StoredBlob }

/** Rows and stored blobs by their hash. Both come in its order. */
export async function* pairs(
  rows: AsyncIterable<BlobRow>,
  stored: AsyncIterable<StoredBlob>,
): AsyncGenerator<Pair, void> {
  const [left, right] = [rows[Symbol.asyncIterator](), stored[Symbol.asyncIterator]()]
  const next = async <T>(from: AsyncIterator<T>) => {
    const { done, value } = await from.next()
    return done ? undefined : (value as T)
  }
  let [row, blob] = await Promise.all([next(left), next(right)])
  while (row || blob) {
    const sha256 = !blob || (row && row.sha256 <= blob.sha256) ? (row?.sha256 ?? '') : blob.sha256
    const pair = { sha256, ...(row?.sha256 === sha256 && { row }), ...(blob?.sha256 === sha256 && { blob }) }
    yield pair
    if ('row' in pair) row = await next(left)
    if ('blob' in pair) blob = inOrder(sha256, await next(right))
  }
}

function inOrder(before: string, blob: StoredBlob | undefined): StoredBlob | undefined {
  if (blob && blob.sha256 <= before)
    throw new Error('The file store does not list its files in the order of their names.')
  return blob
}

async function* rowsOf(connection: Connection, after: string): AsyncGenerator<BlobRow, void> {
  const unnamed = await unnamedCondition(connection)
  const page = `select sha256, size, not (${unnamed}) as "isNamed" from blobs where sha256 > $1 order by sha256 limit ${PAGE_ROWS}`
  for (let last: string | undefined = after; last !== undefined; ) {
    const rows: BlobRow[] = await connection.query<BlobRow>(page, [last])
    yield* rows
    last = rows.length === PAGE_ROWS ? rows.at(-1)?.sha256 : undefined
  }
}

/** A store that cannot be reached ends the check; a file that cannot be read is a problem of that file. */
async function problemOf(store: Pick<BlobStore, 'open'>, sha256: string): Promise<string | undefined> {
  const hash = createHash('sha256')
  try {
    const { stream } = await store.open(keyOf(sha256))
    for await (const chunk of stream) hash.update(chunk)
  } catch (error) {
    if (error instanceof Refusal) throw error
    return `cannot be read: ${describeError(error)}`
  }
  return hash.digest('hex') === sha256 ? undefined : 'has other bytes than were stored'
}

/** So much at a time. What fails is thrown by the next call. */
function limited(countMax: number) {
  const running = new Set<Promise<void>>()
  let failure: { error: unknown } | undefined
  const check = () => {
    if (failure) throw failure.error
  }
  return {
    async start(work: () => Promise<void>): Promise<void> {
      while (running.size >= countMax) await Promise.race(running)
      check()
      const one: Promise<void> = work()
        .catch((error) => {
          failure ??= { error }
        })
        .finally(() => running.delete(one))
      running.add(one)
    },
    async end(): Promise<void> {
      await Promise.all(running)
      check()
    },
  }
}
