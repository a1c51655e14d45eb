import { randomUUID } from 'node:crypto'
import { type Actor, recordSubscriberAudit } from '../server/src/audit/record.ts'
import { recordEvent } from '../server/src/events/record.ts'
import type { Connection, Db, Transaction } from '../server/src/platform/database/db.ts'
import { Closed, type Static, Text, Type } from '../server/src/platform/http/schema.ts'

// A row about as large as that of a workspace, for the smallest read and the smallest write.

export const BENCH_TABLE = `
  create table bench_rows (
    row_id uuid primary key,
    subscriber_id uuid not null,
    reference text not null,
    status text not null,
    address jsonb not null,
    created_at timestamptz not null,
    created_by text not null
  )`

export const NewRow = Closed({
  reference: Text(1, 50),
  address: Closed({
    flat: Type.Optional(Text(1, 50)),
    street: Text(1, 200),
    town: Text(1, 100),
    postcode: Text(1, 10),
  }),
})
export type NewRow = Static<typeof NewRow>

export type Row = NewRow & { rowId: string; status: string; createdAt: Date; createdBy: string }

export const A_ROW: NewRow = {
  reference: 'REF-2026-000123',
  address: { flat: 'Flat 2', street: '14 Chandlers Row', town: 'Weston-super-Mare', postcode: 'BS23 1AB' },
}

export async function findRow(connection: Connection, subscriberId: string, rowId: string): Promise<Row | undefined> {
  const [row] = await connection.query<Row>(
    `select row_id as "rowId", reference, status, address, created_at as "createdAt", created_by as "createdBy"
       from bench_rows where row_id = $1 and subscriber_id = $2`,
    [rowId, subscriberId],
  )
  return row
}

export const presentRow = ({ rowId, reference, status, address, createdAt, createdBy }: Row) => ({
  rowId,
  reference,
  status,
  address,
  createdAt: createdAt.toISOString(),
  createdBy,
})

/** A change, its event and its audit entry, all sent together with the commit. */
export function addRow(tx: Transaction, subscriberId: string, { reference, address }: NewRow, actor: Actor): Row {
  const rowId = randomUUID()
  const row: Row = { rowId, reference, status: 'CREATED', address, createdAt: actor.at, createdBy: 'bench' }
  tx.send(
    `insert into bench_rows (row_id, subscriber_id, reference, status, address, created_at, created_by)
     values ($1, $2, $3, $4, $5, $6, $7)`,
    [rowId, subscriberId, reference, row.status, JSON.stringify(address), actor.at, row.createdBy],
  )
  const recipients = [subscriberId]
  recordEvent(tx, { type: 'WORKSPACE_CREATED', workspaceId: rowId, recipients, reference, data: { rowId } }, actor)
  recordSubscriberAudit(tx, subscriberId, { action: 'row added', ids: { rowId }, after: { reference, address } }, actor)
  return row
}

/** Fills the table with rows of these subscribers and returns a thousand of them. */
export async function seedRows(
  owner: Db,
  subscriberIds: readonly string[],
): Promise<{ rowId: string; subscriberId: string }[]> {
  await owner.query(
    `insert into bench_rows
     select gen_random_uuid(), subscriber_id, $1, 'CREATED', $2, now(), 'bench'
       from unnest($3::uuid[]) subscriber_id, generate_series(1, 50)`,
    [A_ROW.reference, JSON.stringify(A_ROW.address), subscriberIds],
  )
  await owner.read.query('vacuum analyze bench_rows')
  return owner.query(
    'select row_id as "rowId", subscriber_id as "subscriberId" from bench_rows order by row_id limit 1000',
  )
}
