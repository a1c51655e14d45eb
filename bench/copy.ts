import { createHash } from 'node:crypto'
import { TABLES } from '../server/src/matter/tables.ts'
import type { Db } from '../server/src/platform/database/db.ts'
import { spliced } from './script.ts'

// Copies of a matter that the service itself has made, with other ids. A copy has a number, and its ids follow from it, in
// SQL as well as here.

/** The ids of the matter that is copied. */
export type Original = { workspaceId: string; ids: readonly string[] }

export const copyOf = (id: string, number: number): string =>
  createHash('md5')
    .update(`${id}/${number}`)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')

export const copySql = (id: string, number: string): string => `md5('${id}/' || ${number})::uuid::text`

const KEYS = [
  ...TABLES.map(({ name, columns }) => ({ name, key: Object.values(columns)[0] ?? '' })),
  { name: 'workspace_activity', key: 'workspace_id' },
]
const UUID = /^[0-9a-f-]{36}$/

/** Copies all rows of a matter, but neither its events nor its audit. */
export async function copyMatter(owner: Db, workspaceId: string, [from, to]: readonly [number, number]) {
  const sqlOf = new Map([[workspaceId, copySql(workspaceId, 'n')]])
  const copies: string[] = []
  for (const { name, key } of KEYS) {
    const rows = await owner.query<{ id: unknown; text: string }>(
      `select to_jsonb(t) -> '${key}' as id, to_jsonb(t)::text as text from ${name} t
        where to_jsonb(t)::text like any ($1)`,
      [[...sqlOf.keys()].map((id) => `%${id}%`)],
    )
    for (const { id } of rows) if (typeof id === 'string' && UUID.test(id)) sqlOf.set(id, copySql(id, 'n'))
    for (const { text } of rows) {
      const reference = /LW\d{9}/.exec(text)?.[0]
      const idSql = (id: string) => (id === reference ? `('LW' || (990000000 + n))` : sqlOf.get(id))
      const json = spliced(text, idSql, (plain) => `'${plain.replaceAll("'", "''")}'`)
      copies.push(
        `insert into ${name} overriding user value
         select r.* from generate_series(${from}, ${to}) n, jsonb_populate_record(null::${name}, (${json})::jsonb) r`,
      )
    }
  }
  const client = await owner.dedicated()
  try {
    await client.query('set synchronous_commit = off; set session_replication_role = replica')
    for (const text of copies) await client.query(text)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
  return { workspaceId, ids: [...sqlOf.keys()] } satisfies Original
}
