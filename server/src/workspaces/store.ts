import type { Connection, Transaction } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import type { Party, PostalAddress } from './ownership.ts'
import type { RepresentedBy, Verification } from './representation-shapes.ts'
import type { CancellationReason } from './rules.ts'
import type { Tenure } from './shapes.ts'
import type { CaseStatus, SearchStatus, Task, ValidationStatus, WAIT_REASONS, Who, WorkspaceStatus } from './status.ts'

/** Somebody else's is not found, with the very words for one that was never there. */
export const workspaceNotFound = () => notFound('workspace_id', 'There is no such workspace.')

export const caseNotFound = () => notFound('lodgement_case_id', 'There is no such lodgement case.')

export const scheduleNotFound = () =>
  notFound('financial_settlement_schedule_id', 'There is no such settlement schedule.')

// Parties and proprietors of the workspace that a statement calls `w`, in their order.

export const PARTIES = `
  (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('partyId', party_id, 'role', role, 'name', name,
            'proprietorId', proprietor_id, 'addressForService', address_for_service)) order by position), '[]')
     from parties p where p.workspace_id = w.workspace_id)`

export const PROPRIETORS = `
  (select coalesce(jsonb_agg(jsonb_build_object('proprietorId', proprietor_id, 'name', name, 'registeredName',
            registered_name, 'aliases', aliases, 'outgoing', outgoing) order by position), '[]')
     from proprietors p where p.workspace_id = w.workspace_id)`

/** The columns of an `Ownership`, for a statement that calls the workspace `w` and its title, if any, `t`. */
export const OWNERSHIP_COLUMNS = `
  coalesce(t.search_status = 'SUCCESS', false) as searched, ${PARTIES} as parties, ${PROPRIETORS} as proprietors`

/** Whose turn it is in the workspace `w`, or null. */
export const TURN = `case when w.turn_who is not null then jsonb_strip_nulls(jsonb_build_object('who', w.turn_who, 'task',
  w.turn_task, 'since', w.turn_since, 'dueAt', w.turn_due_at, 'registryWait', case when
  w.turn_who = 'REGISTRY' then (select registry_wait ->> 'reason' from lodgement_cases o where o.workspace_id = w.workspace_id)
  end, 'also', w.turn_also)) end`

/** Times are those of JSON. */
export type TurnRow = {
  who: Who
  task: Task
  since: string
  dueAt?: string
  registryWait?: (typeof WAIT_REASONS)[number]
  also: { who: Who; task: Task }[]
}

/** Who acts for a party now, as it is shown. */
export type PartyRepresentation = {
  representationId: string
  representedBy: RepresentedBy
  subscriberId?: string
  externalLawFirm?: { name: string; address: Record<'street' | 'town' | 'postcode', string> }
  referenceNumber?: string
  verificationOfIdentity?: Verification
  status: 'ACTIVE'
}

export type WorkspaceRow = {
  workspaceId: string
  workspaceReferenceId: string
  reference: string
  status: WorkspaceStatus
  /** The number that the caller gave it. */
  ownReference: string | null
  securityAddress: PostalAddress
  parties: (Omit<Party, 'addressForService'> & {
    addressForService: PostalAddress | null
    representation: PartyRepresentation | null
  })[]
  titles: { titleId: string; titleNumber: string; tenure: Tenure | null; searchStatus: SearchStatus }[]
  lenderId: string
  lenderName: string
  lawFirmId: string
  lawFirmName: string
  completionDate: string | null
  transferOfEquity: boolean
  validationStatus: ValidationStatus
  caseStatus: CaseStatus
  /** Whether every rule of readiness passes. */
  ready: boolean
  /** Whether the bank was asked to pay and has not answered yet. */
  paymentUnderWay: boolean
  turn: TurnRow | null
  cancellation: { reason: CancellationReason; notes?: string; at: string; by: string } | null
  createdAt: Date
  createdBy: string
  lastModifiedAt: Date
  lastModifiedBy: string
}

// The read that is asked for most. `json` is built as text, which costs less than `jsonb`, and a subquery for a name less than
// a join.

const REPRESENTATION = `(
  select json_strip_nulls(json_build_object('representationId', representation_id, 'representedBy', represented_by,
           'subscriberId', subscriber_id, 'externalLawFirm', (
             select json_build_object('name', f.name, 'address', address)
               from external_law_firms f where f.firm_id = r.firm_id),
           'referenceNumber', reference_number, 'verificationOfIdentity', verification_of_identity, 'status', r.status))
    from representations r where r.party_id = p.party_id and r.status = 'ACTIVE')`

export async function findWorkspace(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<WorkspaceRow> {
  const [row] = await connection.query<WorkspaceRow>(
    `select w.workspace_id as "workspaceId", workspace_reference_id as "workspaceReferenceId", reference, w.status,
            case lender_id when $2 then lender_own_reference else law_firm_own_reference end as "ownReference",
            security_address as "securityAddress", lender_id as "lenderId", law_firm_id as "lawFirmId",
            (select name from subscribers where subscriber_id = lender_id) as "lenderName",
            (select name from subscribers where subscriber_id = law_firm_id) as "lawFirmName",
            completion_date as "completionDate", transfer_of_equity as "transferOfEquity",
            borrowers_validation_status as "validationStatus",
            c.status as "caseStatus", c.ready, w.status = 'FUNDS_AUTHORISED' and exists (
              select from settlements s where s.workspace_id = w.workspace_id and s.status = 'INITIATED')
              as "paymentUnderWay", case when w.status = 'CANCELLED' then jsonb_strip_nulls(jsonb_build_object(
              'reason', cancellation_reason, 'notes', cancellation_notes, 'at', status_since, 'by',
              coalesce(cancelled_by, w.last_modified_by))) end as cancellation, w.created_at as "createdAt", w.created_by as "createdBy",
            w.last_modified_at as "lastModifiedAt", w.last_modified_by as "lastModifiedBy", ${TURN} as turn,
            (select coalesce(json_agg(json_build_object('partyId', party_id, 'role', role, 'name', p.name,
                                      'addressForService', address_for_service, 'representation', ${REPRESENTATION})
                                      order by position), '[]')
               from parties p where p.workspace_id = w.workspace_id) as parties,
            (select coalesce(json_agg(json_build_object('titleId', title_id, 'titleNumber', t.title_number, 'tenure',
                                      tenure, 'searchStatus', search_status)), '[]')
               from titles t where t.workspace_id = w.workspace_id) as titles
       from workspaces w
       join lodgement_cases c using (workspace_id)
      where w.workspace_id = $1 and $2 in (lender_id, law_firm_id)`,
    [workspaceId, subscriberId],
  )
  if (!row) throw workspaceNotFound()
  return row
}

/**
 * The first of some random references that no workspace has. Its lock keeps it from others until the commit; the unique
 * index has the last word. Not `exists`, for which the planner may read the whole table.
 */
const FREE_REFERENCE = `(
  select reference from (
    select $2 || lpad(floor(random() * 10000000)::bigint::text, 7, '0') as reference from generate_series(1, 100)) drawn
   where case when (select true from workspaces where workspace_reference_id = drawn.reference limit 1) then false
              else pg_try_advisory_xact_lock(4815005, hashtext(drawn.reference)) end
   limit 1)`

/** Whether the firm may act, and a reference for its next workspace: both in one round trip. */
export async function findFirmAndReference(tx: Transaction, subscriberId: string, prefix: string) {
  const [row] = await tx.query<{ isActive: boolean; reference: string | null }>(
    `select exists (select from subscribers where subscriber_id = $1 and kind = 'LAW_FIRM' and status = 'ACTIVE')
              as "isActive", ${FREE_REFERENCE} as reference`,
    [subscriberId, prefix],
  )
  if (!row?.reference) throw new Error(`No reference that begins with ${prefix} was found free.`)
  return { isActive: row.isActive, workspaceReferenceId: row.reference }
}
