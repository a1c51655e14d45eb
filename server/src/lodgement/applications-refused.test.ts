import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { applying } from '../../test/fixtures/applications.ts'
import { liveApplications, PAPER_DEED } from '../../test/fixtures/approvals.ts'
import { reconcile } from '../../test/fixtures/reconciliation.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aSearchedWorkspace,
  errorsOf,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
before(async () => {
  service = await sharedService('still')
})
const { anApplication, read, patch, trace } = applying(() => service)

describe('PATCH /lodgement-cases/{lodgement_case_id}/applications/{application_id}, refused', () => {
  for (const [field, values] of Object.entries({
    transactionValue: [-0.01, -1, 1_000_000_000_000, 0.001, 1.005, 206_000.123, '206000', true, null, [], {}, 1e-7],
    mortgageDeedReference: ['', ' ', '\t\n', 'M'.repeat(21), 7, true, null, [], {}, 'MD\u0000'],
    mortgageDeedReferenceType: ['', 'paper', 'SCAN', 1, null, []],
    isEffective: ['true', 0, 1, null, {}],
    landRegistryFee: [45],
    status: ['APPROVED'],
    applicationType: ['MORTGAGE_DEED'],
  })) {
    it(`answers 400 at ${field} to what is not expected there`, async () => {
      const place = await anApplication()
      const before = await trace(place)
      for (const value of values) {
        const answer = await patch(place, { [field]: value })
        assert.deepEqual([answer.status, fieldsOf(answer)], [400, [field]], JSON.stringify(value))
      }
      assert.deepEqual(await trace(place), before)
    })
  }

  it('answers 400 with all faults at once, and to what is no object', async () => {
    const place = await anApplication()
    const json = { transactionValue: -1, mortgageDeedReference: '', isEffective: 'no', other: 1 }
    const answer = await patch({ ...place, applicationId: 'x' }, json)
    const fields = ['application_id', 'isEffective', 'mortgageDeedReference', 'other', 'transactionValue']
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
    for (const body of [[], 'text', null]) assert.equal((await patch(place, body)).status, 400)
  })

  it('answers 400 at each fact of a deed that is given for another application', async () => {
    const place = await anApplication('DISCHARGE')
    const { transactionValue, ...deed } = { ...PAPER_DEED, isEffective: true }
    const answer = await patch(place, { transactionValue, ...deed })
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, Object.keys(deed).sort()])
    assert.ok(!('transactionValue' in (await read(place)).body.attributes))
  })

  it('answers 401 without a token, 403 without the scope and to a lender', async () => {
    const place = await anApplication()
    assert.equal((await patch(place, {}, {}, {})).status, 401)
    assert.equal((await patch(place, {}, await narrowToken(service, FIRM.as), {})).status, 403)
    assert.equal((await patch(place, { transactionValue: -1 }, {}, LENDER)).status, 403)
  })

  it('answers 404 for what the path names, whatever is asked', async () => {
    const place = await anApplication()
    for (const [changed, as, field] of [
      [{ lodgementCaseId: UNKNOWN_ID }, FIRM, 'lodgement_case_id'],
      [{}, OTHER_FIRM, 'lodgement_case_id'],
      [{ applicationId: UNKNOWN_ID }, FIRM, 'application_id'],
    ] as const) {
      const answer = await patch({ ...place, ...changed }, { isEffective: true }, {}, as)
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, [field]])
    }
  })

  it('answers 409 at mortgageDeedReference to a digital deed that would be effective without one', async () => {
    const place = await anApplication()
    const before = await trace(place)
    const answer = await patch(place, { mortgageDeedReferenceType: 'DIGITAL', isEffective: true, transactionValue: 5 })
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['mortgageDeedReference']])
    assert.deepEqual(await trace(place), before)
  })

  it('answers 409 to any change of an application that is withdrawn, {} included', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'DN514817', [aBorrower('Maria', 'Santos')])
    const { proprietorId } = await aProprietor(workspaceId)
    const rename = (surname: string) =>
      reconcile(service, workspaceId, {
        action: 'UPDATE_PROPRIETOR_NAME',
        proprietorId,
        type: 'INDIVIDUAL',
        proprietorDetails: { forenames: 'Maria', surname },
      })
    await rename('Bueno')
    const gone = (await liveApplications(service, workspaceId)).find((one) => one.applicationType === 'CHANGE_OF_NAME')
    await rename('Santos')
    assert.ok(gone)
    const place = { workspaceId, ...gone }
    assert.equal((await read(place)).body.status, 'WITHDRAWN')
    for (const json of [{}, { transactionValue: 5 }]) assert.equal((await patch(place, json)).status, 409)
    const strange = await patch(place, { isEffective: true })
    assert.deepEqual([strange.status, fieldsOf(strange)], [400, ['isEffective']], '400 comes before this 409')
  })

  it('answers 412 to a stale If-Match before 409 for the workspace, and that before 400 for the application', async () => {
    const place = await anApplication('DISCHARGE')
    const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
    await service.call('DELETE', `${WORKSPACES}/${place.workspaceId}/cancel-workspace`, { ...FIRM, json })
    const stale = await patch(place, { isEffective: true }, { 'if-match': '"older"' })
    assert.deepEqual([stale.status, fieldsOf(stale)], [412, ['If-Match']])
    for (const body of [{}, { transactionValue: 1 }, { isEffective: true }]) {
      const answer = await patch(place, body)
      assert.equal(answer.status, 409)
      assert.match(errorsOf(answer)[0]?.message ?? '', /CANCELLED/)
    }
  })
})

async function aProprietor(workspaceId: string): Promise<{ proprietorId: string }> {
  assert.equal((await readWorkspace(service, workspaceId)).borrowersValidationStatus, 'VALID')
  const [row] = await service.deps.db.query<{ proprietorId: string }>(
    'select proprietor_id as "proprietorId" from proprietors where workspace_id = $1',
    [workspaceId],
  )
  assert.ok(row)
  return row
}
