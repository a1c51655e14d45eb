import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { Readable } from 'node:stream'
import { reviewCase } from '../../src/approvals/review.ts'
import type { Actor } from '../../src/audit/record.ts'
import { MAIN_DOCUMENT_TYPES } from '../../src/lodgement/attachments.ts'
import type { ApplicationType } from '../../src/lodgement/rules.ts'
import { markChanged } from '../../src/lodgement/store.ts'
import { lockAnyWorkspace } from '../../src/workspaces/store.ts'
import { upload } from './multipart.ts'
import { accepted, listed, OWN } from './representations.ts'
import type { Answer, TestService } from './service.ts'
import { CASES, drain, FIRM, FIRM_ID, readCase, readWorkspace, setStatus, WORKSPACES } from './workspaces.ts'

// A case on its way to its approval, as tests bring it there.

export const EDITOR = 'sam.reid@harbour.example'
export const APPROVER = 'jo.marsh@harbour.example'

/** What a deed of paper needs. */
export const PAPER_DEED = {
  transactionValue: 206_000,
  mortgageDeedReference: 'MD431C',
  mortgageDeedReferenceType: 'PAPER',
}

export const approvalsOf = (workspaceId: string) => `${WORKSPACES}/${workspaceId}/lodgement-approvals`

export type Approval = Record<
  'lodgementCaseId' | 'action' | 'lodgementCaseStatus' | 'approvedBy' | 'approvedAt',
  string
>

type Way = { action?: string; approvedBy?: string; as?: string; headers?: Record<string, string> }

export function approve(service: TestService, workspaceId: string, way: Way = {}): Promise<Answer<Approval>> {
  const { action = 'APPROVE', approvedBy = APPROVER, as = FIRM.as, headers = {} } = way
  return service.call('POST', approvalsOf(workspaceId), { as, headers, json: { action, workspaceId, approvedBy } })
}

export const unapprove = (service: TestService, workspaceId: string, way: Way = {}) =>
  approve(service, workspaceId, { action: 'UNAPPROVE', ...way })

/** The ids of the applications that count, by their type. */
export async function liveApplications(service: TestService, workspaceId: string) {
  const { lodgementCaseId, applications } = await readCase(service, workspaceId)
  return applications
    .filter(({ status }) => status !== 'WITHDRAWN')
    .map(({ applicationId, applicationType }) => ({
      lodgementCaseId,
      applicationId,
      applicationType: applicationType as ApplicationType,
    }))
}

export const applicationPath = ({
  lodgementCaseId,
  applicationId,
}: Record<'lodgementCaseId' | 'applicationId', string>) => `${CASES}/${lodgementCaseId}/applications/${applicationId}`

/** PATCHes the deed of a case. */
export async function patchDeed(service: TestService, workspaceId: string, json: object, actingUser = EDITOR) {
  const deed = (await liveApplications(service, workspaceId)).find((one) => one.applicationType === 'MORTGAGE_DEED')
  assert.ok(deed)
  const answer = await service.call('PATCH', applicationPath(deed), {
    ...FIRM,
    json,
    headers: { 'x-acting-user': actingUser },
  })
  assert.equal(answer.status, 200, answer.text)
  return answer
}

/** Gives every party a representation by the firm, the deed its facts, and every application its main document. */
export async function makeReady(service: TestService, workspaceId: string): Promise<void> {
  const represented = new Set((await listed(service, workspaceId)).map(({ partyId }) => partyId))
  for (const { partyId } of (await readWorkspace(service, workspaceId)).parties) {
    if (!represented.has(partyId)) await accepted(service, workspaceId, { partyId, ...OWN })
  }
  await drain(service)
  await patchDeed(service, workspaceId, PAPER_DEED)
  for (const application of await liveApplications(service, workspaceId)) {
    const [documentType = 'EVIDENCE'] = MAIN_DOCUMENT_TYPES[application.applicationType]
    if (application.applicationType === 'DISCHARGE') continue
    const { status, text } = await upload(service, `${applicationPath(application)}/attachments`, {
      as: FIRM.as,
      fields: { documentType, documentCategory: 'APPLICATION_DOCUMENT', certificationType: 'ORIGINAL' },
      headers: { 'x-acting-user': EDITOR },
    })
    assert.equal(status, 202, text)
  }
  await drain(service)
  const { readyForApproval } = await readWorkspace(service, workspaceId)
  assert.ok(readyForApproval, JSON.stringify(await failuresOf(service, workspaceId)))
}

/** A case that is approved. */
export async function makeApproved(service: TestService, workspaceId: string): Promise<void> {
  await makeReady(service, workspaceId)
  const answer = await approve(service, workspaceId)
  assert.equal(answer.status, 202, answer.text)
}

/** A case that the registry rejected, although it was complete. */
export async function makeRejected(service: TestService, workspaceId: string): Promise<void> {
  await makeApproved(service, workspaceId)
  await setStatus(service, workspaceId, 'FUNDS_EXCHANGED', 'REGISTRATION_REJECTED')
  await service.deps.db.query(
    `update lodgement_applications a set status = 'REJECTED' from lodgement_cases c
      where c.lodgement_case_id = a.lodgement_case_id and workspace_id = $1`,
    [workspaceId],
  )
}

export type Readiness = { ruleId: string; passed: boolean; message: string; field: string }

export async function readinessOf(service: TestService, workspaceId: string): Promise<Readiness[]> {
  const path = `${WORKSPACES}/${workspaceId}/readiness?limit=100`
  const { status, body, text } = await service.call<{ records: Readiness[] }>('GET', path, FIRM)
  assert.equal(status, 200, text)
  return body.records
}

export const failuresOf = async (service: TestService, workspaceId: string) =>
  (await readinessOf(service, workspaceId)).filter(({ passed }) => !passed)

type Attached = { applicationId: string; documentType: string; category?: string; status?: string; fileName?: string }

/** A document that stands in the case as if it had been uploaded and checked. */
export async function attach(
  { deps: { db, clock, blobs } }: TestService,
  workspaceId: string,
  { applicationId, documentType, category = 'APPLICATION_DOCUMENT', status = 'SUCCESS', fileName = 'a.pdf' }: Attached,
): Promise<string> {
  const fileId = randomUUID()
  const { sha256, size } = await blobs.keep(db, await blobs.stage(Readable.from([fileId]), { bytesMax: 100 }))
  const actor: Actor = { clientId: FIRM.as, actingUser: EDITOR, correlationId: 'attached', at: clock.now() }
  await db.transaction(async (tx) => {
    const workspace = await lockAnyWorkspace(tx, workspaceId)
    assert.ok(workspace)
    tx.send(
      `insert into files (file_id, workspace_id, application_id, subscriber_id, file_name, document_type,
         document_category, certification_type, sha256, size, status, correlation_id, created_at,
         created_by, last_modified_at, last_modified_by)
       values ($1, $2, $3, $4, $5, $6, $7, 'ORIGINAL', $8, $9, 'PENDING', 'attached', $10, $11, $10, $11)`,
      [fileId, workspaceId, applicationId, FIRM_ID, fileName, documentType, category, sha256, size, actor.at, EDITOR],
    )
    if (category === 'APPLICATION_DOCUMENT' && status === 'SUCCESS') {
      tx.send(
        `update files set superseded_by = $2 where application_id = $1 and status = 'SUCCESS' and superseded_by is null
            and document_category = $3`,
        [applicationId, fileId, category],
      )
    }
    tx.send('update files set status = $2, failure_reason = $3 where file_id = $1', [
      fileId,
      status,
      status === 'FAILED' ? 'INFECTED' : null,
    ])
    markChanged(tx, workspace.lodgementCaseId, actor)
    await reviewCase(tx, workspace, actor, [applicationId])
  })
  return fileId
}
