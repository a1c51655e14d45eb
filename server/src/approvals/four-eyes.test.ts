import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  APPROVER,
  approve,
  EDITOR,
  failuresOf,
  makeReady,
  PAPER_DEED,
  patchDeed,
} from '../../test/fixtures/approvals.ts'
import { attach, filesPath, uploaded } from '../../test/fixtures/documents.ts'
import { readReconciliation, unmatchedNamed } from '../../test/fixtures/reconciliation.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aSearchedWorkspace,
  aWorkspace,
  CASES,
  drain,
  FIRM,
  FIRM_ID,
  fieldsOf,
  readCase,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
let readyOne: string
before(async () => {
  service = await testService()
  readyOne = (await aSearchedWorkspace(service, 'ST500678')).workspaceId
  await makeReady(service, readyOne)
})

describe('four eyes', () => {
  const setFourEyes = (on: boolean) =>
    service.deps.db.query('update subscribers set four_eyes = $2 where subscriber_id = $1', [FIRM_ID, on])

  it('refuse at approvedBy who changed an application or its documents last, in capitals too', async () => {
    for (const approvedBy of [EDITOR, EDITOR.toUpperCase()]) {
      const answer = await approve(service, readyOne, { approvedBy })
      assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['approvedBy']])
    }
    assert.deepEqual(await failuresOf(service, readyOne), [], 'it is no row of the readiness')
  })

  it('are told beside what is not ready', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await patchDeed(service, workspaceId, PAPER_DEED)
    const answer = await approve(service, workspaceId, { approvedBy: EDITOR })
    const failed = (await failuresOf(service, workspaceId)).map(({ field }) => field)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, [...failed, 'approvedBy'].sort()])
  })

  it('ask for the last change only: one by another person, or by nobody named, frees the one before', async () => {
    for (const actingUser of ['third@harbour.example', undefined]) {
      const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
      await makeReady(service, workspaceId)
      const { lodgementCaseId, applications } = await readCase(service, workspaceId)
      const path = `${CASES}/${lodgementCaseId}/applications/${applications[0]?.applicationId}`
      const headers: Record<string, string> = actingUser ? { 'x-acting-user': actingUser } : {}
      assert.equal((await service.call('PATCH', path, { ...FIRM, json: { transactionValue: 7 }, headers })).status, 200)
      if (actingUser) assert.equal((await approve(service, workspaceId, { approvedBy: actingUser })).status, 409)
      assert.equal((await approve(service, workspaceId, { approvedBy: EDITOR })).status, 202)
    }
  })

  it('do not count a change that changes nothing', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await makeReady(service, workspaceId)
    await patchDeed(service, workspaceId, PAPER_DEED, APPROVER)
    assert.equal((await approve(service, workspaceId, { approvedBy: APPROVER })).status, 202)
  })

  it('are closed where the firm does not want them', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await makeReady(service, workspaceId)
    await setFourEyes(false)
    try {
      assert.equal((await approve(service, workspaceId, { approvedBy: EDITOR })).status, 202)
    } finally {
      await setFourEyes(true)
    }
  })

  it('ask who uploaded or withdrew a document of an application, but not one of the workspace', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await makeReady(service, workspaceId)
    const by = (actingUser: string) => ({ headers: { 'x-acting-user': actingUser } })
    await uploaded(service, workspaceId, by('offers@harbour.example'))
    const fileId = await attach(service, workspaceId, 'DISCHARGE', 'EVIDENCE', by('uploads@harbour.example'))
    await drain(service)
    assert.equal(await changedBy(workspaceId), 'uploads@harbour.example')
    const answer = await approve(service, workspaceId, { approvedBy: 'uploads@harbour.example' })
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['approvedBy']])
    await service.call('DELETE', filesPath(workspaceId, fileId), { ...FIRM, ...by('withdraws@harbour.example') })
    assert.equal(await changedBy(workspaceId), 'withdraws@harbour.example')
  })

  it('ask whose reconciliation added or withdrew an application, but not what the registry brought', async () => {
    const { workspaceId } = await aWorkspace(service, { parties: [aBorrower('William'), aBorrower('Tracey', 'Hart')] })
    await patchDeed(service, workspaceId, PAPER_DEED)
    const path = `${WORKSPACES}/${workspaceId}`
    await service.call('POST', `${path}/titles`, { ...FIRM, json: { titleNumber: 'ST500678' } })
    await drain(service)
    assert.equal((await readCase(service, workspaceId)).applications.length, 2, 'the deed and a discharge')
    assert.equal(await changedBy(workspaceId), EDITOR)
    const { proprietorId } = unmatchedNamed(await readReconciliation(service, workspaceId), 'Tracey')
    const rename = (surname: string) => ({
      action: 'UPDATE_PROPRIETOR_NAME',
      proprietorId,
      type: 'INDIVIDUAL',
      proprietorDetails: { forenames: 'Tracey', surname },
    })
    const headers = { 'x-acting-user': 'names@harbour.example' }
    await service.call('PATCH', `${path}/title-reconciliation`, { ...FIRM, headers, json: rename('Hart') })
    assert.equal(await changedBy(workspaceId), 'names@harbour.example')
    await service.call('PATCH', `${path}/title-reconciliation`, { ...FIRM, json: rename('Prynne') })
    assert.equal(await changedBy(workspaceId), null)
  })
})

async function changedBy(workspaceId: string): Promise<string | null | undefined> {
  const [row] = await service.deps.db.query<{ who: string | null }>(
    'select changed_by_user as who from lodgement_cases where workspace_id = $1',
    [workspaceId],
  )
  return row?.who
}
