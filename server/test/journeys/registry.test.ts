import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isApiError, type Lodgeway, type Schemas } from '../../../client/src/index.ts'
import { UNTIL_REGISTERED } from '../fixtures/lodging.ts'
import { unmatchedNamed } from '../fixtures/reconciliation.ts'
import { move } from '../fixtures/workspaces.ts'
import { happenedOnce } from './effects.ts'
import { type Journey, metBothErrors, startJourney } from './journey.ts'
import { payAndSend } from './money.ts'
import {
  answerRequisition,
  aPerson,
  approveCase,
  attach,
  caseOf,
  completeCase,
  describeDeed,
  type Matter,
  order,
  prepareCase,
  progressOf,
  readNames,
  reconcile,
} from './steps.ts'
import {
  ACCEPTED,
  ANSWER_ACCEPTED,
  ANSWERED,
  ARRANGED,
  ASKED,
  CANCELLED_THERE,
  CASE_APPROVED,
  caseChanged,
  completed,
  DEED_DESCRIBED,
  FOUND,
  ordered,
  PAID,
  REFUSED,
  REGISTERED,
  REQUISITIONED,
  reconciled,
  SENT,
  UPLOADED,
  USUAL_COURSE,
} from './traces.ts'

// Matters that the registry does not accept at once, using only the client, an unreliable network and the sandbox's
// clock. However often a call was repeated, it took effect once.

let journey: Journey
before(async () => {
  journey = await startJourney()
})

/** One borrower who is the registered proprietor, without a charge. */
const ORDERED = [ordered(1), ASKED, FOUND]
const LODGED = [...ORDERED, ...completed({ parties: 1 }), ...ARRANGED, PAID, SENT]

async function lodged(titleNumber: string, forenames: string, surname: string): Promise<Matter> {
  const matter = await order(journey, titleNumber, aPerson(forenames, surname))
  await completeCase(matter)
  await payAndSend(matter)
  assert.equal(await progressOf(matter), 'FUNDS_EXCHANGED INITIATED')
  return matter
}

async function requisitionOf(matter: Matter, reader: Lodgeway): Promise<Schemas['RequisitionRecord']> {
  const path = { lodgement_case_id: (await caseOf(matter)).lodgementCaseId }
  const [record, ...more] = await Array.fromAsync(reader.records('listRequisitions', { path }))
  assert.ok(record && more.length === 0, 'the registry asked once')
  return record
}

/** Sent again, accepted a day later and registered from five days after that. */
async function registerAgain(matter: Matter): Promise<void> {
  assert.equal((await approveCase(matter)).lodgementCaseStatus, 'RESUBMISSION_PREPARED')
  await move(matter.service, 'P1D')
  assert.equal(await progressOf(matter), 'LODGED LODGED')
  await move(matter.service, UNTIL_REGISTERED)
  assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
}

describe('a requisition on RQ100001', () => {
  it('is read, answered with a document and read again, and the title registered', async () => {
    const matter = await lodged('RQ100001', 'Grace', 'Okafor')
    await move(matter.service, 'P3D')
    assert.equal(await progressOf(matter), 'REQUISITIONED REQUISITIONED')
    const open = await requisitionOf(matter, matter.lender)
    assert.deepEqual([open.status, open.replies], ['OPEN', []])
    assert.deepEqual((await caseOf(matter)).requisition?.points, open.points)
    const { message, fileId, answer } = await answerRequisition(matter)
    assert.deepEqual(answer, { requisitionId: open.requisitionId, lodgementCaseStatus: 'REQUISITION_SUBMITTED' })
    const answered = await requisitionOf(matter, matter.lender)
    assert.equal(answered.status, 'ANSWERED')
    assert.partialDeepStrictEqual(answered.replies, [{ message, fileIds: [fileId] }])
    await move(matter.service, 'P1D')
    assert.equal(await progressOf(matter), 'LODGED LODGED')
    assert.equal((await requisitionOf(matter, matter.firm)).status, 'ACCEPTED')
    assert.equal((await caseOf(matter)).requisition, undefined)
    await move(matter.service, 'P5D')
    assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
    const asked = [ACCEPTED, REQUISITIONED, UPLOADED, ANSWERED, ANSWER_ACCEPTED]
    await happenedOnce(matter, LODGED, asked, REGISTERED)
  })
})

describe('a rejection on VF100001', () => {
  it('is read, fixed by another deed reference and sent again, and the title registered', async () => {
    const matter = await lodged('VF100001', 'Joan', 'Hill')
    await move(matter.service, 'P1D')
    assert.equal(await progressOf(matter), 'FUNDS_EXCHANGED REGISTRATION_REJECTED')
    const { rejection } = await caseOf(matter)
    assert.partialDeepStrictEqual(rejection, { reason: 'VALIDATION_FAILED', field: 'mortgageDeedReference' })
    assert.match(rejection?.message ?? '', /MD431C/)
    await describeDeed(matter, { mortgageDeedReference: 'MD5678Y' })
    await registerAgain(matter)
    assert.equal((await caseOf(matter)).rejection, undefined)
    const corrected = [DEED_DESCRIBED, CASE_APPROVED, SENT]
    await happenedOnce(matter, LODGED, REFUSED, corrected, ACCEPTED, REGISTERED)
  })
})

describe('a cancellation by the registry on CX100001', () => {
  it('is sent again with another deed, and the title registered', async () => {
    const matter = await lodged('CX100001', 'Peter', 'Lang')
    await move(matter.service, 'P3D')
    assert.equal(await progressOf(matter), 'FUNDS_EXCHANGED REGISTRATION_REJECTED')
    await attach(matter, 'MORTGAGE_DEED', 'MORTGAGE_DEED')
    await registerAgain(matter)
    const corrected = [UPLOADED, CASE_APPROVED, SENT]
    await happenedOnce(matter, LODGED, ACCEPTED, CANCELLED_THERE, corrected, ACCEPTED, REGISTERED)
  })
})

describe('a name that changed, on DN514817', () => {
  it('needs a certificate before it can be approved, and is registered', async () => {
    const matter = await order(journey, 'DN514817', aPerson('Maria', 'Oliveira'))
    const { proprietorId } = unmatchedNamed(await readNames(matter), 'Maria')
    await reconcile(matter, {
      action: 'UPDATE_PROPRIETOR_NAME',
      proprietorId,
      type: 'INDIVIDUAL',
      proprietorDetails: { forenames: 'Maria', surname: 'Oliveira' },
    })
    await prepareCase(matter)
    await assert.rejects(
      approveCase(matter),
      (error) => isApiError(error, 409) && error.messageAt('applications[1].file') !== undefined,
    )
    await attach(matter, 'CHANGE_OF_NAME', 'MARRIAGE_CERTIFICATE')
    await approveCase(matter)
    await payAndSend(matter)
    await move(matter.service, UNTIL_REGISTERED)
    assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
    const renamed = [reconciled('UPDATE_PROPRIETOR_NAME'), caseChanged(1)]
    const prepared = [...completed({ parties: 1, papers: 2 }), ...ARRANGED]
    await happenedOnce(matter, ORDERED, renamed, prepared, USUAL_COURSE)
  })
})

it('both kinds of network error happened on the way', () => metBothErrors(journey))
