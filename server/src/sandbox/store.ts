import { ALL_SCOPES } from '../auth/scopes.ts'
import { type Connection, JOB_LIMITS, openDb, type Transaction } from '../platform/database/db.ts'
import { ACCOUNTS } from './accounts.ts'

/** With the owner's role, because the service's role may change neither audit entries nor clients. */
async function asOwner(ownerUrl: string, work: (tx: Transaction) => Promise<void>): Promise<void> {
  const db = openDb({ url: ownerUrl, poolSize: 1, limits: JOB_LIMITS, applicationName: 'lodgeway sandbox' })
  await db.transaction(work).finally(() => db.close())
}

/**
 * Empties the database. The list of migrations, the service's state, its nodes and the rows of blobs stay; unused blobs are
 * removed later like any other.
 */
export const emptyDatabase = (ownerUrl: string): Promise<void> =>
  asOwner(ownerUrl, async (tx) => {
    const tables = await tx.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables
        where schemaname = 'public' and tablename not in ('schema_migrations', 'service_state', 'nodes', 'blobs')`,
    )
    tx.send(`truncate ${tables.map(({ name }) => name).join(', ')} restart identity`)
    tx.send("delete from pgboss.job where name not like '\\_\\_pgboss%'")
    tx.send('update service_state set maintenance = false, clock_offset_ms = 0, seeded = false')
  })

type DueRow = { at: string; job: string; workspaceId?: string }

export async function listDue(connection: Connection, most: number): Promise<DueRow[]> {
  const rows = await connection.query<{ at: Date; job: string; workspaceId: string | null }>(
    `select due_at as at, job, payload -> 'payload' ->> 'workspaceId' as "workspaceId"
       from due order by due_at, due_id limit $1`,
    [most],
  )
  return rows.map(({ at, job, workspaceId }) => ({ at: at.toISOString(), job, ...(workspaceId && { workspaceId }) }))
}

export async function isSeeded(connection: Connection): Promise<boolean> {
  const [row] = await connection.query<{ seeded: boolean }>('select seeded from service_state')
  return row?.seeded ?? false
}

/** The accounts of an earlier version get the scopes that are new. */
export const grantScopes = (ownerUrl: string): Promise<void> =>
  asOwner(ownerUrl, async (tx) => {
    const clientIds = ACCOUNTS.map(({ clientId }) => clientId)
    tx.send('update clients set scopes = $1 where client_id = any ($2) and scopes <> $1', [ALL_SCOPES, clientIds])
  })

/** False in a sandbox of version 1.1. */
export async function hasPeople(connection: Connection): Promise<boolean> {
  return (await connection.query('select from people limit 1')).length > 0
}

export const markSeeded = (connection: Connection) => connection.query('update service_state set seeded = true')
