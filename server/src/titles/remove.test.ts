import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { approve, makeReady } from '../../test/fixtures/approvals.ts'
import { anApprovedCase } from '../../test/fixtures/lodging.ts'
import { reconcilingWith } from '../../test/fixtures/reconciliation.ts'
import { statusesOf } from '../../test/fixtures/representations.ts'
import { sharedService } from '../../test/fixtures/service.ts'
import {
  applicationsOf,
  aSearchedWorkspace,
  auditOf,
  aWorkspace,
  CASES,
  drain,
  eventTypesOf,
  FIRM,
  fieldsOf,
  LENDER,
  move,
  readCase,
  readWorkspace,
  setStatus,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

const service = await sharedService('still')
const { aTransfer, summaryOf } = reconcilingWith(service)

const titleOf = async (workspaceId: string) => (await readWorkspace(service, workspaceId)).titles[0]?.titleId ?? ''
const remove = (workspaceId: string, titleId: string, as = FIRM) =>
  service.call('DELETE', `${WORKSPACES}/${workspaceId}/titles/${titleId}`, as)

async function replaced(workspaceId: string, titleNumber: string): Promise<void> {
  const json = { titleNumber }
  const answer = await service.call('POST', `${WORKSPACES}/${workspaceId}/titles`, { ...FIRM, json })
  assert.equal(answer.status, 202, answer.text)
  await drain(service)
}

describe('DELETE …/titles/{title_id}', () => {
  it('undoes all that came from the title, and leaves the deed as it was', async () => {
    const { workspaceId } = await aTransfer()
    await makeReady(service, workspaceId)
    const deedOf = async () =>
      (await readCase(service, workspaceId)).applications.find((one) => one.applicationType === 'MORTGAGE_DEED')
    const [titleId, deed] = [await titleOf(workspaceId), await deedOf()]

    const answer = await remove(workspaceId, titleId)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    assert.deepEqual(await summaryOf(workspaceId), {
      parties: ['William Prynne, BORROWER: PENDING', 'Grace Okafor, BORROWER: PENDING'],
      unmatched: [],
      status: 'PENDING',
      transferOfEquity: false,
      applications: [
        'MORTGAGE_DEED READY',
        'DISCHARGE WITHDRAWN',
        'TRANSFER_OF_WHOLE WITHDRAWN',
        'CANCEL_A_RESTRICTION WITHDRAWN',
      ],
    })
    const { status, documents, attributes } = deed ?? assert.fail('a deed')
    const { landRegistryFee: _, ...facts } = attributes
    assert.partialDeepStrictEqual(await deedOf(), { status, documents, attributes: facts })
    assert.deepEqual((await readWorkspace(service, workspaceId)).titles, [])
    assert.deepEqual(await statusesOf(service, workspaceId), ['ACTIVE', 'ACTIVE', 'SUPERSEDED'])
    const types = (await eventTypesOf(service, workspaceId)).slice(-2)
    assert.deepEqual(types, ['TITLE_REMOVED', 'LODGEMENT_APPLICATION_UPDATED'])
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'title removed',
      ids: { titleId },
      before: { titleNumber: 'ST500681', status: 'SUCCESS' },
    })

    const { lodgementCaseId } = await readCase(service, workspaceId)
    const path = `${CASES}/${lodgementCaseId}/titles/${titleId}/title-documents`
    for (const gone of [await service.call('GET', path, FIRM), await remove(workspaceId, titleId)]) {
      assert.deepEqual([gone.status, fieldsOf(gone)], [404, ['title_id']])
    }

    await replaced(workspaceId, 'ST500678')
    assert.notEqual(await titleOf(workspaceId), titleId)
    assert.deepEqual((await summaryOf(workspaceId)).unmatched, ['Tracey Prynne'])
  })

  it('withdraws the approval of the case, which can be approved again with the right title', async () => {
    const workspaceId = await anApprovedCase(service)
    assert.equal((await remove(workspaceId, await titleOf(workspaceId))).status, 204)
    assert.equal((await readCase(service, workspaceId)).lodgementCaseStatus, 'CREATED')
    assert.ok((await eventTypesOf(service, workspaceId)).includes('LODGEMENT_CASE_UNAPPROVED'))
    await replaced(workspaceId, 'ST500678')
    assert.deepEqual(applicationsOf(await readCase(service, workspaceId)), [
      'DISCHARGE READY',
      'MORTGAGE_DEED READY',
      'DISCHARGE WITHDRAWN',
    ])
    assert.equal((await approve(service, workspaceId)).status, 202)
  })

  for (const [what, titleNumber, isDrained] of [
    ['was only just asked for', 'ST500678', false],
    ['is not answered yet', 'SL100001', true],
    ['failed', 'NF100001', true],
  ] as const) {
    it(`removes a title whose search ${what}, and drops a late answer`, async () => {
      const { workspaceId } = await aWorkspace(service, { titleNumber })
      if (isDrained) await drain(service)
      assert.equal((await remove(workspaceId, await titleOf(workspaceId))).status, 204)
      const { length } = await eventTypesOf(service, workspaceId)
      await move(service, 'PT2H')
      assert.deepEqual((await readWorkspace(service, workspaceId)).titles, [])
      assert.equal((await eventTypesOf(service, workspaceId)).length, length)
      await replaced(workspaceId, 'ST500679')
      assert.equal((await readWorkspace(service, workspaceId)).borrowersValidationStatus, 'VALID')
    })
  }

  it('refuses an unknown title, a lender, and a workspace that is not open', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const titleId = await titleOf(workspaceId)
    assert.equal((await remove(workspaceId, titleId, LENDER)).status, 403)
    await setStatus(service, workspaceId, 'PREPARED', 'PREPARED')
    const unknown = await remove(workspaceId, UNKNOWN_ID)
    assert.deepEqual([unknown.status, fieldsOf(unknown)], [404, ['title_id']])
    assert.equal((await remove(workspaceId, titleId)).status, 409)
    assert.equal(await titleOf(workspaceId), titleId)
  })
})
