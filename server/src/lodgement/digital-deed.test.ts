import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { APPROVER, applicationPath, approve, EDITOR, patchDeed } from '../../test/fixtures/approvals.ts'
import { applicationOf, attach } from '../../test/fixtures/documents.ts'
import { aReadyCase, exchange, progressOf, timelineSince, walk } from '../../test/fixtures/lodging.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { auditOf, drain, FIRM, readCase, readWorkspace } from '../../test/fixtures/workspaces.ts'

// A digital deed is signed before completion and takes effect on the day.

let service: TestService
before(async () => {
  service = await sharedService('still')
})

const DIGITAL = { mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD431C' }

/** Approved with a digital deed that is not effective yet. */
async function anApprovedOne(): Promise<string> {
  const workspaceId = await aReadyCase(service)
  await patchDeed(service, workspaceId, DIGITAL)
  await attach(service, workspaceId, 'MORTGAGE_DEED', 'MORTGAGE_DEED')
  await drain(service)
  const answer = await approve(service, workspaceId)
  assert.equal(answer.status, 202, answer.text)
  return workspaceId
}

async function patch(workspaceId: string, json: object): Promise<number> {
  const path = applicationPath(await applicationOf(service, workspaceId, 'MORTGAGE_DEED'))
  const headers = { 'x-acting-user': APPROVER }
  return (await service.call('PATCH', path, { ...FIRM, json, headers })).status
}

const typesOf = async (workspaceId: string) => (await timelineSince(service, workspaceId)).map(({ type }) => type)

describe('a digital deed', () => {
  it('does not keep a case from approval; the case waits for it after the money has moved, and is then sent at once', async () => {
    const workspaceId = await anApprovedOne()
    await exchange(service, workspaceId)
    const waiting = 'FUNDS_EXCHANGED PREPARED'
    assert.deepEqual(await walk(service, workspaceId, 'PT0S', 'P3D'), [waiting, waiting])
    assert.deepEqual(await typesOf(workspaceId), ['WORKSPACE_FUNDS_EXCHANGED', 'LODGEMENT_WAITING'])
    assert.equal(await patch(workspaceId, { isEffective: true, transactionValue: 206_000 }), 409, 'only alone')
    assert.equal(await patch(workspaceId, { isEffective: true }), 200)
    await drain(service)
    assert.equal(await progressOf(service, workspaceId), 'FUNDS_EXCHANGED INITIATED')
    assert.equal(await patch(workspaceId, { isEffective: false }), 409, 'it was sent')
    const since = ['LODGEMENT_APPLICATION_UPDATED', 'LODGEMENT_SUBMITTED']
    assert.deepEqual((await typesOf(workspaceId)).slice(2), since)
  })

  it('takes effect without withdrawing the approval, and without being a change for four eyes', async () => {
    const workspaceId = await anApprovedOne()
    assert.equal(await patch(workspaceId, { isEffective: true }), 200)
    assert.equal((await readCase(service, workspaceId)).lodgementCaseStatus, 'PREPARED')
    assert.equal((await readWorkspace(service, workspaceId)).status, 'CREATED')
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'application updated',
      actingUser: APPROVER,
      after: { isEffective: true },
    })
    assert.equal(await patch(workspaceId, { isEffective: false, transactionValue: 206_001 }), 200)
    assert.equal((await readCase(service, workspaceId)).lodgementCaseStatus, 'CREATED', 'with more it is a change')
    const other = 'third@harbour.example'
    assert.equal((await approve(service, workspaceId, { approvedBy: APPROVER })).status, 409)
    assert.equal((await approve(service, workspaceId, { approvedBy: EDITOR })).status, 409)
    assert.equal((await approve(service, workspaceId, { approvedBy: other })).status, 202)
    await exchange(service, workspaceId)
    assert.equal(await patch(workspaceId, { isEffective: true }), 200)
    assert.deepEqual(await walk(service, workspaceId, 'P1D'), ['LODGED LODGED'])
  })
})
