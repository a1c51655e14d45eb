import type { Connection, Db } from '../database/db.ts'

// Small, as the rows stay locked while their bytes are removed, and a `keep` of the same content must wait.
const BATCH_ROWS_MAX = 20

/** Deletes blobs that no foreign key refers to and that were not touched for `ageMs`. Several nodes may sweep at once. */
export async function sweepOrphans(
  db: Db,
  ageMs: number,
  removeBytes: (sha256: string) => Promise<void>,
): Promise<number> {
  let swept = 0
  let from = new Date(0)
  for (;;) {
    const batch = await db.transaction((tx) => sweepBatch(tx, { ageMs, from }, removeBytes))
    swept += batch.swept
    from = batch.last ?? from // so that blobs that are named are passed once, and not by each batch
    if (batch.failure) throw new Error('Some orphaned blobs could not be removed.', { cause: batch.failure.reason })
    if (batch.locked < BATCH_ROWS_MAX) return swept
  }
}

async function sweepBatch(
  tx: Connection,
  { ageMs, from }: { ageMs: number; from: Date },
  removeBytes: (sha256: string) => Promise<void>,
) {
  const unnamed = await unnamedCondition(tx)
  const locked = await tx.query<{ sha256: string; at: Date }>(
    `select sha256, touched_at as at from blobs
      where touched_at >= $2 and touched_at <= now() - make_interval(secs => $1::double precision / 1000) and ${unnamed}
      order by touched_at limit ${BATCH_ROWS_MAX} for update skip locked`,
    [ageMs, from],
  )
  // Checked again now that they are locked: a row that refers to one may have been committed just before.
  const orphans = await tx.query<{ sha256: string }>(`select sha256 from blobs where sha256 = any($1) and ${unnamed}`, [
    locked.map((row) => row.sha256),
  ])
  // Waits for all, failed or not: no removal may be under way when the locks are released.
  const removals = await Promise.allSettled(orphans.map((row) => removeBytes(row.sha256)))
  const removed = orphans.filter((_, index) => removals[index]?.status === 'fulfilled').map((row) => row.sha256)
  await tx.query('delete from blobs where sha256 = any($1)', [removed])
  return {
    locked: locked.length,
    last: locked.at(-1)?.at,
    swept: removed.length,
    failure: removals.find((removal) => removal.status === 'rejected'),
  }
}

// From the catalogue, so that a table that a later migration adds is never forgotten.
export async function unnamedCondition(tx: Connection): Promise<string> {
  const names = await tx.query<{ table: string; column: string }>(
    `select c.conrelid::regclass::text as table, quote_ident(a.attname) as column
       from pg_constraint c
       join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
      where c.contype = 'f' and c.confrelid = 'blobs'::regclass
      order by 1, 2`,
  )
  const conditions = names.map(
    ({ table, column }) => `not exists (select from ${table} as named where named.${column} = blobs.sha256)`,
  )
  return ['true', ...conditions].join(' and ')
}
