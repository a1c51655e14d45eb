import { ALL_SCOPES } from '../auth/scopes.ts'
import { type Connection, JOB_LIMITS, openDb, type Transaction } from '../platform/database/db.ts'
import type { DueJob } from '../platform/jobs/due.ts'
import { ACCOUNTS } from './accounts.ts'

/** With the owner's role, because the service's role may change neither audit entries nor clients. */
async function asOwner(ownerUrl: string, work: (tx: Transaction) => Promise<void>): Promise<void> {
  const db = openDb({ url: ownerUrl, poolSize: 1, limits: JOB_LIMITS, applicationName: 'lodgeway sandbox' })
  await db.transaction(work).finally(() => db.close())
}

/**
 * Empties the database; tables without rows, as at the first start, are left alone. The list of migrations, the service's state, its nodes and the rows of blobs stay; unused blobs are
 * removed later like any other.
 */
export const emptyDatabase = (ownerUrl: string): Promise<void> =>
  asOwner(ownerUrl, async (tx) => {
    const tables = await tx.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables
        where schemaname = 'public' and tablename not in ('schema_migrations', 'service_state', 'nodes', 'blobs')
          and pg_relation_size(format('%I.%I', schemaname, tablename)::regclass) > 0`,
    )
    if (tables.length) tx.send(`truncate ${tables.map(({ name }) => name).join(', ')} restart identity cascade`)
    tx.send("delete from pgboss.job where name not like '\\_\\_pgboss%'")
    tx.send(
      'update service_state set maintenance = false, clock_offset_ms = 0, seeded = false, identity_erased_upto = default',
    )
  })

type DueRow = { at: Date; job: string; payload: DueJob['payload']; reference: string | null }

/** What becomes due, the next first. */
export const listDue = (connection: Connection, most: number) =>
  connection.query<DueRow>(
    `select due_at as at, job, due.payload -> 'payload' as payload, reference
       from due left join workspaces on workspace_id = (due.payload -> 'payload' ->> 'workspaceId')::uuid
      order by due_at, due_id limit $1`,
    [most],
  )

/** When the next job of a workspace becomes due; without one, the next of the service itself. */
export async function nextDueAt(connection: Connection): Promise<Date | undefined> {
  const [row] = await connection.query<{ at: Date }>(
    `select date_trunc('milliseconds', due_at + interval '999 microseconds') as at from due
      order by payload -> 'payload' ->> 'workspaceId' is null, due_at limit 1`,
  )
  return row?.at
}

export async function findReferences(connection: Connection, ids: readonly string[]): Promise<Map<string, string>> {
  const rows = await connection.query<{ id: string; reference: string }>(
    'select workspace_id as id, reference from workspaces where workspace_id = any ($1)',
    [ids],
  )
  return new Map(rows.map(({ id, reference }) => [id, reference]))
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
