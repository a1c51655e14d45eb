import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { patchDeed } from '../../test/fixtures/approvals.ts'
import { aDeed, evidence, filesPath, leftBehind, nothingSpooled, offer } from '../../test/fixtures/documents.ts'
import { fieldParts, filePart, type UploadOptions, upload } from '../../test/fixtures/multipart.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { FIRM, fieldsOf, LENDER, OTHER_FIRM, setStatus, UNKNOWN_ID } from '../../test/fixtures/workspaces.ts'

// Without a worker, so that an upload stays as it was accepted.
let service: TestService
before(async () => {
  service = await sharedService('idle')
})

const send = (workspaceId: string, options: UploadOptions = {}) =>
  upload(service, filesPath(workspaceId), { ...FIRM, fields: offer(), ...options })

const DEED_FIELDS = evidence({ documentType: 'MORTGAGE_DEED', documentCategory: 'APPLICATION_DOCUMENT' })

describe('POST …/workspaces/{workspace_id}/files', () => {
  it('forbids a lender to name an application, before all other faults that come later', async () => {
    const { workspaceId, applicationId } = await aDeed(service)
    const before = await nothingSpooled(service)
    const named = fieldParts({ applicationId })
    for (const parts of [
      [...fieldParts(evidence()), ...named, filePart()],
      [filePart(), ...fieldParts({ colour: 'red' }), ...named],
      [...named, filePart('')],
      [...named],
    ]) {
      const answer = await send(workspaceId, { ...LENDER, parts })
      assert.deepEqual([answer.status, fieldsOf(answer)], [403, ['']])
    }
    const elsewhere = await upload(service, filesPath('x'), { ...LENDER, parts: named })
    assert.equal(elsewhere.status, 403)
    assert.deepEqual(await leftBehind(service), before)
  })

  it('knows neither a workspace of others nor an application of others', async () => {
    const { workspaceId } = await aDeed(service)
    const { applicationId } = await aDeed(service)
    const stranger = await send(workspaceId, OTHER_FIRM)
    assert.deepEqual([stranger.status, fieldsOf(stranger)], [404, ['workspace_id']])
    const unknown = await send(UNKNOWN_ID)
    assert.deepEqual([unknown.status, unknown.text], [404, stranger.text])
    for (const other of [applicationId, UNKNOWN_ID]) {
      const answer = await send(workspaceId, { fields: evidence({ applicationId: other }) })
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['applicationId']])
    }
  })

  it('is open for the workspace until it ends, for its applications only in CREATED or after a rejection', async () => {
    const { workspaceId, applicationId } = await aDeed(service)
    const attached = { fields: evidence({ applicationId }) }
    const statusesIn = async (status: string, caseStatus?: string) => {
      await setStatus(service, workspaceId, status, caseStatus)
      return [(await send(workspaceId)).status, (await send(workspaceId, attached)).status]
    }
    assert.deepEqual(await statusesIn('CREATED'), [202, 202])
    assert.deepEqual(await statusesIn('PREPARED', 'PREPARED'), [202, 409])
    assert.deepEqual(await statusesIn('LODGED', 'LODGED'), [202, 409])
    assert.deepEqual(await statusesIn('FUNDS_EXCHANGED', 'REGISTRATION_REJECTED'), [202, 202])
    assert.deepEqual(await statusesIn('CLOSED', 'REGISTERED'), [409, 409])
    assert.deepEqual(await statusesIn('CANCELLED', 'CANCELLED'), [409, 409])
  })

  it('wants the reference of an electronic deed, attached or not', async () => {
    const { workspaceId, applicationId } = await aDeed(service)
    const alone = { documentType: 'MORTGAGE_DEED', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' }
    const attached = { ...DEED_FIELDS, applicationId }
    const told = async (fields: Record<string, string>) => {
      const answer = await send(workspaceId, { fields })
      return [answer.status, ...fieldsOf(answer)]
    }
    assert.deepEqual(await told(alone), [202])
    await patchDeed(service, workspaceId, { mortgageDeedReferenceType: 'DIGITAL' })
    assert.deepEqual(await told(alone), [409, 'mortgageDeedReference'])
    assert.deepEqual(await told(attached), [409, 'mortgageDeedReference'])
    await patchDeed(service, workspaceId, { mortgageDeedReference: 'e-MD1234A' })
    assert.deepEqual(await told(alone), [202])
    assert.deepEqual(await told(attached), [202])
  })

  it('judges the content of a file last', async () => {
    const { workspaceId, applicationId } = await aDeed(service)
    const file = 'not a PDF'
    assert.equal((await send(UNKNOWN_ID, { file })).status, 404)
    await patchDeed(service, workspaceId, { mortgageDeedReferenceType: 'DIGITAL' })
    assert.equal((await send(workspaceId, { file, fields: { ...DEED_FIELDS, applicationId } })).status, 409)
    await setStatus(service, workspaceId, 'CLOSED')
    assert.equal((await send(workspaceId, { file })).status, 409)
  })
})
