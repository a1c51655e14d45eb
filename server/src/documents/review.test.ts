import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { makeApproved } from '../../test/fixtures/approvals.ts'
import { attach, filesPath, uploaded } from '../../test/fixtures/documents.ts'
import { anApprovedCase } from '../../test/fixtures/lodging.ts'
import { aPdf } from '../../test/fixtures/multipart.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { aSearchedWorkspace, drain, eventTypesOf, FIRM, readCase } from '../../test/fixtures/workspaces.ts'

// What a document does to a case that is approved, in a workspace that is not yet.

let service: TestService
before(async () => {
  service = await testService()
})

const statusOf = async (workspaceId: string) => (await readCase(service, workspaceId)).lodgementCaseStatus

const lastEvents = async (workspaceId: string) => (await eventTypesOf(service, workspaceId)).slice(-2)

describe('a document of an application', () => {
  it('takes back the approval of the case once it has succeeded', async () => {
    const workspaceId = await anApprovedCase(service, 'ST500678')
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

describe('a document of the workspace', () => {
  it('takes nothing back', async () => {
    const workspaceId = await anApprovedCase(service, 'ST500678')
    const fileId = await uploaded(service, workspaceId)
    await drain(service)
    assert.equal((await service.call('DELETE', filesPath(workspaceId, fileId), FIRM)).status, 204)
    assert.equal(await statusOf(workspaceId), 'PREPARED')
  })
})
