import { type Actor, actorName } from '../audit/record.ts'
import type { CertificationType, UploadStatus } from '../lodgement/attachments.ts'
import type { ApplicationType } from '../lodgement/rules.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import type { CaseStatus, WorkspaceStatus } from '../workspaces/status.ts'
import { caseNotFound, workspaceNotFound } from '../workspaces/store.ts'
import type { Asked, DocumentCategory, DocumentType, FailureReason, Main, Outcome, Place, Waiting } from './rules.ts'

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
  f.created_at as "createdAt", f.created_by as "createdBy", f.last_modified_at as "lastModifiedAt",
  f.last_modified_by as "lastModifiedBy"`

/** Undefined where the workspace has none of that id; a workspace that is not the caller's is not found. */
export async function findFile(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
  fileId: string,
): Promise<FileRow | undefined> {
  const [row] = await connection.query<FileRow & { seq: number | null }>(
    `select ${ROW} from workspaces w left join files f on f.workspace_id = w.workspace_id and f.file_id = $3
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
  referenceType: 'PAPER' | 'DIGITAL' | null
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

export type NewFile = Asked & {
  fileId: string
  subscriberId: string
  fileName: string
  sha256: string
  size: number
}

export function insertFile(tx: Transaction, workspaceId: string, file: NewFile, actor: Actor): void {
  tx.send(
    `insert into files (file_id, workspace_id, application_id, subscriber_id, file_name, document_type,
       document_category, certification_type, sha256, size, status, correlation_id, created_at, created_by,
       last_modified_at, last_modified_by)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 'PENDING', $11, $12, $13, $12, $13)`,
    [
      file.fileId,
      workspaceId,
      file.applicationId ?? null,
      file.subscriberId,
      file.fileName,
      file.documentType,
      file.documentCategory,
      file.certificationType,
      file.sha256,
      file.size,
      actor.correlationId,
      actor.at,
      actorName(actor),
    ],
  )
}

export type WaitingFile = Waiting & {
  fileId: string
  seq: number
  documentCategory: DocumentCategory
  sha256: string
  correlationId: string
  /** The main documents of its application that count. */
  mains: Main[]
}

/** A file whose outcome is not known yet; undefined once it is. */
export async function findWaiting(connection: Connection, fileId: string): Promise<WaitingFile | undefined> {
  const [row] = await connection.query<WaitingFile>(
    `select f.file_id as "fileId", f.seq, f.application_id as "applicationId", a.status as "applicationStatus",
            f.document_category as "documentCategory", f.sha256, f.correlation_id as "correlationId",
            (select coalesce(jsonb_agg(jsonb_build_object('fileId', file_id, 'seq', seq)), '[]')
               from files m
              where m.application_id = f.application_id and m.document_category = 'APPLICATION_DOCUMENT'
                and m.status = 'SUCCESS' and m.superseded_by is null) as mains
       from files f left join lodgement_applications a using (application_id)
      where f.file_id = $1 and f.status = 'PENDING'`,
    [fileId],
  )
  return row
}

export function saveOutcome(tx: Transaction, fileId: string, outcome: Outcome, actor: Actor): void {
  const reason = outcome.status === 'FAILED' ? outcome.reason : null
  tx.send(
    `update files set status = $2, failure_reason = $3, last_modified_at = $4, last_modified_by = $5
      where file_id = $1`,
    [fileId, outcome.status, reason, actor.at, actorName(actor)],
  )
}

export function markSuperseded(tx: Transaction, fileId: string, by: string, actor: Actor): void {
  tx.send('update files set superseded_by = $2, last_modified_at = $3, last_modified_by = $4 where file_id = $1', [
    fileId,
    by,
    actor.at,
    actorName(actor),
  ])
}

export function markWithdrawn(tx: Transaction, fileId: string, actor: Actor): void {
  tx.send(`update files set status = 'WITHDRAWN', last_modified_at = $2, last_modified_by = $3 where file_id = $1`, [
    fileId,
    actor.at,
    actorName(actor),
  ])
}
