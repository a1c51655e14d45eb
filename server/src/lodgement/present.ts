import { presentAudit } from '../workspaces/present.ts'
import { priorities } from './rules.ts'
import type { CaseRecord } from './schema.ts'
import type { ApplicationRow, CaseRow } from './store.ts'

export function presentCase(row: CaseRow): CaseRecord {
  const priorityOf = priorities(row.applications)
  return {
    lodgementCaseId: row.lodgementCaseId,
    lodgementCaseStatus: row.status as CaseRecord['lodgementCaseStatus'],
    workspaceId: row.workspaceId,
    workspaceReferenceId: row.workspaceReferenceId,
    transactionType: 'REMORTGAGE',
    ...(row.searchStatus && { lastTitleSearchStatus: row.searchStatus as 'INITIATED' }),
    ...(row.searchFailure && { titleSearchFailure: row.searchFailure as 'NOT_FOUND' }),
    ...(row.registryReference && { registryReference: row.registryReference }),
    ...(row.priorityAt && { priorityAt: row.priorityAt.toISOString() }),
    earlyCompletion: row.earlyCompletion,
    titles: titlesOf(row),
    applications: row.applications.map((one) => presentApplication(one, priorityOf.get(one.applicationId))),
    auditAttributes: presentAudit(row),
  }
}

function titlesOf({ titleId, titleNumber, tenure }: CaseRow): CaseRecord['titles'] {
  if (titleId === null || titleNumber === null) return []
  return [{ titleId, titleNumber, ...(tenure && { tenure }) }]
}

function presentApplication(row: ApplicationRow, priority: number | undefined): CaseRecord['applications'][number] {
  const { applicationId, applicationType, status, createdBy, lastModifiedBy } = row
  return {
    applicationId,
    applicationType,
    status: status as CaseRecord['applications'][number]['status'],
    ...(priority && { priority }),
    auditAttributes: presentAudit({
      createdAt: new Date(row.createdAt),
      createdBy,
      lastModifiedAt: new Date(row.lastModifiedAt),
      lastModifiedBy,
    }),
    attributes: { applicationType },
  }
}
