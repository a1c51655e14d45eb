import assert from 'node:assert/strict'
import { londonDate } from '../../src/platform/london.ts'
import { madeAt } from '../../src/reports/rules.ts'
import { makeApproved } from './approvals.ts'
import { FINANCIAL, HISTORY, type Row, reportOf, SUMMARY } from './reports.ts'
import { type TestService, testService } from './service.ts'
import {
  ADVANCE,
  addLine,
  approveFinance,
  authorise,
  businessDay,
  scheduleIdOf,
  setClock,
  setDate,
} from './settling.ts'
import { aCompany, aSearchedWorkspace, aWorkspace, FIRM, readWorkspace, WORKSPACES } from './workspaces.ts'

// Matters that were brought on their way through the interface, and what the reports of one night say of them.

const account = (accountName: string, accountNumber: string) => ({ accountName, accountNumber, sortCode: '204060' })
const LENDER_PERSON = 'pat.lowe@northgate.example'

/** What is paid in the night's settlement: with pence, and with words that want quotes or are formulas. */
export const LINES = [
  { ...ADVANCE, amount: 206_000.3 },
  {
    type: 'DESTINATION',
    category: 'Redemption',
    amount: 150_000.1,
    reference: 'ACC 55/118',
    bankAccount: account('Westbury Building Society', '12345678'),
  },
  {
    type: 'DESTINATION',
    category: 'Conveyancing Fees',
    amount: 1_234.05,
    reference: '-FEES, "net"',
    bankAccount: account('=Harbour "Client" A/C', '00010002'),
  },
  {
    type: 'DESTINATION',
    category: 'Surplus',
    amount: 54_766.15,
    reference: 'line 1\nline 2',
    bankAccount: account('W & T Prynne', '87654321'),
  },
]

export type Reported = {
  service: TestService
  /** The date of the reports. */
  date: string
  /** Paid on that date, cancelled before, and merely created. */
  paid: string
  cancelled: string
  untouched: string
  financial: Row[]
  history: Row[]
  summary: Row[]
  /** When the paid one was changed last, at the time of the reports. */
  lastModifiedAt: string
  authorisedBy: string
}

export async function reportedMatters(): Promise<Reported> {
  const service = await testService()
  const { workspaceId: paid, completionDate: date } = await anAuthorisedMatter(service)
  const given = { reference: '=1+1', postcode: 'EX1 1AA', parties: [aCompany()] }
  const { workspaceId: cancelled } = await aWorkspace(service, given)
  const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
  const answer = await service.call('DELETE', `${WORKSPACES}/${cancelled}/cancel-workspace`, { ...FIRM, json })
  assert.equal(answer.status, 200, answer.text)
  const { workspaceId: untouched } = await aWorkspace(service, { reference: 'A,"B"' })
  await setClock(service, madeAt(date))
  const [financial, history, summary] = [
    await reportOf(service, FINANCIAL, date),
    await reportOf(service, HISTORY, date),
    await reportOf(service, SUMMARY, date),
  ]
  const { lastModifiedAt } = (await readWorkspace(service, paid)).auditAttributes
  const matters = { paid, cancelled, untouched, lastModifiedAt, authorisedBy: LENDER_PERSON }
  return { service, date, ...matters, financial, history, summary }
}

async function anAuthorisedMatter(service: TestService) {
  const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
  await makeApproved(service, workspaceId)
  const scheduleId = await scheduleIdOf(service, workspaceId)
  const completionDate = businessDay(service, 1)
  for (const line of LINES) {
    const answer = await addLine(service, scheduleId, line)
    assert.equal(answer.status, 201, answer.text)
  }
  await setDate(service, scheduleId, completionDate)
  assert.equal((await approveFinance(service, workspaceId)).status, 200)
  const headers = { 'x-acting-user': LENDER_PERSON }
  const { body } = await authorise(service, workspaceId, { completionDate, advance: 206_000.3 }, { headers })
  assert.equal(body.authorised, true)
  return { workspaceId, completionDate }
}

export const rowOf = (rows: readonly Row[], workspaceId: string): Row =>
  rows.find((row) => row['workspace_id'] === workspaceId) ?? assert.fail(`no row of ${workspaceId}`)

export async function storedOf({ deps }: TestService, workspaceId: string) {
  const [row] = await deps.db.query<{ authorisedAt: Date; statusSince: Date; reference: string }>(
    `select s.authorised_at as "authorisedAt", w.status_since as "statusSince", w.workspace_reference_id as reference
       from workspaces w join settlement_schedules s using (workspace_id) where workspace_id = $1`,
    [workspaceId],
  )
  return row ?? assert.fail(`no ${workspaceId}`)
}

/** Ends today: the next reports, and their date. */
export async function endToday(service: TestService): Promise<string> {
  const today = londonDate(service.deps.clock.now())
  await setClock(service, madeAt(today))
  return today
}
