import type { DocumentCategory, DocumentType, UploadStatus } from '../lodgement/attachments.ts'
import type { ApplicationType } from '../lodgement/rules.ts'
import type { Connection } from '../platform/database/db.ts'
import type { CertificationType, DeedReferenceType } from '../registry/lodgement.ts'
import type { CaseStatus, WorkspaceStatus } from '../workspaces/status.ts'
import { caseNotFound, workspaceNotFound } from '../workspaces/store.ts'
import type { FailureReason, FromRegistry, Place, ProcessPayload } from './rules.ts'

export type FileRow = {
  seq: number
  fileId: string
  applicationId: string | null
  subscriberId: string
  fileName: string
  documentType: DocumentType
  documentCategory: DocumentCategory
  certificationType: CertificationType
  sha256: string
  size: number
  fileUploadStatus: UploadStatus
  failureReason: FailureReason | null
  supersededBy: string | null
  registryDocument: FromRegistry | null
  createdAt: Date
  createdBy: string
  lastModifiedAt: Date
  lastModifiedBy: string
}

const ROW = `
  f.seq, f.file_id as "fileId", f.application_id as "applicationId",
  f.subscriber_id as "subscriberId", f.file_name as "fileName", f.document_type as "documentType",
  f.document_category as "documentCategory", f.certification_type as "certificationType", f.sha256, f.size,
  f.status as "fileUploadStatus", f.failure_reason as "failureReason", f.superseded_by as "supersededBy",
  f.registry_document as "registryDocument",
  f.created_at as "createdAt", f.created_by as "createdBy", f.last_modified_at as "lastModifiedAt",
  f.last_modified_by as "lastModifiedBy"`

/** Whether the registry was given the file `$3`, with an application or with an answer. */
const WAS_SENT = `
  exists (select from lodgement_cases c join submissions s using (lodgement_case_id)
           where c.workspace_id = w.workspace_id and s.content @> jsonb_build_object('applications', jsonb_build_array(
             jsonb_build_object('documents', jsonb_build_array(jsonb_build_object('fileId', $3::uuid))))))
  or exists (select from lodgement_cases c join requisitions r using (lodgement_case_id)
              where c.workspace_id = w.workspace_id and $3 = any (r.answer_file_ids))`

/** Undefined where the workspace has none of that id; a workspace that is not the caller's is not found. */
export async function findFile(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
  fileId: string,
): Promise<(FileRow & { wasSent: boolean }) | undefined> {
  const [row] = await connection.query<FileRow & { seq: number | null; wasSent: boolean }>(
    `select ${ROW}, ${WAS_SENT} as "wasSent"
       from workspaces w left join files f on f.workspace_id = w.workspace_id and f.file_id = $3
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id)`,
    [workspaceId, subscriberId, fileId],
  )
  if (!row) throw workspaceNotFound()
  return row.seq === null ? undefined : row
}

/** Oldest first. */
export async function listFiles(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
  { after, rows }: { after: number | null; rows: number },
): Promise<FileRow[]> {
  const found = await connection.query<FileRow & { seq: number | null }>(
    `select ${ROW} from workspaces w
       left join lateral (
         select * from files
          where workspace_id = w.workspace_id and seq > coalesce($3::bigint, 0) order by seq limit $4) f on true
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id) order by f.seq`,
    [workspaceId, subscriberId, after, rows],
  )
  if (!found.length) throw workspaceNotFound()
  return found.filter((row) => row.seq !== null)
}

/** Where a document of a workspace is to go; `applicationId` names an application of its case, or none. */
export const findPlace = placeFinder('w.workspace_id', workspaceNotFound)

/** The same for one that is attached by way of the case. */
export const findPlaceInCase = placeFinder('c.lodgement_case_id', caseNotFound)

type PlaceRow = {
  status: WorkspaceStatus
  caseStatus: CaseStatus
  applicationType: ApplicationType | null
  applicationStatus: string | null
  referenceType: DeedReferenceType | null
  reference: string | null
}

function placeFinder(column: string, missing: () => Error) {
  const text = `
    select w.status, c.status as "caseStatus", a.application_type as "applicationType",
           a.status as "applicationStatus", d.mortgage_deed_reference_type as "referenceType",
           d.mortgage_deed_reference as reference
      from workspaces w join lodgement_cases c using (workspace_id)
      left join lodgement_applications a
        on a.lodgement_case_id = c.lodgement_case_id and a.application_id = $3
      left join lodgement_applications d
        on d.lodgement_case_id = c.lodgement_case_id and d.application_type = 'MORTGAGE_DEED'
     where ${column} = $1 and $2 in (w.lender_id, w.law_firm_id)`
  return async (
    connection: Connection,
    { subscriberId }: { subscriberId: string },
    id: string,
    applicationId: string | undefined,
  ): Promise<Place> => {
    const [row] = await connection.query<PlaceRow>(text, [id, subscriberId, applicationId ?? null])
    if (!row) throw missing()
    const { status, caseStatus, applicationType, applicationStatus, referenceType, reference } = row
    return {
      status,
      caseStatus,
      application:
        applicationType && applicationStatus !== null ? { applicationType, status: applicationStatus } : undefined,
      deed: {
        ...(referenceType !== null && { mortgageDeedReferenceType: referenceType }),
        ...(reference !== null && { mortgageDeedReference: reference }),
      },
    }
  }
}

/** What the scan needs of a file whose outcome is not known yet; undefined once it is. */
export async function findWaiting(connection: Connection, { workspaceId, fileId }: ProcessPayload) {
  const [row] = await connection.query<{ fileId: string; sha256: string; correlationId: string }>(
    `select file_id as "fileId", sha256, correlation_id as "correlationId" from files
      where workspace_id = $1 and file_id = $2 and status = 'PENDING'`,
    [workspaceId, fileId],
  )
  return row
}

/** For whom a document of the registry is fetched, and whether it was stored before. */
export async function findFetching(connection: Connection, workspaceId: string, documentId: string) {
  const [row] = await connection.query<{ lawFirmId: string; customerReference: string; isStored: boolean }>(
    `select w.law_firm_id as "lawFirmId", w.workspace_reference_id as "customerReference", exists (
              select from files f where f.workspace_id = w.workspace_id and registry_document_id = $2) as "isStored"
       from workspaces w where w.workspace_id = $1`,
    [workspaceId, documentId],
  )
  return row
}
