import { invalid } from '../errors.ts'
import type { Vault } from '../vault.ts'
import { PAGE_RECORDS_DEFAULT } from './schema.ts'

// A cursor says where a page ended. It is sealed, so that it does not reveal how many rows there are. Every node can open
// it, only for the same list in the same order and the same subscriber.

type PageRequest = {
  query: { cursor?: string; limit?: number }
  caller: { subscriberId: string }
  routeOptions: { url?: string | undefined }
}

type Page<Item> = { records: Item[]; nextCursor?: string }

/** What to ask the store for: one row more than the page, to know whether another follows. */
export type Bounds<After = number> = { after: After | null; rows: number }

/** Where a row is in a list that is ordered by some values, and by the id, which is the last, where these are the same. */
export type Key = readonly string[]

/** A list in the order of its numbers. */
export const pageOf = <Row extends { seq: number }, Item>(
  vault: Vault,
  request: PageRequest,
  list: (bounds: Bounds) => Promise<readonly Row[]>,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> =>
  page(request, list, itemOf, ({ seq }) => seq, {
    read: (cursor, owner) => readCursor(vault, cursor, owner),
    write: (seq, owner) => writeCursor(vault, seq, owner),
  })

/** A list in another order, which has a name. */
export const keyedPageOf = <Row extends { key: Key }, Item>(
  vault: Vault,
  request: PageRequest,
  order: string,
  list: (bounds: Bounds<Key>) => Promise<readonly Row[]>,
  itemOf: (row: Row) => Item,
): Promise<Page<Item>> =>
  page(request, list, itemOf, ({ key }) => key, {
    read: (cursor, owner) => open(vault, cursor, `${owner} by ${order}`, JSON.parse),
    write: (key, owner) => seal(vault, JSON.stringify(key), `${owner} by ${order}`),
  })

async function page<Row, After, Item>(
  { query: { cursor, limit = PAGE_RECORDS_DEFAULT }, caller, routeOptions }: PageRequest,
  list: (bounds: Bounds<After>) => Promise<readonly Row[]>,
  itemOf: (row: Row) => Item,
  positionOf: (row: Row) => After,
  { read, write }: { read(cursor: string, owner: string): After | undefined; write(at: After, owner: string): string },
): Promise<Page<Item>> {
  const owner = `${routeOptions.url} of ${caller.subscriberId}`
  const after = cursor === undefined ? null : read(cursor, owner)
  if (after === undefined)
    throw invalid({ field: 'cursor', message: 'cursor must be the nextCursor of an earlier page.' })
  const rows = await list({ after, rows: limit + 1 })
  const shown = rows.slice(0, limit)
  const last = rows.length > limit ? shown.at(-1) : undefined
  const records = shown.map(itemOf)
  return last ? { records, nextCursor: write(positionOf(last), owner) } : { records }
}

const DIGITS = 16 // all numbers have the same length, so that the length of a cursor reveals nothing

export const writeCursor = (vault: Vault, seq: number, owner: string): string =>
  seal(vault, String(seq).padStart(DIGITS, '0'), owner)

/** Undefined where it was written for another list or subscriber. */
export const readCursor = (vault: Vault, cursor: string, owner: string): number | undefined =>
  open(vault, cursor, owner, Number)

const seal = (vault: Vault, text: string, owner: string): string => vault.seal(text, owner).toString('base64url')

function open<Position>(vault: Vault, cursor: string, owner: string, parse: (text: string) => Position) {
  try {
    return parse(vault.open(Buffer.from(cursor, 'base64url'), owner))
  } catch {
    return undefined
  }
}
