import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type UploadOptions, upload } from './multipart.ts'
import type { TestService } from './service.ts'
import { aWorkspace, CASES, FIRM, LENDER, readCase, WORKSPACES } from './workspaces.ts'

// Documents as tests upload them and look at them.

export type ShownFile = {
  fileId: string
  fileName: string
  documentType: string
  documentCategory: string
  certificationType: string
  applicationId?: string
  size: number
  sha256: string
  fileUploadStatus: string
  failureReason?: string
  supersededBy?: string
  auditAttributes: Record<'createdAt' | 'createdBy' | 'lastModifiedAt' | 'lastModifiedBy', string>
}

export const filesPath = (workspaceId: string, fileId?: string) =>
  `${WORKSPACES}/${workspaceId}/files${fileId ? `/${fileId}` : ''}`

export const attachmentsPath = (lodgementCaseId: string, applicationId: string) =>
  `${CASES}/${lodgementCaseId}/applications/${applicationId}/attachments`

/** The fields of an upload; a test names what it is about. */
export const offer = (fields: Record<string, string> = {}) => ({
  documentType: 'MORTGAGE_OFFER',
  documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT',
  ...fields,
})

export const evidence = (fields: Record<string, string> = {}) => ({
  documentType: 'EVIDENCE',
  documentCategory: 'SUPPORTING_DOCUMENT',
  certificationType: 'CERTIFIED',
  ...fields,
})

/** A document of the workspace, accepted and not yet judged. */
export async function uploaded(
  service: TestService,
  workspaceId: string,
  { as = FIRM.as, fields = offer(), ...options }: UploadOptions = {},
): Promise<string> {
  const { status, body, text } = await upload(service, filesPath(workspaceId), { as, fields, ...options })
  assert.equal(status, 202, text)
  return body.fileId
}

export type Application = { lodgementCaseId: string; applicationId: string }

/** The application of a type; the last of them where there are several. */
export async function applicationOf(
  service: TestService,
  workspaceId: string,
  applicationType: string,
  as = FIRM,
): Promise<Application> {
  const { lodgementCaseId, applications } = await readCase(service, workspaceId, as)
  const found = applications.findLast((one) => one.applicationType === applicationType)
  assert.ok(found, `there is no ${applicationType} in this case`)
  return { lodgementCaseId, applicationId: found.applicationId }
}

/** A workspace and its deed application, with the path on which documents are attached to it. */
export async function aDeed(service: TestService): Promise<Application & { workspaceId: string; path: string }> {
  const { workspaceId } = await aWorkspace(service)
  const deed = await applicationOf(service, workspaceId, 'MORTGAGE_DEED')
  return { workspaceId, ...deed, path: attachmentsPath(deed.lodgementCaseId, deed.applicationId) }
}

export type AttachOptions = UploadOptions & { documentCategory?: string; certificationType?: string }

/** A document attached to an application of a type, accepted and not yet judged. */
export async function attach(
  service: TestService,
  workspaceId: string,
  applicationType: string,
  documentType: string,
  options: AttachOptions = {},
): Promise<string> {
  const { documentCategory = 'APPLICATION_DOCUMENT', certificationType = 'CERTIFIED', as = FIRM.as, ...rest } = options
  const { lodgementCaseId, applicationId } = await applicationOf(service, workspaceId, applicationType, { as })
  const { status, body, text } = await upload(service, attachmentsPath(lodgementCaseId, applicationId), {
    as,
    fields: { documentType, documentCategory, certificationType },
    ...rest,
  })
  assert.equal(status, 202, text)
  return body.fileId
}

export async function saveDeedFacts(
  service: TestService,
  workspaceId: string,
  json: Record<string, unknown>,
  as = FIRM.as,
): Promise<void> {
  const { lodgementCaseId, applicationId } = await applicationOf(service, workspaceId, 'MORTGAGE_DEED', { as })
  const path = `${CASES}/${lodgementCaseId}/applications/${applicationId}`
  const { status, text } = await service.call('PATCH', path, { as, json })
  assert.equal(status, 200, text)
}

export async function readFile(
  service: TestService,
  workspaceId: string,
  fileId: string,
  as = LENDER,
): Promise<ShownFile> {
  const { status, body, text } = await service.call<ShownFile>('GET', filesPath(workspaceId, fileId), as)
  assert.equal(status, 200, text)
  return body
}

export async function listFiles(service: TestService, workspaceId: string, as = LENDER): Promise<ShownFile[]> {
  const path = `${filesPath(workspaceId)}?limit=100`
  const { status, body, text } = await service.call<{ records: ShownFile[] }>('GET', path, as)
  assert.equal(status, 200, text)
  return body.records
}

/** Status and, where there is one, why it failed. */
export async function outcomeOf(service: TestService, workspaceId: string, fileId: string): Promise<string> {
  const { fileUploadStatus, failureReason } = await readFile(service, workspaceId, fileId)
  return failureReason ? `${fileUploadStatus} ${failureReason}` : fileUploadStatus
}

/** What an upload leaves behind: rows, bytes that are kept, and bytes that are on their way. */
export async function leftBehind({
  deps: { db },
  env,
}: TestService): Promise<{ files: number; blobs: number; spool: number }> {
  const [row] = await db.query<{ files: number; blobs: number }>(
    'select (select count(*) from files) as files, (select count(*) from blobs) as blobs',
  )
  const spool = await readdir(join(env['DATA_DIR'] ?? '', 'blobs', 'spool'))
  return { files: row?.files ?? 0, blobs: row?.blobs ?? 0, spool: spool.length }
}
