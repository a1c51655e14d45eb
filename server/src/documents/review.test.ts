import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { applicationPath, failuresOf, makeApproved, patchDeed } from '../../test/fixtures/approvals.ts'
import { applicationOf, attach, filesPath, offer, uploaded } from '../../test/fixtures/documents.ts'
import { anApprovedCase } from '../../test/fixtures/lodging.ts'
import { aPdf } from '../../test/fixtures/multipart.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { aSearchedWorkspace, drain, eventTypesOf, FIRM, fieldsOf, readCase } from '../../test/fixtures/workspaces.ts'

// What a document does to a case that is approved, in a workspace that is not yet.

let service: TestService
before(async () => {
  service = await sharedService('still')
})

const statusOf = async (workspaceId: string) => (await readCase(service, workspaceId)).lodgementCaseStatus

const lastEvents = async (workspaceId: string) => (await eventTypesOf(service, workspaceId)).slice(-2)

describe('a document of an application', () => {
  it('takes back the approval of the case once it has succeeded', async () => {
    const workspaceId = await anApprovedCase(service)
    const support = { documentCategory: 'SUPPORTING_DOCUMENT', file: aPdf('more') }
    await attach(service, workspaceId, 'MORTGAGE_DEED', 'EVIDENCE', support)
    await drain(service)
    assert.equal(await statusOf(workspaceId), 'CREATED')
    assert.deepEqual(await lastEvents(workspaceId), ['FILE_UPLOAD_SUCCEEDED', 'LODGEMENT_CASE_UNAPPROVED'])
  })

  it('takes it back when it is withdrawn', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const support = { documentCategory: 'SUPPORTING_DOCUMENT' }
    const fileId = await attach(service, workspaceId, 'MORTGAGE_DEED', 'EVIDENCE', support)
    await drain(service)
    await makeApproved(service, workspaceId)
    assert.equal((await service.call('DELETE', filesPath(workspaceId, fileId), FIRM)).status, 204)
    assert.equal(await statusOf(workspaceId), 'CREATED')
    assert.deepEqual(await lastEvents(workspaceId), ['FILE_WITHDRAWN', 'LODGEMENT_CASE_UNAPPROVED'])
  })
})

describe('a document that is kept with an application', () => {
  it('takes nothing back, is listed there and is never the main document', async () => {
    const workspaceId = await anApprovedCase(service)
    const { applicationId } = await applicationOf(service, workspaceId, 'MORTGAGE_DEED')
    const fields = offer({ documentType: 'MORTGAGE_DEED', applicationId })
    const fileId = await uploaded(service, workspaceId, { fields, file: aPdf('a note') })
    await drain(service)
    const { applications, lodgementCaseStatus } = await readCase(service, workspaceId)
    const deed = applications.find((one) => one.applicationId === applicationId)
    assert.equal(lodgementCaseStatus, 'PREPARED')
    assert.partialDeepStrictEqual(deed?.documents.at(-1), {
      fileId,
      documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT',
      fileUploadStatus: 'SUCCESS',
    })
    assert.notEqual(deed?.file?.fileId, fileId)
    assert.equal((await service.call('DELETE', filesPath(workspaceId, fileId), FIRM)).status, 204)
    assert.equal(await statusOf(workspaceId), 'PREPARED')
  })

  it('may be an offer, and several of one type count side by side', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const { applicationId } = await applicationOf(service, workspaceId, 'DISCHARGE')
    const fields = offer({ documentCategory: 'APPLICATION_DOCUMENT', applicationId })
    for (const note of ['one', 'two']) await uploaded(service, workspaceId, { fields, file: aPdf(note) })
    await drain(service)
    const { applications } = await readCase(service, workspaceId)
    const discharge = applications.find((one) => one.applicationId === applicationId)
    assert.deepEqual(
      discharge?.documents.map((one) => `${one.documentType} ${one.fileUploadStatus}`),
      ['MORTGAGE_OFFER SUCCESS', 'MORTGAGE_OFFER SUCCESS'],
    )
    assert.equal(discharge?.file, undefined)
  })
})

describe('a deed that was attached before it became digital', () => {
  it('needs its reference, and counts for approval only when it is uploaded again', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const blocking = async () => (await failuresOf(service, workspaceId)).map(({ ruleId }) => ruleId)
    const main = 'all-mandatory-documents-provided'
    await attach(service, workspaceId, 'MORTGAGE_DEED', 'MORTGAGE_DEED', { file: aPdf('a scan') })
    await drain(service)
    assert.ok(!(await blocking()).includes(main), 'a deed is on paper until its type says otherwise')
    const { applicationId, lodgementCaseId } = await applicationOf(service, workspaceId, 'MORTGAGE_DEED')
    const path = applicationPath({ lodgementCaseId, applicationId })
    const json = { mortgageDeedReferenceType: 'DIGITAL' }
    const refused = await service.call('PATCH', path, { ...FIRM, json })
    assert.deepEqual([refused.status, fieldsOf(refused)], [409, ['mortgageDeedReference']])
    await patchDeed(service, workspaceId, { ...json, mortgageDeedReference: 'e-MD431C' })
    assert.ok((await blocking()).includes(main))
    await attach(service, workspaceId, 'MORTGAGE_DEED', 'MORTGAGE_DEED', { file: aPdf('the digital deed') })
    await drain(service)
    assert.ok(!(await blocking()).includes(main))
  })
})

describe('a document of the workspace', () => {
  it('takes nothing back', async () => {
    const workspaceId = await anApprovedCase(service)
    const fileId = await uploaded(service, workspaceId)
    await drain(service)
    assert.equal((await service.call('DELETE', filesPath(workspaceId, fileId), FIRM)).status, 204)
    assert.equal(await statusOf(workspaceId), 'PREPARED')
  })
})
