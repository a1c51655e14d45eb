import type { Transaction } from '../platform/database/db.ts'
import { searchNameOf } from '../title-reconciliation/search-names.ts'
import type { Name } from '../workspaces/names.ts'
import type { Matter } from './matter.ts'
import { type Row, TABLES, type Table } from './tables.ts'

// The one writer of a matter's tables: what differs between two states of it, row by row and column by column. All of
// it travels with the commit.

/** `before` is undefined for a new matter. */
export function saveMatter(tx: Transaction, before: Matter | undefined, after: Matter): void {
  if (before) for (const table of TABLES.toReversed()) deleteGone(tx, table, before, after)
  for (const table of TABLES) saveRows(tx, table, before ? table.rows(before) : [], after)
}

function deleteGone(tx: Transaction, { name, rows, columns, owner }: Table, before: Matter, after: Matter): void {
  const [[property = '', key = ''] = []] = Object.entries(columns)
  const left = new Set(rows(after).map((row) => row[property]))
  const gone = rows(before).filter((row) => !left.has(row[property]))
  const owned = owner ? [owner.id(after)] : []
  for (const { [property]: id } of gone)
    tx.send(`delete from ${name} where ${key} = $1${owner ? ` and ${owner.column} = $2` : ''}`, [id, ...owned])
}

function saveRows(tx: Transaction, table: Table, stored: readonly Row[], matter: Matter): void {
  const [[property = ''] = []] = Object.entries(table.columns)
  const known = new Map(stored.map((row) => [row[property], row]))
  const added = new Map<string, Row[]>()
  for (const row of table.rows(matter)) {
    const former = known.get(row[property])
    if (!former) {
      const names = Object.keys(table.columns).filter((name) => row[name] !== undefined)
      const alike = added.get(names.join())
      if (alike) alike.push(row)
      else added.set(names.join(), [row])
    } else if (former !== row) update(tx, table, former, row, matter)
  }
  for (const rows of added.values()) insert(tx, table, rows, matter)
}

/** Rows that have the same columns are one statement. */
function insert(tx: Transaction, table: Table, rows: readonly Row[], matter: Matter): void {
  const { name, columns, owner, computed = {} } = table
  const given = Object.entries(columns).filter(([property]) => rows[0]?.[property] !== undefined)
  const values: unknown[] = owner ? [owner.id(matter)] : []
  const places = rows.map((row, index) => [
    ...(owner ? ['$1'] : []),
    ...given.map(([property, column]) => `$${values.push(cellOf(row[property], column))}`),
    ...(owner?.counted ? [`${owner.counted.sql} + ${index}`] : []),
    ...Object.values(computed),
  ])
  const plainNames = given.map(([, column]) => plain(column))
  const names = [owner?.column, ...plainNames, owner?.counted?.column, ...Object.keys(computed)]
  tx.send(
    `insert into ${name} (${names.filter((column) => column !== undefined).join(', ')})
     values ${places.map((cells) => `(${cells.join(', ')})`).join(', ')}`,
    values,
  )
}

/** It names the owner too, so that it can be found where matters are spread over several databases. */
function update(tx: Transaction, { name, columns, owner }: Table, former: Row, row: Row, matter: Matter): void {
  const [[property = '', key = ''] = [], ...others] = Object.entries(columns)
  const changed = others.filter(([property]) => row[property] !== former[property])
  if (!changed.length) return
  const set = changed.map(([, column], index) => `${plain(column)} = $${index + 2}`)
  const values = changed.map(([property, column]) => cellOf(row[property], column))
  const owned = owner ? ` and ${owner.column} = $${values.push(owner.id(matter)) + 1}` : ''
  tx.send(`update ${name} set ${set.join(', ')} where ${key} = $1${owned}`, [row[property], ...values])
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

/** The same for workspaces and the names of their borrowers. */
export async function nameBorrowers(tx: Transaction, workspacesMax: number): Promise<number> {
  const found = await tx.query<{ workspaceId: string }>(
    `select workspace_id as "workspaceId" from workspaces where borrowers is null order by workspace_id limit $1
        for no key update skip locked`,
    [workspacesMax],
  )
  const ids = found.map(({ workspaceId }) => workspaceId)
  tx.send('update workspaces set borrowers = borrowers_of(workspace_id) where workspace_id = any ($1)', [ids])
  return found.length
}
