import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, describe, it } from 'node:test'
import type { Lodgeway } from '../../../client/src/index.ts'
import { EVENT_TYPES, type EventType } from '../../src/events/types.ts'
import { addDays, londonDate, londonMoment } from '../../src/jurisdiction/london.ts'
import { type Receiver, startReceiver } from '../fakes/receiver.ts'
import { APPROVER } from '../fixtures/approvals.ts'
import { UNTIL_REGISTERED } from '../fixtures/lodging.ts'
import { readPdf } from '../fixtures/pdf-text.ts'
import { setClock } from '../fixtures/schedules.ts'
import { applicationsOf, move } from '../fixtures/workspaces.ts'
import { happenedOnce } from './effects.ts'
import { type Journey, metBothErrors, startJourney } from './journey.ts'
import { arrangeMoney } from './money.ts'
import { caseOf, completeCase, type Matter, order, progressOf } from './steps.ts'
import { ARRANGED, ASKED, CHARGED, completed, FOUND, ordered, USUAL_COURSE } from './traces.ts'

// From the lender's order to the registered title and the reports, using only the client, an unreliable network and the
// sandbox's clock. However often a call was repeated, it took effect once.

let journey: Journey
before(async () => {
  journey = await startJourney({ reports: true })
})

type ReportName = 'financialsummary-todate' | 'settlementhistory-daily' | 'workspacesummary-todate'

async function readReport(client: Lodgeway, name: ReportName, date: string): Promise<Record<string, string>[]> {
  const path = { report_name: `report-${name}` } as const
  const { stream } = await client.download('getReportContent', { path, query: { date } })
  return rowsOf(await text(stream))
}

/** No cell of these reports holds a line end, and only an address a comma. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head = [], ...rows] = csv
    .trimEnd()
    .split('\r\n')
    .map((line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) => cell))
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])))
}

async function documentText(matter: Matter): Promise<string> {
  const { lodgementCaseId } = await caseOf(matter)
  const { stream } = await matter.lender.download('getLodgementDocument', {
    path: { lodgement_case_id: lodgementCaseId },
    query: { document_type: 'TITLE_INFORMATION_DOCUMENT' },
  })
  return (await readPdf(Readable.from(stream))).pages.join(' ')
}

describe('a remortgage on ST500678', () => {
  let receiver: Receiver
  let registrationId: string
  let matter: Matter
  let completionDate: string

  before(async () => {
    receiver = await startReceiver()
  })
  after(() => receiver.stop())

  it('is prepared, approved, paid on completion day at nine in London, and sent at once', async () => {
    const body = { webhookURI: receiver.url, eventTypes: Object.keys(EVENT_TYPES) as EventType[] }
    registrationId = (await journey.lender.createNotificationRegistration({ body })).registrationId
    matter = await order(journey, 'ST500678')
    await completeCase(matter)
    assert.equal(await progressOf(matter), 'CREATED PREPARED')
    completionDate = await arrangeMoney(matter)
    assert.equal(await progressOf(matter), 'FUNDS_AUTHORISED PREPARED')
    const nine = londonMoment(completionDate, '09:00:00')
    await setClock(matter.service, new Date(nine.getTime() - 1_000))
    assert.equal(await progressOf(matter), 'FUNDS_AUTHORISED PREPARED')
    await setClock(matter.service, nine)
    assert.equal(await progressOf(matter), 'FUNDS_EXCHANGED INITIATED')
  })

  it('is accepted a day later, registered from five days after that, and closed', async () => {
    await move(matter.service, 'P1D')
    assert.equal(await progressOf(matter), 'LODGED LODGED')
    const { registryReference, priorityAt, applications } = await caseOf(matter)
    assert.match(registryReference ?? '', /^([A-Z][0-9]{3}[A-Z]{3}|[A-Z]{2}[0-9A-F]{5})$/)
    assert.ok(priorityAt)
    assert.ok(applications.every(({ submittedBy }) => submittedBy === APPROVER))
    await move(matter.service, UNTIL_REGISTERED)
    assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
    assert.deepEqual(applicationsOf(await caseOf(matter)), ['DISCHARGE REGISTERED', 'MORTGAGE_DEED REGISTERED'])
  })

  it('happened once, and was delivered once', async () => {
    const events = await happenedOnce(matter, ordered(), ASKED, FOUND, CHARGED, completed(), ARRANGED, USUAL_COURSE)
    const delivered = receiver.received.filter(({ payload }) => payload.data['workspaceId'] === matter.workspaceId)
    assert.deepEqual(
      delivered.map(({ id }) => id),
      events.map(({ id }) => id),
    )
    await matter.lender.deleteNotificationRegistration({ path: { registration_id: registrationId } })
  })

  it('ends with a title document that names the new charge and no longer the old one', async () => {
    const found = await documentText(matter)
    assert.match(found, /ST500678/)
    assert.match(found, /NORTHGATE BUILDING SOCIETY/)
    assert.doesNotMatch(found, /EASTMOOR BANK/)
  })

  it('is in all three reports of the lender and of the firm, to the penny', async () => {
    const { service, lender, firm, workspaceId } = matter
    const closedOn = londonDate(service.deps.clock.now())
    await setClock(service, londonMoment(addDays(closedOn, 1), '00:31:00'))
    for (const client of [lender, firm]) {
      const [summary] = await readReport(client, 'financialsummary-todate', closedOn)
      assert.partialDeepStrictEqual(summary, {
        workspace_id: workspaceId,
        workspace_status: 'CLOSED',
        completion_date: completionDate,
        mortgage_advance: '206000.10',
        redemption_total: '205150.07',
        conveyancing_fees_total: '850.03',
        surplus_total: '0.00',
        total_sources: '206000.10',
        total_destinations: '206000.10',
        difference: '0.00',
        funds_authorised: 'Y',
        settlement_status: 'SETTLED',
        hmlr_fee: '45.00',
      })
      const movements = await readReport(client, 'settlementhistory-daily', completionDate)
      assert.deepEqual(
        movements.map(({ direction, category, amount, payee_account_last4: last4 }) => [
          direction,
          category,
          amount,
          last4,
        ]),
        [
          ['SOURCE', 'Mortgage Advance', '206000.10', ''],
          ['DESTINATION', 'Redemption', '205150.07', '5678'],
          ['DESTINATION', 'Conveyancing Fees', '850.03', '6819'],
        ],
      )
      assert.deepEqual(await readReport(client, 'settlementhistory-daily', closedOn), [])
      const [workspace] = await readReport(client, 'workspacesummary-todate', closedOn)
      assert.partialDeepStrictEqual(workspace, {
        workspace_id: workspaceId,
        status: 'CLOSED',
        lodgement_case_status: 'REGISTERED',
        applications_total: '2',
        applications_approved: '2',
        early_completion: 'N',
        requisition_open: 'N',
      })
    }
  })
})

it('both kinds of network error happened on the way', () => metBothErrors(journey))
