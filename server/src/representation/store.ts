import { type Actor, actorName } from '../audit/record.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { workspaceNotFound } from '../workspaces/store.ts'
import type {
  Acting,
  FailureReason,
  Firm,
  Named,
  Outcome,
  Queued,
  RepresentationStatus,
  RepresentedBy,
  Verification,
} from './rules.ts'

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

/** What a body names, as it stands in a workspace that the caller has locked. */
export async function findNamed(
  tx: Connection,
  workspaceId: string,
  { partyId, representationId }: { partyId: string; representationId?: string },
): Promise<Named> {
  const [row] = await tx.query<{ hasParty: boolean; reused: Named['reused'] | null }>(
    `select exists (select from parties where workspace_id = $1 and party_id = $2) as "hasParty",
            (select jsonb_build_object('status', status, 'firmId', firm_id, 'referenceNumber', reference_number)
               from representations where workspace_id = $1 and representation_id = $3) as reused`,
    [workspaceId, partyId, representationId ?? null],
  )
  return { hasParty: row?.hasParty ?? false, reused: row?.reused ?? undefined }
}

export type NewRepresentation = { representationId: string; workspaceId: string; partyId: string; acting: Acting }

/** Beside it the firm, where it is told for the first time. */
export function insertRepresentation(tx: Transaction, representation: NewRepresentation, actor: Actor): void {
  const { representationId, workspaceId, partyId, acting } = representation
  const { representedBy } = acting
  const isExternal = representedBy === 'EXTERNAL_LAW_FIRM'
  if (isExternal && acting.newFirm) {
    const { name, address } = acting.newFirm
    tx.send('insert into external_law_firms (firm_id, workspace_id, name, address) values ($1, $2, $3, $4)', [
      acting.firmId,
      workspaceId,
      name,
      address,
    ])
  }
  tx.send(
    `insert into representations (representation_id, workspace_id, party_id, represented_by, subscriber_id, firm_id,
       reference_number, verification_of_identity, status, correlation_id, created_at, created_by, last_modified_at,
       last_modified_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, 'QUEUED', $9, $10, $11, $10, $11)`,
    [
      representationId,
      workspaceId,
      partyId,
      representedBy,
      representedBy === 'PLATFORM_SUBSCRIBER_LAW_FIRM' ? acting.subscriberId : null,
      isExternal ? acting.firmId : null,
      isExternal ? acting.referenceNumber : null,
      representedBy === 'NOT_REPRESENTED' ? acting.verificationOfIdentity : null,
      actor.correlationId,
      actor.at,
      actorName(actor),
    ],
  )
}

export type QueuedRow = Queued & { correlationId: string }

/** Those that wait in a workspace that the caller has locked, in order: all, or up to one of them, with itself. */
export const listQueued = (tx: Connection, workspaceId: string, upToId?: string): Promise<QueuedRow[]> =>
  tx.query<QueuedRow>(
    `select r.representation_id as "representationId", r.party_id as "partyId", r.correlation_id as "correlationId",
            exists (select from parties p where p.party_id = r.party_id) as "hasParty",
            coalesce(s.status <> 'ACTIVE', false) as "firmSuspended",
            (select a.representation_id from representations a
              where a.party_id = r.party_id and a.status = 'ACTIVE') as "activeId"
       from representations r left join subscribers s using (subscriber_id)
      where r.workspace_id = $1 and r.status = 'QUEUED'
        and ($2::uuid is null or r.seq <= (select seq from representations where representation_id = $2))
      order by r.seq`,
    [workspaceId, upToId ?? null],
  )

/** Whom it supersedes gives way first: a party has one active representation at most. */
export function saveOutcome(tx: Transaction, representationId: string, outcome: Outcome, actor: Actor): void {
  if (outcome.status === 'ACTIVE' && outcome.supersedes) saveStatus(tx, outcome.supersedes, 'SUPERSEDED', null, actor)
  saveStatus(tx, representationId, outcome.status, outcome.status === 'FAILED' ? outcome.reason : null, actor)
}

function saveStatus(
  tx: Transaction,
  representationId: string,
  status: RepresentationStatus,
  reason: FailureReason | null,
  actor: Actor,
): void {
  tx.send(
    `update representations set status = $2, failure_reason = $3, last_modified_at = $4, last_modified_by = $5
      where representation_id = $1`,
    [representationId, status, reason, actor.at, actorName(actor)],
  )
}

/** The representations that share a firm, in order. */
export const listSharing = (tx: Connection, firmId: string) =>
  tx.query<{ representationId: string; partyId: string; status: RepresentationStatus }>(
    `select representation_id as "representationId", party_id as "partyId", status from representations
      where firm_id = $1 order by seq`,
    [firmId],
  )

export function saveFirm(tx: Transaction, firmId: string, { name, address }: Firm, actor: Actor): void {
  tx.send('update external_law_firms set name = $2, address = $3 where firm_id = $1', [firmId, name, address])
  tx.send('update representations set last_modified_at = $2, last_modified_by = $3 where firm_id = $1', [
    firmId,
    actor.at,
    actorName(actor),
  ])
}
