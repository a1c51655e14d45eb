import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { partyNamed, readReconciliation, reconcilingWith } from '../../test/fixtures/reconciliation.ts'
import { accepted, OWN, statusesOf } from '../../test/fixtures/representations.ts'
import { sharedService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  applicationsOf,
  aSearchedWorkspace,
  auditOf,
  drain,
  eventTypesOf,
  FIRM,
  fieldsOf,
  LENDER,
  readCase,
  readWorkspace,
  setStatus,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

const service = await sharedService('still')
const { read, patch, done, summaryOf, anUnmatchedPair, aTransfer } = reconcilingWith(service)

const removeRole = (workspaceId: string, partyId: string, as = FIRM) =>
  service.call('DELETE', `${WORKSPACES}/${workspaceId}/parties/${partyId}/role`, as)

describe('DELETE …/parties/{party_id}/role', () => {
  it('undoes both roles, and what the case had because of them', async () => {
    const { workspaceId, grace, leaving } = await aTransfer()
    await accepted(service, workspaceId, { partyId: leaving, ...OWN })
    await drain(service)
    const transfer = applicationsOf(await readCase(service, workspaceId))

    assert.equal((await removeRole(workspaceId, grace)).status, 204)
    assert.deepEqual(applicationsOf(await readCase(service, workspaceId)), transfer, 'Tracey still leaves')
    const answer = await removeRole(workspaceId, leaving)
    assert.deepEqual([answer.status, answer.text], [204, ''])
    const untouched = await anUnmatchedPair()
    const { applications: _, ...left } = await summaryOf(workspaceId)
    const { applications: __, ...expected } = await summaryOf(untouched.workspaceId)
    assert.deepEqual(left, expected)
    assert.deepEqual(applicationsOf(await readCase(service, workspaceId)), [
      'DISCHARGE READY',
      'MORTGAGE_DEED DRAFT',
      'TRANSFER_OF_WHOLE WITHDRAWN',
      'CANCEL_A_RESTRICTION WITHDRAWN',
    ])
    const types = (await eventTypesOf(service, workspaceId)).slice(-2)
    assert.deepEqual(types, ['TITLE_RECONCILIATION_UPDATED', 'LODGEMENT_APPLICATION_UPDATED'])
    assert.equal((await auditOf(service, workspaceId)).at(-1)?.action, 'REMOVE_ROLE')
    assert.deepEqual(await statusesOf(service, workspaceId), ['SUPERSEDED'], 'nobody acts for a party that is gone')
    const again = await removeRole(workspaceId, leaving)
    assert.deepEqual([again.status, fieldsOf(again)], [404, ['party_id']])
  })

  it('refuses a plain borrower, an unknown party, a lender and a workspace that is not open', async () => {
    const { workspaceId, grace, william } = await aTransfer()
    const before = (await read(workspaceId)).body
    for (const [answer, status, fields] of [
      [await removeRole(workspaceId, william), 409, ['party_id']],
      [await removeRole(workspaceId, UNKNOWN_ID), 404, ['party_id']],
      [await removeRole(workspaceId, grace, LENDER), 403, ['']],
    ] as const) {
      assert.deepEqual([answer.status, fieldsOf(answer)], [status, fields])
    }
    await setStatus(service, workspaceId, 'PREPARED', 'PREPARED')
    assert.equal((await removeRole(workspaceId, UNKNOWN_ID)).status, 404, 'what the path names comes first')
    assert.equal((await removeRole(workspaceId, grace)).status, 409)
    assert.deepEqual((await read(workspaceId)).body, before)
  })
})

describe('addressForService', () => {
  const ADDRESS = { number: '1', street: 'High Street', town: 'Ely', postcode: 'cb79qz' }
  const SHOWN = { ...ADDRESS, postcode: 'CB7 9QZ' }

  it('is given in the order or here, kept and shown wherever a party is', async () => {
    const parties = [{ ...aBorrower('William'), addressForService: ADDRESS }, aBorrower('Grace', 'Okafor')]
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500681', parties)
    const { partyId } = partyNamed(await readReconciliation(service, workspaceId), 'Grace')
    const incoming = { action: 'SET_AS_INCOMING_PROPRIETOR', partyId, addressForService: ADDRESS }
    const answer = await patch(workspaceId, incoming)
    assert.deepEqual(answer.body['addressForService'], SHOWN, answer.text)
    const seen = await read(workspaceId)
    assert.equal(answer.headers.get('etag'), seen.headers.get('etag'))
    const { applications } = await readCase(service, workspaceId)
    const transfer = applications.find(({ applicationType }) => applicationType === 'TRANSFER_OF_WHOLE')
    const shown = [seen.body, await readWorkspace(service, workspaceId), transfer ?? assert.fail()]
    for (const { parties } of shown) {
      assert.deepEqual(
        parties.map(({ addressForService }) => addressForService),
        [SHOWN, SHOWN],
      )
    }
    const moved = { ...SHOWN, number: '2', flat: 'Flat 3' }
    const renamed = { action: 'UPDATE_PARTY_NAME', partyId, type: 'INDIVIDUAL' }
    const partyDetails = { forenames: 'Grace', surname: 'Okafor' }
    await done(workspaceId, { ...renamed, partyDetails, addressForService: moved }, ['TITLE_RECONCILIATION_UPDATED'])
    const { parties: after } = await readReconciliation(service, workspaceId)
    assert.deepEqual(after[1]?.addressForService, moved)
    const audit = await auditOf(service, workspaceId)
    assert.match(JSON.stringify(audit.at(-1)?.after), /"Flat 3"/)
  })

  it('is refused part by part, and where nobody new is named', async () => {
    const { workspaceId, grace, tracey } = await anUnmatchedPair()
    const wrong = await patch(workspaceId, {
      action: 'SET_AS_INCOMING_PROPRIETOR',
      partyId: grace,
      addressForService: { ...ADDRESS, street: '', postcode: 'x', country: 'France' },
    })
    assert.deepEqual(
      [wrong.status, fieldsOf(wrong)],
      [400, ['addressForService.country', 'addressForService.postcode', 'addressForService.street']],
    )
    const outgoing = { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: tracey, addressForService: ADDRESS }
    const unexpected = await patch(workspaceId, outgoing)
    assert.deepEqual([unexpected.status, fieldsOf(unexpected)], [400, ['addressForService']])
  })
})
