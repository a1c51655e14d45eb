import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { partyNamed, readReconciliation, reconcile, unmatchedNamed } from './support/reconciliation.ts'
import { type TestService, testService } from './support/service.ts'
import {
  aBorrower,
  aCompany,
  applicationsOf,
  aSearchedWorkspace,
  drain,
  FIRM,
  LENDER,
  move,
  readCase,
  readWorkspace,
  WORKSPACES,
} from './support/workspaces.ts'

// Whole matters, over HTTP and the sandbox's clock alone, from the lender's order to a title that lines up.

let service: TestService
before(async () => {
  service = await testService()
})

const order = async (titleNumber: string, ...parties: unknown[]) =>
  (await aSearchedWorkspace(service, titleNumber, parties)).workspaceId

async function done(workspaceId: string, json: object): Promise<Record<string, string>> {
  const { status, body, text } = await reconcile(service, workspaceId, json)
  assert.equal(status, 200, text)
  return body
}

const renamed = (partyId: string, forenames: string, surname = 'Prynne') => ({
  action: 'UPDATE_PARTY_NAME',
  partyId,
  type: 'INDIVIDUAL',
  partyDetails: { forenames, surname },
})

/** What the lender sees of it: whether all lines up, whether somebody comes or leaves, and what is to be lodged. */
async function standing(workspaceId: string) {
  const { borrowersValidationStatus, transferOfEquity } = await readWorkspace(service, workspaceId, LENDER)
  return {
    borrowersValidationStatus,
    transferOfEquity,
    applications: applicationsOf(await readCase(service, workspaceId)),
  }
}

const VALID = { borrowersValidationStatus: 'VALID', transferOfEquity: false }
const REMORTGAGE = ['DISCHARGE READY', 'MORTGAGE_DEED DRAFT']

describe('a remortgage on ST500678', () => {
  it('lines up by itself for William and Tracey Prynne: nobody has to do anything', async () => {
    const workspaceId = await order('ST500678', aBorrower('William'), aBorrower('Tracey'))
    assert.deepEqual(await standing(workspaceId), { ...VALID, applications: REMORTGAGE })
    const { parties, unmatchedProprietors } = await readReconciliation(service, workspaceId)
    assert.deepEqual([parties.map(({ match }) => match), unmatchedProprietors], [['MATCH', 'MATCH'], []])
    assert.equal(new Set(parties.map(({ proprietorId }) => proprietorId)).size, 2)
  })

  it('shows that Tracey Prinne is near, accepts nothing by itself, and is mended by her right name', async () => {
    const workspaceId = await order('ST500678', aBorrower('William'), aBorrower('Tracey', 'Prinne'))
    assert.equal((await standing(workspaceId)).borrowersValidationStatus, 'INVALID')
    const seen = await readReconciliation(service, workspaceId)
    const { partyId, match, similarity, proprietorId } = partyNamed(seen, 'Tracey')
    const { proprietorId: near } = unmatchedNamed(seen, 'Tracey')
    assert.deepEqual([match, proprietorId], ['MISMATCH', undefined])
    assert.deepEqual(similarity, [{ proprietorId: near, reasons: ['DISTANCE', 'SOUND'] }])
    assert.equal(partyNamed(seen, 'William').match, 'MATCH')

    const answer = await done(workspaceId, renamed(partyId, 'Tracey'))
    const partyDetails = { forenames: 'Tracey', surname: 'Prynne' }
    assert.deepEqual(answer, { action: 'UPDATE_PARTY_NAME', partyId, type: 'INDIVIDUAL', partyDetails })
    assert.deepEqual(await standing(workspaceId), { ...VALID, applications: REMORTGAGE })
    assert.equal(partyNamed(await readReconciliation(service, workspaceId), 'Tracey').proprietorId, near)
  })

  it('shows no reason why Bill Prynne should be William, and is mended in the same way', async () => {
    const workspaceId = await order('ST500678', aBorrower('Bill'), aBorrower('Tracey'))
    const { partyId, match, similarity } = partyNamed(await readReconciliation(service, workspaceId), 'Bill')
    assert.deepEqual([match, similarity], ['MISMATCH', []])
    await done(workspaceId, renamed(partyId, 'William'))
    assert.deepEqual(await standing(workspaceId), { ...VALID, applications: REMORTGAGE })
  })
})

describe('a transfer of equity on ST500681', () => {
  const TRANSFER = ['DISCHARGE READY', 'TRANSFER_OF_WHOLE DRAFT', 'CANCEL_A_RESTRICTION DRAFT', 'MORTGAGE_DEED DRAFT']

  it('lets Owen come and William leave, and takes both back', async () => {
    const workspaceId = await order('ST500681', aBorrower('Owen', 'Hart'), aBorrower('Tracey'))
    assert.deepEqual(await standing(workspaceId), {
      borrowersValidationStatus: 'INVALID',
      transferOfEquity: false,
      applications: REMORTGAGE,
    })

    const { partyId: owen } = partyNamed(await readReconciliation(service, workspaceId), 'Owen')
    const came = await done(workspaceId, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: owen })
    assert.partialDeepStrictEqual(came, { partyId: owen, titleStatus: 'INCOMING' })
    assert.deepEqual(await standing(workspaceId), {
      borrowersValidationStatus: 'COUNT_INVALID',
      transferOfEquity: true,
      applications: TRANSFER,
    })

    const { proprietorId: william } = unmatchedNamed(await readReconciliation(service, workspaceId), 'William')
    const left = await done(workspaceId, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId: william })
    assert.partialDeepStrictEqual(left, { proprietorId: william, titleStatus: 'OUTGOING', type: 'INDIVIDUAL' })
    assert.deepEqual(await standing(workspaceId), { ...VALID, transferOfEquity: true, applications: TRANSFER })
    const seen = await readReconciliation(service, workspaceId)
    assert.deepEqual(
      seen.parties.map(({ role, match, proprietorId }) => [role, match, proprietorId]),
      [
        ['INCOMING_PROPRIETOR', 'MATCH', came['proprietorId']],
        ['BORROWER', 'MATCH', partyNamed(seen, 'Tracey').proprietorId],
        ['OUTGOING_PROPRIETOR', 'MATCH', william],
      ],
    )

    // It was William all along, under a wrong name: he stays, and nobody comes.
    await done(workspaceId, renamed(owen, 'William'))
    assert.deepEqual(await standing(workspaceId), {
      ...VALID,
      applications: [...REMORTGAGE, 'TRANSFER_OF_WHOLE WITHDRAWN', 'CANCEL_A_RESTRICTION WITHDRAWN'],
    })
    const { parties, unmatchedProprietors } = await readReconciliation(service, workspaceId)
    assert.deepEqual(
      parties.map(({ partyDetails, role }) => `${partyDetails['forenames']} ${role}`),
      ['William BORROWER', 'Tracey BORROWER'],
    )
    assert.deepEqual(unmatchedProprietors, [])
  })

  it('makes new applications when somebody leaves after all: what was withdrawn stays so', async () => {
    const workspaceId = await order('ST500681', aBorrower('Tracey'))
    const { proprietorId } = unmatchedNamed(await readReconciliation(service, workspaceId), 'William')
    const leave = { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId }
    await done(workspaceId, leave)
    const { partyId } = partyNamed(await readReconciliation(service, workspaceId), 'Tracey')
    await done(workspaceId, renamed(partyId, 'William'))
    await done(workspaceId, renamed(partyId, 'Tracey'))
    await done(workspaceId, leave)
    const { applications } = await standing(workspaceId)
    assert.deepEqual(applications, [...TRANSFER, 'TRANSFER_OF_WHOLE WITHDRAWN', 'CANCEL_A_RESTRICTION WITHDRAWN'])
  })
})

describe('a change of name on DN514817', () => {
  it('registers the new name of Maria Santos, and no longer when it is set back', async () => {
    const workspaceId = await order('DN514817', aBorrower('Maria', 'Oliveira'))
    const { proprietorId } = unmatchedNamed(await readReconciliation(service, workspaceId), 'Maria')
    const name = (surname: string) => ({
      action: 'UPDATE_PROPRIETOR_NAME',
      proprietorId,
      type: 'INDIVIDUAL',
      proprietorDetails: { forenames: 'Maria', surname },
    })
    await done(workspaceId, name('Oliveira'))
    const changed = ['CHANGE_OF_NAME DRAFT', 'MORTGAGE_DEED DRAFT']
    assert.deepEqual(await standing(workspaceId), { ...VALID, applications: changed })
    await done(workspaceId, name('SANTOS'))
    assert.deepEqual(await standing(workspaceId), {
      borrowersValidationStatus: 'INVALID',
      transferOfEquity: false,
      applications: ['MORTGAGE_DEED DRAFT', 'CHANGE_OF_NAME WITHDRAWN'],
    })
  })
})

describe('AB1208, which a person and a company own', () => {
  for (const [borrower, leaving] of [
    [aCompany('Turner Holdings Ltd', '2294747'), 'Alan'],
    [aBorrower('Alan', 'Turner'), 'Turner Holdings Limited'],
  ] as const) {
    it(`lines up once ${leaving} is set as outgoing`, async () => {
      const workspaceId = await order('AB1208', borrower)
      assert.equal((await standing(workspaceId)).borrowersValidationStatus, 'COUNT_INVALID')
      const { proprietorId } = unmatchedNamed(await readReconciliation(service, workspaceId), leaving)
      await done(workspaceId, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId })
      const applications = ['TRANSFER_OF_WHOLE DRAFT', 'MORTGAGE_DEED DRAFT']
      assert.deepEqual(await standing(workspaceId), { ...VALID, transferOfEquity: true, applications })
    })
  }
})

describe('CO100001, which a company owns alone', () => {
  it('lines up by its registration number, whatever it is called', async () => {
    const workspaceId = await order('CO100001', aCompany('T. Holdings', '2294747'))
    assert.deepEqual(await standing(workspaceId), { ...VALID, applications: ['MORTGAGE_DEED DRAFT'] })
  })
})

describe('a title that cannot be had', () => {
  for (const [number, failure] of [
    ['NF100001', 'NOT_FOUND'],
    ['DT501578', 'CLOSED'],
    ['GR514443', 'PENDING_NEW_TITLE'],
  ] as const) {
    it(`${number}: ${failure}; the right number takes its place, and all lines up`, async () => {
      const workspaceId = await order(number, aBorrower('William'), aBorrower('Tracey'))
      assert.equal((await readCase(service, workspaceId)).titleSearchFailure, failure)
      assert.equal((await standing(workspaceId)).borrowersValidationStatus, 'PENDING')
      const { parties } = await readReconciliation(service, workspaceId)
      assert.deepEqual(
        parties.map(({ match }) => match),
        ['PENDING', 'PENDING'],
      )
      const partyId = parties[0]?.partyId ?? ''
      const early = await reconcile(service, workspaceId, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId })
      assert.equal(early.status, 409)

      const json = { titleNumber: 'ST500678' }
      await service.call('POST', `${WORKSPACES}/${workspaceId}/titles`, { ...FIRM, json })
      await drain(service)
      assert.deepEqual(await standing(workspaceId), { ...VALID, applications: REMORTGAGE })
    })
  }

  it('SL100001: is waited for, and a name corrected meanwhile is matched with the answer', async () => {
    const workspaceId = await order('SL100001', aBorrower('Ivy', 'March'))
    const { partyId } = partyNamed(await readReconciliation(service, workspaceId), 'Ivy')
    await done(workspaceId, renamed(partyId, 'Ivy', 'Marsh'))
    assert.equal((await standing(workspaceId)).borrowersValidationStatus, 'PENDING')
    await move(service, 'PT1H')
    assert.deepEqual(await standing(workspaceId), { ...VALID, applications: ['MORTGAGE_DEED DRAFT'] })
  })
})
