import type { Connection, Transaction } from '../platform/database/db.ts'
import type { LodgedDocument, Lodgement, Notice } from '../registry/lodgement.ts'
import type { CaseStatus } from '../workspaces/status.ts'
import type { CaseToLodge } from './content.ts'

/** One sending of a case, under its message id. */
export type Submission = {
  submissionId: string
  approvedBy: string
  /** What was sent, and when; null until it is sent for the first time. */
  content: Lodgement | null
  sentAt: Date | null
  /** One that was rejected gives way to the next. */
  isNewest: boolean
  caseStatus: CaseStatus
  /** The ids of all notices of it that were dealt with. */
  seen: string[]
  /** The registry's name for its newest requisition. */
  asked: string | null
}

export async function findSubmission(connection: Connection, submissionId: string): Promise<Submission | undefined> {
  const [submission] = await connection.query<Submission>(
    `select s.submission_id as "submissionId", s.approved_by as "approvedBy", s.content, s.sent_at as "sentAt",
            c.status as "caseStatus",
            not exists (select from submissions later
                         where later.lodgement_case_id = s.lodgement_case_id and later.number > s.number) as "isNewest",
            (select coalesce(array_agg(notice_id), '{}') from registry_notices n
              where n.submission_id = s.submission_id) as seen,
            (select registry_id from requisitions r
              where r.lodgement_case_id = s.lodgement_case_id and r.submission_id = s.submission_id
              order by seq desc limit 1) as asked
       from submissions s join lodgement_cases c using (lodgement_case_id)
      where s.submission_id = $1`,
    [submissionId],
  )
  return submission
}

/**
 * What is sent is kept, so that a repeat is the very same. The reference and priority of an earlier sending are void, and
 * four eyes ask for those who change the case from now on.
 */
export function markSent(
  tx: Transaction,
  { submissionId, approvedBy }: Submission,
  lodgementCaseId: string,
  content: Lodgement,
  at: Date,
): void {
  tx.send('update submissions set content = $2, sent_at = $3 where submission_id = $1', [
    submissionId,
    JSON.stringify(content),
    at,
  ])
  tx.send(
    `update lodgement_applications set submitted_at = $2, submitted_by = $3
      where lodgement_case_id = $1 and status <> 'WITHDRAWN'`,
    [lodgementCaseId, at, approvedBy],
  )
  tx.send(
    `update lodgement_cases set registry_reference = null, priority_at = null, lodged_at = null, changed_by_user = null,
       changed_by_users = '{}' where lodgement_case_id = $1`,
    [lodgementCaseId],
  )
}

export function insertNotice(tx: Transaction, submissionId: string, { noticeId, kind, at }: Notice): void {
  tx.send('insert into registry_notices (submission_id, notice_id, kind, at) values ($1, $2, $3, $4)', [
    submissionId,
    noticeId,
    kind,
    at,
  ])
}

export function markLodged(
  tx: Transaction,
  lodgementCaseId: string,
  lodged: { registryReference: string; priorityAt: Date; at: Date },
): void {
  tx.send(
    `update lodgement_cases set registry_reference = $2, priority_at = $3, lodged_at = $4 where lodgement_case_id = $1`,
    [lodgementCaseId, lodged.registryReference, lodged.priorityAt, lodged.at],
  )
}

/** A discharge is registered with the rest, unless the completion is early. */
export function markRegistered(
  tx: Transaction,
  lodgementCaseId: string,
  { early, at }: { early: boolean; at: Date },
): void {
  tx.send(
    `update lodgement_cases c set registered_at = $3, early_completion = $2, discharge_registered_at =
        case when not $2 and exists (
          select from lodgement_applications a where a.lodgement_case_id = c.lodgement_case_id
             and application_type = 'DISCHARGE' and a.status <> 'WITHDRAWN') then $3::timestamptz end
      where lodgement_case_id = $1`,
    [lodgementCaseId, early, at],
  )
}

export function markDischarged(tx: Transaction, lodgementCaseId: string, at: Date): void {
  tx.send('update lodgement_cases set discharge_registered_at = $2 where lodgement_case_id = $1', [lodgementCaseId, at])
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
export async function findCaseToLodge(tx: Connection, workspaceId: string): Promise<CaseToLodge | undefined> {
  const [found] = await tx.query<CaseToLodge>(
    `select workspace_reference_id as "customerReference", w.title_number as "titleNumber",
            completion_date as "completedOn", l.name as lender, f.name as "lodgedBy",
            (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('role', role, 'name', p.name, 'representation',
                      ${REPRESENTATION})) order by position)
               from parties p where p.workspace_id = w.workspace_id) as parties,
            (select jsonb_agg(jsonb_build_object('proprietorId', proprietor_id, 'name', p.name, 'registeredName',
                      registered_name, 'outgoing', outgoing) order by position)
               from proprietors p where p.workspace_id = w.workspace_id) as proprietors,
            (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object('applicationId', application_id, 'applicationType',
                      application_type, 'status', a.status, 'proprietorId', proprietor_id, 'transactionValuePence',
                      transaction_value_pence, 'mortgageDeedReference', mortgage_deed_reference,
                      'mortgageDeedReferenceType', mortgage_deed_reference_type, 'documents',
                      (select coalesce(jsonb_agg(${DOCUMENT} order by f.seq), '[]') from files f
                        where f.application_id = a.application_id and f.status = 'SUCCESS'
                          and f.superseded_by is null))) order by a.seq)
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

/** Files of a workspace, as the registry is given them, in the order of their ids. */
export const listDocuments = (connection: Connection, fileIds: readonly string[]) =>
  connection
    .query<{ document: LodgedDocument }>(
      `select ${DOCUMENT} as document from unnest($1::uuid[]) with ordinality as wanted(id, place)
         join files f on f.file_id = wanted.id order by place`,
      [fileIds],
    )
    .then((rows) => rows.map(({ document }) => document))
