import { invalid } from '../errors.ts'
import type { Vault } from '../vault.ts'
import { PAGE_RECORDS_DEFAULT } from './schema.ts'

// A cursor says where a page ended. It is sealed, so that it does not reveal how many rows there are. Every node can open
// it, only for the same list and the same subscriber.

type PageRequest = {
  query: { cursor?: string; limit?: number }
  caller: { subscriberId: string }
  routeOptions: { url?: string | undefined }
}

/** What to ask the store for: one row more than the page, to know whether another follows. */
export type Bounds = { after: number | null; rows: number }

export async function pageOf<Row extends { seq: number }, Item>(
  vault: Vault,
  { query: { cursor, limit = PAGE_RECORDS_DEFAULT }, caller, routeOptions }: PageRequest,
  list: (bounds: Bounds) => Promise<readonly Row[]>,
  itemOf: (row: Row) => Item,
): Promise<{ records: Item[]; nextCursor?: string }> {
  const owner = `${routeOptions.url} of ${caller.subscriberId}`
  const after = cursor === undefined ? null : readCursor(vault, cursor, owner)
  if (after === undefined)
    throw invalid({ field: 'cursor', message: 'cursor must be the nextCursor of an earlier page.' })
  const rows = await list({ after, rows: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const records = shown.map(itemOf)
  return last ? { records, nextCursor: writeCursor(vault, last.seq, owner) } : { records }
}

const DIGITS = 16 // all numbers have the same length, so that the length of a cursor reveals nothing

export const writeCursor = (vault: Vault, seq: number, owner: string): string =>
  vault.seal(String(seq).padStart(DIGITS, '0'), owner).toString('base64url')

/** Undefined where it was written for another list or subscriber. */
export function readCursor(vault: Vault, cursor: string, owner: string): number | undefined {
  try {
    return Number(vault.open(Buffer.from(cursor, 'base64url'), owner))
  } catch {
    return undefined
  }
}
