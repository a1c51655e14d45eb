import assert from 'node:assert/strict'
import { isApiError, type Schemas } from '../../../client/src/index.ts'
import { londonDate, londonMoment } from '../../src/jurisdiction/london.ts'
import { APPROVER } from '../fixtures/approvals.ts'
import { businessDay, setClock } from '../fixtures/schedules.ts'
import { drain } from '../fixtures/workspaces.ts'
import { ACTING, type Action, ADVANCE, type Matter, pathOf } from './steps.ts'

// The money of a matter, from the schedule to completion day.

export type Line = Schemas['LineItemRequest']

const REDEMPTION = {
  type: 'DESTINATION',
  category: 'Redemption',
  reference: 'ACC 55/118',
  bankAccount: { accountName: 'Westbury Building Society', accountNumber: '12345678', sortCode: '204060' },
} as const
const FEES = {
  type: 'DESTINATION',
  category: 'Conveyancing Fees',
  amount: 850.03,
  reference: 'FEES',
  bankAccount: { accountName: 'Harbour Conveyancing LLP', accountNumber: '31926819', sortCode: '110001' },
} as const
const linesOf = (advance: number): Line[] => [
  { type: 'SOURCE', category: 'Mortgage Advance', amount: advance, reference: 'REM-2026-0042' },
  { ...REDEMPTION, amount: Math.round((advance - FEES.amount) * 100) / 100 },
  FEES,
]

export async function scheduleOf({ firm, workspaceId }: Matter): Promise<Schemas['FinancialSettlementSchedule']> {
  const { records } = await firm.getFinancialSettlementSchedules({ query: { workspace_id: workspaceId } })
  return records[0] ?? assert.fail('a workspace has a schedule')
}

export const schedulePath = async (matter: Matter) => ({
  path: { financial_settlement_schedule_id: (await scheduleOf(matter)).financialSettlementScheduleId },
})

/** The money in and out to the penny, approved by somebody else and authorised by the lender. */
export async function arrangeMoney(matter: Matter, ...more: Line[]): Promise<string> {
  const { firm, service, advance = ADVANCE } = matter
  const place = await schedulePath(matter)
  const completionDate = businessDay(service, 3)
  await firm.updateFinancialSettlementSchedule({ ...place, body: { completionDate }, ...ACTING })
  for (const body of [...linesOf(advance), ...more]) await firm.addLineItem({ ...place, body, ...ACTING })
  await approveMoney(matter)
  assert.deepEqual(await authorise(matter, { completionDate }), { matched: true, authorised: true, mismatches: [] })
  return completionDate
}

export const approveMoney = (matter: Matter, action: Action = 'APPROVE') =>
  matter.firm.approveFinancialSettlementSchedule({ ...pathOf(matter), body: { action, approvedBy: APPROVER } })

type Authorisation = { completionDate: string; authorised?: boolean }

export function authorise(matter: Matter, { completionDate, authorised = true }: Authorisation) {
  const lineItem = { authorised, category: 'Mortgage Advance', amount: matter.advance ?? ADVANCE } as const
  return matter.lender.authoriseFunds({ ...pathOf(matter), body: { completionDate, lineItem } })
}

/** On completion day, where the firm pays itself: somebody else confirms each line that is left. */
export async function confirmLines(matter: Matter): Promise<void> {
  const { financialSettlementScheduleId, lineItems } = await scheduleOf(matter)
  const paidOn = londonDate(matter.service.deps.clock.now())
  for (const { lineItemId } of lineItems.filter(({ payment }) => !payment)) {
    const path = { financial_settlement_schedule_id: financialSettlementScheduleId, line_item_id: lineItemId }
    const body = { paidOn, bankReference: `FPS ${lineItemId.slice(0, 8)}`, confirmedBy: APPROVER }
    await matter.firm.confirmLineItemPayment({ path, body }).catch(async (error) => {
      // The last one was done, and its answer lost.
      if (!isApiError(error, 409) || (await scheduleOf(matter)).status !== 'SETTLED') throw error
    })
  }
}

/** Of an approved case: paid on completion day, by whom it may be, and sent to the registry at once. */
export async function payAndSend(matter: Matter, ...more: Line[]): Promise<void> {
  await reachCompletion(matter, ...more)
  if ((await scheduleOf(matter)).status !== 'PAYING') return
  await confirmLines(matter)
  await drain(matter.service)
}

export async function reachCompletion(matter: Matter, ...more: Line[]): Promise<string> {
  const completionDate = await arrangeMoney(matter, ...more)
  await setClock(matter.service, londonMoment(completionDate, '09:00:00'))
  return completionDate
}
