import { runSql } from '../../fixtures/database.ts'

// Matters of other subscribers in the tables of version 1.0.0, so that a migration has something to do. They have no audit.

const LENDER = '70000000-0000-4000-8000-000000000001'
const FIRM = '70000000-0000-4000-8000-000000000002'
const EVENTS_OF_EACH = 10
const BY = `now() - interval '30 days', 'proof', now() - interval '30 days', 'proof'`
const MADE = 'created_at, created_by, last_modified_at, last_modified_by'
const OURS = `workspaces where lender_id = '${LENDER}'`

const statements = (count: number) => [
  'set synchronous_commit = off',
  `insert into subscribers (subscriber_id, name, kind, four_eyes, reports, created_at)
   values ('${LENDER}', 'A lender', 'LENDER', true, false, now()), ('${FIRM}', 'A firm', 'LAW_FIRM', true, false, now())`,
  `insert into workspaces (workspace_id, workspace_reference_id, reference, status, security_address, postcode, lender_id,
     law_firm_id, title_number, borrowers_validation_status, status_since, ${MADE})
   select gen_random_uuid(), 'LW26' || lpad(nextval('workspace_reference_numbers')::text, 7, '0'), 'REM-' || n, 'CREATED',
     '{"number":"83","street":"Fore Street","town":"Exeter","postcode":"EX4 3AN"}', 'EX4 3AN', '${LENDER}', '${FIRM}',
     'ST500678', 'VALID', now(), ${BY} from generate_series(1, ${count}) n`,
  `insert into parties (party_id, workspace_id, position, role, name)
   select gen_random_uuid(), workspace_id, position, 'BORROWER',
     jsonb_build_object('type', 'INDIVIDUAL', 'forenames', 'William ' || position, 'surname', 'Prynne')
     from generate_series(1, 2) position, ${OURS}`,
  `insert into titles (title_id, workspace_id, title_number, search_status, tenure, register)
   select gen_random_uuid(), workspace_id, 'ST500678', 'SUCCESS', 'FREEHOLD', '{"charges":[],"restrictions":[]}' from ${OURS}`,
  `insert into lodgement_cases (lodgement_case_id, workspace_id, status, ${MADE})
   select gen_random_uuid(), workspace_id, 'CREATED', ${BY} from ${OURS}`,
  `insert into lodgement_applications (application_id, lodgement_case_id, application_type, status, ${MADE})
   select gen_random_uuid(), lodgement_case_id, 'MORTGAGE_DEED', 'CREATED', ${BY}
     from lodgement_cases where workspace_id in (select workspace_id from ${OURS})`,
  `insert into settlement_schedules (schedule_id, workspace_id, status, ${MADE})
   select gen_random_uuid(), workspace_id, 'DRAFT', ${BY} from ${OURS}`,
  `insert into events (event_id, type, workspace_id, told, data, actor, correlation_id, at)
   select gen_random_uuid(), 'WORKSPACE_UPDATED', workspace_id, '{}', '{}', 'proof', 'proof', now()
     from generate_series(1, ${EVENTS_OF_EACH}), ${OURS}`,
  'analyze',
]

export async function fill(ownerUrl: string, count: number): Promise<void> {
  if (count > 0) await runSql(ownerUrl, statements(count).join(';\n'))
}
