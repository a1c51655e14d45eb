import { poundsOf } from '../jurisdiction/money.ts'
import { presentAudit, presentParty } from '../workspaces/present.ts'
import { mainDocument } from './attachments.ts'
import { feeOf, hasTransfer } from './fees.ts'
import type { ApplicationRow, CaseRow, DocumentRow, FoundApplication } from './records.ts'
import { concernedParties, priorities, termsOf } from './rules.ts'
import { type RegistryWait, WAITS } from './rules-registry.ts'
import type { Application, CaseRecord } from './schema.ts'
import type { RequisitionRow } from './store.ts'

// From rows to what the interface shows. A field without a value is left out.

/** `links` has the proprietor that each party is: names alone decide that, in title reconciliation. */
export function presentCase(row: CaseRow, links: ReadonlyMap<string, string>): CaseRecord {
  const { applications, requisition, rejection, registryWait } = row
  const priorityOf = priorities(applications)
  const lodged = { hasTransfer: hasTransfer(applications) }
  const parties = row.parties.map((party) => {
    const proprietorId = party.proprietorId ?? links.get(party.partyId)
    return proprietorId === undefined ? party : { ...party, proprietorId }
  })
  return {
    lodgementCaseId: row.lodgementCaseId,
    lodgementCaseStatus: row.status,
    workspaceId: row.workspaceId,
    workspaceReferenceId: row.workspaceReferenceId,
    transactionType: 'REMORTGAGE',
    ...(row.searchStatus && { lastTitleSearchStatus: row.searchStatus }),
    ...(row.searchFailure && { titleSearchFailure: row.searchFailure }),
    ...(row.registryReference && { registryReference: row.registryReference }),
    ...(row.priorityAt && { priorityAt: row.priorityAt.toISOString() }),
    earlyCompletion: row.earlyCompletion,
    ...(rejection && { rejection: presentRejection(rejection) }),
    ...(registryWait && { registryWait: presentWait(registryWait) }),
    titles: titlesOf(row),
    applications: applications.map((application) => ({
      ...presentApplication({ application, ...lodged }),
      ...priorityIn(priorityOf, application),
      documents: application.documents.map(presentDocument),
      parties: concernedParties(application, parties).map(presentParty),
    })),
    ...(requisition && { requisition: presentRequisition(requisition) }),
    approvals: row.approvals.map((one) => ({ ...one, at: timeOf(one.at) })),
    auditAttributes: presentAudit(row),
  }
}

function titlesOf({ titleId, titleNumber, tenure }: CaseRow): CaseRecord['titles'] {
  if (titleId === null || titleNumber === null) return []
  return [{ titleId, titleNumber, ...(tenure && { tenure }) }]
}

function priorityIn(priorityOf: ReadonlyMap<string, number>, { applicationId }: ApplicationRow) {
  const priority = priorityOf.get(applicationId)
  return priority === undefined ? {} : { priority }
}

/** What a caller sees of an application. */
export function presentApplication({ application, hasTransfer }: FoundApplication): Application {
  const { applicationId, applicationType, status, submittedAt, submittedBy } = application
  const file = mainDocument(application)
  return {
    applicationId,
    applicationType,
    status,
    ...(submittedAt !== undefined && { submittedAt: timeOf(submittedAt) }),
    ...(submittedBy !== undefined && { submittedBy }),
    auditAttributes: auditOf(application),
    ...(file && { file: presentFile(file) }),
    attributes: attributesOf(application, file, feeOf(application, { hasTransfer })),
  }
}

function attributesOf(
  application: ApplicationRow,
  file: DocumentRow | undefined,
  feePence: number | undefined,
): Application['attributes'] {
  const { applicationType, transactionValuePence, mortgageDeedReference, mortgageDeedReferenceType, isEffective } =
    application
  const { outstandingChargePence, ...terms } = termsOf(application)
  return {
    applicationType,
    ...(transactionValuePence !== undefined && { transactionValue: poundsOf(transactionValuePence) }),
    ...(feePence !== undefined && { landRegistryFee: poundsOf(feePence) }),
    ...(file && { certificationType: file.certificationType }),
    ...(mortgageDeedReference !== undefined && { mortgageDeedReference }),
    ...(mortgageDeedReferenceType !== undefined && { mortgageDeedReferenceType }),
    ...(isEffective !== undefined && { isEffective }),
    ...terms,
    ...(outstandingChargePence !== undefined && { outstandingCharge: poundsOf(outstandingChargePence) }),
  }
}

const presentFile = (row: DocumentRow) => ({
  fileId: row.fileId,
  fileName: row.fileName,
  fileUploadStatus: row.status,
  auditAttributes: auditOf(row),
})

function presentDocument(row: DocumentRow) {
  const { documentType, documentCategory, certificationType } = row
  return { ...presentFile(row), documentType, documentCategory, certificationType }
}

const presentRejection = ({ at, reason, field, message }: NonNullable<CaseRow['rejection']>) => ({
  at: timeOf(at),
  reason,
  ...(field !== undefined && { field }),
  message,
})

const presentWait = ({ reason, since }: RegistryWait) => ({
  reason,
  since: timeOf(since),
  message: WAITS[reason].message,
})

export const presentRequisitionRecord = (row: RequisitionRow) => ({
  ...presentRequisition(row),
  status: row.status,
  replies: repliesOf(row),
  ...closureOf(row),
})

function closureOf({ closedAt, closedBy: confirmedBy, closedReason: reason }: RequisitionRow) {
  if (closedAt === null || confirmedBy === null || reason === null) return {}
  return { closure: { at: timeOf(closedAt), reason, confirmedBy } }
}

function repliesOf({ answer, answeredAt, answeredBy, answerFileIds }: RequisitionRow) {
  if (answer === null || answeredAt === null || answeredBy === null) return []
  return [{ at: timeOf(answeredAt), by: answeredBy, message: answer, fileIds: answerFileIds ?? [] }]
}

type Asked = Record<'receivedAt' | 'dueAt', string | Date> & {
  requisitionId: string
  points: string[]
  fileIds: string[]
}

const presentRequisition = ({ requisitionId, receivedAt, dueAt, points, fileIds }: Asked) => ({
  requisitionId,
  receivedAt: timeOf(receivedAt),
  dueAt: timeOf(dueAt),
  points,
  fileIds,
})

const auditOf = ({ createdAt, lastModifiedAt, ...by }: ApplicationRow | DocumentRow) =>
  presentAudit({ ...by, createdAt: new Date(createdAt), lastModifiedAt: new Date(lastModifiedAt) })

const timeOf = (at: string | Date) => new Date(at).toISOString()
