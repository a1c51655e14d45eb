import type { Connection } from '../platform/database/db.ts'
import type { LodgedDocument } from '../registry/lodgement.ts'
import type { WaitReason } from '../registry/port.ts'
import type { CaseStatus } from '../workspaces/status.ts'
import { WAIT_REASONS } from '../workspaces/status.ts'
import { caseNotFound } from '../workspaces/store.ts'
import type { CaseToLodge } from './content.ts'
import { LETTER_FILES, TERMS } from './records.ts'
import type { ReplyPayload, RequisitionStatus, SubmitPayload } from './rules-registry.ts'

// What the jobs and the routes need to know beside the matter.

/** For whom the registry is asked, and why it could not be; for a statement with the workspace `w` and its case `c`. */
const BY = `w.law_firm_id as "lawFirmId", w.workspace_reference_id as "customerReference",
  c.registry_wait ->> 'reason' as "waitReason"`
type By = { lawFirmId: string; customerReference: string; waitReason: WaitReason | null }

/** The newest submission of its kind, once it was sent: an earlier one was rejected and gave way to it. */
export async function findSent(connection: Connection, { workspaceId, submissionId }: SubmitPayload) {
  const [sent] = await connection.query<
    { sentAt: Date; caseStatus: CaseStatus; seen: string[]; documents: string[] } & By
  >(
    `select s.sent_at as "sentAt", c.status as "caseStatus", array(
              select notice_id from registry_notices n where n.submission_id = s.submission_id) as seen, array(
              select registry_document_id from files f
               where f.workspace_id = w.workspace_id and registry_document_id is not null) as documents, ${BY}
       from submissions s join lodgement_cases c using (lodgement_case_id) join workspaces w using (workspace_id)
      where c.workspace_id = $1 and s.submission_id = $2 and s.sent_at is not null and not exists (
        select from submissions later where later.lodgement_case_id = s.lodgement_case_id and later.number > s.number
           and later.kind = s.kind)`,
    [workspaceId, submissionId],
  )
  return sent
}

/** How many cases wait for each reason. */
export async function countWaits(connection: Connection): Promise<[reason: WaitReason, cases: number][]> {
  const rows = await connection.query<{ reason: WaitReason; cases: number }>(
    `select registry_wait ->> 'reason' as reason, count(*)::int as cases
       from lodgement_cases where registry_wait is not null group by 1`,
  )
  return WAIT_REASONS.map((reason) => [reason, rows.find((row) => row.reason === reason)?.cases ?? 0])
}

/** A document as the registry is given it, for a statement that calls the file `f`. */
const DOCUMENT = `jsonb_build_object('fileId', f.file_id, 'fileName', f.file_name, 'documentType', f.document_type,
  'documentCategory', f.document_category, 'certificationType', f.certification_type,
  'sha256', f.sha256, 'size', f.size)`

const REPRESENTATION = `(
  select jsonb_build_object('representedBy', represented_by, 'firm', coalesce(e.name, s.name), 'address', e.address,
           'referenceNumber', reference_number, 'verificationOfIdentity', verification_of_identity)
    from representations r left join external_law_firms e using (firm_id)
    left join subscribers s on s.subscriber_id = r.subscriber_id
   where r.party_id = p.party_id and r.status = 'ACTIVE')`

/** Of a workspace that the caller has locked. */
export async function findCaseToLodge(tx: Connection, workspaceId: string) {
  const [found] = await tx.query<Omit<CaseToLodge, 'proprietors' | 'links'>>(
    `select workspace_reference_id as "customerReference", w.title_number as "titleNumber",
            completion_date as "completedOn", l.name as lender, f.name as "lodgedBy",
            disclosable_overriding_interests as "disclosableOverridingInterests",
            (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('partyId', party_id, 'role', role, 'name', p.name, 'proprietorId',
                      proprietor_id, 'addressForService', address_for_service, 'representation', ${REPRESENTATION}))
                      order by position)
               from parties p where p.workspace_id = w.workspace_id) as parties,
            (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('applicationId', application_id, 'applicationType',
                      application_type, 'status', a.status, 'proprietorId', proprietor_id, 'transactionValuePence',
                      transaction_value_pence, 'mortgageDeedReference', mortgage_deed_reference,
                      'mortgageDeedReferenceType', mortgage_deed_reference_type, ${TERMS}, 'documents',
                      (select coalesce(jsonb_agg(${DOCUMENT} order by f.seq), '[]') from files f
                        where f.application_id = a.application_id and f.status = 'SUCCESS'
                          and f.superseded_by is null and f.document_category <> 'WORKSPACE_SUPPORTING_DOCUMENT'))) order by a.seq)
               from lodgement_applications a
              where a.lodgement_case_id = c.lodgement_case_id and a.status <> 'WITHDRAWN') as applications
       from workspaces w join lodgement_cases c using (workspace_id)
       join subscribers l on l.subscriber_id = lender_id
       join subscribers f on f.subscriber_id = law_firm_id
      where w.workspace_id = $1`,
    [workspaceId],
  )
  return found
}

type Reply = By & {
  submissionId: string
  registryId: string
  message: string
  answeredAt: Date
  documents: LodgedDocument[]
}

/** The answer to a requisition, its documents in the order in which they were named, until the registry decides on it. */
export async function findReply(
  connection: Connection,
  { workspaceId, requisitionId }: ReplyPayload,
): Promise<Reply | undefined> {
  const [reply] = await connection.query<Reply>(
    `select r.submission_id as "submissionId", r.registry_id as "registryId", r.answer as message,
            r.answered_at as "answeredAt", ${BY}, (
              select coalesce(jsonb_agg(${DOCUMENT} order by place), '[]')
                from unnest(r.answer_file_ids) with ordinality as named(id, place)
                join files f on f.file_id = named.id and f.workspace_id = w.workspace_id) as documents
       from requisitions r join lodgement_cases c using (lodgement_case_id) join workspaces w using (workspace_id)
      where c.workspace_id = $1 and r.requisition_id = $2 and r.status = 'ANSWERED'
        and c.status = 'REQUISITION_SUBMITTED' and not exists (
        select from requisitions later where later.lodgement_case_id = r.lodgement_case_id and later.seq > r.seq
           and later.status <> 'NO_ANSWER_NEEDED')`,
    [workspaceId, requisitionId],
  )
  return reply
}

export type RequisitionRow = {
  seq: number
  requisitionId: string
  status: RequisitionStatus
  receivedAt: Date
  dueAt: Date
  points: string[]
  fileIds: string[]
  answer: string | null
  answerFileIds: string[] | null
  answeredAt: Date | null
  answeredBy: string | null
  closedAt: Date | null
  closedBy: string | null
  closedReason: string | null
}

/** Oldest first. A case that is not the caller's is not found. */
export async function listRequisitions(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  lodgementCaseId: string,
  { after, rows }: { after: number | null; rows: number },
): Promise<RequisitionRow[]> {
  const found = await connection.query<RequisitionRow & { seq: number | null }>(
    `select r.seq, r.requisition_id as "requisitionId", r.status, r.received_at as "receivedAt", r.due_at as "dueAt",
            r.points, ${LETTER_FILES} as "fileIds", r.answer, r.answer_file_ids as "answerFileIds", r.answered_at as "answeredAt",
            r.answered_by as "answeredBy", r.closed_at as "closedAt", r.closed_by as "closedBy",
            r.closed_reason as "closedReason"
       from lodgement_cases c join workspaces w using (workspace_id)
       left join lateral (
         select * from requisitions
          where lodgement_case_id = c.lodgement_case_id and seq > coalesce($3::bigint, 0) order by seq limit $4) r on true
      where c.lodgement_case_id = $1 and $2 in (w.lender_id, w.law_firm_id) order by r.seq`,
    [lodgementCaseId, subscriberId, after, rows],
  )
  if (!found.length) throw caseNotFound()
  return found.filter((row) => row.seq !== null)
}

/** The upload status of each file of the workspace that is named; one that it does not have is left out. */
export const listFileStatuses = (connection: Connection, lodgementCaseId: string, fileIds: readonly string[]) =>
  connection.query<{ fileId: string; status: string }>(
    `select f.file_id as "fileId", f.status from files f join lodgement_cases c using (workspace_id)
      where c.lodgement_case_id = $1 and f.file_id = any ($2::uuid[])`,
    [lodgementCaseId, fileIds],
  )
