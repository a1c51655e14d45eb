import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isApiError } from '../../../client/src/index.ts'
import { ADDRESSES } from '../../src/sandbox/addresses.ts'
import { APPROVER } from '../fixtures/approvals.ts'
import { UNTIL_REGISTERED } from '../fixtures/lodging.ts'
import { applicationsOf, move } from '../fixtures/workspaces.ts'
import { happenedOnce } from './effects.ts'
import { type Journey, metBothErrors, startJourney } from './journey.ts'
import { type Line, payAndSend, scheduleOf } from './money.ts'
import {
  ADVANCE,
  aCompany,
  addTitle,
  aPerson,
  approveCase,
  attach,
  caseOf,
  completeCase,
  describeDeed,
  FACTS,
  type Matter,
  order,
  orderWith,
  pathOf,
  prepareCase,
  progressOf,
  readNames,
  reconcile,
  registerOf,
  removeTitle,
  represent,
  representAll,
  UNREPRESENTED,
} from './steps.ts'
import {
  ACCEPTED,
  ARRANGED,
  ASKED,
  arranged,
  CASE_APPROVED,
  CHARGED,
  CONFIRMED,
  caseChanged,
  completed,
  DEED_DESCRIBED,
  DISCHARGED,
  FOUND,
  ordered,
  PAID,
  REGISTERED,
  REGISTERED_IN_PART,
  reconciled,
  SENT,
  TITLE_ADDED,
  TITLE_REMOVED,
  UPLOADED,
  USUAL_COURSE,
  WAITING,
} from './traces.ts'

// What happens in practice beside the usual remortgage, using only the client, an unreliable network and the sandbox's
// clock. However often a call was repeated, it took effect once.

let journey: Journey
before(async () => {
  journey = await startJourney()
})

/** Nothing but this rule keeps the case from approval. */
async function confirmAndApprove(matter: Matter, ruleId: string, field: string): Promise<void> {
  const { firm, lender } = matter
  await assert.rejects(
    approveCase(matter),
    (error) => isApiError(error, 409) && error.errors.length === 1 && error.messageAt(field) !== undefined,
  )
  const reason = 'Checked with the borrower, and right as it is.'
  await firm.confirmReadiness({ ...pathOf(matter), body: { ruleId, field, reason, confirmedBy: APPROVER } })
  const records = await Array.fromAsync(lender.records('getWorkspaceReadiness', pathOf(matter)))
  const { outcome, passed, confirmation } = records.find((one) => one.ruleId === ruleId) ?? assert.fail()
  assert.deepEqual([outcome, passed, confirmation?.reason], ['CONFIRMED', true, reason])
  await approveCase(matter)
}

async function register(matter: Matter, ...more: Line[]): Promise<void> {
  await payAndSend(matter, ...more)
  await move(matter.service, UNTIL_REGISTERED)
  assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
}

describe('a firm that acts for the lender alone', () => {
  it('confirms the identity of borrowers for whom nobody acts, and registers the charge', async () => {
    const matter = await order(journey, 'ST500678')
    for (const { partyId } of (await readNames(matter)).parties) await represent(matter, partyId, UNREPRESENTED)
    await completeCase(matter)
    await register(matter)
    await happenedOnce(matter, ordered(), ASKED, FOUND, CHARGED, completed(), ARRANGED, USUAL_COURSE)
  })
})

describe('a landlord who moves a property into a company', () => {
  it('is replaced on the title by the company, which charges it', async () => {
    const matter = await order(journey, 'DN514817', aCompany('Santos Lettings Limited', '09114277'))
    const { parties, unmatchedProprietors } = await readNames(matter)
    const [{ partyId } = assert.fail(), { proprietorId } = assert.fail()] = [parties[0], unmatchedProprietors[0]]
    await reconcile(matter, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId })
    await reconcile(matter, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId })
    await prepareCase(matter, ['TRANSFER_OF_WHOLE', 'EVIDENCE'])
    await confirmAndApprove(matter, 'some-proprietor-stays', 'parties')
    await register(matter)
    assert.match(await registerOf(matter), /"name":"Santos Lettings Limited","companyRegistrationNumber":"09114277"/)
    assert.doesNotMatch(await registerOf(matter), /Maria/)
    const changed = [
      reconciled('SET_AS_INCOMING_PROPRIETOR'),
      caseChanged(1),
      reconciled('SET_AS_OUTGOING_PROPRIETOR', 1),
    ]
    const prepared = [...completed({ described: 2, papers: 2 }).slice(0, -1), CONFIRMED, CASE_APPROVED, ...ARRANGED]
    await happenedOnce(matter, ordered(1), ASKED, FOUND, changed, prepared, USUAL_COURSE)
  })
})

describe('a security address that is not the register’s', () => {
  it('keeps the case from approval until the firm confirms it with a reason', async () => {
    const matter = await order(journey, 'AD100001', aPerson('Lewis', 'Carver'))
    await prepareCase(matter)
    await confirmAndApprove(matter, 'security-address-matches-register', 'securityAddress')
    const confirmed = [CONFIRMED, CASE_APPROVED]
    await happenedOnce(matter, ordered(1), ASKED, FOUND, CHARGED, completed({ parties: 1 }).slice(0, -1), confirmed)
  })
})

describe('a wrong title', () => {
  it('is replaced, and the case approved with the deed that was prepared before', async () => {
    const { ST500678: address = assert.fail() } = ADDRESSES
    const matter = await orderWith(journey, { titleNumber: 'ST500679', address })
    await prepareCase(matter)
    await removeTitle(matter)
    await addTitle(matter, 'ST500678')
    await approveCase(matter)
    assert.deepEqual(applicationsOf(await caseOf(matter)), [
      'DISCHARGE APPROVED',
      'MORTGAGE_DEED APPROVED',
      'DISCHARGE WITHDRAWN',
    ])
    const replaced = [TITLE_REMOVED, TITLE_ADDED, ASKED, FOUND, CHARGED, CASE_APPROVED]
    await happenedOnce(matter, ordered(), ASKED, FOUND, CHARGED, completed().slice(0, -1), replaced)
  })
})

describe('a digital deed', () => {
  it('is made effective on completion day, which sends the case', async () => {
    const matter = await order(journey, 'DD100001', aPerson('Esme', 'Boyd'))
    await representAll(matter)
    const digital = { mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD431C' } as const
    await describeDeed(matter, { ...FACTS, ...digital })
    await attach(matter, 'MORTGAGE_DEED', 'MORTGAGE_DEED')
    await approveCase(matter)
    await payAndSend(matter)
    assert.equal(await progressOf(matter), 'FUNDS_EXCHANGED PREPARED')
    await describeDeed(matter, { isEffective: true })
    await move(matter.service, UNTIL_REGISTERED)
    assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
    const sent = [PAID, WAITING, DEED_DESCRIBED, SENT, ACCEPTED, REGISTERED]
    await happenedOnce(matter, ordered(1), ASKED, FOUND, completed({ parties: 1 }), ARRANGED, sent)
  })
})

describe('a loan that does not pay off both old charges', () => {
  it('is made up by the borrower; the lender authorises its advance alone', async () => {
    const matter = await order(journey, 'TC100001', aPerson('Daniel', 'Frost'))
    await completeCase(matter)
    const amount = 1_500
    const bankAccount = { accountName: 'Eastmoor Bank plc', accountNumber: '40117788', sortCode: '200000' }
    await register(
      matter,
      { type: 'SOURCE', category: 'Borrower Contribution', amount, reference: 'FROST' },
      { type: 'DESTINATION', category: 'Redemption', amount, reference: 'SECOND CHARGE', bankAccount },
    )
    const { status, totals } = await scheduleOf(matter)
    assert.deepEqual([status, totals.sources], ['SETTLED', ADVANCE + amount])
    const prepared = [...completed({ parties: 1 }), ...arranged(5)]
    await happenedOnce(matter, ordered(1), ASKED, FOUND, CHARGED, prepared, USUAL_COURSE)
  })
})

describe('an early completion on ST500679', () => {
  it('ends with a DS1 that is lodged afterwards', async () => {
    const matter = await order(journey, 'ST500679')
    await completeCase(matter)
    await payAndSend(matter)
    await move(matter.service, UNTIL_REGISTERED)
    assert.equal(await progressOf(matter), 'LODGED PARTIALLY_REGISTERED')
    assert.deepEqual(applicationsOf(await caseOf(matter)), ['DISCHARGE REJECTED', 'MORTGAGE_DEED REGISTERED'])
    assert.match(await registerOf(matter), /Tamarbridge/)
    await attach(matter, 'DISCHARGE', 'EVIDENCE')
    assert.equal((await approveCase(matter)).lodgementCaseStatus, 'DISCHARGE_SUBMITTED')
    await move(matter.service, 'P5D')
    assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
    assert.doesNotMatch(await registerOf(matter), /Tamarbridge/)
    const sent = [PAID, SENT, ACCEPTED, REGISTERED_IN_PART, UPLOADED, CASE_APPROVED, SENT, DISCHARGED]
    await happenedOnce(matter, ordered(), ASKED, FOUND, CHARGED, completed(), ARRANGED, sent)
  })
})

it('both kinds of network error happened on the way', () => metBothErrors(journey))
