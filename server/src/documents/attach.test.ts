import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { aDeed, attachmentsPath, evidence, readFile } from '../../test/fixtures/documents.ts'
import { upload } from '../../test/fixtures/multipart.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  setStatus,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'

// Without a worker, so that an upload stays as it was accepted.
let service: TestService
before(async () => {
  service = await sharedService('idle')
})

const DEED_FIELDS = evidence({ documentType: 'MORTGAGE_DEED', documentCategory: 'APPLICATION_DOCUMENT' })

describe('POST …/applications/{application_id}/attachments', () => {
  it('attaches a deed before its type is known', async () => {
    const { workspaceId, applicationId, path } = await aDeed(service)
    const { status, body, text } = await upload(service, path, { ...FIRM, fields: DEED_FIELDS })
    assert.equal(status, 202, text)
    const shown = await readFile(service, workspaceId, body.fileId)
    assert.partialDeepStrictEqual(shown, { ...DEED_FIELDS, applicationId, fileUploadStatus: 'PENDING' })
    assert.equal((await auditOf(service, workspaceId)).at(-1)?.ids['applicationId'], applicationId)
  })

  for (const [what, fields, wrong] of [
    [
      'no certificationType',
      { documentType: 'EVIDENCE', documentCategory: 'SUPPORTING_DOCUMENT' },
      'certificationType',
    ],
    ['a document of the workspace', evidence({ documentType: 'MORTGAGE_OFFER' }), 'documentType'],
    [
      'a category of the workspace',
      evidence({ documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' }),
      'documentCategory',
    ],
    ['an applicationId in the form', evidence({ applicationId: UNKNOWN_ID }), 'applicationId'],
  ] as const) {
    it(`refuses ${what}`, async () => {
      const { path } = await aDeed(service)
      const answer = await upload(service, path, { ...FIRM, fields })
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [wrong]])
    })
  }

  it('is for law firms with the scope', async () => {
    const { path } = await aDeed(service)
    assert.equal((await upload(service, path, { ...LENDER, fields: evidence() })).status, 403)
    const headers = await narrowToken(service, 'sandbox-law-firm', 'x-api:add:workspace_files')
    assert.equal((await upload(service, path, { headers, fields: evidence() })).status, 403)
  })

  it('finds neither the case nor the application of others', async () => {
    const one = await aDeed(service)
    const other = await aDeed(service)
    const fields = evidence()
    for (const [caseId, applicationId, field] of [
      [UNKNOWN_ID, one.applicationId, 'lodgement_case_id'],
      [one.lodgementCaseId, other.applicationId, 'application_id'],
      [one.lodgementCaseId, UNKNOWN_ID, 'application_id'],
    ] as const) {
      const answer = await upload(service, attachmentsPath({ lodgementCaseId: caseId, applicationId }), {
        ...FIRM,
        fields,
      })
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, [field]])
    }
    const stranger = await upload(service, one.path, { ...OTHER_FIRM, fields })
    assert.deepEqual([stranger.status, fieldsOf(stranger)], [404, ['lodgement_case_id']])
    await setStatus(service, one.workspaceId, 'PREPARED')
    const locked = await upload(service, attachmentsPath({ ...one, applicationId: UNKNOWN_ID }), { ...FIRM, fields })
    assert.equal(locked.status, 404, 'what the path names comes before the workspace’s status')
    assert.equal((await upload(service, one.path, { ...FIRM, fields })).status, 409)
  })

  it('refuses an application that is withdrawn', async () => {
    const { applicationId, path } = await aDeed(service)
    const withdraw = `update lodgement_applications set status = 'WITHDRAWN' where application_id = $1`
    await service.deps.db.query(withdraw, [applicationId])
    const answer = await upload(service, path, { ...FIRM, fields: evidence() })
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
  })
})
