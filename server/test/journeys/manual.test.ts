import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { before, describe, it } from 'node:test'
import { escapeXml } from '../../src/hmlr/xml.ts'
import { APPROVER } from '../fixtures/approvals.ts'
import { UNTIL_REGISTERED } from '../fixtures/lodging.ts'
import { drain, move } from '../fixtures/workspaces.ts'
import { happenedOnce } from './effects.ts'
import { type Journey, metBothErrors, startJourney } from './journey.ts'
import { authorise, confirmLines, type Line, payAndSend, reachCompletion, scheduleOf, schedulePath } from './money.ts'
import {
  approveCase,
  attach,
  completeCase,
  describeDeed,
  FACTS,
  type Matter,
  order,
  pathOf,
  progressOf,
  representAll,
} from './steps.ts'
import {
  ACCEPTED,
  ARRANGED,
  ASKED,
  AUTHORISED,
  arranged,
  CASE_APPROVED,
  CHARGED,
  completed,
  confirmed,
  DEED_DESCRIBED,
  DUE,
  EXCHANGED,
  FOUND,
  NOT_PAID,
  ordered,
  REGISTERED,
  REPRESENTED,
  SENT,
  UNCONFIRMED,
  UPLOADED,
  WAITING,
} from './traces.ts'

// Settlement where the law firm pays from its own account (`PAYMENTS=manual`), using only the client, an unreliable
// network and the sandbox's clock. However often a call was repeated, it took effect once.

let journey: Journey
before(async () => {
  journey = await startJourney({ env: { PAYMENTS: 'manual' } })
})

const SEARCHED = [ordered(), ASKED, FOUND, CHARGED]

const statusesOf = async (matter: Matter) => `${await progressOf(matter)} ${(await scheduleOf(matter)).status}`

/** 35 characters. */
const LONG = "O'Brien & Vale (Clients' Account 1)"

/** A shortfall that the borrower pays, and where it goes. */
const contribution = (amount: number): Line[] => [
  { type: 'SOURCE', category: 'Borrower Contribution', amount, reference: 'SHORTFALL' },
  ...(['Surplus', 'Onward Funds'] as const).map((category): Line => {
    const accountName = category === 'Surplus' ? 'Moorland & Vale' : LONG
    const bankAccount = { accountName, accountNumber: '00114455', sortCode: '090127' }
    return { type: 'DESTINATION', category, amount: amount / 2, reference: category, bankAccount }
  }),
]

async function fileOf(matter: Matter, format: 'PAIN_001' | 'CSV'): Promise<string> {
  const { stream } = await matter.firm.download('getPaymentFile', {
    ...(await schedulePath(matter)),
    query: { format },
  })
  return text(stream)
}

describe('a remortgage that the law firm pays itself', () => {
  it('is due on completion day, paid from the file, confirmed line by line, sent and registered', async () => {
    const matter = await order(journey, 'ST500678')
    await completeCase(matter)
    await reachCompletion(matter, ...contribution(500))
    assert.equal(await statusesOf(matter), 'FUNDS_AUTHORISED PREPARED PAYING')
    const xml = await fileOf(matter, 'PAIN_001')
    assert.equal(xml.match(/<CdtTrfTxInf>/g)?.length, 4)
    for (const name of ['Moorland & Vale', LONG]) assert.ok(xml.includes(`<Nm>${escapeXml(name)}</Nm>`), name)
    assert.equal((await fileOf(matter, 'CSV')).split('\r\n').length, 6, 'a header, and a row for each destination')

    await confirmLines(matter)
    await drain(matter.service)
    assert.equal(await statusesOf(matter), 'FUNDS_EXCHANGED INITIATED SETTLED')
    await move(matter.service, 'P1D')
    assert.equal(await statusesOf(matter), 'LODGED LODGED SETTLED')
    await move(matter.service, UNTIL_REGISTERED)
    assert.equal(await statusesOf(matter), 'CLOSED REGISTERED SETTLED')
    const paid = [...arranged(6), DUE, ...confirmed(6), EXCHANGED]
    await happenedOnce(matter, SEARCHED, completed(), paid, SENT, ACCEPTED, REGISTERED)
  })

  it('that cannot be paid is authorised again, and a wrong confirmation taken back', async () => {
    const matter = await order(journey, 'ST500678')
    await completeCase(matter)
    const completionDate = await reachCompletion(matter)
    const place = await schedulePath(matter)
    const body = { reason: 'The bank returned the redemption.', confirmedBy: APPROVER }
    const failed = await matter.firm.reportPaymentFailure({ ...place, body })
    assert.equal(failed.failure?.reason, body.reason)
    assert.equal(await statusesOf(matter), 'PREPARED PREPARED PREPARED')
    await authorise(matter, { completionDate })
    await drain(matter.service)
    assert.equal(await statusesOf(matter), 'FUNDS_AUTHORISED PREPARED PAYING')

    const { lineItems } = await scheduleOf(matter)
    const path = { ...place.path, line_item_id: lineItems[0]?.lineItemId ?? '' }
    const wrong = { paidOn: completionDate, bankReference: 'WRONG', confirmedBy: APPROVER }
    await matter.firm.confirmLineItemPayment({ path, body: wrong })
    await matter.firm.deleteLineItemPayment({ path })
    const cancellation = { cancellationReason: 'TITLE_COMPLICATIONS' } as const
    await assert.rejects(matter.lender.cancelWorkspace({ ...pathOf(matter), body: cancellation }), { status: 409 })
    await confirmLines(matter)
    await drain(matter.service)
    assert.equal(await statusesOf(matter), 'FUNDS_EXCHANGED INITIATED SETTLED')
    const again = [DUE, NOT_PAID, AUTHORISED, DUE, ...confirmed(1), UNCONFIRMED, ...confirmed(3), EXCHANGED]
    await happenedOnce(matter, SEARCHED, completed(), ARRANGED, again, SENT)
  })

  it('waits for its digital deed after the last line', async () => {
    const matter = await order(journey, 'ST500678')
    await representAll(matter)
    await describeDeed(matter, { ...FACTS, mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD431C' })
    await attach(matter, 'MORTGAGE_DEED', 'MORTGAGE_DEED')
    await approveCase(matter)
    await payAndSend(matter)
    assert.equal(await statusesOf(matter), 'FUNDS_EXCHANGED PREPARED SETTLED')
    await describeDeed(matter, { isEffective: true })
    await drain(matter.service)
    assert.equal(await statusesOf(matter), 'FUNDS_EXCHANGED INITIATED SETTLED')
    const prepared = [REPRESENTED, REPRESENTED, DEED_DESCRIBED, UPLOADED, CASE_APPROVED, ...ARRANGED]
    await happenedOnce(matter, SEARCHED, prepared, DUE, confirmed(3), EXCHANGED, WAITING, DEED_DESCRIBED, SENT)
  })
})

it('both kinds of network error happened on the way', () => metBothErrors(journey))
