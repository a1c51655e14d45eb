import type { Connection } from './db.ts'

const BATCH_ROWS_MAX = 10_000

/** Deletes the matching rows in batches, so that no statement reaches its time limit, however many there are. */
export async function deleteInBatches(
  connection: Connection,
  table: string,
  condition: string,
  values: readonly unknown[],
  rowsMax = BATCH_ROWS_MAX,
): Promise<void> {
  const batch = `
    with gone as (
      delete from ${table} where ctid = any(array(select ctid from ${table} where ${condition} limit ${rowsMax}))
      returning 1)
    select count(*) as rows from gone`
  for (;;) {
    const [gone] = await connection.query<{ rows: number }>(batch, values)
    if ((gone?.rows ?? 0) < rowsMax) return
  }
}
