import type { ApprovalAction } from '../auth/scopes.ts'
import type { Connection } from '../platform/database/db.ts'
import { notFound } from '../platform/errors.ts'
import type { CertificationType } from '../registry/lodgement.ts'
import type { SearchFailure } from '../registry/port.ts'
import type { Ownership } from '../workspaces/ownership.ts'
import type { Tenure } from '../workspaces/shapes.ts'
import type { CaseStatus, SearchStatus } from '../workspaces/status.ts'
import { caseNotFound, OWNERSHIP_COLUMNS, workspaceNotFound } from '../workspaces/store.ts'
import type { Attachment } from './attachments.ts'
import { hasTransfer } from './fees.ts'
import type { Application, Particulars } from './rules.ts'
import type { RegistryWait, Rejection } from './rules-registry.ts'
import type { ApplicationStatus } from './status.ts'

// A case and its applications as they are shown. Each is one statement.

/** Times are those of JSON, or of what has just been changed. */
type AuditRow = Record<'createdBy' | 'lastModifiedBy', string> & Record<'createdAt' | 'lastModifiedAt', string | Date>

export type DocumentRow = Attachment &
  AuditRow & { fileId: string; fileName: string; certificationType: CertificationType }

export type ApplicationRow = Application &
  Particulars &
  AuditRow & { status: ApplicationStatus; submittedAt?: string | Date; submittedBy?: string; documents: DocumentRow[] }

export type CaseRow = Ownership & {
  lodgementCaseId: string
  status: CaseStatus
  workspaceId: string
  workspaceReferenceId: string
  registryReference: string | null
  priorityAt: Date | null
  earlyCompletion: boolean
  rejection: (Rejection & { at: string }) | null
  registryWait: RegistryWait | null
  titleId: string | null
  titleNumber: string | null
  tenure: Tenure | null
  searchStatus: SearchStatus | null
  searchFailure: SearchFailure | null
  applications: ApplicationRow[]
  requisition: { requisitionId: string; receivedAt: string; dueAt: string; points: string[]; fileIds: string[] } | null
  approvals: { action: ApprovalAction; approvedBy: string; at: string }[]
  createdAt: Date
  createdBy: string
  lastModifiedAt: Date
  lastModifiedBy: string
}

const auditOf = (row: string) => `
  'createdAt', ${row}.created_at, 'createdBy', ${row}.created_by, 'lastModifiedAt', ${row}.last_modified_at,
  'lastModifiedBy', ${row}.last_modified_by`

/** The terms of a transfer, for a statement that calls the application `a`. */
export const TERMS = `
  'titleGuarantee', a.title_guarantee, 'considerationType', a.consideration_type, 'considerationDescription',
  a.consideration_description, 'trustDeclaration', a.trust_declaration, 'trustDetails', a.trust_details,
  'transactionValueBand', a.transaction_value_band, 'outstandingChargePence', a.outstanding_charge_pence`

const APPLICATION = `
  jsonb_strip_nulls(jsonb_build_object('applicationId', a.application_id, 'applicationType', application_type,
    'status', a.status, 'proprietorId', proprietor_id, 'transactionValuePence', transaction_value_pence,
    'mortgageDeedReference', mortgage_deed_reference, 'mortgageDeedReferenceType', mortgage_deed_reference_type,
    'isEffective', is_effective, ${TERMS}, 'submittedAt', submitted_at, 'submittedBy', submitted_by, ${auditOf('a')}, 'documents', (
      select coalesce(jsonb_agg(jsonb_build_object('fileId', file_id, 'fileName', file_name, 'documentType',
                document_type, 'documentCategory', document_category, 'certificationType', certification_type,
                'status', f.status, 'supersededBy', superseded_by, 'precedesDigital', precedes_digital,
                ${auditOf('f')}) order by f.seq), '[]')
        from files f where f.application_id = a.application_id)))`

/** Those of the case that a statement calls `c`, oldest first. */
export const APPLICATIONS = `(
  select jsonb_agg(${APPLICATION} order by a.seq)
    from lodgement_applications a where a.lodgement_case_id = c.lodgement_case_id)`

/** The files that the registry sent with the requisition `r` of the case `c`. */
export const LETTER_FILES = `array(
  select file_id from files f
   where f.workspace_id = c.workspace_id and registry_document_id is not null
     and registry_document ->> 'messageId' = r.submission_id::text
     and registry_document ->> 'registryId' = r.registry_id order by f.seq)`

export async function findCase(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<CaseRow> {
  const [row] = await connection.query<CaseRow>(
    `select c.lodgement_case_id as "lodgementCaseId", c.status, w.workspace_id as "workspaceId",
            w.workspace_reference_id as "workspaceReferenceId", c.registry_reference as "registryReference",
            c.priority_at as "priorityAt", c.early_completion as "earlyCompletion", c.rejection,
            c.registry_wait as "registryWait", t.title_id as "titleId", t.title_number as "titleNumber", t.tenure, t.search_status as "searchStatus",
            t.search_failure as "searchFailure", c.created_at as "createdAt", c.created_by as "createdBy",
            c.last_modified_at as "lastModifiedAt", c.last_modified_by as "lastModifiedBy", ${OWNERSHIP_COLUMNS},
            ${APPLICATIONS} as applications,
            (select jsonb_build_object('requisitionId', requisition_id, 'receivedAt', received_at, 'dueAt', due_at,
                      'points', points, 'fileIds', ${LETTER_FILES})
               from requisitions r
              where r.lodgement_case_id = c.lodgement_case_id and r.status = 'OPEN') as requisition,
            (select coalesce(jsonb_agg(jsonb_build_object('action', action, 'approvedBy', p.approved_by, 'at', p.at)
                      order by p.seq), '[]')
               from lodgement_approvals p where p.lodgement_case_id = c.lodgement_case_id) as approvals
       from workspaces w join lodgement_cases c using (workspace_id) left join titles t using (workspace_id)
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id)`,
    [workspaceId, subscriberId],
  )
  if (!row) throw workspaceNotFound()
  return row
}

/** An application, and whether its case holds a transfer that will be lodged with it. */
export type FoundApplication = { application: ApplicationRow; hasTransfer: boolean }

export async function findApplication(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  lodgementCaseId: string,
  applicationId: string,
): Promise<FoundApplication> {
  const [found] = await connection.query<{ application: ApplicationRow | null; hasTransfer: boolean }>(
    `select case when a.application_id is not null then ${APPLICATION} end as application,
            exists (select from lodgement_applications o where o.lodgement_case_id = c.lodgement_case_id
              and o.application_type = 'TRANSFER_OF_WHOLE' and o.status <> 'WITHDRAWN') as "hasTransfer"
       from workspaces w join lodgement_cases c using (workspace_id)
       left join lodgement_applications a on a.lodgement_case_id = c.lodgement_case_id and a.application_id = $2
      where c.lodgement_case_id = $1 and $3 in (w.lender_id, w.law_firm_id)`,
    [lodgementCaseId, applicationId, subscriberId],
  )
  if (!found) throw caseNotFound()
  const { application, hasTransfer } = found
  if (!application) throw applicationNotFound()
  return { application, hasTransfer }
}

/** The same, among all of its case. */
export function applicationAmong(applications: readonly ApplicationRow[], applicationId: string): FoundApplication {
  const application = applications.find((one) => one.applicationId === applicationId)
  if (!application) throw applicationNotFound()
  return { application, hasTransfer: hasTransfer(applications) }
}

const applicationNotFound = () => notFound('application_id', 'There is no such application in this case.')
