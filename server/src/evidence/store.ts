import type { Connection } from '../platform/database/db.ts'
import { workspaceNotFound } from '../workspaces/store.ts'
import type { SealedHead, StoredEntry } from './rules.ts'

/** The last entry of a workspace's audit. It moves with every change, so nothing has changed while it is the same. */
export async function findHead(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<{ seq: number; hash: string }> {
  const [head] = await connection.query<{ seq: number; hash: string }>(
    `select audit_seq as seq, encode(audit_hash, 'hex') as hash from workspaces
      where workspace_id = $1 and $2 in (lender_id, law_firm_id)`,
    [workspaceId, subscriberId],
  )
  if (!head) throw workspaceNotFound()
  return head
}

/** Oldest first, with the texts that were hashed. */
export const listEntries = (
  connection: Connection,
  workspaceId: string,
  { after, upto, rows }: { after: number; upto: number; rows: number },
) =>
  connection.query<StoredEntry>(
    `select seq, encode(hash, 'hex') as hash, entry::text as header, payload::text as payload,
            encode(payload_hash, 'hex') as "payloadHash"
       from audit_entries where chain = $1 and seq > $2 and seq <= $3 order by seq limit $4`,
    [workspaceId, after, upto, rows],
  )

/** Each anchor that sealed the chain. How many other entries it seals is nobody's business. */
export async function listSealed(connection: Connection, workspaceId: string, upto: number): Promise<SealedHead[]> {
  const rows = await connection.query<SealedHead>(
    `select distinct on (a.anchor_id) a.anchor_id as "anchorId", a.sealed_at as "sealedAt", encode(a.hash, 'hex') as hash,
            jsonb_build_object('seq', e.seq, 'hash', encode(e.hash, 'hex')) as entry
       from audit_entries e
       join lateral (select * from audit_anchors where upto >= e.entry_id order by anchor_id limit 1) a on true
      where e.chain = $1 and e.seq <= $2 order by a.anchor_id, e.seq desc`,
    [workspaceId, upto],
  )
  return rows.map((row) => ({ ...row, sealedAt: new Date(row.sealedAt).toISOString() }))
}
