import type { Connection } from '../platform/database/db.ts'
import type { RepresentedBy, Verification } from '../workspaces/representation-shapes.ts'
import { workspaceNotFound } from '../workspaces/store.ts'
import type { FailureReason, Firm, RepresentationStatus, Reused } from './rules.ts'

export type RepresentationRow = {
  seq: number
  representationId: string
  workspaceId: string
  partyId: string
  representedBy: RepresentedBy
  subscriberId: string | null
  firmId: string | null
  firm: Firm | null
  referenceNumber: string | null
  verificationOfIdentity: Verification | null
  status: RepresentationStatus
  failureReason: FailureReason | null
  createdAt: Date
  createdBy: string
  lastModifiedAt: Date
  lastModifiedBy: string
}

const ROW = `
  r.seq, r.representation_id as "representationId", r.workspace_id as "workspaceId", r.party_id as "partyId",
  r.represented_by as "representedBy", r.subscriber_id as "subscriberId", r.firm_id as "firmId",
  case when f.firm_id is not null then jsonb_build_object('name', f.name, 'address', f.address) end as firm,
  r.reference_number as "referenceNumber", r.verification_of_identity as "verificationOfIdentity", r.status,
  r.failure_reason as "failureReason", r.created_at as "createdAt", r.created_by as "createdBy",
  r.last_modified_at as "lastModifiedAt", r.last_modified_by as "lastModifiedBy"`

/** Undefined where the workspace has none of that id; a workspace that is not the caller's is not found. */
export async function findRepresentation(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
  representationId: string,
): Promise<RepresentationRow | undefined> {
  const [row] = await connection.query<RepresentationRow & { seq: number | null }>(
    `select ${ROW} from workspaces w
       left join representations r on r.workspace_id = w.workspace_id and r.representation_id = $3
       left join external_law_firms f using (firm_id)
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id)`,
    [workspaceId, subscriberId, representationId],
  )
  if (!row) throw workspaceNotFound()
  return row.seq === null ? undefined : row
}

/** Oldest first. */
export async function listRepresentations(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
  { after, rows }: { after: number | null; rows: number },
): Promise<RepresentationRow[]> {
  const found = await connection.query<RepresentationRow & { seq: number | null }>(
    `select ${ROW} from workspaces w
       left join lateral (
         select * from representations
          where workspace_id = w.workspace_id and seq > coalesce($3::bigint, 0) order by seq limit $4) r on true
       left join external_law_firms f using (firm_id)
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id) order by r.seq`,
    [workspaceId, subscriberId, after, rows],
  )
  if (!found.length) throw workspaceNotFound()
  return found.filter((row) => row.seq !== null)
}

/** Of a workspace that the caller has locked. */
export async function findReused(tx: Connection, workspaceId: string, representationId: string): Promise<Reused> {
  const [row] = await tx.query<NonNullable<Reused>>(
    `select status, firm_id as "firmId", reference_number as "referenceNumber" from representations
      where workspace_id = $1 and representation_id = $2`,
    [workspaceId, representationId],
  )
  return row
}
