import { APPLICATIONS } from '../lodgement/records.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { LINES, SCHEDULE_APPROVALS } from '../settlement/store.ts'
import { caseNotFound, PARTIES, PROPRIETORS, scheduleNotFound, workspaceNotFound } from '../workspaces/store.ts'
import type { Matter, Title } from './matter.ts'

/** The id by which a request names a matter. */
export type MatterKey = { workspaceId: string } | { lodgementCaseId: string } | { scheduleId: string }

const KEYS = {
  workspaceId: { column: 'w.workspace_id', missing: workspaceNotFound },
  lodgementCaseId: { column: 'c.lodgement_case_id', missing: caseNotFound },
  scheduleId: { column: 's.schedule_id', missing: scheduleNotFound },
}

/** Somebody else's is not found, with the very words for one that was never there. */
export async function lockMatter(
  tx: Transaction,
  key: MatterKey,
  { subscriberId }: { subscriberId: string },
): Promise<Matter> {
  const [[name, id]] = Object.entries(key) as [[keyof typeof KEYS, string]]
  const { column, missing } = KEYS[name]
  const matter = await lockAndLoad(tx, column, id, subscriberId)
  if (!matter) throw missing()
  return matter
}

/** The same without a lock, to look at it. */
export async function findMatter(
  connection: Connection,
  key: MatterKey,
  { subscriberId }: { subscriberId: string },
): Promise<Matter> {
  const [[name, id]] = Object.entries(key) as [[keyof typeof KEYS, string]]
  const { column, missing } = KEYS[name]
  const [loaded] = await connection.query<Loaded>(`${LOAD} where ${column} = $1 and ${OF_CALLER}`, [id, subscriberId])
  if (!loaded) throw missing()
  return matterOf(loaded)
}

/** For jobs, which act for nobody in particular. */
export const lockAnyMatter = (tx: Transaction, workspaceId: string): Promise<Matter | undefined> =>
  lockAndLoad(tx, KEYS.workspaceId.column, workspaceId, null)

/**
 * Two statements, one round trip: the second reads once the first has the lock. Otherwise it would see the
 * matter as it was before a wait.
 */
async function lockAndLoad(tx: Transaction, column: string, id: string, subscriberId: string | null) {
  const [[locked], [loaded]] = await Promise.all([
    tx.query(`${LOCK} where ${column} = $1 and ($2::uuid is null or ${OF_CALLER}) ${LOCKED}`, [id, subscriberId]),
    tx.query<Loaded>(`${LOAD} where ${column} = $1`, [id]),
  ])
  return locked && loaded && matterOf(loaded)
}

/** JSON has times as text. */
type Loaded = Omit<Matter, 'title' | 'notices' | 'caseApprovals'> & { title: Title | null }

const matterOf = ({
  workspace,
  title,
  settlements,
  submissions,
  requisitions,
  confirmations,
  ...loaded
}: Loaded): Matter => ({
  ...loaded,
  workspace: dated('turnSince')(dated('turnDueAt')(workspace)),
  title: title ? dated('firstAskedAt')(title) : undefined,
  caseApprovals: [],
  notices: [],
  settlements: settlements.map(dated('initiatedAt')),
  submissions: submissions.map(dated('sentAt')),
  requisitions: requisitions.map(dated('dueAt')),
  confirmations: confirmations.map(dated('confirmedAt')),
})

const dated =
  <Name extends string>(name: Name) =>
  <Row extends { [name in Name]?: Date | null }>(row: Row): Row => ({
    ...row,
    [name]: row[name] && new Date(row[name]),
  })

const FROM = `
  from workspaces w join lodgement_cases c using (workspace_id) join settlement_schedules s using (workspace_id)`
const LOCK = `select ${FROM}`
const LOCKED = 'for update of w, c, s'
const OF_CALLER = '$2 in (w.lender_id, w.law_firm_id)'

/** The external law firms that act for a party, or are to. */
const FIRMS = `
  select firm_id from representations
   where workspace_id = w.workspace_id and status in ('QUEUED', 'ACTIVE') and firm_id is not null`

/** Everybody whom changes named. Nodes of version 1.0 keep the last of them alone. */
const changedBy = (row: string): string => `
  case when lower(${row}.changed_by_user) = any (${row}.changed_by_users) then ${row}.changed_by_users
       else array_remove(${row}.changed_by_users || lower(${row}.changed_by_user), null) end`

const LOAD = `
  select jsonb_build_object('workspaceId', w.workspace_id, 'workspaceReferenceId', w.workspace_reference_id, 'reference',
           w.reference, 'lenderId', w.lender_id, 'lawFirmId', w.law_firm_id, 'securityAddress', w.security_address,
           'status', w.status, 'completionDate', w.completion_date,
           'validationStatus', w.borrowers_validation_status, 'transferOfEquity', w.transfer_of_equity, 'turnWho', w.turn_who,
           'turnTask', w.turn_task, 'turnSince', w.turn_since, 'turnDueAt', w.turn_due_at, 'turnAlso', w.turn_also,
           'turnWaited', w.turn_waited, 'turnStale', w.turn_stale) as workspace,
         jsonb_build_object('lodgementCaseId', c.lodgement_case_id, 'status', c.status, 'ready', c.ready,
           'changedBy', ${changedBy('c')}, 'approvedBy', c.approved_by,
           'registryWait', c.registry_wait) as "lodgementCase",
         jsonb_build_object('scheduleId', s.schedule_id, 'status', s.status, 'changedBy', ${changedBy('s')},
           'lines', ${LINES}, 'approvals', ${SCHEDULE_APPROVALS}, 'failure', s.failure) as schedule,
         (select four_eyes from subscribers where subscriber_id = w.law_firm_id) as "fourEyes",
         (select registry from service_state) as registry,
         exists (select from hmlr_lenders h where h.subscriber_id = w.lender_id) as "isLenderSet",
         (select coalesce(jsonb_agg(jsonb_build_object('settlementId', settlement_id, 'scheduleId', p.schedule_id,
                   'status', p.status, 'lines', lines, 'initiatedAt', initiated_at)), '[]')
            from settlements p where p.workspace_id = w.workspace_id and p.status = 'INITIATED') as settlements,
         (select coalesce(jsonb_agg(jsonb_build_object('submissionId', submission_id, 'kind', b.kind, 'approvedBy', b.approved_by,
                   'content', content, 'sentAt', sent_at, 'seen', array(
                     select notice_id from registry_notices n where n.submission_id = b.submission_id))
                   order by number), '[]')
            from submissions b where b.lodgement_case_id = c.lodgement_case_id) as submissions,
         (select coalesce(jsonb_agg(jsonb_build_object('requisitionId', requisition_id, 'submissionId', submission_id,
                   'registryId', registry_id, 'status', q.status, 'points', points, 'dueAt', due_at) order by seq), '[]')
            from requisitions q where q.lodgement_case_id = c.lodgement_case_id) as requisitions,
         (select coalesce(jsonb_agg(jsonb_build_object('confirmationId', confirmation_id, 'ruleId', rule_id, 'field', field,
                   'reason', reason, 'confirmedBy', confirmed_by, 'confirmedAt', confirmed_at, 'basis', basis, 'seq', seq)
                   order by seq), '[]')
            from confirmations o where o.workspace_id = w.workspace_id) as confirmations,
         ${PARTIES} as parties, ${PROPRIETORS} as proprietors, ${APPLICATIONS} as applications,
         (select coalesce(jsonb_agg(jsonb_build_object('fileId', file_id, 'status', f.status, 'documentCategory',
                   document_category, 'registryDocument', registry_document) order by f.seq), '[]')
            from files f where f.workspace_id = w.workspace_id and f.application_id is null
             and f.status in ('PENDING', 'SUCCESS')) as files,
         (select jsonb_build_object('titleId', title_id, 'titleNumber', t.title_number, 'searchStatus', search_status,
                   'firstAskedAt', first_asked_at,
                   'hasCharge', coalesce(jsonb_array_length(register -> 'charges') > 0, false),
                   'address', register -> 'property' -> 'address',
                   'hasRestriction', coalesce(jsonb_path_exists(register,
                     '$.restrictions[*] ? (@.type != "CHARGE" && @.type != "CHARGE_RELATED")'), false))
            from titles t where t.workspace_id = w.workspace_id) as title,
         (select coalesce(jsonb_agg(jsonb_build_object('titleDocumentId', title_document_id)), '[]')
            from title_documents d where d.lodgement_case_id = c.lodgement_case_id) as "titleDocuments",
         (select coalesce(jsonb_agg(jsonb_strip_nulls(jsonb_build_object('representationId', representation_id,
                   'partyId', party_id, 'status', r.status, 'representedBy', represented_by, 'verificationOfIdentity',
                   verification_of_identity, 'firmId', firm_id, 'subscriberId', r.subscriber_id, 'correlationId', correlation_id, 'firmSuspended',
                   coalesce(f.status <> 'ACTIVE', false))) order by r.seq), '[]')
            from representations r left join subscribers f using (subscriber_id)
           where r.workspace_id = w.workspace_id and (r.status in ('QUEUED', 'ACTIVE') or r.firm_id in (${FIRMS})))
           as representations,
         (select coalesce(jsonb_agg(jsonb_build_object('firmId', firm_id, 'name', name, 'address', address)), '[]')
            from external_law_firms where firm_id in (${FIRMS})) as firms ${FROM}`
