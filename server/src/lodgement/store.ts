import { randomUUID } from 'node:crypto'
import { type Actor, nameOf } from '../audit/record.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { notFound } from '../platform/http/errors.ts'
import { type Application, type ApplicationPlan, type ApplicationType, firstStatus, type Wanted } from './rules.ts'

/** A case with its first application, which registers the new charge. */
export function insertCase(tx: Transaction, workspaceId: string, actor: Actor): string {
  const lodgementCaseId = randomUUID()
  tx.send(
    `insert into lodgement_cases (lodgement_case_id, workspace_id, status, created_at, created_by, last_modified_at,
       last_modified_by) values ($1, $2, 'CREATED', $3, $4, $3, $4)`,
    [lodgementCaseId, workspaceId, actor.at, nameOf(actor)],
  )
  insertApplication(tx, lodgementCaseId, { applicationType: 'MORTGAGE_DEED' }, actor)
  return lodgementCaseId
}

export function savePlan(tx: Transaction, lodgementCaseId: string, plan: ApplicationPlan, actor: Actor): void {
  if (plan.add.length === 0 && plan.withdraw.length === 0) return
  tx.send('update lodgement_cases set last_modified_at = $2, last_modified_by = $3 where lodgement_case_id = $1', [
    lodgementCaseId,
    actor.at,
    nameOf(actor),
  ])
  for (const wanted of plan.add) insertApplication(tx, lodgementCaseId, wanted, actor)
  for (const { applicationId } of plan.withdraw) {
    tx.send(
      `update lodgement_applications set status = 'WITHDRAWN', last_modified_at = $2, last_modified_by = $3
        where application_id = $1`,
      [applicationId, actor.at, nameOf(actor)],
    )
  }
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
      nameOf(actor),
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

export type ApplicationRow = {
  applicationId: string
  applicationType: ApplicationType
  status: string
  proprietorId?: string
  createdAt: string
  createdBy: string
  lastModifiedAt: string
  lastModifiedBy: string
}

export type CaseRow = {
  lodgementCaseId: string
  status: string
  workspaceId: string
  workspaceReferenceId: string
  registryReference: string | null
  priorityAt: Date | null
  earlyCompletion: boolean
  titleId: string | null
  titleNumber: string | null
  tenure: 'FREEHOLD' | 'LEASEHOLD' | null
  searchStatus: string | null
  searchFailure: string | null
  applications: ApplicationRow[]
  createdAt: Date
  createdBy: string
  lastModifiedAt: Date
  lastModifiedBy: string
}

export async function findCase(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
): Promise<CaseRow> {
  const [row] = await connection.query<CaseRow>(
    `select c.lodgement_case_id as "lodgementCaseId", c.status, w.workspace_id as "workspaceId",
            w.workspace_reference_id as "workspaceReferenceId", c.registry_reference as "registryReference",
            c.priority_at as "priorityAt", c.early_completion as "earlyCompletion", t.title_id as "titleId",
            t.title_number as "titleNumber", t.tenure, t.search_status as "searchStatus",
            t.search_failure as "searchFailure", c.created_at as "createdAt", c.created_by as "createdBy",
            c.last_modified_at as "lastModifiedAt", c.last_modified_by as "lastModifiedBy",
            (select jsonb_agg(jsonb_strip_nulls(jsonb_build_object(
                      'applicationId', application_id, 'applicationType', application_type, 'status', a.status,
                      'proprietorId', proprietor_id, 'createdAt', a.created_at, 'createdBy', a.created_by,
                      'lastModifiedAt', a.last_modified_at, 'lastModifiedBy', a.last_modified_by)) order by seq)
               from lodgement_applications a where a.lodgement_case_id = c.lodgement_case_id) as applications
       from workspaces w join lodgement_cases c using (workspace_id) left join titles t using (workspace_id)
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id)`,
    [workspaceId, subscriberId],
  )
  if (!row) throw notFound('workspace_id', 'There is no such workspace.')
  return row
}
