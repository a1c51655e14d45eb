import type { Transaction } from '../platform/database/db.ts'
import { searchNameOf } from '../title-reconciliation/search-names.ts'
import type { Name } from '../workspaces/names.ts'
import type { Matter } from './matter.ts'
import { type Row, TABLES, type Table } from './tables.ts'

// The one writer of a matter's tables: what differs between two states of it, row by row and column by column. All of
// it travels with the commit.

/** `before` is undefined for a new matter. */
export function saveMatter(tx: Transaction, before: Matter | undefined, after: Matter): void {
  if (before) for (const table of TABLES.toReversed()) deleteGone(tx, table, table.rows(before), table.rows(after))
  for (const table of TABLES) saveRows(tx, table, before ? table.rows(before) : [], after)
}

function deleteGone(tx: Transaction, { name, columns }: Table, stored: readonly Row[], rows: readonly Row[]): void {
  const [[property = '', key = ''] = []] = Object.entries(columns)
  const left = new Set(rows.map((row) => row[property]))
  for (const { [property]: id } of stored) if (!left.has(id)) tx.send(`delete from ${name} where ${key} = $1`, [id])
}

function saveRows(tx: Transaction, table: Table, stored: readonly Row[], matter: Matter): void {
  const [[property = ''] = []] = Object.entries(table.columns)
  const known = new Map(stored.map((row) => [row[property], row]))
  for (const row of table.rows(matter)) {
    const former = known.get(row[property])
    if (!former) insert(tx, table, row, matter)
    else if (former !== row) update(tx, table, former, row)
  }
}

function insert(tx: Transaction, { name, columns, owner }: Table, row: Row, matter: Matter): void {
  const given = Object.entries(columns).filter(([property]) => row[property] !== undefined)
  const cells = [
    ...(owner ? [[owner.column, owner.id(matter)]] : []),
    ...given.map(([property, column]) => [plain(column), cellOf(row[property], column)]),
  ]
  const names = cells.map(([column]) => column)
  const places = cells.map((_, index) => `$${index + 1}`)
  if (owner?.counted) {
    names.push(owner.counted.column)
    places.push(owner.counted.sql)
  }
  tx.send(
    `insert into ${name} (${names.join(', ')}) values (${places.join(', ')})`,
    cells.map(([, value]) => value),
  )
}

function update(tx: Transaction, { name, columns }: Table, former: Row, row: Row): void {
  const [[property = '', key = ''] = [], ...others] = Object.entries(columns)
  const changed = others.filter(([property]) => row[property] !== former[property])
  if (!changed.length) return
  const set = changed.map(([, column], index) => `${plain(column)} = $${index + 2}`)
  const values = changed.map(([property, column]) => cellOf(row[property], column))
  tx.send(`update ${name} set ${set.join(', ')} where ${key} = $1`, [row[property], ...values])
}

const plain = (column: string) => column.replace('::jsonb', '')

// The driver would write a list as an array of PostgreSQL.
const cellOf = (value: unknown, column: string) =>
  column.endsWith('::jsonb') ? JSON.stringify(value) : (value ?? null)

/** Gives parties that have none the name that they are found by, and returns how many these were. */
export async function nameParties(tx: Transaction, partiesMax: number): Promise<number> {
  const parties = await tx.query<{ partyId: string; name: Name }>(
    `select party_id as "partyId", name from parties where search_name is null order by party_id limit $1
        for no key update skip locked`,
    [partiesMax],
  )
  tx.send(
    `update parties p set search_name = n.name from unnest($1::uuid[], $2::text[]) as n(party_id, name)
      where p.party_id = n.party_id`,
    [parties.map(({ partyId }) => partyId), parties.map(({ name }) => searchNameOf(name))],
  )
  return parties.length
}
