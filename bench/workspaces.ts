import { addClient, addSubscriber } from '../server/src/auth/manage.ts'
import { ALL_SCOPES } from '../server/src/auth/scopes.ts'
import type { Db } from '../server/src/platform/database/db.ts'
import { PARTNER_PATH } from '../server/src/workspaces/path.ts'
import { accept } from './copies.ts'
import { requestBytes } from './load.ts'
import { fetchToken, PEPPER, type Testbed } from './testbed.ts'
import { signIn } from './watching.ts'

// Workspaces in any number, and requests that read them.

const FIRM_ID = '40000000-0000-4000-8000-000000000001'
const SHOWN = 1_000
const HANDLERS = 200 // each may open 300 pages a minute

export type Matters = {
  lender: string
  firm: string
  /** The cookies of people of the firm. */
  handlers: string[]
  workspaceIds: string[]
  sought: Record<string, string>[]
}

/**
 * Seeds `count` workspaces, a multiple of 1,000, of one lender and one firm, each with two borrowers, a case, and a title
 * that was found.
 */
export async function seedWorkspaces(testbed: Testbed, count: number): Promise<Matters> {
  const { owner, callers, service } = testbed
  const [caller] = callers
  if (!caller) throw new Error('the testbed has no callers')
  const firm = await addFirm(owner)
  const client = await owner.dedicated() // a million rows take longer than the service's statement timeout
  try {
    // Without triggers, and with indexes only afterwards: a million rows are loaded in minutes.
    await client.query(
      `set synchronous_commit = off; set session_replication_role = replica; set maintenance_work_mem = '256MB'`,
    )
    const { rows: indexes } = await client.query<{ name: string; sql: string }>(INDEXES)
    for (const { name } of indexes) await client.query(`drop index ${name}`)
    for (const text of SEED) await client.query(text, text.includes('$2') ? [count, caller.subscriberId, FIRM_ID] : [])
    for (const { sql } of indexes) await client.query(sql)
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
  const rows = await owner.query<{ workspaceId: string }>(
    `select workspace_id as "workspaceId" from workspaces where status = 'CREATED' order by workspace_id limit $1`,
    [SHOWN],
  )
  return {
    lender: caller.token,
    firm: await fetchToken(service.url, firm),
    handlers: await owner.transaction(async (tx) => {
      const cookies: string[] = []
      while (cookies.length < HANDLERS) cookies.push(await signIn(tx, FIRM_ID))
      return cookies
    }),
    workspaceIds: rows.map(({ workspaceId }) => workspaceId),
    sought: await owner.query<Record<string, string>>(SOUGHT),
  }
}

async function addFirm(owner: Db): Promise<{ clientId: string; secret: string }> {
  const actor = { actingUser: 'bench', correlationId: 'bench', at: new Date() }
  return owner.transaction(async (tx) => {
    const firm = { subscriberId: FIRM_ID, name: 'A firm', kind: 'LAW_FIRM' as const, fourEyes: true, reports: true }
    addSubscriber(tx, firm, actor)
    return addClient(tx, PEPPER, { subscriberId: FIRM_ID, scopes: ALL_SCOPES }, actor)
  })
}

const CREATED_AT = `now() - interval '30 days' + n * interval '1 second'`

/** Of a group of 100 workspaces. */
const POSTCODE = `'EX' || 10 + g % 90 || ' ' || g / 90 % 10 || substr('ABDEFGHJLNPQRSTUWXYZ', 1 + g / 900 % 20, 1) || 'A'`
const SURNAME = `'Prynne' || translate(lpad(g::text, 6, '0'), '0123456789', 'abcdefghij')`

/** Of the rejected, of those that are sent, and of those that are prepared, of which every second must be represented. */
const TASK = `case when is_rejected then 'FIX_AND_APPROVE' when status = 'FUNDS_EXCHANGED' then 'WAIT'
  when status = 'CREATED' then case n % 4 when 1 then 'REPRESENT' else 'COMPLETE_CASE' end end`
const WHO = `case when status = 'CANCELLED' then null when status = 'CREATED' or is_rejected then 'LAW_FIRM' else 'REGISTRY' end`

/** A hundred workspaces share a value of each filter. Of the first hundred the case was rejected; the next are cancelled. */
const SEED = [
  `create temporary table seeds as
   select gen_random_uuid() as id, gen_random_uuid() as case_id, n, (n - 1) / 100 as g, n <= 100 as is_rejected,
     case when n between 101 and 200 then 'CANCELLED' when n <= 100 or n % 2 = 0 then 'FUNDS_EXCHANGED'
          else 'CREATED' end as status,
     $2::uuid as lender_id, $3::uuid as law_firm_id, ${CREATED_AT} as at from generate_series(1, $1::int) n`,
  `insert into workspaces (workspace_id, workspace_reference_id, reference, status, security_address, postcode, lender_id,
     law_firm_id, title_number, borrowers_validation_status, completion_date, lodgement_case_status, lender_own_reference,
     status_since, created_at, created_by, last_modified_at, last_modified_by, turn_stale, turn_who, turn_task, turn_since,
     turn_due_at)
   select id, 'LW26' || lpad(n::text, 7, '0'), 'REM-' || g, status,
     '{"number":"83","street":"Fore Street","town":"Exeter","postcode":"EX4 3AN"}', ${POSTCODE}, lender_id, law_firm_id,
     'ST' || 100000 + g, 'VALID', date '2000-01-01' + g,
     case when is_rejected then 'REGISTRATION_REJECTED' when status = 'FUNDS_EXCHANGED' then 'INITIATED' else status end,
     'OWN-' || g, at, at, 'bench', at, 'bench', false, ${WHO}, ${TASK}, at,
     case when n % 3 = 0 then now() + g * interval '1 day' end from seeds`,
  `insert into workspace_activity select id, lender_id, law_firm_id, status, at from seeds`,
  `insert into parties (party_id, workspace_id, position, role, name, search_name, lender_id, law_firm_id)
   select gen_random_uuid(), id, position, 'BORROWER', jsonb_build_object('type', 'INDIVIDUAL', 'forenames',
     case position when 1 then 'William' else 'Tracey' end, 'surname', ${SURNAME}), lower(${SURNAME}), lender_id, law_firm_id
     from seeds, generate_series(1, 2) position`,
  `insert into proprietors (proprietor_id, workspace_id, position, name, registered_name, aliases)
   select gen_random_uuid(), workspace_id, position, name, name, '[]' from parties`,
  `insert into titles (title_id, workspace_id, title_number, search_status, tenure, register)
   select gen_random_uuid(), id, 'ST' || 100000 + g, 'SUCCESS', 'FREEHOLD', '{"charges":[],"restrictions":[]}' from seeds`,
  `insert into lodgement_cases (lodgement_case_id, workspace_id, status, registry_reference, created_at, created_by,
     last_modified_at, last_modified_by)
   select case_id, id, lodgement_case_status, 'R' || n, now(), 'bench', now(), 'bench'
     from seeds join workspaces on workspace_id = id`,
  `insert into lodgement_applications (application_id, lodgement_case_id, application_type, status, created_at,
     created_by, last_modified_at, last_modified_by)
   select gen_random_uuid(), case_id, 'MORTGAGE_DEED', 'DRAFT', now(), 'bench', now(), 'bench' from seeds`,
  `insert into settlement_schedules (schedule_id, workspace_id, status, created_at, created_by, last_modified_at,
     last_modified_by) select gen_random_uuid(), id, 'DRAFT', now(), 'bench', now(), 'bench' from seeds`,
]

const INDEXES = `
  select indexrelid::regclass as name, pg_get_indexdef(indexrelid) as sql from pg_index
   where not indisunique and indrelid = any ('{workspaces,workspace_activity,parties,lodgement_cases}'::regclass[])`

/** What the filters look for: of some of the groups the values that its workspaces share. */
const SOUGHT = `
  select workspace_reference_id, reference, lender_own_reference as own_reference, title_number, postcode,
         registry_reference, p.name ->> 'surname' as borrower, completion_date::text as completion_date,
         (select to_jsonb(last_event_at) #>> '{}' from workspace_activity order by last_event_at desc offset 99 limit 1)
           as changed_since
    from workspaces w join lodgement_cases using (workspace_id)
    join parties p on p.workspace_id = w.workspace_id and p.position = 1
   where reference in (select 'REM-' || g * (select count(*) / 1000 from workspaces) from generate_series(0, 9) g)
     and w.workspace_reference_id like '%00'`

export const readRequests = ({ lender, workspaceIds }: Matters): Buffer[] =>
  workspaceIds.map((id) => requestBytes('GET', `${PARTNER_PATH}/workspaces/${id}`, accept(lender)))

export const listRequests = ({ lender }: Matters): Buffer[] => [
  requestBytes('GET', `${PARTNER_PATH}/workspaces`, accept(lender)),
]

export const countRequests = ({ firm }: Matters): Buffer[] => [
  requestBytes('GET', `${PARTNER_PATH}/workspaces/counts`, accept(firm)),
]

/** A page of the console, as people of the firm open it. */
export const pageRequests =
  (path: string) =>
  ({ handlers }: Matters): Buffer[] =>
    handlers.map((cookie) => requestBytes('GET', path, { Cookie: cookie }))

/** The list with these filters, each a name of what is sought, or a value. */
export const filterRequests =
  (filters: Record<string, string>) =>
  ({ lender, sought }: Matters): Buffer[] =>
    sought.map((values) => {
      const query = new URLSearchParams(filters)
      for (const [name, of] of Object.entries(filters)) query.set(name, values[of] ?? of)
      return requestBytes('GET', `${PARTNER_PATH}/workspaces?${query}`, accept(lender))
    })
