import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Db } from '../../../src/platform/database/db.ts'
import type { TableUse } from './rules.ts'

// What PostgreSQL and the folder hold.

const CONNECTIONS = `select count(*) from pg_stat_activity where usename = 'lodgeway' and datname = current_database()`

/** Chores have no correlation id. */
const BACKLOG = `
  select (select count(*) from pgboss.job where state < 'completed' and name <> 'dead' and data ? 'correlationId')
       + (select count(*) from events where unpublished)
       + (select count(*) from notifications where status = 'PENDING') as count`

const SIZES = `
  select s.schemaname || '.' || s.relname as name, n_dead_tup as dead,
         pg_table_size(s.relid) as bytes, pg_indexes_size(s.relid) as "indexBytes"
    from pg_stat_user_tables s join pg_class c on c.oid = s.relid where c.relkind = 'r' order by 1`

export async function countOf(db: Db, text: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(text)
  return Number(row?.count ?? 0)
}

export const connectionsOf = (db: Db) => countOf(db, CONNECTIONS)
export const backlogOf = (db: Db) => countOf(db, BACKLOG)

/** By schema and name, with the exact number of rows. */
export async function tablesOf(db: Db): Promise<Record<string, TableUse>> {
  const sizes = await db.query<{ name: string } & Omit<TableUse, 'rows'>>(SIZES)
  const counts = sizes.map(({ name }) => `select '${name}' as name, count(*) as rows from ${quoted(name)}`)
  const rows = await db.query<{ name: string; rows: number }>(counts.join(' union all '))
  const rowsOf = new Map(rows.map((row) => [row.name, row.rows]))
  return Object.fromEntries(
    sizes
      .filter(({ bytes }) => bytes > 0)
      .map(({ name, bytes, indexBytes, dead }) => [
        name.replace(/^public\./, ''),
        { rows: rowsOf.get(name) ?? 0, bytes, indexBytes, dead },
      ]),
  )
}

const quoted = (name: string) =>
  name
    .split('.')
    .map((part) => `"${part}"`)
    .join('.')

/** Of uploads and reports that are being written, or that a kill cut off. */
export const temporaryFilesIn = async (dataDir: string): Promise<string[]> =>
  (await readdir(join(dataDir, 'spool')))
    .filter((name) => name !== 'check') // a node that looks whether it can write
    .map((name) => join(dataDir, 'spool', name))
