import { addClient, addSubscriber } from '../server/src/auth/manage.ts'
import { ALL_SCOPES } from '../server/src/auth/scopes.ts'
import type { Db } from '../server/src/platform/database/db.ts'
import { PARTNER_PATH } from '../server/src/workspaces/path.ts'
import { httpSides, type Measurement } from './harness.ts'
import { requestBytes } from './load.ts'
import { fetchToken, PEPPER, type Testbed } from './testbed.ts'

// Workspaces in any number, and the usual requests: create, read, list, rename.

const FIRM_ID = '40000000-0000-4000-8000-000000000001'
const CONNECTIONS = 32
const SHOWN = 1_000

export type Matters = { lender: string; firm: string; workspaceIds: string[]; partyIds: string[] }

/** Seeds `count` workspaces of one lender and one firm, each with two borrowers, a case, and a title that was found. */
export async function seedWorkspaces(testbed: Testbed, count: number): Promise<Matters> {
  const { owner, callers, service } = testbed
  const [caller] = callers
  if (!caller) throw new Error('the testbed has no callers')
  const firm = await addFirm(owner)
  const client = await owner.dedicated() // a million rows take longer than the service's statement timeout
  try {
    await client.query('set synchronous_commit = off')
    for (const text of SEED) await client.query(text, text.includes('$2') ? [count, caller.subscriberId, FIRM_ID] : [])
    await client.query('vacuum analyze')
  } finally {
    await client.end()
  }
  const rows = await owner.query<{ workspaceId: string; partyId: string }>(
    `select w.workspace_id as "workspaceId", p.party_id as "partyId"
       from (select workspace_id from workspaces order by workspace_id limit $1) w
       join parties p on p.workspace_id = w.workspace_id and p.position = 1`,
    [SHOWN],
  )
  return {
    lender: caller.token,
    firm: await fetchToken(service.url, firm),
    workspaceIds: rows.map(({ workspaceId }) => workspaceId),
    partyIds: rows.map(({ partyId }) => partyId),
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

const PRYNNE = (forenames: string) =>
  `jsonb_build_object('type', 'INDIVIDUAL', 'forenames', '${forenames}', 'surname', 'Prynne')`

const LONG_AGO = `now() - interval '30 days'`

const SEED = [
  `insert into workspaces (workspace_id, workspace_reference_id, reference, status, security_address, postcode, lender_id,
     law_firm_id, title_number, borrowers_validation_status, status_since, created_at, created_by, last_modified_at,
     last_modified_by)
   select gen_random_uuid(), 'LW26' || lpad(nextval('workspace_reference_numbers')::text, 7, '0'), 'REM-' || n, 'CREATED',
     '{"number":"83","street":"Fore Street","town":"Exeter","postcode":"EX4 3AN"}', 'EX4 3AN', $2, $3, 'ST500678',
     'VALID', ${LONG_AGO}, ${LONG_AGO}, 'bench', ${LONG_AGO}, 'bench' from generate_series(1, $1::int) n`,
  `insert into parties (party_id, workspace_id, position, role, name)
   select gen_random_uuid(), workspace_id, position, 'BORROWER',
     case position when 1 then ${PRYNNE('William')} else ${PRYNNE('Tracey')} end
     from workspaces, generate_series(1, 2) position`,
  `insert into proprietors (proprietor_id, workspace_id, position, name, registered_name, aliases)
   select gen_random_uuid(), workspace_id, position, name, name, '[]' from parties`,
  `insert into titles (title_id, workspace_id, title_number, search_status, tenure, register)
   select gen_random_uuid(), workspace_id, 'ST500678', 'SUCCESS', 'FREEHOLD', '{"charges":[],"restrictions":[]}'
     from workspaces`,
  `insert into lodgement_cases (lodgement_case_id, workspace_id, status, created_at, created_by, last_modified_at,
     last_modified_by) select gen_random_uuid(), workspace_id, 'CREATED', now(), 'bench', now(), 'bench' from workspaces`,
  `insert into lodgement_applications (application_id, lodgement_case_id, application_type, status, created_at,
     created_by, last_modified_at, last_modified_by)
   select gen_random_uuid(), lodgement_case_id, 'MORTGAGE_DEED', 'DRAFT', now(), 'bench', now(), 'bench'
     from lodgement_cases`,
  `insert into settlement_schedules (schedule_id, workspace_id, status, created_at, created_by, last_modified_at,
     last_modified_by) select gen_random_uuid(), workspace_id, 'DRAFT', now(), 'bench', now(), 'bench' from workspaces`,
]

const accept = (token: string) => ({ Authorization: `Bearer ${token}`, Accept: 'application/json' })

export const readRequests = ({ lender, workspaceIds }: Matters): Buffer[] =>
  workspaceIds.map((id) => requestBytes('GET', `${PARTNER_PATH}/workspaces/${id}`, accept(lender)))

export const listRequests = ({ lender }: Matters): Buffer[] => [
  requestBytes('GET', `${PARTNER_PATH}/workspaces`, accept(lender)),
]

/** Each workspace is used twice, once for each of two names, so that every request changes something. */
function patchRequests({ firm, workspaceIds, partyIds }: Matters): Buffer[] {
  const headers = { ...accept(firm), 'Content-Type': 'application/json' }
  return ['Prynn', 'Prynne'].flatMap((surname) =>
    workspaceIds.map((id, index) => {
      const partyDetails = { forenames: 'William', surname }
      const body = { action: 'UPDATE_PARTY_NAME', partyId: partyIds[index], type: 'INDIVIDUAL', partyDetails }
      const path = `${PARTNER_PATH}/workspaces/${id}/title-reconciliation`
      return requestBytes('PATCH', path, headers, JSON.stringify(body))
    }),
  )
}

function createRequests({ lender }: Matters): Buffer[] {
  const party = (forenames: string) => ({
    type: 'INDIVIDUAL',
    role: 'BORROWER',
    partyDetails: { forenames, surname: 'Prynne' },
    participants: [{ id: FIRM_ID, role: 'CONVEYANCER' }],
  })
  const securityAddress = { number: '83', street: 'Fore Street', town: 'Exeter', postcode: 'EX4 3AN' }
  const body = { reference: 'REM-1', property: { securityAddress }, parties: [party('William'), party('Tracey')] }
  const headers = { ...accept(lender), 'Content-Type': 'application/json' }
  return [requestBytes('POST', `${PARTNER_PATH}/remortgage/workspaces`, headers, JSON.stringify(body))]
}

let seeded: Promise<Matters> | undefined
/** The workspaces that all measurements share. */
export const sharedMatters = (testbed: Testbed) => {
  seeded ??= seedWorkspaces(testbed, 10_000)
  return seeded
}

const against = (name: string, title: string, requestsOf: (matters: Matters) => Buffer[]) => ({
  [name]: async (testbed: Testbed): Promise<Measurement> => {
    const { service, raw } = await httpSides(testbed, {
      requests: requestsOf(await sharedMatters(testbed)),
      connections: CONNECTIONS,
    })
    return { name, title, service, limits: [raw] }
  },
})

/** Each compared with plain `node:http` that sends the same bytes. */
export const workspaceMeasurements = {
  ...against('workspace-read', 'read a workspace', readRequests),
  ...against('workspace-list', 'a page of 50 workspaces', listRequests),
  ...against('workspace-create', 'create a workspace', createRequests),
  ...against('workspace-patch', 'rename a party', patchRequests),
}
