import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import { applying } from '../../test/fixtures/applications.ts'
import { EDITOR, liveApplications, PAPER_DEED } from '../../test/fixtures/approvals.ts'
import { reconcile } from '../../test/fixtures/reconciliation.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aSearchedWorkspace,
  auditOf,
  aWorkspace,
  eventsOf,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  readCase,
  readWorkspace,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
before(async () => {
  service = await sharedService('still')
})
const { anApplication, read, patch, trace } = applying(() => service)

describe('GET /lodgement-cases/{lodgement_case_id}/applications/{application_id}', () => {
  it('answers what the case says of the application, without what only the case says', async () => {
    for (const type of ['MORTGAGE_DEED', 'DISCHARGE'] as const) {
      const place = await anApplication(type)
      const { status, body } = await read(place)
      const { applications } = await readCase(service, place.workspaceId)
      const { priority, documents, parties, ...shown } = applications.find((one) => one.applicationType === type) ?? {}
      assert.equal(status, 200)
      assert.deepEqual(body, shown)
      assert.ok(priority && documents && parties)
    }
  })

  it('is the same for lender and law firm, takes ids in capitals, and answers 304 to who has it', async () => {
    const place = await anApplication()
    const first = await read(place)
    const { lodgementCaseId, applicationId } = place
    const loud = {
      ...place,
      lodgementCaseId: lodgementCaseId.toUpperCase(),
      applicationId: applicationId.toUpperCase(),
    }
    assert.deepEqual((await read(loud, LENDER)).body, first.body)
    const etag = first.headers.get('etag') ?? ''
    const again = await read(place, LENDER, { 'if-none-match': etag })
    assert.deepEqual([again.status, again.text], [304, ''])
    await patch(place, { transactionValue: 1 })
    assert.equal((await read(place, LENDER, { 'if-none-match': etag })).status, 200)
  })

  it('answers 400, 401, 403 and 404', async () => {
    const place = await anApplication()
    const wrong = await read({ ...place, lodgementCaseId: 'x', applicationId: 'y' })
    assert.deepEqual([wrong.status, fieldsOf(wrong)], [400, ['application_id', 'lodgement_case_id']])
    assert.equal((await read(place, {})).status, 401)
    assert.equal((await read(place, {}, await narrowToken(service, FIRM.as))).status, 403)
    const other = await anApplication()
    for (const [changed, as, field] of [
      [{ lodgementCaseId: UNKNOWN_ID }, FIRM, 'lodgement_case_id'],
      [{ lodgementCaseId: UNKNOWN_ID, applicationId: UNKNOWN_ID }, FIRM, 'lodgement_case_id'],
      [{}, OTHER_FIRM, 'lodgement_case_id'],
      [{ applicationId: UNKNOWN_ID }, FIRM, 'application_id'],
      [{ applicationId: other.applicationId }, FIRM, 'application_id'],
    ] as const) {
      const answer = await read({ ...place, ...changed }, as)
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, [field]])
    }
  })
})

describe('PATCH /lodgement-cases/{lodgement_case_id}/applications/{application_id}', () => {
  it('changes what is given, answers the body of GET, and tells and records it once', async () => {
    const place = await anApplication()
    const { workspaceId, lodgementCaseId, applicationId } = place
    const [events, entries] = [await eventsOf(service, workspaceId), await auditOf(service, workspaceId)]
    const correlationId = randomUUID()
    const headers = { 'x-request-correlation-id': correlationId, 'x-acting-user': EDITOR }
    const answer = await patch(place, PAPER_DEED, headers)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body.attributes, { applicationType: 'MORTGAGE_DEED', ...PAPER_DEED, landRegistryFee: 45 })
    assert.equal(answer.body.auditAttributes.lastModifiedBy, EDITOR)
    const seen = await read(place, LENDER)
    assert.deepEqual([answer.body, answer.headers.get('etag')], [seen.body, seen.headers.get('etag')])

    const [event, ...more] = (await eventsOf(service, workspaceId)).slice(events.length)
    assert.partialDeepStrictEqual(event, {
      type: 'LODGEMENT_APPLICATION_UPDATED',
      data: { lodgementCaseId, applicationId },
      actor: EDITOR,
      correlationId,
    })
    const [entry, ...others] = (await auditOf(service, workspaceId)).slice(entries.length)
    assert.partialDeepStrictEqual(entry, {
      action: 'application updated',
      clientId: FIRM.as,
      actingUser: EDITOR,
      correlationId,
      ids: { workspaceId, lodgementCaseId, applicationId },
      before: {},
      after: { transactionValuePence: 206_000_00, mortgageDeedReference: 'MD431C', mortgageDeedReferenceType: 'PAPER' },
    })
    assert.deepEqual([more, others], [[], []])
    const { auditAttributes } = await readCase(service, workspaceId)
    assert.equal(auditAttributes.lastModifiedBy, EDITOR)
  })

  it('keeps what is left out, and takes one field after the other', async () => {
    const place = await anApplication()
    for (const [name, value] of Object.entries(PAPER_DEED))
      assert.equal((await patch(place, { [name]: value })).status, 200)
    const { attributes } = (await patch(place, { isEffective: false })).body
    assert.partialDeepStrictEqual(attributes, { ...PAPER_DEED, isEffective: false })
  })

  it('takes the terms of a transfer, and a fee follows from them', async () => {
    const parties = [aBorrower('William'), aBorrower('Grace', 'Okafor')]
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678', parties)
    const { partyId = '' } = (await readWorkspace(service, workspaceId)).parties[1] ?? {}
    await reconcile(service, workspaceId, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId })
    const transfers = await liveApplications(service, workspaceId)
    const found = transfers.find(({ applicationType }) => applicationType === 'TRANSFER_OF_WHOLE') ?? assert.fail()
    const place = { workspaceId, ...found }
    const terms = {
      titleGuarantee: 'LIMITED',
      considerationType: 'OTHER',
      considerationDescription: 'She takes over the mortgage.',
      trustDeclaration: 'TRUST_DETAILS',
      trustDetails: 'In shares of 60% and 40%.',
      transactionValueBand: 'UP_TO_200000',
      outstandingCharge: 12.5,
    }
    const { body, headers, text } = await patch(place, terms)
    const expected = { applicationType: 'TRANSFER_OF_WHOLE', landRegistryFee: 30, ...terms }
    assert.deepEqual(body.attributes, expected, text)
    const seen = await read(place)
    assert.deepEqual([seen.body, seen.headers.get('etag')], [body, headers.get('etag')])
    const sold = await patch(place, { considerationType: 'MONETARY_VALUE', transactionValue: 150_000 })
    assert.equal(sold.body.attributes.landRegistryFee, 100)
    const [, last] = [...(await auditOf(service, workspaceId))].slice(-2)
    assert.partialDeepStrictEqual(last?.before, { considerationType: 'OTHER', outstandingChargePence: 12_50 })
    const wrong = await patch(place, { titleGuarantee: 'NONE', trustDetails: 'x'.repeat(301), outstandingCharge: -1 })
    assert.deepEqual([wrong.status, fieldsOf(wrong)], [400, ['outstandingCharge', 'titleGuarantee', 'trustDetails']])
    const deed = await patch(await anApplication(), { titleGuarantee: 'FULL' })
    assert.deepEqual([deed.status, fieldsOf(deed)], [400, ['titleGuarantee']])
  })

  for (const value of [0, 0.01, 0.1, 1.1, 1.15, 4.35, 1234567.89, 100000.29, 206000, 999999999999.99]) {
    it(`keeps a value of ${value} to the penny`, async () => {
      const { status, body } = await patch(await anApplication(), { transactionValue: value })
      assert.deepEqual([status, body.attributes['transactionValue']], [200, value])
    })
  }

  it('takes a value for any application, and 1 to 20 characters of a reference, without the space around it', async () => {
    const discharge = await patch(await anApplication('DISCHARGE'), { transactionValue: 5 })
    assert.deepEqual(discharge.body.attributes, {
      applicationType: 'DISCHARGE',
      transactionValue: 5,
      landRegistryFee: 0,
    })
    const place = await anApplication()
    for (const [given, kept] of [
      ['M', 'M'],
      ['M'.repeat(20), 'M'.repeat(20)],
      ['  MD431C ', 'MD431C'],
    ]) {
      const { body } = await patch(place, { mortgageDeedReference: given })
      assert.equal(body.attributes['mortgageDeedReference'], kept)
    }
  })

  it('changes nothing by {} or by the same again, and tells nobody', async () => {
    const place = await anApplication()
    const first = await patch(place, PAPER_DEED, { 'x-acting-user': EDITOR })
    const before = await trace(place)
    for (const json of [{}, PAPER_DEED, { transactionValue: 206_000 }, { mortgageDeedReference: ' MD431C' }]) {
      const again = await patch(place, json, { 'x-acting-user': 'ann@example.com' })
      assert.deepEqual([again.status, again.body], [200, first.body])
      assert.equal(again.headers.get('etag'), first.headers.get('etag'))
    }
    assert.deepEqual(await trace(place), before)
  })

  it('judges a digital deed by what the request would leave', async () => {
    const place = await anApplication()
    const digital = { mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD431C', isEffective: true }
    const { status, body } = await patch(place, digital)
    assert.equal(status, 200)
    assert.partialDeepStrictEqual(body.attributes, digital)
  })

  it('takes the ETag of what it read in If-Match', async () => {
    const place = await anApplication()
    const etag = (await read(place)).headers.get('etag') ?? ''
    const first = await patch(place, { transactionValue: 1 }, { 'if-match': etag })
    assert.equal(first.status, 200)
    const next = first.headers.get('etag') ?? ''
    assert.equal((await patch(place, { transactionValue: 2 }, { 'if-match': next })).status, 200)
    assert.equal((await patch(place, { transactionValue: 3 }, { 'if-match': '*' })).status, 200)
  })

  it('does not wait for a title: the deed is there from the start', async () => {
    const { workspaceId } = await aWorkspace(service)
    const [deed] = await liveApplications(service, workspaceId)
    assert.ok(deed)
    assert.equal((await patch({ workspaceId, ...deed }, PAPER_DEED)).status, 200)
  })
})
