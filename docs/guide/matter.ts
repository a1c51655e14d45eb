import { createClient, type Lodgeway } from '@lodgeway/client'

// What the pages of this guide begin with. The functions do what getting-started.md does, so that another page can begin
// in the middle of a matter.

export interface Matter {
  lender: Lodgeway
  firm: Lodgeway
  workspaceId: string
}

/** A client of the lender and one of the law firm. */
export function sandboxClients(baseUrl: string): Pick<Matter, 'lender' | 'firm'> {
  const as = (clientId: string) => createClient({ baseUrl, clientId, clientSecret: `${clientId}-secret` })
  return { lender: as('sandbox-lender'), firm: as('sandbox-law-firm') }
}

/** Where the register says that a title is. */
const ADDRESSES = {
  ST500678: { number: '12', street: 'Cothelstone Close', town: 'Taunton', postcode: 'TA1 9QH' },
  RQ100001: { number: '18', street: 'Orchard Walk', town: 'Reading', postcode: 'RG4 9QN' },
}

/** The lender opens a workspace, and the title is searched. */
export async function newMatter(
  baseUrl: string,
  titleNumber: keyof typeof ADDRESSES = 'ST500678',
  parties = [borrower('William', 'Prynne'), borrower('Tracey', 'Prynne')],
): Promise<Matter> {
  const { lender, firm } = sandboxClients(baseUrl)
  const created = await lender.createRemortgageWorkspace({
    body: {
      reference: 'GUIDE-2',
      property: {
        securityAddress: ADDRESSES[titleNumber],
        titleNumber,
      },
      parties,
    },
  })
  await firm.waitForTitleSearch(created)
  return { lender, firm, workspaceId: created.workspaceId }
}

/** A borrower for whom Harbour Conveyancing LLP acts. */
export function borrower(forenames: string, surname: string) {
  return {
    type: 'INDIVIDUAL' as const,
    role: 'BORROWER' as const,
    partyDetails: { forenames, surname },
    participants: [{ id: '20000000-0000-4000-8000-000000000001', role: 'CONVEYANCER' as const }],
  }
}

/** The law firm acts for every party. */
export async function represent({ firm, workspaceId }: Matter): Promise<void> {
  const path = { workspace_id: workspaceId }
  for (const { partyId } of (await firm.getWorkspace({ path })).parties) {
    const body = { partyId, representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM' as const }
    await firm.waitForRepresentation(await firm.addRepresentation({ path, body }))
  }
}

/** The case of the matter, and the path of its mortgage deed. */
export async function findDeed({ firm, workspaceId }: Matter) {
  const { records } = await firm.getLodgementCases({ query: { workspace_id: workspaceId } })
  const [lodgement] = records
  const deed = lodgement?.applications.find(({ applicationType }) => applicationType === 'MORTGAGE_DEED')
  if (!lodgement || !deed) throw new Error('The matter has no mortgage deed.')
  return { lodgement, path: { lodgement_case_id: lodgement.lodgementCaseId, application_id: deed.applicationId } }
}

/** The law firm fills in the deed and attaches it. */
export async function prepare(matter: Matter): Promise<void> {
  const { firm, workspaceId } = matter
  const { path } = await findDeed(matter)
  await firm.updateLodgementApplication({
    path,
    body: { transactionValue: 206_000, mortgageDeedReference: 'MD431C', mortgageDeedReferenceType: 'PAPER' },
  })
  const { fileId } = await firm.upload('attachDocument', {
    path,
    fields: { documentType: 'MORTGAGE_DEED', documentCategory: 'APPLICATION_DOCUMENT', certificationType: 'CERTIFIED' },
    file: 'docs/guide/sample-deed.pdf',
  })
  await firm.waitForFile({ workspaceId, fileId })
}

/** The law firm approves the case. */
export async function approve({ firm, workspaceId }: Matter): Promise<void> {
  const body = { action: 'APPROVE' as const, workspaceId, approvedBy: 'jo.marsh@harbour.example' }
  await firm.approveLodgement({ path: { workspace_id: workspaceId }, body })
}

/** The law firm draws up the money and approves it, and the lender authorises it. */
export async function fund({ lender, firm, workspaceId }: Matter): Promise<void> {
  const path = { workspace_id: workspaceId }
  const { records } = await firm.getFinancialSettlementSchedules({ query: path })
  const schedule = { financial_settlement_schedule_id: records[0]?.financialSettlementScheduleId ?? '' }
  const { records: days } = await firm.listBusinessDays({ query: { limit: 2 } })
  const completionDate = days[1]?.date ?? ''
  await firm.updateFinancialSettlementSchedule({ path: schedule, body: { completionDate } })
  const advance = { category: 'Mortgage Advance' as const, amount: 206_000 }
  await firm.addLineItem({ path: schedule, body: { type: 'SOURCE', ...advance, reference: 'ADVANCE' } })
  await firm.addLineItem({
    path: schedule,
    body: {
      type: 'DESTINATION',
      category: 'Redemption',
      amount: 206_000,
      reference: 'REDEMPTION 4471',
      bankAccount: { accountName: 'Eastmoor Bank plc', accountNumber: '40117788', sortCode: '200000' },
    },
  })
  const approvedBy = 'jo.marsh@harbour.example'
  await firm.approveFinancialSettlementSchedule({ path, body: { action: 'APPROVE', approvedBy } })
  await lender.authoriseFunds({ path, body: { completionDate, lineItem: { authorised: true, ...advance } } })
}
