import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isApiError } from '../../../client/src/index.ts'
import { partyNamed, unmatchedNamed } from '../fixtures/reconciliation.ts'
import { applicationsOf, move } from '../fixtures/workspaces.ts'
import { happenedOnce } from './effects.ts'
import { type Journey, metBothErrors, startJourney } from './journey.ts'
import { aCompany, aPerson, approveCase, caseOf, type Matter, order, pathOf, readNames, reconcile } from './steps.ts'
import { ASKED, CHARGED, caseChanged, FOUND, ordered, reconciled } from './traces.ts'

// Matters from the lender's order to a title whose names all match, using only the client, an unreliable network and
// the sandbox's clock. However often a call was repeated, it took effect once.

let journey: Journey
before(async () => {
  journey = await startJourney()
})

const renamed = (partyId: string, forenames: string, surname = 'Prynne') =>
  ({ action: 'UPDATE_PARTY_NAME', partyId, type: 'INDIVIDUAL', partyDetails: { forenames, surname } }) as const
const leaving = (proprietorId: string) => ({ action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId }) as const
const coming = (partyId: string) => ({ action: 'SET_AS_INCOMING_PROPRIETOR', partyId }) as const

/** What the lender sees: whether all names match, whether it is a transfer of equity, and what will be lodged. */
async function summaryOf(matter: Matter) {
  const { borrowersValidationStatus, transferOfEquity } = await matter.lender.getWorkspace(pathOf(matter))
  return { borrowersValidationStatus, transferOfEquity, applications: applicationsOf(await caseOf(matter)) }
}

const VALID = { borrowersValidationStatus: 'VALID', transferOfEquity: false }
const REMORTGAGE = ['DISCHARGE READY', 'MORTGAGE_DEED DRAFT']
const SEARCHED = [ASKED, FOUND, CHARGED]

describe('a remortgage on ST500678', () => {
  it('matches William and Tracey Prynne without any action', async () => {
    const matter = await order(journey, 'ST500678', aPerson('William'), aPerson('Tracey'))
    assert.deepEqual(await summaryOf(matter), { ...VALID, applications: REMORTGAGE })
    const { parties, unmatchedProprietors } = await readNames(matter)
    assert.deepEqual([parties.map(({ match }) => match), unmatchedProprietors], [['MATCH', 'MATCH'], []])
    assert.equal(new Set(parties.map(({ proprietorId }) => proprietorId)).size, 2)
    await happenedOnce(matter, ordered(), SEARCHED)
  })

  it('shows that Tracey Prinne is similar, accepts nothing by itself, and is fixed by her correct name', async () => {
    const matter = await order(journey, 'ST500678', aPerson('William'), aPerson('Tracey', 'Prinne'))
    assert.equal((await summaryOf(matter)).borrowersValidationStatus, 'INVALID')
    const seen = await readNames(matter)
    const { partyId, match, similarity, proprietorId } = partyNamed(seen, 'Tracey')
    const { proprietorId: near } = unmatchedNamed(seen, 'Tracey')
    assert.deepEqual([match, proprietorId], ['MISMATCH', undefined])
    assert.deepEqual(similarity, [{ proprietorId: near, reasons: ['DISTANCE', 'SOUND'] }])
    assert.equal(partyNamed(seen, 'William').match, 'MATCH')
    await assert.rejects(approveCase(matter), (error) => isApiError(error, 409) && error.errors.length > 0)

    const answer = await reconcile(matter, renamed(partyId, 'Tracey'))
    const partyDetails = { forenames: 'Tracey', surname: 'Prynne' }
    assert.deepEqual(answer, { action: 'UPDATE_PARTY_NAME', partyId, type: 'INDIVIDUAL', partyDetails })
    assert.deepEqual(await summaryOf(matter), { ...VALID, applications: REMORTGAGE })
    assert.equal(partyNamed(await readNames(matter), 'Tracey').proprietorId, near)
    await happenedOnce(matter, ordered(), SEARCHED, reconciled('UPDATE_PARTY_NAME'))
  })

  it('shows no similarity of Bill Prynne to William, and is fixed in the same way', async () => {
    const matter = await order(journey, 'ST500678', aPerson('Bill'), aPerson('Tracey'))
    const { partyId, match, similarity } = partyNamed(await readNames(matter), 'Bill')
    assert.deepEqual([match, similarity], ['MISMATCH', []])
    await reconcile(matter, renamed(partyId, 'William'))
    assert.deepEqual(await summaryOf(matter), { ...VALID, applications: REMORTGAGE })
    await happenedOnce(matter, ordered(), SEARCHED, reconciled('UPDATE_PARTY_NAME'))
  })
})

describe('a transfer of equity on ST500681', () => {
  const TRANSFER = ['DISCHARGE READY', 'TRANSFER_OF_WHOLE DRAFT', 'CANCEL_A_RESTRICTION DRAFT', 'MORTGAGE_DEED DRAFT']
  const WITHDRAWN = ['TRANSFER_OF_WHOLE WITHDRAWN', 'CANCEL_A_RESTRICTION WITHDRAWN']
  const CAME = [reconciled('SET_AS_INCOMING_PROPRIETOR'), caseChanged(2)]
  const LEFT = [reconciled('SET_AS_OUTGOING_PROPRIETOR', 1), caseChanged(2)]
  const STAYED = [reconciled('UPDATE_PARTY_NAME', -1), caseChanged(0)]

  it('adds Owen and removes William, and takes both back', async () => {
    const matter = await order(journey, 'ST500681', aPerson('Owen', 'Hart'), aPerson('Tracey'))
    assert.deepEqual(await summaryOf(matter), {
      borrowersValidationStatus: 'INVALID',
      transferOfEquity: false,
      applications: REMORTGAGE,
    })

    const { partyId: owen } = partyNamed(await readNames(matter), 'Owen')
    const came = await reconcile(matter, coming(owen))
    assert.partialDeepStrictEqual(came, { partyId: owen, titleStatus: 'INCOMING' })
    assert.deepEqual(await summaryOf(matter), {
      borrowersValidationStatus: 'COUNT_INVALID',
      transferOfEquity: true,
      applications: TRANSFER,
    })

    const { proprietorId: william } = unmatchedNamed(await readNames(matter), 'William')
    const left = await reconcile(matter, leaving(william))
    assert.partialDeepStrictEqual(left, { proprietorId: william, titleStatus: 'OUTGOING', type: 'INDIVIDUAL' })
    assert.deepEqual(await summaryOf(matter), { ...VALID, transferOfEquity: true, applications: TRANSFER })
    const seen = await readNames(matter)
    assert.deepEqual(
      seen.parties.map(({ role, match, proprietorId }) => [role, match, proprietorId]),
      [
        ['INCOMING_PROPRIETOR', 'MATCH', came.proprietorId],
        ['BORROWER', 'MATCH', partyNamed(seen, 'Tracey').proprietorId],
        ['OUTGOING_PROPRIETOR', 'MATCH', william],
      ],
    )

    // He was William, with a wrong name: he stays, and there is no incoming proprietor.
    await reconcile(matter, renamed(owen, 'William'))
    assert.deepEqual(await summaryOf(matter), { ...VALID, applications: [...REMORTGAGE, ...WITHDRAWN] })
    const { parties, unmatchedProprietors } = await readNames(matter)
    assert.deepEqual([parties.map(({ role }) => role), unmatchedProprietors], [['BORROWER', 'BORROWER'], []])
    assert.equal(partyNamed({ ...seen, parties }, 'William').partyId, owen)
    await happenedOnce(matter, ordered(), SEARCHED, CAME, reconciled('SET_AS_OUTGOING_PROPRIETOR', 1), STAYED)
  })

  it('makes new applications when a proprietor leaves after all: withdrawn ones stay withdrawn', async () => {
    const matter = await order(journey, 'ST500681', aPerson('Tracey'))
    const { proprietorId } = unmatchedNamed(await readNames(matter), 'William')
    await reconcile(matter, leaving(proprietorId))
    const { partyId } = partyNamed(await readNames(matter), 'Tracey')
    await reconcile(matter, renamed(partyId, 'William'))
    await reconcile(matter, renamed(partyId, 'Tracey'))
    await reconcile(matter, leaving(proprietorId))
    assert.deepEqual((await summaryOf(matter)).applications, [...TRANSFER, ...WITHDRAWN])
    await happenedOnce(matter, ordered(1), SEARCHED, LEFT, STAYED, reconciled('UPDATE_PARTY_NAME'), LEFT)
  })
})

describe('a change of name on DN514817', () => {
  it('plans to register the new name of Maria Santos, until the name is set back', async () => {
    const matter = await order(journey, 'DN514817', aPerson('Maria', 'Oliveira'))
    const { proprietorId } = unmatchedNamed(await readNames(matter), 'Maria')
    const called = (surname: string) => {
      const proprietorDetails = { forenames: 'Maria', surname }
      return { action: 'UPDATE_PROPRIETOR_NAME', proprietorId, type: 'INDIVIDUAL', proprietorDetails } as const
    }
    await reconcile(matter, called('Oliveira'))
    const changed = ['CHANGE_OF_NAME DRAFT', 'MORTGAGE_DEED DRAFT']
    assert.deepEqual(await summaryOf(matter), { ...VALID, applications: changed })
    await reconcile(matter, called('SANTOS'))
    assert.deepEqual(await summaryOf(matter), {
      borrowersValidationStatus: 'INVALID',
      transferOfEquity: false,
      applications: ['MORTGAGE_DEED DRAFT', 'CHANGE_OF_NAME WITHDRAWN'],
    })
    const name = reconciled('UPDATE_PROPRIETOR_NAME')
    await happenedOnce(matter, ordered(1), ASKED, FOUND, name, caseChanged(1), name, caseChanged(0))
  })
})

describe('AB1208, which a person and a company own', () => {
  for (const [borrower, who] of [
    [aCompany('Turner Holdings Ltd', '2294747'), 'Alan'],
    [aPerson('Alan', 'Turner'), 'Turner Holdings Limited'],
  ] as const) {
    it(`matches once ${who} is set as outgoing`, async () => {
      const matter = await order(journey, 'AB1208', borrower)
      assert.equal((await summaryOf(matter)).borrowersValidationStatus, 'COUNT_INVALID')
      await reconcile(matter, leaving(unmatchedNamed(await readNames(matter), who).proprietorId))
      const applications = ['TRANSFER_OF_WHOLE DRAFT', 'MORTGAGE_DEED DRAFT']
      assert.deepEqual(await summaryOf(matter), { ...VALID, transferOfEquity: true, applications })
      const left = [reconciled('SET_AS_OUTGOING_PROPRIETOR', 1), caseChanged(1)]
      await happenedOnce(matter, ordered(1), ASKED, FOUND, left)
    })
  }
})

describe('a title that a company owns alone', () => {
  it('matches by its registration number, and plans no change of a name that is only written differently', async () => {
    const matter = await order(journey, 'CO100001', aCompany('Turner Holdings Ltd', '2294747'))
    assert.deepEqual(await summaryOf(matter), { ...VALID, applications: ['MORTGAGE_DEED DRAFT'] })
    await happenedOnce(matter, ordered(1), ASKED, FOUND)
  })

  it('matches under another name, and plans to register that', async () => {
    const matter = await order(journey, 'RC100001', aCompany('Saltmarsh Homes Limited', '06417238'))
    const applications = ['CHANGE_OF_NAME DRAFT', 'MORTGAGE_DEED DRAFT']
    assert.deepEqual(await summaryOf(matter), { ...VALID, applications })
    await happenedOnce(matter, ordered(1), ASKED, FOUND, caseChanged(1))
  })
})

describe('a slow search on SL100001', () => {
  it('is waited for, and a name corrected meanwhile is matched with the answer', async () => {
    const matter = await order(journey, 'SL100001', aPerson('Ivy', 'March'))
    const { partyId } = partyNamed(await readNames(matter), 'Ivy')
    await reconcile(matter, renamed(partyId, 'Ivy', 'Marsh'))
    assert.equal((await summaryOf(matter)).borrowersValidationStatus, 'PENDING')
    await move(matter.service, 'PT1H')
    assert.deepEqual(await summaryOf(matter), { ...VALID, applications: ['MORTGAGE_DEED DRAFT'] })
    await happenedOnce(matter, ordered(1), ASKED, reconciled('UPDATE_PARTY_NAME'), FOUND)
  })
})

it('both kinds of network error happened on the way', () => metBothErrors(journey))
