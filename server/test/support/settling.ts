import assert from 'node:assert/strict'
import { addBusinessDays } from '../../src/platform/business-days.ts'
import { londonDate } from '../../src/platform/london.ts'
import { anApprovedCase } from './lodging.ts'
import { type Answer, PARTNER, type TestService } from './service.ts'
import { aWorkspace, FIRM, LENDER, readWorkspace, WORKSPACES } from './workspaces.ts'

// The money of a workspace, as tests bring it together and look at it.

export const SCHEDULES = `${PARTNER}/financial-settlement-schedules`
export const MONEY_EDITOR = 'sam.reid@harbour.example'
export const MONEY_APPROVER = 'jo.marsh@harbour.example'

export type ShownLine = {
  lineItemId: string
  type: string
  category: string
  amount: number
  reference: string
  bankAccount?: Record<'accountName' | 'accountNumber' | 'sortCode', string>
}

export type ShownSchedule = {
  financialSettlementScheduleId: string
  workspaceId: string
  status: string
  completionDate?: string
  lineItems: ShownLine[]
  totals: Record<'sources' | 'destinations' | 'difference', number>
  approvals: { action: string; approvedBy: string; at: string }[]
}

/** Bodies of line items; a test names what it is about. */
export const ADVANCE = { type: 'SOURCE', category: 'Mortgage Advance', amount: 206_000, reference: 'REM-2026-0042' }
export const REDEMPTION = {
  type: 'DESTINATION',
  category: 'Redemption',
  amount: 206_000,
  reference: 'ACC 55/118',
  bankAccount: { accountName: 'Westbury Building Society', accountNumber: '12345678', sortCode: '204060' },
}

export const schedulePath = (scheduleId: string) => `${SCHEDULES}/${scheduleId}`
export const linePath = (scheduleId: string, lineItemId?: string) =>
  `${SCHEDULES}/${scheduleId}/line-items${lineItemId ? `/${lineItemId}` : ''}`

export async function readSchedule(service: TestService, workspaceId: string, as = FIRM): Promise<ShownSchedule> {
  const { status, body, text } = await askSchedule(service, workspaceId, as)
  assert.equal(status, 200, text)
  const [record, ...more] = body.records
  assert.ok(record && more.length === 0, 'a workspace has one schedule')
  return record
}

export const askSchedule = (
  service: TestService,
  workspaceId: string,
  { as, headers = {} }: Way = FIRM,
): Promise<Answer<{ records: ShownSchedule[] }>> =>
  service.call('GET', `${SCHEDULES}?workspace_id=${workspaceId}`, { ...(as && { as }), headers })

type Way = { as?: string; headers?: Record<string, string> }

export const scheduleIdOf = async (service: TestService, workspaceId: string, as = FIRM): Promise<string> =>
  (await readSchedule(service, workspaceId, as)).financialSettlementScheduleId

export function addLine(
  service: TestService,
  scheduleId: string,
  json: unknown,
  { as = FIRM.as, headers = {} }: Way = {},
): Promise<Answer<ShownLine>> {
  return service.call('POST', linePath(scheduleId), { as, json, headers })
}

export function setDate(
  service: TestService,
  scheduleId: string,
  completionDate: unknown,
  { as = FIRM.as, headers = {} }: Way = {},
): Promise<Answer<ShownSchedule>> {
  return service.call('PATCH', schedulePath(scheduleId), { as, json: { completionDate }, headers })
}

/** So many business days after today in London; today itself, or the next business day, where it is none. */
export function businessDay({ deps }: TestService, ahead: number): string {
  const today = londonDate(deps.clock.now())
  return addBusinessDays(addBusinessDays(today, -1), ahead + 1)
}

/** A new workspace, and its schedule, which is empty. */
export async function aSchedule(service: TestService) {
  const created = await aWorkspace(service)
  return { ...created, scheduleId: await scheduleIdOf(service, created.workspaceId) }
}

/** The statuses of a workspace and its schedule. */
export const statusesOf = async (service: TestService, workspaceId: string) => [
  (await readWorkspace(service, workspaceId)).status,
  (await readSchedule(service, workspaceId)).status,
]

export type Facts = {
  advance?: number
  completionDate?: string
  /** Where the money goes; what happens to it in the sandbox depends on it. */
  accountNumber?: string
}

/** A schedule that can be approved, by whoever is not its editor. */
export async function aBalancedSchedule(service: TestService, workspaceId: string, facts: Facts = {}) {
  const { advance: amount = 206_000, completionDate = businessDay(service, 5), accountNumber = '12345678' } = facts
  const scheduleId = await scheduleIdOf(service, workspaceId)
  const headers = { 'x-acting-user': MONEY_EDITOR }
  const bankAccount = { ...REDEMPTION.bankAccount, accountNumber }
  const done = [
    await addLine(service, scheduleId, { ...ADVANCE, amount }, { headers }),
    await addLine(service, scheduleId, { ...REDEMPTION, amount, bankAccount }, { headers }),
    await setDate(service, scheduleId, completionDate, { headers }),
  ]
  for (const { status, text } of done) assert.ok(status < 300, text)
  return { scheduleId, advance: amount, completionDate }
}

/** The same in a new workspace, whose case does not count there. */
export async function aScheduleToApprove(service: TestService) {
  const { workspaceId, reference } = await aWorkspace(service)
  return { workspaceId, reference, ...(await aBalancedSchedule(service, workspaceId)) }
}

export type ShownApproval = Record<
  'financialSettlementScheduleId' | 'action' | 'status' | 'approvedBy' | 'approvedAt',
  string
>

export function approveFinance(
  service: TestService,
  workspaceId: string,
  { action = 'APPROVE', approvedBy = MONEY_APPROVER, as = FIRM.as, headers = {} }: Approving = {},
): Promise<Answer<ShownApproval>> {
  const path = `${WORKSPACES}/${workspaceId}/financial-approvals`
  return service.call('POST', path, { as, headers, json: { action, approvedBy } })
}

type Approving = Way & { action?: string; approvedBy?: string }

export const unapproveFinance = (service: TestService, workspaceId: string, way: Approving = {}) =>
  approveFinance(service, workspaceId, { action: 'UNAPPROVE', ...way })

export type Asked = { completionDate: string; advance: number; authorised?: boolean }

export const authorisationOf = ({ completionDate, advance: amount, authorised = true }: Asked) => ({
  completionDate,
  lineItem: { authorised, category: 'Mortgage Advance', amount },
})

export function authorise(
  service: TestService,
  workspaceId: string,
  asked: Asked,
  { as = LENDER.as, headers = {} }: Way = {},
): Promise<Answer<{ matched: boolean; authorised: boolean }>> {
  const path = `${WORKSPACES}/${workspaceId}/funds-authorisation`
  return service.call('POST', path, { as, headers, json: authorisationOf(asked) })
}

/** A workspace whose case and schedule are both approved. */
export async function aPreparedMatter(service: TestService, facts: Facts = {}, titleNumber = 'ST500678') {
  const workspaceId = await anApprovedCase(service, titleNumber)
  const schedule = await aBalancedSchedule(service, workspaceId, facts)
  const answer = await approveFinance(service, workspaceId)
  assert.equal(answer.status, 200, answer.text)
  return { workspaceId, ...schedule }
}

/** The same, with its funds authorised. */
export async function anAuthorisedMatter(service: TestService, facts: Facts = {}, titleNumber = 'ST500678') {
  const matter = await aPreparedMatter(service, facts, titleNumber)
  const { status, body, text } = await authorise(service, matter.workspaceId, matter)
  assert.deepEqual([status, body], [200, { matched: true, authorised: true }], text)
  return matter
}

/** Moves the clock to a time in London, as it is written in UTC. */
export async function setClock(service: TestService, to: Date): Promise<void> {
  const { status, text } = await service.call('POST', '/sandbox/v1/clock', { json: { set: to.toISOString() } })
  assert.equal(status, 200, text)
}

export type StoredSettlement = {
  settlementId: string
  status: string
  lines: { lineItemId: string; amountPence: number }[]
  initiatedAt: Date
  settledAt: Date | null
  scheme: string | null
  paymentReference: string | null
  failureReason: string | null
}

export const settlementsOf = ({ deps }: TestService, workspaceId: string): Promise<StoredSettlement[]> =>
  deps.db.query<StoredSettlement>(
    `select settlement_id as "settlementId", status, lines, initiated_at as "initiatedAt", settled_at as "settledAt",
            scheme, payment_reference as "paymentReference", failure_reason as "failureReason"
       from settlements where workspace_id = $1 order by initiated_at, settlement_id`,
    [workspaceId],
  )
