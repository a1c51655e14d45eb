import { entryHash, payloadHash } from '../../src/audit/record.ts'

// Matters in any number, by SQL, so that each table has the rows that it would have. All ids follow from the number of a matter,
// so that the rows of each table can be made by themselves.

export const LENDERS = ['a0000000-0000-4000-8000-000000000001', 'a0000000-0000-4000-8000-000000000002']
export const FIRMS = ['b0000000-0000-4000-8000-000000000001', 'b0000000-0000-4000-8000-000000000002']
export const REGISTRATION = 'c0000000-0000-4000-8000-000000000001'

/** The same for all statements: hashes are made of it. */
const NOW = `timestamptz '${new Date().toISOString()}'`

/** The id of a thing of matter `n`. */
export const idSql = (what: string, n = 'n') => `md5('${what}' || ${n})::uuid`

/** The first `$3` ended eight years ago. Of the rest every second ended within four years, every other is under way. */
const MATTER = `
  select n, ${idSql('workspace')} as id, ${idSql('case')} as case_id, ${idSql('schedule')} as schedule_id,
    ${idSql('title')} as title_id, ${idSql('application')} as application_id, ${idSql('submission')} as submission_id,
    ${idSql('settlement')} as settlement_id, ${idSql('firm')} as firm_id, encode(sha256(n::text::bytea), 'hex') as sha256,
    (array['${LENDERS.join("','")}'])[1 + n % 2]::uuid as lender_id, (array['${FIRMS.join("','")}'])[1 + n / 2 % 2]::uuid as law_firm_id,
    case when n <= $3 then case n % 5 when 0 then 'CANCELLED' else 'CLOSED' end when n % 2 = 0 then 'CLOSED' else 'LODGED' end as status,
    ${NOW} - case when n <= $3 then interval '8 years' else interval '4 years' end + n * interval '20 seconds' as at
    from generate_series($1::int, $2::int) n`

const HEADER = (action: string) =>
  `jsonb_build_object('at', to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'), 'action', '${action}',
     'ids', jsonb_build_object('workspaceId', id), 'clientId', 'a-client', 'correlationId', n::text)`
const PAYLOAD = (word: string) =>
  `jsonb_build_object('salt', md5('salt${word}' || n), 'after', jsonb_build_object('surname', 'Prynne', 'status', '${word}'))`

/** With the two entries of its audit. */
const AUDITED = `
  select m.*, header_1, payload_1, payload_hash_1, hash_1, header_2, payload_2, payload_hash_2,
    ${entryHash('hash_1', 'payload_hash_2', 'header_2')} as hash_2
   from (${MATTER}) m,
    lateral (select ${HEADER('workspace created')} as header_1, ${PAYLOAD('CREATED')} as payload_1,
                    ${HEADER('case registered')} as header_2, ${PAYLOAD('CLOSED')} as payload_2) parts,
    lateral (select ${payloadHash('payload_1')} as payload_hash_1, ${payloadHash('payload_2')} as payload_hash_2) hashed,
    lateral (select ${entryHash("''::bytea", 'payload_hash_1', 'header_1')} as hash_1) first`

const MADE = `at, 'proof', at, 'proof'`
const MADE_COLUMNS = 'created_at, created_by, last_modified_at, last_modified_by'
const NAME = `jsonb_build_object('type', 'INDIVIDUAL', 'forenames', 'Tracey', 'surname', 'Prynne' || n % 5000)`
const REGISTER = `'{"charges":[],"restrictions":[],"entries":["A register of some length, as registers are, with the name of an owner."]}'::jsonb`

type Rows = { table: string; columns: string; select: string; of?: string; times?: number; isForAll?: true }

/** Each matter has rows in the tables that lists and reads need, and every tenth of those that stay in all others, too. */
export const ROWS: readonly Rows[] = [
  {
    table: 'workspaces',
    columns: `workspace_id, workspace_reference_id, reference, status, security_address, postcode, lender_id, law_firm_id,
      title_number, borrowers_validation_status, completion_date, status_since, turn_stale, turn_who, borrowers, audit_seq, audit_hash, ${MADE_COLUMNS}`,
    select: `id, 'LW18' || lpad(n::text, 7, '0'), 'REM-' || n, status,
      '{"number":"83","street":"Fore Street","town":"Exeter","postcode":"EX4 3AN"}', 'EX4 3AN', lender_id, law_firm_id,
      'ST' || n % 900000, 'VALID', at::date, at, false, case status when 'LODGED' then 'REGISTRY' end, jsonb_build_array(${NAME}), 2, hash_2, ${MADE}`,
    of: AUDITED,
    isForAll: true,
  },
  {
    table: 'audit_entries',
    columns: 'chain, seq, entry, payload, payload_hash, hash',
    select: 'id, 1, header_1, payload_1, payload_hash_1, hash_1',
    of: AUDITED,
    isForAll: true,
  },
  {
    table: 'audit_entries',
    columns: 'chain, seq, entry, payload, payload_hash, hash',
    select: 'id, 2, header_2, payload_2, payload_hash_2, hash_2',
    of: AUDITED,
    isForAll: true,
  },
  of(
    'workspace_activity',
    'workspace_id, lender_id, law_firm_id, status, last_event_at',
    'id, lender_id, law_firm_id, status, at',
    true,
  ),
  of(
    'parties',
    'party_id, workspace_id, position, role, name, search_name, lender_id, law_firm_id',
    `${idSql('party')}, id, 1, 'BORROWER', ${NAME}, 'prynne' || n % 5000, lender_id, law_firm_id`,
    true,
  ),
  of(
    'proprietors',
    'proprietor_id, workspace_id, position, name, registered_name, aliases',
    `${idSql('owner')}, id, 1, ${NAME}, ${NAME}, '[]'`,
    true,
  ),
  of(
    'titles',
    'title_id, workspace_id, title_number, search_status, tenure, register',
    `title_id, id, 'ST' || n % 900000, 'SUCCESS', 'FREEHOLD', ${REGISTER}`,
    true,
  ),
  of(
    'lodgement_cases',
    `lodgement_case_id, workspace_id, status, registry_reference, ${MADE_COLUMNS}`,
    `case_id, id, case status when 'LODGED' then 'LODGED' else 'REGISTERED' end, 'R' || n, ${MADE}`,
    true,
  ),
  of(
    'lodgement_applications',
    `application_id, lodgement_case_id, application_type, status, ${MADE_COLUMNS}`,
    `application_id, case_id, 'MORTGAGE_DEED', 'LODGED', ${MADE}`,
    true,
  ),
  of(
    'settlement_schedules',
    `schedule_id, workspace_id, status, ${MADE_COLUMNS}`,
    `schedule_id, id, 'SETTLED', ${MADE}`,
    true,
  ),
  {
    ...of(
      'events',
      'event_id, type, workspace_id, told, data, actor, correlation_id, at',
      `md5('event' || n || 'x' || i)::uuid, 'WORKSPACE_LODGED', id, array[lender_id, law_firm_id], jsonb_build_object('workspaceId', id), 'proof', n::text, at`,
      true,
    ),
    times: 3,
  },
  of('external_law_firms', 'firm_id, workspace_id, name, address', `firm_id, id, 'Quay Law', '{"town":"Exeter"}'`),
  of(
    'representations',
    `representation_id, workspace_id, party_id, represented_by, firm_id, reference_number, status, correlation_id, ${MADE_COLUMNS}`,
    `${idSql('representation')}, id, ${idSql('party')}, 'EXTERNAL_LAW_FIRM', firm_id, 'REF', 'ACTIVE', n::text, ${MADE}`,
  ),
  {
    ...of(
      'line_items',
      'line_item_id, schedule_id, type, category, amount_pence, reference, bank_account',
      `md5('line' || n || 'x' || i)::uuid, schedule_id, 'DESTINATION', 'Redemption', 100, 'ACC', '{"accountName":"T Prynne"}'`,
    ),
    times: 2,
  },
  of('schedule_approvals', 'schedule_id, action, approved_by, at', `schedule_id, 'APPROVE', 'jo@firm.example', at`),
  of('lodgement_approvals', 'lodgement_case_id, action, approved_by, at', `case_id, 'APPROVE', 'jo@firm.example', at`),
  of(
    'confirmations',
    'confirmation_id, workspace_id, rule_id, field, reason, confirmed_by, confirmed_at, basis',
    `${idSql('confirmation')}, id, 'a-rule', 'x', 'It is so.', 'jo@firm.example', at, 'x'`,
  ),
  of(
    'submissions',
    'submission_id, lodgement_case_id, number, approved_by, correlation_id, created_at, content',
    `submission_id, case_id, 1, 'jo@firm.example', n::text, at, '{"surname":"Prynne"}'`,
  ),
  of('registry_notices', 'submission_id, notice_id, kind, at', `submission_id, 'N1', 'registered', at`),
  of(
    'requisitions',
    'requisition_id, lodgement_case_id, submission_id, registry_id, points, received_at, due_at, status',
    `${idSql('requisition')}, case_id, submission_id, 'RQ', '[]', at, at, 'LAPSED'`,
  ),
  of(
    'settlements',
    'settlement_id, schedule_id, workspace_id, status, lines, initiated_at, settled_at',
    `settlement_id, schedule_id, id, 'SETTLED', '[]', at, at`,
  ),
  of(
    'title_documents',
    'title_document_id, lodgement_case_id, title_id, document_type, register, official_copy_at, created_at',
    `${idSql('document')}, case_id, title_id, 'TITLE_REGISTER', ${REGISTER}, at, at`,
  ),
  of('blobs', 'sha256, size, touched_at', `sha256, 1000, at`),
  of(
    'files',
    `file_id, workspace_id, application_id, subscriber_id, file_name, document_type, document_category, certification_type,
     sha256, size, status, correlation_id, ${MADE_COLUMNS}`,
    `${idSql('file')}, id, application_id, law_firm_id, 'Prynne.pdf', 'MORTGAGE_DEED', 'APPLICATION_DOCUMENT', 'CERTIFIED', sha256,
     1000, 'SUCCESS', n::text, ${MADE}`,
  ),
  of(
    'notifications',
    'notification_id, registration_id, subscriber_id, event_id, lane, type, status, created_at',
    `${idSql('delivery')}, '${REGISTRATION}', lender_id, md5('event' || n || 'x1')::uuid, id, 'WORKSPACE_LODGED', 'DELIVERED', now()`,
  ),
  of(
    'hmlr_submissions',
    'message_id, subscriber_id, title_number, customer_reference, completed_on, body, application_request_id',
    `submission_id, law_firm_id, 'ST1', 'LW' || n, at::date, '{"surname":"Prynne"}', 'AR' || n`,
  ),
  of('hmlr_replies', 'message_id, registry_id, part, begun_at, ended_at', `submission_id, 'RQ', 'text', at, at`),
  of(
    'hmlr_notifications',
    'application_request_id, notification_type, event_at, notification_id, payload, received_at',
    `'AR' || n, 'completed', at, 'N' || n, '{}', at`,
  ),
  of(
    'hmlr_extracts',
    'message_id, subscriber_id, title_number, asked_at, answer',
    `title_id, law_firm_id, 'ST1', at, '<Prynne/>'`,
  ),
  of(
    'simulated_lodgements',
    'message_id, customer_reference, lodgement, received_at',
    `submission_id, 'LW' || n, '{"surname":"Prynne"}', at`,
  ),
  of('simulated_payments', 'message_id, instruction, received_at', `settlement_id, '{}', at`),
]

function of(table: string, columns: string, select: string, isForAll?: true): Rows {
  return { table, columns, select, ...(isForAll && { isForAll }) }
}

/** `$1` and `$2` are the first and the last matter, `$3` the last that is due. */
export const insertSql = ({ table, columns, select, of: from = MATTER, times = 1, isForAll }: Rows): string =>
  `insert into ${table} (${columns}) select ${select} from (${from}) m, generate_series(1, ${times}) i
    ${isForAll ? '' : 'where n <= $3 or n % 10 = 0'} order by n, i`

/** Of every event of a matter that has all rows, as there would be for 90 days. */
export const FEED = `
  insert into event_feed (subscriber_id, event_seq)
  select unnest(told), seq from events where correlation_id::int <= $1 or correlation_id::int % 10 = 0 order by seq`
