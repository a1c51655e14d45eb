import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { before, describe, it } from 'node:test'
import { addDays, londonDate, londonMoment } from '../src/platform/london.ts'
import { APPROVER, approve, EDITOR, PAPER_DEED, patchDeed } from './support/approvals.ts'
import { attach } from './support/documents.ts'
import { lodgementOf, reply, standingOf } from './support/lodging.ts'
import { aPdf } from './support/multipart.ts'
import { readPdf } from './support/pdf-text.ts'
import { partyNamed, readReconciliation, reconcile, unmatchedNamed } from './support/reconciliation.ts'
import { accepted, OWN } from './support/representations.ts'
import { PARTNER, type TestService, testService } from './support/service.ts'
import {
  ADVANCE,
  addLine,
  approveFinance,
  authorise,
  businessDay,
  REDEMPTION,
  scheduleIdOf,
  setClock,
  setDate,
} from './support/settling.ts'
import {
  aBorrower,
  applicationsOf,
  aSearchedWorkspace,
  CASES,
  drain,
  FIRM,
  LENDER,
  move,
  readCase,
  readWorkspace,
} from './support/workspaces.ts'

// From the lender's order to the registered title and the reports, over HTTP and the sandbox's clock alone.

let service: TestService
before(async () => {
  service = await testService()
})

/** For completion, acceptance and registration, with Christmas or Easter in between; and no requisition lapses in it. */
const LONG_ENOUGH = 'P21D'

const ACTING = { headers: { 'x-acting-user': EDITOR } }
const FEES = {
  ...REDEMPTION,
  category: 'Conveyancing Fees',
  reference: 'FEES',
  bankAccount: { accountName: 'Harbour Conveyancing LLP', accountNumber: '31926819', sortCode: '110001' },
}

/** Who represents, what is charged and which papers prove it: the case as far as its approval. */
async function completeCase(workspaceId: string, papers: Record<string, string> = {}): Promise<void> {
  const { parties } = await readWorkspace(service, workspaceId)
  for (const { partyId } of parties) await accepted(service, workspaceId, { partyId, ...OWN })
  await patchDeed(service, workspaceId, { ...PAPER_DEED, transactionValue: 206_000.1 })
  await attach(service, workspaceId, 'MORTGAGE_DEED', 'MORTGAGE_DEED', { file: aPdf('Deed') })
  for (const [application, document] of Object.entries(papers))
    await attach(service, workspaceId, application, document)
  await drain(service)
  const answer = await approve(service, workspaceId)
  assert.equal(answer.status, 202, answer.text)
}

/** The money in and out to the penny, approved by somebody else and authorised by the lender. */
async function arrangeMoney(workspaceId: string): Promise<string> {
  const scheduleId = await scheduleIdOf(service, workspaceId)
  const completionDate = businessDay(service, 3)
  await setDate(service, scheduleId, completionDate, ACTING)
  await addLine(service, scheduleId, { ...ADVANCE, amount: 206_000.1 }, ACTING)
  await addLine(service, scheduleId, { ...REDEMPTION, amount: 205_150.07 }, ACTING)
  await addLine(service, scheduleId, { ...FEES, amount: 850.03 }, ACTING)
  const approval = await approveFinance(service, workspaceId, { approvedBy: APPROVER })
  assert.equal(approval.status, 200, approval.text)
  const { body } = await authorise(service, workspaceId, { completionDate, advance: 206_000.1 })
  assert.deepEqual(body, { matched: true, authorised: true })
  return completionDate
}

const readReport = async (as: string, name: string, date: string) => {
  const { status, text } = await service.call('GET', `${PARTNER}/reports/${name}/content?date=${date}`, { as })
  assert.equal(status, 200, text)
  return rowsOf(text)
}

/** No cell of these reports holds a line end, and only an address a comma. */
function rowsOf(csv: string): Record<string, string>[] {
  const [head = [], ...rows] = csv
    .trimEnd()
    .split('\r\n')
    .map((line) => [...line.matchAll(/("(?:[^"]|"")*"|[^,]*)(?:,|$)/g)].map(([, cell = '']) => cell))
  return rows.map((cells) => Object.fromEntries(head.map((name, index) => [name, cells[index] ?? ''])))
}

async function documentText(workspaceId: string): Promise<string> {
  const { lodgementCaseId } = await readCase(service, workspaceId)
  const path = `${CASES}/${lodgementCaseId}/documents?document_type=TITLE_INFORMATION_DOCUMENT`
  const token = await service.tokenOf(LENDER.as)
  const response = await fetch(service.url + path, { headers: { authorization: `Bearer ${token}` } })
  assert.equal(response.status, 200)
  const { pages } = await readPdf(Readable.from([Buffer.from(await response.arrayBuffer())]))
  return pages.join(' ')
}

describe('a remortgage on ST500678', () => {
  let workspaceId: string
  let completionDate: string

  it('is prepared, approved, paid on completion day at nine in London, and sent at once', async () => {
    workspaceId = (await aSearchedWorkspace(service, 'ST500678')).workspaceId
    await completeCase(workspaceId)
    assert.equal(await standingOf(service, workspaceId), 'CREATED PREPARED')
    completionDate = await arrangeMoney(workspaceId)
    assert.equal(await standingOf(service, workspaceId), 'FUNDS_AUTHORISED PREPARED')
    const nine = londonMoment(completionDate, '09:00:00')
    await setClock(service, new Date(nine.getTime() - 1_000))
    assert.equal(await standingOf(service, workspaceId), 'FUNDS_AUTHORISED PREPARED')
    await setClock(service, nine)
    assert.equal(await standingOf(service, workspaceId), 'FUNDS_EXCHANGED INITIATED')
  })

  it('is accepted a day later, registered five days after that, and closed', async () => {
    await move(service, 'P1D')
    assert.equal(await standingOf(service, workspaceId), 'LODGED LODGED')
    const { registryReference, priorityAt, applications } = await lodgementOf(service, workspaceId)
    assert.match(registryReference ?? '', /^([A-Z][0-9]{3}[A-Z]{3}|[A-Z]{2}[0-9A-F]{5})$/)
    assert.ok(priorityAt)
    assert.ok(applications.every(({ submittedBy }) => submittedBy === APPROVER))
    await move(service, 'P5D')
    assert.equal(await standingOf(service, workspaceId), 'CLOSED REGISTERED')
    assert.deepEqual(applicationsOf(await readCase(service, workspaceId)), [
      'DISCHARGE REGISTERED',
      'MORTGAGE_DEED REGISTERED',
    ])
  })

  it('ends with a title document that names the new charge and no longer the old one', async () => {
    const text = await documentText(workspaceId)
    assert.match(text, /ST500678/)
    assert.match(text, /NORTHGATE BUILDING SOCIETY/)
    assert.doesNotMatch(text, /EASTMOOR BANK/)
  })

  it('stands in all three reports of the lender and of the firm, to the penny', async () => {
    const closedOn = londonDate(service.deps.clock.now())
    await setClock(service, londonMoment(addDays(closedOn, 1), '00:31:00'))
    for (const { as } of [LENDER, FIRM]) {
      const [summary] = await readReport(as, 'report-financialsummary-todate', closedOn)
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
      const movements = await readReport(as, 'report-settlementhistory-daily', completionDate)
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
      assert.deepEqual(await readReport(as, 'report-settlementhistory-daily', closedOn), [])
      const [workspace] = await readReport(as, 'report-workspacesummary-todate', closedOn)
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

describe('a transfer of equity on ST500681', () => {
  it('registers who stays and who comes, without the restriction', async () => {
    const borrowers = [aBorrower('Tracey'), aBorrower('Oliver', 'Hart')]
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500681', borrowers)
    const reconciliation = await readReconciliation(service, workspaceId)
    const { partyId } = partyNamed(reconciliation, 'Oliver')
    await reconcile(service, workspaceId, { action: 'SET_AS_INCOMING_PROPRIETOR', partyId })
    const { proprietorId } = unmatchedNamed(reconciliation, 'William')
    await reconcile(service, workspaceId, { action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId })
    await completeCase(workspaceId, { TRANSFER_OF_WHOLE: 'EVIDENCE', CANCEL_A_RESTRICTION: 'STATEMENT_OF_TRUTH' })
    await arrangeMoney(workspaceId)
    await move(service, LONG_ENOUGH)
    assert.equal(await standingOf(service, workspaceId), 'CLOSED REGISTERED')
    const text = await documentText(workspaceId)
    assert.match(text, /OLIVER HART/)
    assert.doesNotMatch(text, /WILLIAM PRYNNE|RESTRICTION/)
  })
})

describe('a requisition on RQ100001', () => {
  it('is answered, and the title registered', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'RQ100001', [aBorrower('Grace', 'Okafor')])
    await completeCase(workspaceId)
    await arrangeMoney(workspaceId)
    await move(service, LONG_ENOUGH)
    assert.equal(await standingOf(service, workspaceId), 'REQUISITIONED REQUISITIONED')
    const { status } = await reply(service, workspaceId, { message: 'The certified copy follows by post.' })
    assert.equal(status, 202)
    assert.equal(await standingOf(service, workspaceId), 'REQUISITIONED REQUISITION_SUBMITTED')
    await move(service, 'P1D')
    assert.equal(await standingOf(service, workspaceId), 'LODGED LODGED')
    await move(service, 'P5D')
    assert.equal(await standingOf(service, workspaceId), 'CLOSED REGISTERED')
  })
})

describe('a slow search on SL100001', () => {
  it('is waited for, and the title then registered as usual', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'SL100001', [aBorrower('Ivy', 'Marsh')])
    assert.equal((await readCase(service, workspaceId)).lastTitleSearchStatus, 'PENDING')
    await move(service, 'PT1H')
    assert.equal((await readCase(service, workspaceId)).lastTitleSearchStatus, 'SUCCESS')
    await completeCase(workspaceId)
    await arrangeMoney(workspaceId)
    await move(service, LONG_ENOUGH)
    assert.equal(await standingOf(service, workspaceId), 'CLOSED REGISTERED')
  })
})
