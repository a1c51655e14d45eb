import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { partyNamed, readReconciliation, reconcilingWith } from '../../test/fixtures/reconciliation.ts'
import { sharedService } from '../../test/fixtures/service.ts'
import {
  aCompany,
  aSearchedWorkspace,
  aWorkspace,
  LENDER,
  readCase,
  readWorkspace,
} from '../../test/fixtures/workspaces.ts'

// What is done and answered; what is refused stands in routes-refusals.test.ts.

const service = await sharedService('still')
const { read, patch, anUnmatchedPair, summaryOf, done } = reconcilingWith(service)

const REMORTGAGE = ['DISCHARGE READY', 'MORTGAGE_DEED DRAFT']
const TRANSFER = ['DISCHARGE READY', 'TRANSFER_OF_WHOLE DRAFT', 'CANCEL_A_RESTRICTION DRAFT', 'MORTGAGE_DEED DRAFT']
const UPDATED = 'TITLE_RECONCILIATION_UPDATED'
const APPLICATIONS = 'LODGEMENT_APPLICATION_UPDATED'

describe('GET …/title-reconciliation', () => {
  it('is PENDING before a search and shows the register after it, to lender and law firm alike', async () => {
    const { workspaceId } = await aWorkspace(service)
    const early = await read(workspaceId)
    assert.equal(early.status, 200)
    assert.deepEqual(
      early.body.parties.map(({ match, proprietorId }) => [match, proprietorId]),
      [
        ['PENDING', undefined],
        ['PENDING', undefined],
      ],
    )
    const { workspaceId: searched } = await aSearchedWorkspace(service, 'ST500678')
    const [firm, lender] = [await read(searched), await read(searched, {}, LENDER)]
    assert.equal(firm.body.borrowersValidationStatus, 'VALID')
    assert.deepEqual([lender.body, lender.headers.get('etag')], [firm.body, firm.headers.get('etag')])
  })

  it('takes an id in capitals', async () => {
    const { workspaceId } = await aWorkspace(service)
    assert.equal((await read(workspaceId.toUpperCase())).status, 200)
  })

  it('answers 304 to who has it already, and 200 again after a change', async () => {
    const { workspaceId, grace } = await anUnmatchedPair()
    const etag = (await read(workspaceId)).headers.get('etag') ?? ''
    const known = await read(workspaceId, { 'if-none-match': etag })
    assert.deepEqual([known.status, known.text, known.headers.get('etag')], [304, '', etag])
    assert.equal((await read(workspaceId, { 'if-none-match': `"other", W/${etag}` })).status, 304)
    await patch(workspaceId, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: grace })
    const changed = await read(workspaceId, { 'if-none-match': etag })
    assert.equal(changed.status, 200)
    assert.notEqual(changed.headers.get('etag'), etag)
  })
})

describe('PATCH …/title-reconciliation', () => {
  it('UPDATE_PARTY_NAME renames a party, and takes surrounding space away', async () => {
    const { workspaceId, grace } = await anUnmatchedPair()
    const partyDetails = { forenames: ' Tracey ', surname: '\tPrynne' }
    const json = { action: 'UPDATE_PARTY_NAME', partyId: grace, type: 'INDIVIDUAL', partyDetails }
    const answer = await done(workspaceId, json, [UPDATED])
    assert.deepEqual(answer, { ...json, partyDetails: { forenames: 'Tracey', surname: 'Prynne' } })
    assert.deepEqual(await summaryOf(workspaceId), {
      parties: ['William Prynne, BORROWER: MATCH', 'Tracey Prynne, BORROWER: MATCH'],
      unmatched: [],
      status: 'VALID',
      transferOfEquity: false,
      applications: REMORTGAGE,
    })
  })

  it('UPDATE_PARTY_NAME of a company keeps its number in eight characters', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'CO100001', [aCompany('Hill plc', '77')])
    const { partyId } = partyNamed(await readReconciliation(service, workspaceId), 'Hill plc')
    const partyDetails = { organisationName: 'Turner Holdings Ltd', registrationNumber: '2294747' }
    const json = { action: 'UPDATE_PARTY_NAME', partyId, type: 'ORGANISATION', partyDetails }
    const answer = await done(workspaceId, json, [UPDATED])
    assert.deepEqual(answer, { ...json, partyDetails: { ...partyDetails, registrationNumber: '02294747' } })
    assert.equal((await summaryOf(workspaceId)).status, 'VALID')
  })

  it('UPDATE_PARTY_NAME is open before any title search', async () => {
    const { workspaceId } = await aWorkspace(service)
    const { partyId } = partyNamed(await readReconciliation(service, workspaceId), 'Tracey')
    const partyDetails = { forenames: 'Ann', surname: 'Lee' }
    await done(workspaceId, { action: 'UPDATE_PARTY_NAME', partyId, type: 'INDIVIDUAL', partyDetails }, [UPDATED])
    assert.equal((await summaryOf(workspaceId)).parties[1], 'Ann Lee, BORROWER: PENDING')
  })

  it('SET_AS_INCOMING_PROPRIETOR makes a transfer of equity', async () => {
    const { workspaceId, grace } = await anUnmatchedPair()
    const json = { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: grace }
    const { proprietorId, ...answer } = await done(workspaceId, json, [UPDATED, APPLICATIONS])
    assert.deepEqual(answer, { ...json, titleStatus: 'INCOMING' })
    const seen = await readReconciliation(service, workspaceId)
    assert.equal(partyNamed(seen, 'Grace').proprietorId, proprietorId)
    assert.deepEqual(await summaryOf(workspaceId), {
      parties: ['William Prynne, BORROWER: MATCH', 'Grace Okafor, INCOMING_PROPRIETOR: MATCH'],
      unmatched: ['Tracey Prynne'],
      status: 'COUNT_INVALID',
      transferOfEquity: true,
      applications: TRANSFER,
    })
  })

  it('SET_AS_OUTGOING_PROPRIETOR makes a party of who leaves; the name taken by a party makes it stay', async () => {
    const { workspaceId, grace, tracey } = await anUnmatchedPair()
    const json = { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: tracey }
    const { partyId, ...answer } = await done(workspaceId, json, [UPDATED, APPLICATIONS])
    const details = { forenames: 'Tracey', surname: 'Prynne' }
    assert.deepEqual(answer, { ...json, titleStatus: 'OUTGOING', type: 'INDIVIDUAL', proprietorDetails: details })
    assert.equal((await readReconciliation(service, workspaceId)).parties[2]?.partyId, partyId)
    assert.deepEqual(await summaryOf(workspaceId), {
      parties: [
        'William Prynne, BORROWER: MATCH',
        'Grace Okafor, BORROWER: MISMATCH',
        'Tracey Prynne, OUTGOING_PROPRIETOR: MATCH',
      ],
      unmatched: [],
      status: 'COUNT_INVALID',
      transferOfEquity: true,
      applications: TRANSFER,
    })

    const rename = { action: 'UPDATE_PARTY_NAME', partyId: grace, type: 'INDIVIDUAL', partyDetails: details }
    await done(workspaceId, rename, [UPDATED, APPLICATIONS])
    assert.deepEqual(await summaryOf(workspaceId), {
      parties: ['William Prynne, BORROWER: MATCH', 'Tracey Prynne, BORROWER: MATCH'],
      unmatched: [],
      status: 'VALID',
      transferOfEquity: false,
      applications: [...REMORTGAGE, 'TRANSFER_OF_WHOLE WITHDRAWN', 'CANCEL_A_RESTRICTION WITHDRAWN'],
    })
  })

  it('UPDATE_PROPRIETOR_NAME makes a change of name, withdrawn when it is the registered one again', async () => {
    const { workspaceId, tracey } = await anUnmatchedPair()
    const json = { action: 'UPDATE_PROPRIETOR_NAME', proprietorId: tracey, type: 'INDIVIDUAL' }
    const [married, registered] = [
      { ...json, proprietorDetails: { forenames: 'Grace', surname: 'Okafor' } },
      { ...json, proprietorDetails: { forenames: 'TRACEY', surname: 'Prynne' } },
    ]
    assert.deepEqual(await done(workspaceId, married, [UPDATED, APPLICATIONS]), married)
    const { status, applications } = await summaryOf(workspaceId)
    const [discharge, deed] = REMORTGAGE
    assert.deepEqual([status, applications], ['VALID', [discharge, 'CHANGE_OF_NAME DRAFT', deed]])
    assert.deepEqual(await done(workspaceId, registered, [UPDATED, APPLICATIONS]), registered)
    const back = await readReconciliation(service, workspaceId)
    assert.deepEqual(back.unmatchedProprietors, [
      {
        proprietorId: tracey,
        type: 'INDIVIDUAL',
        proprietorDetails: registered.proprietorDetails,
        registeredDetails: { forenames: 'Tracey', surname: 'Prynne' },
      },
    ])
    assert.deepEqual((await summaryOf(workspaceId)).applications, [...REMORTGAGE, 'CHANGE_OF_NAME WITHDRAWN'])
    await done(workspaceId, married, [UPDATED, APPLICATIONS])
    const again = (await summaryOf(workspaceId)).applications
    assert.deepEqual(again, [discharge, 'CHANGE_OF_NAME DRAFT', deed, 'CHANGE_OF_NAME WITHDRAWN'])
  })

  it('links a renamed company by its number, with a change of name until it has its registered name again', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'CO100001', [aCompany('Turner Group Ltd', '2294747')])
    const { parties, status, applications } = await summaryOf(workspaceId)
    assert.deepEqual(parties, ['Turner Group Ltd 02294747, BORROWER: MATCH'])
    assert.deepEqual([status, applications], ['VALID', ['CHANGE_OF_NAME DRAFT', 'MORTGAGE_DEED DRAFT']])
    const [party] = (await readReconciliation(service, workspaceId)).parties
    const [application] = (await readCase(service, workspaceId)).applications.filter(
      ({ applicationType }) => applicationType === 'CHANGE_OF_NAME',
    )
    assert.deepEqual(
      application?.parties.map(({ partyId }) => partyId),
      [party?.partyId],
      'it belongs to that proprietor',
    )
    const partyDetails = { organisationName: 'Turner Holdings Ltd', registrationNumber: '02294747' }
    const json = { action: 'UPDATE_PARTY_NAME', partyId: party?.partyId, type: 'ORGANISATION', partyDetails }
    await done(workspaceId, json, [UPDATED, APPLICATIONS])
    assert.deepEqual((await summaryOf(workspaceId)).applications, ['MORTGAGE_DEED DRAFT', 'CHANGE_OF_NAME WITHDRAWN'])
  })

  it('UPDATE_OUTGOING_PROPRIETOR_NAME renames the party that stands for it, too', async () => {
    const { workspaceId, tracey } = await anUnmatchedPair()
    await patch(workspaceId, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: tracey })
    const proprietorDetails = { forenames: 'Tracey', surname: 'Bell' }
    const json = { action: 'UPDATE_OUTGOING_PROPRIETOR_NAME', proprietorId: tracey, type: 'INDIVIDUAL' }
    const answer = await done(workspaceId, { ...json, proprietorDetails }, [UPDATED, APPLICATIONS])
    assert.deepEqual(answer, { ...json, proprietorDetails })
    const { parties, applications } = await summaryOf(workspaceId)
    assert.equal(parties[2], 'Tracey Bell, OUTGOING_PROPRIETOR: MATCH')
    assert.deepEqual(applications.slice(0, 2), ['DISCHARGE READY', 'CHANGE_OF_NAME DRAFT'])
  })

  it('takes ids in capitals and gives them in small letters', async () => {
    const { workspaceId, grace, tracey } = await anUnmatchedPair()
    const incoming = { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: grace.toUpperCase() }
    assert.equal((await patch(workspaceId.toUpperCase(), incoming)).body['partyId'], grace)
    const outgoing = { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: tracey.toUpperCase() }
    assert.equal((await patch(workspaceId, outgoing)).body['proprietorId'], tracey)
  })

  it('counts a repeat as no change of the workspace', async () => {
    const { workspaceId, grace } = await anUnmatchedPair()
    const json = { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: grace }
    await patch(workspaceId, json, { 'x-acting-user': 'ann@example.com' })
    const { auditAttributes } = await readWorkspace(service, workspaceId)
    assert.equal(auditAttributes.lastModifiedBy, 'ann@example.com')
    await patch(workspaceId, json, { 'x-acting-user': 'bob@example.com' })
    assert.deepEqual((await readWorkspace(service, workspaceId)).auditAttributes, auditAttributes)
  })
})
