import { addBusinessDays, isBusinessDay } from '../jurisdiction/business-days.ts'
import { addDays, londonDate } from '../jurisdiction/london.ts'
import type { ApplicationType } from '../lodgement/rules.ts'
import type { Preparation } from './fixtures.ts'
import { samplePdf } from './sample-pdf.ts'
import { APPROVER, FIRM, type Send } from './send.ts'
import type { Stage } from './steps.ts'

const MAIN_DOCUMENTS: Record<ApplicationType, string> = {
  MORTGAGE_DEED: 'MORTGAGE_DEED',
  CHANGE_OF_NAME: 'MARRIAGE_CERTIFICATE',
  TRANSFER_OF_WHOLE: 'EVIDENCE',
  CANCEL_A_RESTRICTION: 'STATEMENT_OF_TRUTH',
  DISCHARGE: 'EVIDENCE',
}

const UNREPRESENTED = { representedBy: 'NOT_REPRESENTED', verificationOfIdentity: 'LAW_FIRM_CERTIFIED' }
const FEES_POUNDS = 850
const REDEMPTION_SHARE = 0.6

/** The work of a law firm before both approvals: represent all parties, complete the case, create the schedule. */
export async function prepare(
  stage: Stage,
  workspaceId: string,
  { unrepresented, confirm, completesAfterDays, ...wanted }: Preparation & { completesAfterDays: number },
): Promise<void> {
  const { send, settle, now } = stage
  await Promise.all([
    represent(send, workspaceId, unrepresented),
    completeCase(send, workspaceId, wanted),
    createSchedule(send, workspaceId, wanted, completionDay(now, completesAfterDays)),
  ])
  await settle()
  if (confirm)
    await send(FIRM, 'POST', `/workspaces/${workspaceId}/confirmations`, { ...confirm, confirmedBy: APPROVER })
  await approve(send, workspaceId)
}

/** Somebody else approves the case and the money. */
export async function approve(send: Send, workspaceId: string): Promise<void> {
  const approval = { action: 'APPROVE', approvedBy: APPROVER }
  await send(FIRM, 'POST', `/workspaces/${workspaceId}/lodgement-approvals`, { ...approval, workspaceId })
  await send(FIRM, 'POST', `/workspaces/${workspaceId}/financial-approvals`, approval)
}

export async function represent(send: Send, workspaceId: string, unrepresented = -1): Promise<void> {
  const { parties } = await send<{ parties: { partyId: string }[] }>(FIRM, 'GET', `/workspaces/${workspaceId}`)
  for (const [position, { partyId }] of parties.entries()) {
    const how = position === unrepresented ? UNREPRESENTED : { representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM' }
    await send(FIRM, 'POST', `/workspaces/${workspaceId}/representation`, { partyId, ...how })
  }
}

type Facts = Pick<Preparation, 'loan' | 'deed'>

export async function completeCase(send: Send, workspaceId: string, wanted: Facts): Promise<void> {
  const { applications } = await readCase(send, workspaceId)
  for (const { applicationType, path } of applications) {
    if (applicationType === 'DISCHARGE') continue // the old lender sends it, electronically
    const facts = FACTS[applicationType]?.(wanted)
    if (facts) await send(FIRM, 'PATCH', path, facts)
    await attach(send, path, applicationType)
  }
}

/** What an application needs for approval, apart from its document. Equity is transferred for nothing. */
const FACTS: Partial<Record<ApplicationType, (wanted: Facts) => object>> = {
  MORTGAGE_DEED: ({ loan, deed }) => ({
    transactionValue: loan,
    mortgageDeedReference: 'MD1234X',
    mortgageDeedReferenceType: 'PAPER',
    ...deed,
  }),
  TRANSFER_OF_WHOLE: () => ({ transactionValue: 0 }),
}

type Case = { lodgementCaseId: string; applications: { applicationId: string; applicationType: ApplicationType }[] }

/** The case of a workspace, with the path of each application. */
export async function readCase(send: Send, workspaceId: string) {
  const { records } = await send<{ records: Case[] }>(FIRM, 'GET', `/lodgement-cases?workspace_id=${workspaceId}`)
  const { lodgementCaseId = '', applications = [] } = records[0] ?? {}
  const path = `/lodgement-cases/${lodgementCaseId}`
  return {
    path,
    applications: applications.map((one) => ({ ...one, path: `${path}/applications/${one.applicationId}` })),
  }
}

/** The main document of an application. A later one takes the place of an earlier one. */
export const attach = async (send: Send, path: string, applicationType: ApplicationType) =>
  send(FIRM, 'POST', `${path}/attachments`, await formOf(MAIN_DOCUMENTS[applicationType]))

async function formOf(documentType: string): Promise<FormData> {
  const form = new FormData()
  form.set('documentType', documentType)
  form.set('documentCategory', 'APPLICATION_DOCUMENT')
  form.set('certificationType', 'ORIGINAL')
  const name = documentType.toLowerCase().replaceAll('_', '-')
  form.set('file', new Blob([await samplePdf(documentType)], { type: 'application/pdf' }), `${name}.pdf`)
  return form
}

type Schedule = {
  financialSettlementScheduleId: string
  completionDate: string
  totals: { sources: number }
  lineItems: { lineItemId: string; category: string }[]
}

/** The schedule of a workspace, with its path. */
export async function readSchedule(send: Send, as: string, workspaceId: string): Promise<Schedule & { path: string }> {
  const { records } = await send<{ records: [Schedule] }>(
    as,
    'GET',
    `/financial-settlement-schedules?workspace_id=${workspaceId}`,
  )
  return { ...records[0], path: `/financial-settlement-schedules/${records[0].financialSettlementScheduleId}` }
}

type Money = Pick<Preparation, 'loan' | 'surplusTo'>

export async function createSchedule(
  send: Send,
  workspaceId: string,
  money: Money,
  completionDate: string,
): Promise<void> {
  const { path } = await readSchedule(send, FIRM, workspaceId)
  await send(FIRM, 'PATCH', path, { completionDate })
  for (const lineItem of lineItems(money)) await send(FIRM, 'POST', `${path}/line-items`, lineItem)
}

const USUAL_ACCOUNT = '55779911'

function lineItems({ loan, surplusTo = USUAL_ACCOUNT }: Money): object[] {
  const redemption = Math.round(loan * REDEMPTION_SHARE)
  const account = (accountName: string, accountNumber: string, sortCode: string) => ({
    bankAccount: { accountName, accountNumber, sortCode },
  })
  const destination = (category: string, amount: number) => ({ type: 'DESTINATION', category, amount })
  const surplus = Math.round((loan - redemption - FEES_POUNDS) * 100) / 100
  return [
    { type: 'SOURCE', category: 'Mortgage Advance', amount: loan, reference: 'ADVANCE' },
    {
      ...destination('Redemption', redemption),
      reference: 'REDEMPTION 4471',
      ...account('Eastmoor Bank plc', '40117788', '200000'),
    },
    {
      ...destination('Conveyancing Fees', FEES_POUNDS),
      reference: 'FEES',
      ...account('Harbour Conveyancing LLP', '31926819', '110001'),
    },
    { ...destination('Surplus', surplus), reference: 'SURPLUS', ...account('Borrower', surplusTo, '309950') },
  ]
}

/** Corrects the account of the surplus. A schedule that was approved is changed only after its approval was withdrawn. */
export async function correctAccount(send: Send, workspaceId: string): Promise<void> {
  const approvals = `/workspaces/${workspaceId}/financial-approvals`
  await send(FIRM, 'POST', approvals, { action: 'UNAPPROVE', approvedBy: APPROVER })
  const { path, lineItems } = await readSchedule(send, FIRM, workspaceId)
  const line = lineItems.find(({ category }) => category === 'Surplus')
  const bankAccount = { accountName: 'Borrower', accountNumber: USUAL_ACCOUNT, sortCode: '309950' }
  await send(FIRM, 'PATCH', `${path}/line-items/${line?.lineItemId}`, { bankAccount })
  await send(FIRM, 'POST', approvals, { action: 'APPROVE', approvedBy: APPROVER })
}

/** The first business day at least this many days later. */
function completionDay(now: Date, afterDays: number): string {
  const day = addDays(londonDate(now), afterDays)
  return isBusinessDay(day) ? day : addBusinessDays(day, 1)
}
