import { PAGE_RECORDS_DEFAULT } from './schema.ts'

// A cursor is where the last page ended, in a form that nobody is tempted to compute with.

export type PageRequest = { cursor?: string; limit?: number }

/** What to ask the store for: one row more than the page, to know whether another follows. */
export function pageBounds({ cursor, limit = PAGE_RECORDS_DEFAULT }: PageRequest): {
  after: number | null
  rows: number
} {
  return { after: cursor === undefined ? null : readCursor(cursor), rows: limit + 1 }
}

export function pageOf<Row extends { seq: number }, Item>(
  rows: readonly Row[],
  { limit = PAGE_RECORDS_DEFAULT }: PageRequest,
  itemOf: (row: Row) => Item,
): { records: Item[]; nextCursor?: string } {
  const shown = rows.slice(0, limit)
  const last = shown.at(-1)
  const records = shown.map(itemOf)
  return rows.length > limit && last ? { records, nextCursor: writeCursor(last.seq) } : { records }
}

/** Judged with the other parameters of a query, as the format `cursor`. */
export function isCursor(text: string): boolean {
  const seq = Buffer.from(text, 'base64url').toString('latin1')
  return /^\d{1,15}$/.test(seq) && writeCursor(Number(seq)) === text
}

const writeCursor = (seq: number): string => Buffer.from(String(seq)).toString('base64url')

const readCursor = (cursor: string): number => Number(Buffer.from(cursor, 'base64url').toString('latin1'))
