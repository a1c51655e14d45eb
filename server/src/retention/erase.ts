import { type Actor, recordAboutWorkspace, recordErasures } from '../audit/record.ts'
import type { Connection, Transaction } from '../platform/database/db.ts'
import { IDENTITY_DOCUMENTS, type Rule } from './rules.ts'

// The end of a matter: all its rows in all tables. It is no change of a matter, so it does not go through the one door.

/** What the rows of a matter are found by. */
type Ids = {
  workspaces: string[]
  subscribers: string[]
  cases: string[]
  schedules: string[]
  submissions: string[]
  /** The names that the registry and the bank were given: a submission, a title or a settlement. */
  messages: string[]
  registryRequests: string[]
  events: number[]
}

type Place = { table: string; column: string; ids: keyof Ids; and?: string }

const of = (ids: keyof Ids, column: string, tables: string): Place[] =>
  tables.split(' ').map((table) => ({ table, column, ids }))

/** In the order of deleting: what names another row goes before it. Each is found by an index. */
export const PLACES: readonly Place[] = [
  ...of(
    'messages',
    'message_id',
    'hmlr_replies hmlr_submissions hmlr_extracts simulated_lodgements simulated_payments',
  ),
  ...of('registryRequests', 'application_request_id', 'hmlr_notifications'),
  ...of('events', 'event_seq', 'event_feed event_repeats'),
  ...of('workspaces', 'workspace_id', 'events'),
  { table: 'notifications', column: 'lane', ids: 'workspaces', and: 'subscriber_id = any ($2)' },
  ...of('submissions', 'submission_id', 'registry_notices'),
  ...of('cases', 'lodgement_case_id', 'requisitions submissions title_documents lodgement_approvals'),
  ...of('workspaces', 'workspace_id', 'files'),
  ...of('cases', 'lodgement_case_id', 'lodgement_applications'),
  ...of('schedules', 'schedule_id', 'line_items schedule_approvals'),
  ...of(
    'workspaces',
    'workspace_id',
    `settlements settlement_schedules titles confirmations representations external_law_firms parties proprietors ` +
      'lodgement_cases workspace_activity workspaces',
  ),
]

/** Every row of a matter is found by one of them. */
export async function findIds(connection: Connection, workspaceIds: readonly string[]): Promise<Ids> {
  const [row] = await connection.query<Omit<Ids, 'workspaces'>>(FIND, [workspaceIds])
  const none: Omit<Ids, 'workspaces'> = {
    ...{ subscribers: [], cases: [], schedules: [], submissions: [], messages: [], registryRequests: [], events: [] },
  }
  return { workspaces: [...workspaceIds], ...(row ?? none) }
}

const FIND = `
  with cases as materialized (select lodgement_case_id as id from lodgement_cases where workspace_id = any ($1)),
  submissions as materialized (select submission_id as id from submissions where lodgement_case_id in (select id from cases)),
  messages as materialized (
    select id::text from submissions
    union all select title_id::text from titles where workspace_id = any ($1)
    union all select settlement_id::text from settlements where workspace_id = any ($1))
  select array(select distinct unnest(array[lender_id, law_firm_id]) from workspaces where workspace_id = any ($1)) as subscribers,
         array(select id from cases) as cases, array(select id from submissions) as submissions,
         array(select id from messages) as messages,
         array(select schedule_id from settlement_schedules where workspace_id = any ($1)) as schedules,
         array(select application_request_id from hmlr_submissions
                where message_id in (select id from messages) and application_request_id is not null) as "registryRequests",
         array(select seq from events where workspace_id = any ($1)) as events`

/** The caller has locked the matters and knows that nothing keeps them. Bytes of files go with the next sweep. */
export async function eraseMatters(
  tx: Transaction,
  workspaceIds: readonly string[],
  rule: Rule,
  actor: Actor,
): Promise<void> {
  const ids = await findIds(tx, workspaceIds)
  recordErasures(tx, workspaceIds, rule, actor)
  for (const place of PLACES) tx.send(`delete from ${place.table} where ${conditionOf(place)}`, valuesOf(place, ids))
  tx.send('select erase_audit_payloads($1, $2)', [workspaceIds, actor.at])
}

/** Deletes the identity documents of these matters. Returns the matters that had some. */
export async function eraseIdentityFiles(tx: Transaction, workspaceIds: readonly string[], actor: Actor) {
  const erased = await tx.query<{ workspaceId: string; files: number }>(
    `with gone as (
       delete from files f where workspace_id = any ($1) and document_type = any ($2)
          and not exists (select from files other where other.superseded_by = f.file_id and other.document_type <> all ($2))
       returning workspace_id)
     select workspace_id as "workspaceId", count(*) as files from gone group by workspace_id`,
    [workspaceIds, IDENTITY_DOCUMENTS],
  )
  for (const { workspaceId, files } of erased) {
    const entry = { action: 'identity documents erased', ids: { workspaceId }, before: { files } }
    recordAboutWorkspace(tx, workspaceId, entry, actor)
  }
  return erased
}

/** What there is of a matter, by table, as it is stored. */
export async function readRows(connection: Connection, workspaceId: string): Promise<Record<string, object[]>> {
  const ids = await findIds(connection, [workspaceId])
  const found: Record<string, object[]> = {}
  for (const place of PLACES) {
    const rows = await connection.query<{ row: object }>(
      `select to_jsonb(t) as row from ${place.table} t where ${conditionOf(place)}`,
      valuesOf(place, ids),
    )
    if (rows.length > 0) found[place.table] = rows.map(({ row }) => row)
  }
  return found
}

const conditionOf = ({ column, and }: Place) => `${column} = any ($1)${and ? ` and ${and}` : ''}`

const valuesOf = (place: Place, ids: Ids) => [ids[place.ids], ...(place.and ? [ids.subscribers] : [])]
