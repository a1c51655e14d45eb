import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'
import server from '../../../package.json' with { type: 'json' }
import { isQueueInstalled } from '../jobs/installed.ts'

// The migrations of this version, and how they compare with those of a database. Reads only.

const FOLDER = new URL('../../../migrations/', import.meta.url)

export type Migration = {
  name: string
  sql: string
  /** Shows whether the file was changed after it was applied. */
  checksum: string
  /** The oldest version that runs on a database with this migration. Null: only those that know it. */
  compatibleFrom: string | null
}

export type Read = <Row extends object>(text: string) => Promise<Row[]>

/** Whether `migrate` has nothing to do. Throws if this version cannot run on the database. */
export async function isMigrated(url: string, jobs: readonly string[]): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'lodgeway' })
  await client.connect()
  const read: Read = async (text) => (await client.query(text)).rows
  try {
    const { pending } = await compareMigrations(read, await readMigrations())
    return pending.length === 0 && (await isQueueInstalled(read, jobs))
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === UNDEFINED_TABLE || code === UNDEFINED_SCHEMA || code === INSUFFICIENT_PRIVILEGE) return false
    throw error
  } finally {
    await client.end()
  }
}

const UNDEFINED_TABLE = '42P01'
const UNDEFINED_SCHEMA = '3F000'
const INSUFFICIENT_PRIVILEGE = '42501'

/** In the order of their numbers, which may have gaps. */
export async function readMigrations(folder = FOLDER): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.sql')).sort()
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(new URL(name, folder), 'utf8')
      return { name, sql, checksum: createHash('sha256').update(sql).digest('hex'), compatibleFrom: markerOf(sql) }
    }),
  )
}

// `-- compatible: yes` marks one that only adds, `-- compatible: from 1.2.0` one that removes what 1.2.0 does not use.
function markerOf(sql: string): string | null {
  const [, yes, from] = /^-- compatible: (?:(yes)|from (\d+\.\d+\.\d+))$/m.exec(sql) ?? []
  return yes ? FIRST_VERSION : (from ?? null)
}

const FIRST_VERSION = '1.0.0'

/**
 * What the database lacks, and what it has that this version does not know. Throws if this version cannot run on it. A
 * lower number may be pending after a higher one was applied: in development, branches land in any order.
 */
export async function compareMigrations(read: Read, known: readonly Migration[], version = server.version) {
  const applied = new Map((await read<Omit<Migration, 'sql'>>(APPLIED)).map((row) => [row.name, row]))
  const changed = known.find(({ name, checksum }) => applied.has(name) && applied.get(name)?.checksum !== checksum)
  if (changed) {
    throw new Error(
      `Migration ${changed.name} was changed after it was applied. Restore it, and add a new one instead.`,
    )
  }
  const newer = [...applied.values()].filter((one) => !known.some(({ name }) => name === one.name))
  const incompatible = newer.filter(({ compatibleFrom: from }) => from === null || byNumber.compare(from, version) > 0)
  if (incompatible.length) {
    const names = incompatible.map(({ name }) => name).join(', ')
    throw new Error(
      `The database was migrated by a newer version (${names}), and version ${version} cannot run on it. ` +
        'Start the newer version, or restore the backup that was made before the upgrade.',
    )
  }
  return { pending: known.filter(({ name }) => !applied.has(name)), newer: newer.map(({ name }) => name) }
}

// A database of 1.0.0 does not have the column `compatible_from`, so it is read from the row as JSON.
const APPLIED = `
  select name, checksum, to_jsonb(applied) ->> 'compatible_from' as "compatibleFrom" from schema_migrations applied`

const byNumber = new Intl.Collator('en', { numeric: true })
