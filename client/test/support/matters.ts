import assert from 'node:assert/strict'
import { aPdf } from '../../../server/test/support/multipart.ts'
import { FIRM_ID } from '../../../server/test/support/workspaces.ts'
import type { Input, Lodgeway } from '../../src/index.ts'

// Matters as a lender and a law firm bring them about, each with a client of its own.

type Order = Input<'createRemortgageWorkspace'>['body']
type Both = { lender: Lodgeway; firm: Lodgeway }

const ADVANCE = 206_000
const EDITOR = { actingUser: 'sam.reid@harbour.example' }
const APPROVER = 'jo.marsh@harbour.example'

/** The order of a remortgage by two borrowers. */
export const anOrder = (titleNumber?: string, reference = 'REM-1'): Order => ({
  reference,
  property: {
    securityAddress: { number: '83', street: 'Fore Street', town: 'Exeter', postcode: 'EX4 3AN' },
    ...(titleNumber && { titleNumber }),
  },
  parties: [aBorrower('William'), aBorrower('Tracey')],
})

const aBorrower = (forenames: string): Order['parties'][number] => ({
  type: 'INDIVIDUAL',
  role: 'BORROWER',
  partyDetails: { forenames, surname: 'Prynne' },
  participants: [{ id: FIRM_ID, role: 'CONVEYANCER' }],
})

/** All that lender and firm do, from the order to authorised funds. Then it is for the clock. */
export async function authorisedMatter({ lender, firm }: Both, completionDate: string): Promise<string> {
  const created = await lender.createRemortgageWorkspace({ body: anOrder('ST500678') })
  await firm.waitForTitleSearch(created)
  const { workspaceId } = created
  await represent(firm, workspaceId)
  await lodge(firm, workspaceId)
  await schedule(firm, workspaceId, completionDate)
  const lineItem = { authorised: true, category: 'Mortgage Advance', amount: ADVANCE } as const
  const answer = await lender.authoriseFunds({ path: pathOf(workspaceId), body: { completionDate, lineItem } })
  assert.deepEqual(answer, { matched: true, authorised: true })
  return workspaceId
}

async function represent(firm: Lodgeway, workspaceId: string): Promise<void> {
  const path = pathOf(workspaceId)
  for (const { partyId } of (await firm.getWorkspace({ path })).parties) {
    const body = { partyId, representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM' } as const
    await firm.waitForRepresentation(await firm.addRepresentation({ path, body }))
  }
}

async function lodge(firm: Lodgeway, workspaceId: string): Promise<void> {
  const { records } = await firm.getLodgementCases({ query: { workspace_id: workspaceId } })
  const deed = records[0]?.applications.find(({ applicationType }) => applicationType === 'MORTGAGE_DEED')
  assert.ok(records[0] && deed)
  const path = { lodgement_case_id: records[0].lodgementCaseId, application_id: deed.applicationId }
  const facts = {
    transactionValue: ADVANCE,
    mortgageDeedReference: 'MD431C',
    mortgageDeedReferenceType: 'PAPER',
  } as const
  await firm.updateLodgementApplication({ path, body: facts, ...EDITOR })
  const { fileId } = await firm.upload('attachDocument', {
    path,
    fields: { documentType: 'MORTGAGE_DEED', documentCategory: 'APPLICATION_DOCUMENT', certificationType: 'CERTIFIED' },
    file: aPdf('A deed'),
    ...EDITOR,
  })
  await firm.waitForFile({ workspaceId, fileId })
  const body = { action: 'APPROVE', workspaceId, approvedBy: APPROVER } as const
  await firm.approveLodgement({ path: pathOf(workspaceId), body })
}

async function schedule(firm: Lodgeway, workspaceId: string, completionDate: string): Promise<void> {
  const { records } = await firm.getFinancialSettlementSchedules({ query: { workspace_id: workspaceId } })
  const path = { financial_settlement_schedule_id: records[0]?.financialSettlementScheduleId ?? '' }
  await firm.updateFinancialSettlementSchedule({ path, body: { completionDate }, ...EDITOR })
  const advance = { type: 'SOURCE', category: 'Mortgage Advance', amount: ADVANCE, reference: 'REM-1' } as const
  const bankAccount = { accountName: 'Old Lender plc', accountNumber: '12345678', sortCode: '112233' }
  const redemption = {
    type: 'DESTINATION',
    category: 'Redemption',
    amount: ADVANCE,
    reference: 'R-1',
    bankAccount,
  } as const
  await firm.addLineItem({ path, body: advance, ...EDITOR })
  await firm.addLineItem({ path, body: redemption, ...EDITOR })
  const body = { action: 'APPROVE', approvedBy: APPROVER } as const
  await firm.approveFinancialSettlementSchedule({ path: pathOf(workspaceId), body })
}

const pathOf = (workspaceId: string) => ({ workspace_id: workspaceId })
