import { randomUUID } from 'node:crypto'
import { type Actor, actorName } from '../audit/record.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { personOf, remembering } from '../workspaces/four-eyes.ts'
import { type Application, type ApplicationPlan, firstStatus, type Particulars, type Wanted } from './rules.ts'

/** A case with its first application, which registers the new charge. */
export function insertCase(tx: Transaction, workspaceId: string, actor: Actor): string {
  const lodgementCaseId = randomUUID()
  tx.send(
    `insert into lodgement_cases (lodgement_case_id, workspace_id, status, created_at, created_by, last_modified_at,
       last_modified_by) values ($1, $2, 'CREATED', $3, $4, $3, $4)`,
    [lodgementCaseId, workspaceId, actor.at, actorName(actor)],
  )
  insertApplication(tx, lodgementCaseId, { applicationType: 'MORTGAGE_DEED' }, actor)
  return lodgementCaseId
}

export function savePlan(tx: Transaction, lodgementCaseId: string, plan: ApplicationPlan, actor: Actor): void {
  if (plan.add.length === 0 && plan.withdraw.length === 0) return
  markChanged(tx, lodgementCaseId, actor)
  for (const wanted of plan.add) insertApplication(tx, lodgementCaseId, wanted, actor)
  for (const { applicationId } of plan.withdraw) {
    tx.send(
      `update lodgement_applications set status = 'WITHDRAWN', last_modified_at = $2, last_modified_by = $3
        where application_id = $1`,
      [applicationId, actor.at, actorName(actor)],
    )
  }
}

/**
 * To be called with every change to an application or to a document attached to one: the person whom it names may not
 * approve the case.
 */
export function markChanged(tx: Transaction, lodgementCaseId: string, actor: Actor): void {
  tx.send(
    `update lodgement_cases set last_modified_at = $2, last_modified_by = $3, ${remembering('$4')}
      where lodgement_case_id = $1`,
    [lodgementCaseId, actor.at, actorName(actor), personOf(actor)],
  )
}

export function saveParticulars(tx: Transaction, applicationId: string, particulars: Particulars, actor: Actor): void {
  const { transactionValuePence, mortgageDeedReference, mortgageDeedReferenceType, isEffective } = particulars
  tx.send(
    `update lodgement_applications set transaction_value_pence = $2, mortgage_deed_reference = $3,
       mortgage_deed_reference_type = $4, is_effective = $5, last_modified_at = $6, last_modified_by = $7
      where application_id = $1`,
    [
      applicationId,
      transactionValuePence ?? null,
      mortgageDeedReference ?? null,
      mortgageDeedReferenceType ?? null,
      isEffective ?? null,
      actor.at,
      actorName(actor),
    ],
  )
}

function insertApplication(tx: Transaction, lodgementCaseId: string, wanted: Wanted, actor: Actor): void {
  tx.send(
    `insert into lodgement_applications (application_id, lodgement_case_id, application_type, status, proprietor_id,
       created_at, created_by, last_modified_at, last_modified_by) values ($1, $2, $3, $4, $5, $6, $7, $6, $7)`,
    [
      randomUUID(),
      lodgementCaseId,
      wanted.applicationType,
      firstStatus(wanted.applicationType),
      wanted.proprietorId ?? null,
      actor.at,
      actorName(actor),
    ],
  )
}

/** The applications of a workspace's case as rules look at them, oldest first. */
export const listApplications = (connection: Connection, workspaceId: string) =>
  connection
    .query<Omit<Application, 'proprietorId'> & { proprietorId: string | null }>(
      `select application_id as "applicationId", application_type as "applicationType", a.status,
              proprietor_id as "proprietorId"
         from lodgement_applications a join lodgement_cases using (lodgement_case_id)
        where workspace_id = $1 order by seq`,
      [workspaceId],
    )
    .then((rows): Application[] =>
      rows.map(({ proprietorId, ...row }) => (proprietorId === null ? row : { ...row, proprietorId })),
    )
