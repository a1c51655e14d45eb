import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aCompany,
  aCreation,
  applicationsOf,
  auditOf,
  aWorkspace,
  CREATE,
  type Created,
  drain,
  eventsOf,
  eventTypesOf,
  FIRM,
  FIRM_ID,
  HOME,
  LENDER,
  LENDER_ID,
  OTHER_LENDER,
  put,
  readCase,
  readWorkspace,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
before(async () => {
  service = await sharedService('still')
})

const create = (json: unknown, headers: Record<string, string> = {}) =>
  service.call<Created>('POST', CREATE, { ...LENDER, json, headers })

async function accepted(json: unknown, headers?: Record<string, string>) {
  const answer = await create(json, headers)
  assert.equal(answer.status, 202, answer.text)
  return readWorkspace(service, answer.body.workspaceId)
}

describe('POST /remortgage/workspaces: 202', () => {
  it('answers the reference and both ids', async () => {
    const { status, body } = await create(aCreation({ reference: 'REM-2026-0042' }))
    assert.equal(status, 202)
    assert.deepEqual(Object.keys(body).sort(), ['reference', 'workspaceId', 'workspaceReferenceId'])
    assert.equal(body.reference, 'REM-2026-0042')
    const year = String(service.deps.clock.now().getUTCFullYear()).slice(2)
    assert.match(body.workspaceReferenceId, new RegExp(`^LW${year}\\d{7}$`))
  })

  it('makes a workspace that lender and law firm see alike', async () => {
    const { workspaceId, workspaceReferenceId } = await aWorkspace(service, { reference: 'REM-7' })
    const seen = await readWorkspace(service, workspaceId, LENDER)
    assert.deepEqual(await readWorkspace(service, workspaceId, FIRM), seen)
    assert.partialDeepStrictEqual(seen, {
      workspaceReferenceId,
      reference: 'REM-7',
      status: 'CREATED',
      jurisdiction: 'ENGLAND_WALES',
      securityAddress: HOME,
      titles: [],
      transferOfEquity: false,
      borrowersValidationStatus: 'PENDING',
      readyForApproval: false,
      canBeUnapproved: false,
      canBeCancelled: true,
      isLocked: false,
      hardLocked: false,
    })
    assert.deepEqual(
      seen.parties.map(({ type, role, partyDetails }) => [type, role, partyDetails]),
      [
        ['INDIVIDUAL', 'BORROWER', { forenames: 'William', surname: 'Prynne' }],
        ['INDIVIDUAL', 'BORROWER', { forenames: 'Tracey', surname: 'Prynne' }],
      ],
    )
    assert.deepEqual(seen.participants, [
      { subscriberId: LENDER_ID, name: 'Northgate Building Society', role: 'LENDER' },
      { subscriberId: FIRM_ID, name: 'Harbour Conveyancing LLP', role: 'CONVEYANCER' },
    ])
  })

  it('makes the lodgement case with it, holding the deed', async () => {
    const { workspaceId } = await aWorkspace(service)
    const found = await readCase(service, workspaceId)
    assert.equal(found.lodgementCaseStatus, 'CREATED')
    assert.deepEqual(applicationsOf(found), ['MORTGAGE_DEED DRAFT'])
    assert.ok(!('lastTitleSearchStatus' in found), 'no title number, no search')
  })

  it('tells both of it, without a name of a borrower, and records it', async () => {
    const headers = { 'x-request-correlation-id': 'create-1' }
    const { body } = await create(aCreation({ reference: 'REM-8' }), headers)
    const events = await eventsOf(service, body.workspaceId)
    assert.deepEqual(
      events.map(({ type }) => type),
      ['WORKSPACE_CREATED', 'WORKSPACE_PARTICIPANT_ADDED'],
    )
    for (const { recipients, data, actor, correlationId } of events) {
      assert.deepEqual([recipients, actor, correlationId], [[LENDER_ID, FIRM_ID], 'sandbox-lender', 'create-1'])
      assert.deepEqual(data, { reference: 'REM-8' })
    }
    const [entry, ...more] = await auditOf(service, body.workspaceId)
    assert.equal(more.length, 0)
    assert.partialDeepStrictEqual(entry, {
      action: 'workspace created',
      clientId: 'sandbox-lender',
      subscriberId: LENDER_ID,
      correlationId: 'create-1',
      ids: { workspaceId: body.workspaceId },
      after: { reference: 'REM-8', lawFirmId: FIRM_ID },
    })
  })

  it('starts the title search at once where a title number is given', async () => {
    const { workspaceId } = await aWorkspace(service, { titleNumber: 'st 500 678' })
    await drain(service)
    const { titles, borrowersValidationStatus } = await readWorkspace(service, workspaceId)
    assert.deepEqual(
      titles.map(({ titleNumber, lastTitleSearchStatus }) => [titleNumber, lastTitleSearchStatus]),
      [['ST500678', 'SUCCESS']],
    )
    assert.equal(borrowersValidationStatus, 'VALID')
    assert.ok((await eventTypesOf(service, workspaceId)).includes('TITLE_DATA_RECEIVED'))
  })

  it('shows the person whom X-Acting-User names, in createdBy, timeline and audit', async () => {
    const person = 'case.handler@northgate.example'
    const { body } = await create(aCreation(), { 'x-acting-user': person })
    const { auditAttributes } = await readWorkspace(service, body.workspaceId)
    assert.deepEqual([auditAttributes.createdBy, auditAttributes.lastModifiedBy], [person, person])
    for (const { actor } of await eventsOf(service, body.workspaceId)) assert.equal(actor, person)
    const [entry] = await auditOf(service, body.workspaceId)
    assert.deepEqual([entry?.actingUser, entry?.clientId], [person, 'sandbox-lender'])
  })

  it('allows two borrowers of one name, and the same reference again', async () => {
    const facts = { reference: 'REM-TWICE', parties: [aBorrower('Ann', 'Lee'), aBorrower('Ann', 'Lee')] }
    const [one, other] = [await aWorkspace(service, facts), await aWorkspace(service, facts)]
    assert.notEqual(one.workspaceId, other.workspaceId)
    assert.notEqual(one.workspaceReferenceId, other.workspaceReferenceId)
    assert.equal((await readWorkspace(service, one.workspaceId)).parties.length, 2)
  })

  it('takes four individuals, or one organisation', async () => {
    const four = ['Ann', 'Ben', 'Cai', 'Dee'].map((forename) => aBorrower(forename))
    const { parties } = await accepted(aCreation({ parties: four }))
    assert.deepEqual(
      parties.map(({ partyDetails }) => 'forenames' in partyDetails && partyDetails.forenames),
      ['Ann', 'Ben', 'Cai', 'Dee'],
    )
    assert.equal((await accepted(aCreation({ parties: [aCompany()] }))).parties[0]?.type, 'ORGANISATION')
  })

  for (const [given, shown] of [
    ['2294747', '02294747'],
    [' sc123456 ', 'SC123456'],
    ['1', '00000001'],
    ['AB1', 'AB1'],
  ] as const) {
    it(`keeps the registration number "${given}" as ${shown}`, async () => {
      const { parties } = await accepted(aCreation({ parties: [aCompany('Turner', given)] }))
      assert.partialDeepStrictEqual(parties[0]?.partyDetails, { registrationNumber: shown })
    })
  }

  it('takes the law firm’s id in capitals and gives it in lower case', async () => {
    const firmId = 'abcdef00-0000-4000-8000-00000000000a'
    await service.deps.db.query(
      `insert into subscribers (subscriber_id, name, kind, created_at) values ($1, 'Capital Law', 'LAW_FIRM', now())`,
      [firmId],
    )
    const parties = [aBorrower('Ann', 'Lee', firmId.toUpperCase()), aBorrower('Ben', 'Lee', firmId)]
    assert.equal((await accepted(aCreation({ parties }))).participants[1]?.subscriberId, firmId)
  })

  for (const [given, kept] of [
    ['M16 0RA', 'M16 0RA'],
    ['EC1A 1BB', 'EC1A 1BB'],
    ['w1a0ax', 'W1A 0AX'],
    ['  la14  1rt ', 'LA14 1RT'],
    ['GIR 0AA', 'GIR 0AA'],
    ['LL1 5GS', 'LL1 5GS'],
    ...['TD15 1AA', 'GL1 1AA', 'PE1 1AA', 'B1 1AA', 'SY1 1AA'].map((one) => [one, one] as const),
  ] as const) {
    it(`keeps the postcode "${given}" as ${kept}`, async () => {
      assert.equal((await accepted(aCreation({ postcode: given }))).securityAddress['postcode'], kept)
    })
  }

  for (const [place, characters] of [
    ['reference', 25],
    ['property.securityAddress.flat', 30],
    ['property.securityAddress.name', 50],
    ['property.securityAddress.number', 10],
    ['property.securityAddress.street', 60],
    ['property.securityAddress.locality', 60],
    ['property.securityAddress.town', 30],
    ['property.securityAddress.county', 60],
    ['parties[0].partyDetails.forenames', 90],
    ['parties[0].partyDetails.surname', 50],
  ] as const) {
    it(`takes ${characters} characters at ${place}, counted as people count them, and removes the space around`, async () => {
      const text = '𝒜é'.repeat(characters / 2)
      const shown = await accepted(put(aCreation(), place, `  ${text}\t`))
      const { reference, securityAddress, parties } = shown
      assert.ok(JSON.stringify({ reference, securityAddress, parties }).includes(`"${text}"`))
    })
  }

  it('takes an organisation’s name of 160 characters', async () => {
    const { parties } = await accepted(aCreation({ parties: [aCompany('x'.repeat(160))] }))
    assert.deepEqual(parties[0]?.partyDetails, { organisationName: 'x'.repeat(160) })
  })

  it('takes the jurisdiction that it would have assumed', async () => {
    const { jurisdiction } = await accepted(put(aCreation(), 'property.jurisdiction', 'ENGLAND_WALES'))
    assert.equal(jurisdiction, 'ENGLAND_WALES')
  })

  it('belongs to the lender who creates it', async () => {
    const { workspaceId } = await aWorkspace(service, {}, OTHER_LENDER)
    const { participants } = await readWorkspace(service, workspaceId, OTHER_LENDER)
    assert.equal(participants[0]?.name, 'Eastmoor Bank plc')
  })
})
