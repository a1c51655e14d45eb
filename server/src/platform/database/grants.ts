import type pg from 'pg'

/** What a role may do. It may read all tables, and insert and update unless stated otherwise. */
export type Rights = {
  /** The only tables from which rows may be deleted. */
  deletes: readonly string[]
  readOnly: readonly string[]
  /** Rows may be added, never changed. */
  appendOnly: readonly string[]
  /** Only these columns may be updated, and no row added. */
  columns: Readonly<Record<string, readonly string[]>>
  /** Whether it runs jobs, or only enqueues them. */
  queue: 'run' | 'enqueue'
}

/** Grants exactly these rights: what an older version granted in addition is revoked in the same transaction. */
export async function grant(client: pg.Client, url: string, rights: Rights): Promise<void> {
  const role = client.escapeIdentifier(decodeURIComponent(new URL(url).username))
  const { deletes, readOnly, appendOnly, columns, queue } = rights
  const change = (verb: string, tables: readonly string[], to: 'to' | 'from') =>
    tables.length ? [`${verb} on ${tables.join(', ')} ${to} ${role}`] : []
  const statements = [
    `revoke all on all tables in schema public, pgboss from ${role}`,
    `grant usage on schema public, pgboss to ${role}`,
    `grant usage on all sequences in schema public, pgboss to ${role}`,
    `grant execute on all functions in schema public, pgboss to ${role}`,
    `grant select, insert, update on all tables in schema public to ${role}`,
    `grant select, insert${queue === 'run' ? ', update, delete' : ''} on all tables in schema pgboss to ${role}`,
    ...change('grant delete', deletes, 'to'),
    ...change('revoke insert, update', ['schema_migrations', ...readOnly, ...Object.keys(columns)], 'from'),
    ...change('revoke update', appendOnly, 'from'),
    ...Object.entries(columns).flatMap(([table, names]) => change(`grant update (${names.join(', ')})`, [table], 'to')),
  ]
  await client.query(statements.join(';\n'))
}
