import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { isQueueInstalled } from '../jobs/installed.ts'
import { installQueue } from '../jobs/queue.ts'
import { grant, type Rights } from './grants.ts'
import { compareMigrations, type Migration, type Read, readMigrations } from './migrations.ts'

const LOCK_KEY = 4_815_001
const LOCK_POLL_MS = 200
const TABLE_WAIT_MS_MAX = 5_000

type MigrateOptions = {
  ownerUrl: string
  /** The URL of the role that gets exactly these rights. */
  url: string
  rights: Rights
  jobs: readonly string[]
  folder?: URL
  tableWaitMs?: number
}

/**
 * Upgrades the database to this version: its tables, those of the job queue, the settings of every queue, and the rights
 * of the service's role. May be run any number of times, also by several nodes at once: one works, the others wait.
 */
export async function migrate(options: MigrateOptions): Promise<string[]> {
  const { ownerUrl, url, rights, jobs, folder, tableWaitMs = TABLE_WAIT_MS_MAX } = options
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'lodgeway migrate' })
  await client.connect()
  const read: Read = async (text) => (await client.query(text)).rows
  try {
    await lock(client)
    await prepareList(client)
    const { pending, newer } = await compareMigrations(read, await readMigrations(folder))
    const isNewer = newer.length > 0 && pending.length === 0 && (await isQueueInstalled(read, jobs))
    if (isNewer) return [] // keeps the queues and rights of the newer version
    for (const migration of pending) await apply(client, migration, tableWaitMs)
    await installQueue(ownerUrl, jobs)
    if (new URL(url).username !== new URL(ownerUrl).username) await grant(client, url, rights)
    return pending.map(({ name }) => name)
  } finally {
    await client.end()
  }
}

// Polls for the lock: a statement that waits holds a snapshot, and pg-boss upgrades its tables with `create index
// concurrently`, which waits for all snapshots.
async function lock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ taken: boolean }>('select pg_try_advisory_lock($1) as taken', [LOCK_KEY])
    if (rows[0]?.taken) return
    await delay(LOCK_POLL_MS)
  }
}

async function prepareList(client: pg.Client): Promise<void> {
  await client.query(`create table if not exists schema_migrations (
    name text primary key, checksum text not null, applied_at timestamptz not null default now())`)
  const { rowCount } = await client.query(`select from pg_attribute
    where attrelid = 'schema_migrations'::regclass and attname = 'compatible_from'`)
  if (rowCount === 0) await client.query('alter table schema_migrations add column compatible_from text')
}

async function apply(client: pg.Client, migration: Migration, tableWaitMs: number): Promise<void> {
  const { name, sql, checksum, compatibleFrom } = migration
  try {
    await client.query('begin')
    // While a migration waits for a table, every request to that table waits behind it.
    // What is written last, the settings of the queue, waits for the disk for all of them.
    await client.query(`set local lock_timeout = ${tableWaitMs}; set local synchronous_commit = off`)
    await client.query(sql)
    await client.query('insert into schema_migrations (name, checksum, compatible_from) values ($1, $2, $3)', [
      name,
      checksum,
      compatibleFrom,
    ])
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {}) // on a lost connection there is nothing left to roll back
    const { code, message } = error as { code?: string; message: string }
    const busy = `a table was in use for more than ${tableWaitMs / 1000} s. Run migrate again.`
    const reason = code === LOCK_NOT_AVAILABLE ? busy : message
    throw new Error(`Migration ${name} failed and was undone: ${reason}`, { cause: error })
  }
}

const LOCK_NOT_AVAILABLE = '55P03'
