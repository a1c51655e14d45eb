import { createHash } from 'node:crypto'
import { readdir, readFile } from 'node:fs/promises'
import pg from 'pg'

const FOLDER = new URL('../../../migrations/', import.meta.url)
const LOCK_KEY = 4_815_001

/** One file of the folder. By its checksum it shows whether it was changed after it was applied. */
type Migration = { name: string; sql: string; checksum: string }

/**
 * Brings the database up to this version. Safe when several nodes start at once: one migrates while the others wait.
 * `url` is the service's own role, which is granted what it needs and no more.
 */
export async function migrate(options: { ownerUrl: string; url: string; jobs: readonly string[] }): Promise<string[]> {
  const client = new pg.Client({ connectionString: options.ownerUrl, application_name: 'lodgeway migrate' })
  await client.connect()
  try {
    await client.query('select pg_advisory_lock($1)', [LOCK_KEY])
    const pending = await pendingMigrations(client)
    for (const migration of pending) await apply(client, migration)
    const { installQueue } = await import('../jobs/queue.ts') // here, as most commands only ask whether all is applied
    await installQueue(options.ownerUrl, options.jobs)
    await grant(client, new URL(options.url).username, new URL(options.ownerUrl).username)
    return pending.map((migration) => migration.name)
  } finally {
    await client.end()
  }
}

/** The names of migrations that the database lacks; reads only. */
export async function missingMigrations(query: (text: string) => Promise<{ name: string }[]>): Promise<string[]> {
  const applied = new Set((await query('select name from schema_migrations')).map((row) => row.name))
  return (await migrationNames()).filter((name) => !applied.has(name))
}

/** Whether there is nothing for `migrate` to do. A node whose role may not migrate can start on such a database. */
export async function isMigrated(url: string, jobs: readonly string[]): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, application_name: 'lodgeway' })
  await client.connect()
  const read = async (text: string) => (await client.query<{ name: string }>(text)).rows
  try {
    const queues = new Set((await read('select name from pgboss.queue')).map((row) => row.name))
    return jobs.every((name) => queues.has(name)) && (await missingMigrations(read)).length === 0
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

async function pendingMigrations(client: pg.Client): Promise<Migration[]> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  const { rows } = await client.query<{ name: string; checksum: string }>(
    'select name, checksum from schema_migrations',
  )
  const applied = new Map(rows.map((row) => [row.name, row.checksum]))
  const all = await Promise.all((await migrationNames()).map(readMigration))
  const unknown = [...applied.keys()].filter((name) => !all.some((migration) => migration.name === name))
  if (unknown.length) {
    throw new Error(`The database was migrated by a newer version (${unknown.join(', ')}). Start that version instead.`)
  }
  const altered = all.find(({ name, checksum }) => applied.has(name) && applied.get(name) !== checksum)
  if (altered) throw new Error(`Migration ${altered.name} was changed after it was applied. Add a new one instead.`)
  return all.filter((migration) => !applied.has(migration.name))
}

const migrationNames = async () => (await readdir(FOLDER)).filter((name) => name.endsWith('.sql')).sort()

async function readMigration(name: string): Promise<Migration> {
  const sql = await readFile(new URL(name, FOLDER), 'utf8')
  return { name, sql, checksum: createHash('sha256').update(sql).digest('hex') }
}

async function apply(client: pg.Client, { name, sql, checksum }: Migration): Promise<void> {
  try {
    await client.query('begin')
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum) values ($1, $2)', [name, checksum])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // of a lost connection nothing is left to undo
    throw new Error(`Migration ${name} failed: ${error instanceof Error ? error.message : error}`, { cause: error })
  }
}

async function grant(client: pg.Client, encodedRole: string, encodedOwner: string): Promise<void> {
  if (encodedRole === encodedOwner) return
  const role = client.escapeIdentifier(decodeURIComponent(encodedRole))
  await client.query(`
    grant usage on schema public, pgboss to ${role};
    grant select, insert, update, delete on all tables in schema public, pgboss to ${role};
    grant usage on all sequences in schema public, pgboss to ${role};
    grant execute on all functions in schema public, pgboss to ${role};
    revoke update, delete on audit_entries, audit_anchors, schema_migrations from ${role};
    revoke insert on schema_migrations from ${role};`)
}
