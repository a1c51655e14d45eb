import assert from 'node:assert/strict'
import type { Lodgeway, Schemas } from '../../../client/src/index.ts'
import { ADDRESSES } from '../../src/sandbox/addresses.ts'
import { APPROVER, EDITOR } from '../fixtures/approvals.ts'
import { aPdf } from '../fixtures/multipart.ts'
import { drain, FIRM_ID } from '../fixtures/workspaces.ts'
import type { Journey } from './journey.ts'

// What a lender and a law firm do, from the order to authorised funds. The clock does the rest.

type Order = Schemas['CreateRemortgageWorkspaceRequest']
type Borrower = Order['parties'][number]
type Application = Schemas['ApplicationRecord']
type Attached = Schemas['AttachDocumentRequest']
type Paper = [
  application: Application['applicationType'],
  document: Attached['documentType'],
  category?: Attached['documentCategory'],
]

export const ACTING = { actingUser: EDITOR }
const SOON = { everyMs: 150 } // many journeys at once, which ask more often, only keep the service from it
const PARTICIPANTS: Borrower['participants'] = [{ id: FIRM_ID, role: 'CONVEYANCER' }]

export const aPerson = (forenames: string, surname = 'Prynne'): Borrower => ({
  type: 'INDIVIDUAL',
  role: 'BORROWER',
  partyDetails: { forenames, surname },
  participants: PARTICIPANTS,
})

export const aCompany = (organisationName: string, registrationNumber: string): Borrower => ({
  type: 'ORGANISATION',
  role: 'BORROWER',
  partyDetails: { organisationName, registrationNumber },
  participants: PARTICIPANTS,
})

type Ordered = { titleNumber?: string; reference?: string; parties?: Borrower[]; address?: SecurityAddress }
type SecurityAddress = Order['property']['securityAddress']

const { ST500678 = assert.fail() } = ADDRESSES

/** The lender's order, by default for two borrowers, at the address that the register shows. */
export const anOrder = ({ titleNumber, reference = 'REM-1', parties, address }: Ordered = {}): Order => ({
  reference,
  property: {
    securityAddress: address ?? ADDRESSES[titleNumber ?? ''] ?? ST500678,
    ...(titleNumber && { titleNumber }),
  },
  parties: parties ?? [aPerson('William'), aPerson('Tracey')],
})

export type Matter = Journey & { workspaceId: string }

let orders = 0

export const order = (journey: Journey, titleNumber: string, ...parties: Borrower[]): Promise<Matter> =>
  orderWith(journey, { titleNumber, ...(parties.length && { parties }) })

/** Ordered with a unique reference; the registry has answered, unless it is slow. */
export async function orderWith(journey: Journey, ordered: Ordered): Promise<Matter> {
  orders += 1
  const body = anOrder({ ...ordered, reference: `JOURNEY-${orders}` })
  const { workspaceId } = await journey.lender.createRemortgageWorkspace({ body })
  await drain(journey.service)
  return { ...journey, workspaceId }
}

export const pathOf = ({ workspaceId }: Pick<Matter, 'workspaceId'>) => ({ path: { workspace_id: workspaceId } })

/** The number of the title, which the registry has answered for. */
export async function addTitle(matter: Matter, titleNumber: string): Promise<void> {
  await matter.firm.addTitle({ ...pathOf(matter), body: { titleNumber } })
  await drain(matter.service)
}

export async function removeTitle(matter: Matter): Promise<void> {
  const [{ titleId } = assert.fail('there is a title')] = (await caseOf(matter)).titles
  await matter.firm.removeTitle({ path: { ...pathOf(matter).path, title_id: titleId } })
}

export const readNames = (matter: Matter) => matter.firm.getTitleReconciliation(pathOf(matter))

export const reconcile = (matter: Matter, body: Schemas['TitleReconciliationRequest']) =>
  matter.firm.updateTitleReconciliation({ ...pathOf(matter), body })

export async function caseOf({ firm, workspaceId }: Matter): Promise<Schemas['LodgementCaseRecord']> {
  const { records } = await firm.getLodgementCases({ query: { workspace_id: workspaceId } })
  const [record, ...more] = records
  assert.ok(record && more.length === 0, 'a workspace has one case')
  return record
}

/** The newest register of the title, as JSON. */
export async function registerOf(matter: Matter): Promise<string> {
  const { lodgementCaseId, titles } = await caseOf(matter)
  const path = { lodgement_case_id: lodgementCaseId, title_id: titles[0]?.titleId ?? '' }
  const { records } = await matter.lender.getTitleDocuments({ path })
  return JSON.stringify(records[0]?.registerExtract)
}

/** Status of workspace and case together: how far the matter has come. */
export async function progressOf(matter: Matter): Promise<string> {
  const { status } = await matter.lender.getWorkspace(pathOf(matter))
  return `${status} ${(await caseOf(matter)).lodgementCaseStatus}`
}

type Representation = Omit<Schemas['AddRepresentationRequest'], 'partyId'>
const OWN: Representation = { representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM' }
export const A_FIRM = {
  name: 'Moorland & Vale',
  address: { number: '7', street: 'Cathedral Close', town: 'Exeter', postcode: 'EX1 1HS' },
}
export const EXTERNAL: Representation = {
  representedBy: 'EXTERNAL_LAW_FIRM',
  externalLawFirm: A_FIRM,
  referenceNumber: 'PRY/0042',
}

export const UNREPRESENTED: Representation = {
  representedBy: 'NOT_REPRESENTED',
  verificationOfIdentity: 'LAW_FIRM_CERTIFIED',
}

/** Adds a representation, by default by the firm itself, and waits until it is active. */
export async function represent(matter: Matter, partyId: string, how = OWN) {
  const accepted = await matter.firm.addRepresentation({ ...pathOf(matter), body: { partyId, ...how } })
  return matter.firm.waitForRepresentation(accepted, SOON)
}

/** Where the application of this type is. */
async function applicationPath(matter: Matter, type: Application['applicationType']) {
  const { lodgementCaseId, applications } = await caseOf(matter)
  const found = applications.find(({ applicationType, status }) => applicationType === type && status !== 'WITHDRAWN')
  assert.ok(found, `there is no ${type} in this case`)
  return { path: { lodgement_case_id: lodgementCaseId, application_id: found.applicationId } }
}

type Facts = Schemas['UpdateApplicationRequest']

export const describeDeed = (matter: Matter, facts: Facts) => describeApplication(matter, 'MORTGAGE_DEED', facts)

export async function describeApplication(matter: Matter, type: Application['applicationType'], body: Facts) {
  return matter.firm.updateLodgementApplication({ ...(await applicationPath(matter, type)), body, ...ACTING })
}

/** A document of an application, by default its main one, once it has passed its checks. */
export async function attach(matter: Matter, ...[type, documentType, documentCategory]: Paper): Promise<string> {
  const { firm, workspaceId } = matter
  const { fileId } = await firm.upload('attachDocument', {
    ...(await applicationPath(matter, type)),
    fields: {
      documentType,
      documentCategory: documentCategory ?? 'APPLICATION_DOCUMENT',
      certificationType: 'CERTIFIED',
    },
    file: aPdf(`${type} ${documentType} ${workspaceId}`),
    ...ACTING,
  })
  await firm.waitForFile({ workspaceId, fileId }, SOON)
  return fileId
}

export type Action = 'APPROVE' | 'UNAPPROVE'

export function approveCase(matter: Matter, action: Action = 'APPROVE') {
  const { firm, workspaceId } = matter
  const body = { action, workspaceId, approvedBy: APPROVER, disclosableOverridingInterests: false }
  return firm.approveLodgement({ ...pathOf(matter), body })
}

/** The loan, which the deed secures. */
export const ADVANCE = 206_000.1
const THE_DEED: Paper = ['MORTGAGE_DEED', 'MORTGAGE_DEED']
export const FACTS = {
  transactionValue: ADVANCE,
  mortgageDeedReference: 'MD431C',
  mortgageDeedReferenceType: 'PAPER',
} as const

/** Adds the representations that are missing. */
export async function representAll(matter: Matter): Promise<void> {
  const { parties } = await matter.firm.getWorkspace(pathOf(matter))
  const open = parties.filter(({ representation }) => !representation)
  for (const { partyId } of open) await represent(matter, partyId)
}

/** Adds the representations, the details of the deed, and all documents. */
export async function prepareCase(matter: Matter, ...papers: Paper[]): Promise<void> {
  await representAll(matter)
  await describeDeed(matter, { ...FACTS, transactionValue: matter.advance ?? ADVANCE })
  if (papers.some(([type]) => type === 'TRANSFER_OF_WHOLE')) {
    await describeApplication(matter, 'TRANSFER_OF_WHOLE', { transactionValue: 0 })
  }
  for (const paper of [THE_DEED, ...papers]) await attach(matter, ...paper)
}

/** The same, as far as its approval. */
export async function completeCase(matter: Matter, ...papers: Paper[]): Promise<void> {
  await prepareCase(matter, ...papers)
  await approveCase(matter)
}

/** A document of the workspace, which stays open for it, once it has passed its checks. */
export async function upload(matter: Matter, client: Lodgeway, fields: UploadFields): Promise<string> {
  const { workspaceId } = matter
  const file = aPdf(`${fields.documentType} ${workspaceId}`)
  const { fileId } = await client.upload('uploadFile', { ...pathOf(matter), fields, file })
  await client.waitForFile({ workspaceId, fileId }, SOON)
  return fileId
}

type UploadFields = Omit<Schemas['UploadFileRequest'], 'file'>

/** The firm answers what the registry asks, with a copy of what it wants to see. */
export async function answerRequisition(matter: Matter) {
  const { lodgementCaseId } = await caseOf(matter)
  const fields = { documentType: 'EVIDENCE', documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' } as const
  const fileId = await upload(matter, matter.firm, fields)
  const message = 'The witness can be read on the certified copy.'
  const body = { message, fileIds: [fileId] }
  const answer = await matter.firm.replyToRequisition({ path: { lodgement_case_id: lodgementCaseId }, body })
  return { message, fileId, answer }
}
