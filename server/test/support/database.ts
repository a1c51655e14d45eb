import { randomUUID } from 'node:crypto'
import pg from 'pg'
import type { Connection } from '../../src/platform/database/db.ts'

export const TEMPLATE = 'lodgeway_template'

export type TestDatabase = { url: string; ownerUrl: string; drop(): Promise<void> }

/** A database of its own, cloned from the migrated template in some 50 ms. `npm test` starts the PostgreSQL behind it. */
export async function testDatabase(): Promise<TestDatabase> {
  const serverUrl = process.env['TEST_OWNER_URL']
  const serviceUrl = process.env['TEST_URL']
  if (!serverUrl || !serviceUrl) throw new Error('Tests need their PostgreSQL: run `npm test -- <file>`.')
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await asOwner(serverUrl, `create database ${name} template ${TEMPLATE}`)
  return {
    url: withDatabase(serviceUrl, name),
    ownerUrl: withDatabase(serverUrl, name),
    drop: () => asOwner(serverUrl, `drop database if exists ${name} with (force)`),
  }
}

/** Whether somebody in this database waits for a lock. Other test files have databases of their own. */
export async function isHeldUp(connection: Connection): Promise<boolean> {
  const waiting = await connection.query(
    `select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`,
  )
  return waiting.length > 0
}

export function withDatabase(url: string, name: string): string {
  const changed = new URL(url)
  changed.pathname = `/${name}`
  return changed.href
}

async function asOwner(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') })
  await client.connect()
  try {
    await client.query(sql)
  } finally {
    await client.end()
  }
}
