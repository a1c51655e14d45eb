// Long because every operation that changes something is done here.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isApiError } from '../../../client/src/index.ts'
import { OPERATIONS } from '../../../client/src/operations.ts'
import { verifyWebhook } from '../../../client/src/webhooks.ts'
import { losingFirstAnswers } from '../../../client/test/support/faulty-proxy.ts'
import { londonMoment } from '../../src/jurisdiction/london.ts'
import { startReceiver } from '../fakes/receiver.ts'
import { APPROVER } from '../fixtures/approvals.ts'
import { partyNamed, unmatchedNamed } from '../fixtures/reconciliation.ts'
import { setClock } from '../fixtures/schedules.ts'
import { auditOf, drain, LENDER_ID, move } from '../fixtures/workspaces.ts'
import { happenedOnce } from './effects.ts'
import { type Journey, startJourney } from './journey.ts'
import { approveMoney, arrangeMoney, authorise, confirmLines, payAndSend, scheduleOf, schedulePath } from './money.ts'
import {
  A_FIRM,
  addTitle,
  answerRequisition,
  aPerson,
  approveCase,
  attach,
  caseOf,
  completeCase,
  EXTERNAL,
  type Matter,
  order,
  pathOf,
  prepareCase,
  progressOf,
  readNames,
  reconcile,
  removeTitle,
  represent,
  upload,
} from './steps.ts'
import {
  ACCEPTED,
  ANSWER_ACCEPTED,
  ANSWERED,
  ARRANGED,
  ASKED,
  AUTHORISED,
  CANCELLED,
  CASE_APPROVED,
  CASE_UNAPPROVED,
  CHARGED,
  CONFIRMATION_TAKEN_BACK,
  CONFIRMED,
  CORRECTED,
  caseChanged,
  completed,
  confirmed,
  DEED_DESCRIBED,
  DUE,
  EXCHANGED,
  FIRM_CHANGED,
  FOUND,
  LINE_ADDED,
  LINE_CHANGED,
  LINE_DELETED,
  MONEY_UNAPPROVED,
  NOT_FOUND,
  NOT_PAID,
  ordered,
  PAID,
  REGISTERED,
  REPRESENTED,
  REQUISITIONED,
  reconciled,
  SENT,
  TITLE_ADDED,
  TITLE_REMOVED,
  UNAUTHORISED,
  UNCONFIRMED,
  UPLOADED,
  WITHDRAWN,
} from './traces.ts'

// Every operation that changes something is done, its first response is lost, and the client repeats it: one effect.

let journey: Journey
let manual: Journey
before(async () => {
  journey = await startJourney({ network: losingFirstAnswers() })
})

describe('a matter that is often changed', () => {
  let matter: Matter
  let tracey: string

  it('gets another reference, and its correct title instead of one that is not found and one that is wrong', async () => {
    matter = await order(journey, 'NF100001', aPerson('William'), aPerson('Tracy'))
    await matter.lender.updateWorkspace({ ...pathOf(matter), body: { reference: 'CORRECTED' } })
    await addTitle(matter, 'ST500681')
    const names = await readNames(matter)
    const { proprietorId } = unmatchedNamed(names, 'Tracey')
    const { partyId } = partyNamed(names, 'Tracy')
    for (const body of [
      { action: 'SET_AS_INCOMING_PROPRIETOR', partyId },
      { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId },
    ] as const) {
      const { partyId: party_id = '' } = await reconcile(matter, body)
      await matter.firm.removePartyRole({ path: { ...pathOf(matter).path, party_id } })
    }
    await removeTitle(matter)
    await addTitle(matter, 'ST500678')
  })

  it('gets a correct name: with If-Match the repeated request is refused, and the change is found done', async () => {
    const { firm } = matter
    const seen = await firm.call('getTitleReconciliation', pathOf(matter))
    tracey = partyNamed(seen.data, 'Tracy').partyId
    const partyDetails = { forenames: 'Tracey', surname: 'Prynne' }
    const body = { action: 'UPDATE_PARTY_NAME', partyId: tracey, type: 'INDIVIDUAL', partyDetails } as const
    const rename = (ifMatch = '') => firm.updateTitleReconciliation({ ...pathOf(matter), body, ifMatch })
    await assert.rejects(rename(seen.etag), (error) => isApiError(error, 412))
    const { etag } = await firm.call('getTitleReconciliation', pathOf(matter))
    assert.notEqual(etag, seen.etag)
    assert.deepEqual(await rename(etag), body)
  })

  it('gets another law firm, and the firm another name', async () => {
    const { representationId } = await represent(matter, tracey, EXTERNAL)
    const path = { ...pathOf(matter).path, representation_id: representationId }
    await matter.firm.updateRepresentation({ path, body: { ...A_FIRM, name: 'Vale & Daughters' } })
    await represent(matter, tracey)
  })

  it('gets another deed, loses an offer, and is approved twice', async () => {
    await prepareCase(matter)
    await attach(matter, 'MORTGAGE_DEED', 'MORTGAGE_DEED')
    const fields = { documentType: 'MORTGAGE_OFFER', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' } as const
    const fileId = await upload(matter, matter.lender, fields)
    await matter.lender.withdrawFile({ path: { ...pathOf(matter).path, file_id: fileId } })
    await approveCase(matter)
    await approveCase(matter, 'UNAPPROVE')
    await approveCase(matter)
  })

  it('gets a confirmation, a line changed and deleted, its funds authorised and taken back', async () => {
    const { firm } = matter
    const rule = { ruleId: 'redemption-provided-for-registered-charge', field: 'lineItems' }
    const confirmed = { ...rule, reason: 'The lender redeems it.', confirmedBy: 'jo.marsh@harbour.example' }
    const { confirmationId } = await firm.confirmReadiness({ ...pathOf(matter), body: confirmed })
    await firm.deleteConfirmation({ path: { ...pathOf(matter).path, confirmation_id: confirmationId } })
    const { path } = await schedulePath(matter)
    const body = { type: 'SOURCE', category: 'Mortgage Advance', amount: 1, reference: 'WRONG' } as const
    const { lineItemId } = await firm.addLineItem({ path, body })
    const place = { path: { ...path, line_item_id: lineItemId } }
    assert.equal((await firm.updateLineItem({ ...place, body: { amount: 2 } })).amount, 2)
    await firm.deleteLineItem(place)
    const completionDate = await arrangeMoney(matter)
    assert.deepEqual(await authorise(matter, { completionDate, authorised: false }), {
      matched: false,
      authorised: false,
    })
    await approveMoney(matter, 'UNAPPROVE')
  })

  it('is cancelled, and each thing happened once', async () => {
    const body = { cancellationReason: 'OTHER', cancellationNotesForOther: 'They stay where they are.' } as const
    assert.equal((await matter.lender.cancelWorkspace({ ...pathOf(matter), body })).status, 'CANCELLED')
    const added = [TITLE_ADDED, ASKED, FOUND, CHARGED]
    const undone = (parties: number) => [caseChanged(2), reconciled('REMOVE_ROLE', -parties), caseChanged(0)]
    const came = [reconciled('SET_AS_INCOMING_PROPRIETOR'), ...undone(0)]
    const left = [reconciled('SET_AS_OUTGOING_PROPRIETOR', 1), ...undone(1)]
    const wrong = [ASKED, NOT_FOUND, CORRECTED, ...added, ...came, ...left, TITLE_REMOVED]
    const title = [...wrong, ...added, reconciled('UPDATE_PARTY_NAME')]
    const parties = [REPRESENTED, FIRM_CHANGED, REPRESENTED, REPRESENTED]
    const documents = [DEED_DESCRIBED, UPLOADED, UPLOADED, UPLOADED, WITHDRAWN]
    const approvals = [CASE_APPROVED, CASE_UNAPPROVED, CASE_APPROVED]
    const money = [
      CONFIRMED,
      CONFIRMATION_TAKEN_BACK,
      LINE_ADDED,
      LINE_CHANGED,
      LINE_DELETED,
      ...ARRANGED,
      UNAUTHORISED,
      MONEY_UNAPPROVED,
    ]
    await happenedOnce(matter, ordered(), title, parties, documents, approvals, money, CANCELLED)
  })
})

describe('a requisition', () => {
  it('is answered once, and the title registered', async () => {
    const matter = await order(journey, 'RQ100001', aPerson('Grace', 'Okafor'))
    await completeCase(matter)
    await payAndSend(matter)
    await move(matter.service, 'P3D')
    await answerRequisition(matter)
    await move(matter.service, 'P6D')
    assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
    const prepared = [ordered(1), ASKED, FOUND, ...completed({ parties: 1 }), ...ARRANGED]
    const asked = [ACCEPTED, REQUISITIONED, UPLOADED, ANSWERED, ANSWER_ACCEPTED]
    await happenedOnce(matter, prepared, PAID, SENT, asked, REGISTERED)
  })

  it('that is a letter is closed once', async () => {
    const matter = await order(journey, 'LT100001', aPerson('Rosa', 'Field'))
    await completeCase(matter)
    await payAndSend(matter)
    await move(matter.service, 'P5D')
    const { lodgementCaseId } = await caseOf(matter)
    await matter.firm.closeRequisition({
      path: { lodgement_case_id: lodgementCaseId },
      body: { reason: 'It only informs.', confirmedBy: APPROVER },
    })
    const closed = (await auditOf(matter.service, matter.workspaceId)).filter(
      ({ action }) => action === 'requisition closed',
    )
    assert.equal(closed.length, 1)
  })
})

describe('a webhook', () => {
  it('is registered, changed, tested, retried, given a new secret and deleted, each once', async (t) => {
    const { lender, service } = journey
    const before = await auditOf(service, LENDER_ID)
    const receiver = await startReceiver(() => ({ status: receiver.received.length === 1 ? 500 : 204 }))
    t.after(() => receiver.stop())
    const body = { webhookURI: receiver.url, eventTypes: ['WORKSPACE_CREATED' as const] }
    const { registrationId } = await lender.createNotificationRegistration({ body })
    const path = { registration_id: registrationId }
    await lender.updateNotificationRegistration({ path, body: { ...body, eventTypes: ['WORKSPACE_CLOSED'] } })
    const { sharedSecret: secret } = await lender.rotateNotificationSecret({ path })

    await lender.testNotificationRegistration({ path })
    const wasTried = (attempts: number) =>
      lender.waitFor('listNotifications', {}, ({ records }) => records[0]?.attempts.length === attempts)
    const { records } = await wasTried(1)
    await lender.retryNotification({ path: { notification_id: records[0]?.notificationId ?? '' } })
    const { records: delivered } = await wasTried(2)
    assert.deepEqual([delivered.length, delivered[0]?.status], [1, 'DELIVERED'])
    assert.equal((await lender.retryNotifications({ body: { status: 'DEAD' } })).count, 0)
    const listener = 'laptop'
    const { records: events } = await lender.readEvents()
    const { nextCursor: after } = await lender.readEvents({ query: { listener, after: 'now' } })
    const eventId = events[0]?.id ?? ''
    await lender.repeatEvent({ path: { event_id: eventId }, body: { listener } })
    const again = await lender.waitFor(
      'readEvents',
      { query: { listener, after } },
      ({ records }) => records.length > 0,
    )
    assert.deepEqual(
      again.records.map(({ id }) => id),
      [eventId],
    )
    assert.equal(receiver.received.length, 2)
    for (const one of receiver.received) {
      assert.equal(verifyWebhook({ secret, headers: one.headers, body: one.body }).id, delivered[0]?.eventId)
    }

    assert.equal((await lender.listNotificationRegistrations()).records.length, 1)
    await lender.deleteNotificationRegistration({ path })
    assert.equal((await lender.listNotificationRegistrations()).records.length, 0)
    const since = (await auditOf(service, LENDER_ID)).slice(before.length)
    assert.deepEqual(
      since.map(({ action }) => action),
      [
        'webhook registered',
        'webhook changed',
        'webhook secret rotated',
        'webhook test requested',
        'notification retried',
        'event repeated',
        'webhook deleted',
      ],
    )
  })
})

describe('a settlement that the law firm pays itself', () => {
  it('fails, is authorised again and paid line by line, each once', async () => {
    manual = await startJourney({ network: losingFirstAnswers(), env: { PAYMENTS: 'manual' } })
    const matter = await order(manual, 'ST500678')
    await completeCase(matter)
    const paidOn = await arrangeMoney(matter)
    await setClock(matter.service, londonMoment(paidOn, '09:00:00'))
    const { path } = await schedulePath(matter)
    const confirmedBy = APPROVER
    await matter.firm.reportPaymentFailure({ path, body: { reason: 'The bank returned it.', confirmedBy } })
    const { lineItems } = await scheduleOf(matter)
    await authorise(matter, { completionDate: paidOn })
    await drain(matter.service)
    const line = { path: { ...path, line_item_id: lineItems[0]?.lineItemId ?? '' } }
    await matter.firm.confirmLineItemPayment({ ...line, body: { paidOn, bankReference: 'WRONG', confirmedBy } })
    await matter.firm.deleteLineItemPayment(line)
    await confirmLines(matter)
    const again = [DUE, NOT_PAID, AUTHORISED, DUE, ...confirmed(1), UNCONFIRMED, ...confirmed(3), EXCHANGED]
    await drain(matter.service)
    await happenedOnce(matter, ordered(), ASKED, FOUND, CHARGED, completed(), ARRANGED, again, SENT)
  })
})

it('a response of every operation that changes something was lost', () => {
  const changes = Object.entries(OPERATIONS).filter(
    ([, { method, path }]) => method !== 'GET' && /^.partner/.test(path),
  )
  assert.ok(changes.length > 20)
  const wasLost = ({ method, path }: { method: string; path: string }) => {
    const pattern = new RegExp(`^${method} ${path.replace(/\{\w+\}/g, '[^/]+')}$`)
    return [journey, manual].some(({ proxy }) => proxy.lost.some((one) => pattern.test(one)))
  }
  const neverLost = changes.filter(([, operation]) => !wasLost(operation)).map(([id]) => id)
  assert.deepEqual(neverLost, [])
})
