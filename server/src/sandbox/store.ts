import pg from 'pg'
import type { Connection } from '../platform/database/db.ts'

/**
 * Empties the database, by the owner's role, as the service's own may not remove audit entries. The list of migrations,
 * the service's state and the rows of blobs stay; bytes that nothing names any more are swept as any orphan.
 */
export async function emptyDatabase(ownerUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl, application_name: 'lodgeway reset' })
  await client.connect()
  try {
    const { rows } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables
        where schemaname = 'public' and tablename not in ('schema_migrations', 'service_state', 'blobs')`,
    )
    await client.query('begin')
    await client.query(`truncate ${rows.map((row) => row.name).join(', ')} restart identity`)
    await client.query("delete from pgboss.job where name not like '\\_\\_pgboss%'")
    await client.query('update service_state set maintenance = false, clock_offset_ms = 0, seeded = false')
    await client.query('commit')
  } finally {
    await client.end()
  }
}

export async function isSeeded(connection: Connection): Promise<boolean> {
  const [row] = await connection.query<{ seeded: boolean }>('select seeded from service_state')
  return row?.seeded ?? false
}

export const markSeeded = (connection: Connection) => connection.query('update service_state set seeded = true')
