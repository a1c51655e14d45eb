import type { Connection, Db, Transaction } from '../platform/database/db.ts'
import type { Block, EndedStatus, FoundMatter } from './rules.ts'

/** A row of `w` is kept while one of these is true. */
const BLOCKED: Record<Block, string> = {
  HELD: 'exists (select from erasure_holds h where h.workspace_id = w.workspace_id)',
  JOB: `(exists (select from due where payload -> 'payload' ->> 'workspaceId' = w.workspace_id::text)
     or w.workspace_id::text in (select data -> 'payload' ->> 'workspaceId' from pgboss.job
                                  where state < 'completed' and data -> 'payload' ? 'workspaceId'))`,
  REQUISITION: `exists (select from requisitions r join lodgement_cases c using (lodgement_case_id)
     where c.workspace_id = w.workspace_id and r.status = 'OPEN')`,
  EVENT: `exists (select from events e where e.workspace_id = w.workspace_id and (e.unpublished
     or exists (select from event_outbox o where o.seq = e.seq)
     or exists (select from event_repeats r where r.event_seq = e.seq)))`,
  DELIVERY: `exists (select from notifications n where n.subscriber_id in (w.lender_id, w.law_firm_id)
     and n.lane = w.workspace_id and n.status = 'PENDING')`,
  FILE: `exists (select from files f where f.workspace_id = w.workspace_id and f.status = 'PENDING')`,
}

/** Where the last batch ended. */
export type Place = { endedAt: Date; workspaceId: string }

export const FIRST: Place = { endedAt: new Date(0), workspaceId: '00000000-0000-0000-0000-000000000000' }

/** Locks matters that ended before then. Those that another process works on are left out. */
export const lockDue = (
  tx: Transaction,
  { status, before, after, rows }: { status: EndedStatus; before: Date; after: Place; rows: number },
): Promise<Place[]> =>
  tx.query(
    `select workspace_id as "workspaceId", status_since as "endedAt" from workspaces
      where status = '${status}' and status_since < $1 and (status_since, workspace_id) > ($2, $3)
      order by status_since, workspace_id limit $4 for update skip locked`,
    [before, after.endedAt, after.workspaceId, rows],
  )

/** Up to which end of a matter the identity documents are erased. */
export async function findIdentityUpto(connection: Connection): Promise<Date> {
  const [row] = await connection.query<{ upto: Date }>(
    `select greatest(identity_erased_upto, $1::timestamptz) as upto from service_state`,
    [FIRST.endedAt],
  )
  return row?.upto ?? FIRST.endedAt
}

export const saveIdentityUpto = (connection: Connection, upto: Date) =>
  connection.query('update service_state set identity_erased_upto = $1', [upto])

/** How many matters of a status ended before then, without those that are held. */
export async function countDue(connection: Connection, status: EndedStatus, before: Date): Promise<number> {
  const [row] = await connection.query<{ count: number }>(
    `select count(*) from workspaces w where status = '${status}' and status_since < $1
        and not exists (select from erasure_holds h where h.workspace_id = w.workspace_id)`,
    [before],
  )
  return row?.count ?? 0
}

export type KeptMatter = FoundMatter & { workspaceId: string; workspaceReferenceId: string }

/** What keeps each of these, whenever it ended. A separate look: with it, finding those that are due would read all tables. */
export const listBlocks = (connection: Connection, workspaceIds: readonly string[]): Promise<KeptMatter[]> =>
  connection.query(
    `select workspace_id as "workspaceId", workspace_reference_id as "workspaceReferenceId", status,
            status_since as "endedAt", (select reason from erasure_holds h where h.workspace_id = w.workspace_id) as "holdReason",
            array_remove(array[${Object.entries(BLOCKED)
              .map(([block, sql]) => `case when ${sql} then '${block}' end`)
              .join(', ')}], null) as blocks
       from workspaces w where workspace_id = any ($1) order by status_since, workspace_id`,
    [workspaceIds],
  )

/** Those that ended before then and that something keeps, among the oldest. */
export async function listKept(connection: Connection, status: EndedStatus, before: Date, rows: number) {
  const [oldest] = await connection.query<{ ids: string[] }>(
    `select array(select workspace_id from workspaces where status = '${status}' and status_since < $1
                   order by status_since, workspace_id limit $2) as ids`,
    [before, rows],
  )
  return (await listBlocks(connection, oldest?.ids ?? [])).filter(({ blocks }) => blocks.length > 0)
}

const FEED_ROWS_MAX = 2_000

/**
 * Deletes old rows of all feeds after this event, and events that belong to no matter. Each feed keeps its newest row, so that
 * a reader who has read everything can go on. Returns the last event that it looked at, if there may be more to delete.
 */
export const deleteOldFeed = (db: Db, before: Date, after: number) =>
  db.transaction(async (tx) => {
    const [seen] = await tx.query<{ rows: number; upto: number | null; isMore: boolean }>(OLD_FEED, [
      before,
      after,
      FEED_ROWS_MAX,
    ])
    const { rows = 0, upto, isMore } = seen ?? {}
    if (upto != null) tx.send(EVENTS_OF_NO_MATTER, [after, upto])
    return { rows, upto: isMore ? upto : null }
  })

// Only the oldest rows are looked at, by their index: times have about the order of the events.
const OLD_FEED = `
  with oldest as materialized (
    select f.*, at < $1 as is_old,
           position = (select max(position) from event_feed newest where newest.subscriber_id = f.subscriber_id) as is_newest
      from (select * from event_feed where event_seq > $2 order by event_seq fetch first ($3) rows with ties) f
      join events on seq = event_seq),
  gone as (
    delete from event_feed f using oldest o
     where (f.subscriber_id, f.position) = (o.subscriber_id, o.position) and is_old and not is_newest returning 1)
  select (select count(*) from gone) as rows, max(event_seq) filter (where is_old) as upto,
         count(*) >= $3 and bool_and(is_old) as "isMore" from oldest`

const EVENTS_OF_NO_MATTER = `
  delete from events where seq > $1 and seq <= $2 and workspace_id is null and not unpublished
     and not exists (select from event_feed where event_seq = seq)
     and not exists (select from event_repeats where event_seq = seq)`

/** What accounts looked like before and after changes that are older. Returns how many. */
export async function eraseOldPayloads(connection: Connection, before: Date): Promise<number> {
  const [row] = await connection.query<{ erased: number }>(
    `select erase_audit_payloads(array(select subscriber_id from subscribers union all select person_id from people), $1)
       as erased`,
    [before],
  )
  return row?.erased ?? 0
}

export async function isPaused(connection: Connection): Promise<boolean> {
  const [row] = await connection.query<{ paused: boolean }>('select erasing_paused as paused from service_state')
  return row?.paused ?? false
}

export const savePaused = (connection: Connection, paused: boolean) =>
  connection.query('update service_state set erasing_paused = $1', [paused])

export async function countErased(connection: Connection): Promise<number> {
  const [row] = await connection.query<{ count: number }>('select count(*) from erased_matters')
  return row?.count ?? 0
}

/** Whether there is such a matter. It is locked, so that it is not erased meanwhile. */
export async function lockMatter(tx: Transaction, workspaceId: string): Promise<boolean> {
  const found = await tx.query('select 1 from workspaces where workspace_id = $1 for update', [workspaceId])
  return found.length > 0
}

export const insertHold = (tx: Transaction, workspaceId: string, reason: string, by: string, at: Date): void =>
  tx.send(
    `insert into erasure_holds (workspace_id, reason, held_by, held_at) values ($1, $2, $3, $4)
     on conflict (workspace_id) do update set reason = excluded.reason, held_by = excluded.held_by, held_at = excluded.held_at`,
    [workspaceId, reason, by, at],
  )

/** Whether there was one. */
export async function deleteHold(tx: Transaction, workspaceId: string): Promise<boolean> {
  const gone = await tx.query('delete from erasure_holds where workspace_id = $1 returning 1', [workspaceId])
  return gone.length > 0
}

export type Hold = { workspaceId: string; reason: string; heldBy: string; heldAt: Date }

export const listHolds = (connection: Connection) =>
  connection.query<Hold>(
    `select workspace_id as "workspaceId", reason, held_by as "heldBy", held_at as "heldAt"
       from erasure_holds order by held_at, workspace_id`,
  )

/** The last entry of the audit of an erased matter. */
export async function findHead(connection: Connection, workspaceId: string) {
  const [audit] = await connection.query<{ seq: number; hash: string }>(
    `select audit_seq as seq, encode(audit_hash, 'hex') as hash from erased_matters where workspace_id = $1`,
    [workspaceId],
  )
  return audit && { audit }
}
