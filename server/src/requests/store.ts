import type { Connection } from '../platform/database/db.ts'
import { deleteInBatches } from '../platform/database/delete-in-batches.ts'
import type { Bounds, Key } from '../platform/http/page.ts'
import type { LoggedBody, LoggedError, StatusClass } from './rules.ts'

/** What only the sandbox keeps. */
export type Detail = { path: string; headers: Record<string, string>; body?: LoggedBody; answer?: LoggedBody }

export type NewRequest = {
  requestId: string
  subscriberId: string
  /** Milliseconds since 1970. */
  at: number
  method: string
  route: string
  operation: string
  status: number
  durationMs: number
  clientId: string
  person?: string | undefined
  correlationId?: string | undefined
  workspaceId?: string | undefined
  /** The case or the schedule that the path names. Its workspace is looked up. */
  parentId?: string | undefined
  /** Injected by the sandbox. */
  fault?: string | undefined
  errors: LoggedError[]
  detail?: Detail | undefined
}

/** A workspace is only looked up among those of the caller, who may have named somebody else's case. */
const INSERT = `
  insert into requests (request_id, subscriber_id, at, expires_at, method, route, operation, status, duration_ms, client_id,
    person, correlation_id, fault, errors, detail, workspace_id)
  select r."requestId", r."subscriberId", to_timestamp(r.at / 1000),
         to_timestamp(r.at / 1000) + make_interval(hours => $2), r.method, r.route, r.operation, r.status,
         r."durationMs", r."clientId", r.person, r."correlationId", r.fault, r.errors, r.detail,
         case when r."parentId" is null then r."workspaceId" else (
           select workspace_id from workspaces w where r."subscriberId" in (w.lender_id, w.law_firm_id) and w.workspace_id in (
             select workspace_id from lodgement_cases where lodgement_case_id = r."parentId"
             union all select workspace_id from settlement_schedules where schedule_id = r."parentId")) end
    from json_to_recordset($1) as r ("requestId" uuid, "subscriberId" uuid, at float8, method text,
      route text, operation text, status smallint, "durationMs" integer, "clientId" text, person text, "correlationId" text,
      fault text, errors jsonb, detail jsonb, "workspaceId" uuid, "parentId" uuid)`

export const insertRequests = (connection: Connection, rows: readonly NewRequest[], keptHours: number) =>
  connection.query(INSERT, [storable(JSON.stringify(rows)), keptHours])

// PostgreSQL stores neither NUL nor half a character, which a message may quote.
const UNSTORABLE = /(?<!\\)((?:\\\\)*)\\u(?:0000|d[89a-f][0-9a-f]{2})/g

const storable = (json: string) => (json.includes('\\u') ? json.replaceAll(UNSTORABLE, '$1\\ufffd') : json)

type Owner = { subscriberId: string }

type Shown = 'requestId' | 'method' | 'route' | 'operation' | 'status' | 'durationMs' | 'clientId' | 'errors'

export type RequestRow = Pick<NewRequest, Shown> & {
  key: Key
  at: Date
  person: string | null
  correlationId: string | null
  workspaceId: string | null
  fault: string | null
  detail?: Detail | null
}

const COLUMNS = `request_id as "requestId", array[request_id::text] as key, at, method, route, operation, status,
  duration_ms as "durationMs", client_id as "clientId", person, correlation_id as "correlationId",
  workspace_id as "workspaceId", fault, errors`

export type Filters = {
  status?: StatusClass
  operation?: string
  client_id?: string
  workspace_id?: string
  correlation_id?: string
}

const EQUAL = ['operation', 'client_id', 'workspace_id', 'correlation_id'] as const

/** Newest first. */
export function listRequests(
  connection: Connection,
  { subscriberId }: Owner,
  filters: Filters,
  { after, rows }: Bounds<Key>,
): Promise<RequestRow[]> {
  const values: unknown[] = [subscriberId, rows]
  const conditions = ['subscriber_id = $1', 'expires_at > now()']
  const where = (condition: string, value: unknown) => conditions.push(`${condition} $${values.push(value)}`)
  if (after) where('request_id <', after[0])
  for (const name of EQUAL) if (filters[name] !== undefined) where(`${name} =`, filters[name])
  // As a literal, so that the index of refusals serves it.
  const hundred = filters.status && Number(filters.status[0]) * 100
  if (hundred) conditions.push(`status >= ${hundred} and status < ${hundred + 100}`)
  return connection.query(
    `select ${COLUMNS} from requests where ${conditions.join(' and ')} order by request_id desc limit $2`,
    values,
  )
}

export async function findRequest(connection: Connection, { subscriberId }: Owner, requestId: string) {
  const [row] = await connection.query<RequestRow>(
    `select ${COLUMNS}, detail from requests where subscriber_id = $1 and request_id = $2 and expires_at > now()`,
    [subscriberId, requestId],
  )
  return row
}

export const FOLLOWED_MAX = 100

export type Followed = {
  kind: 'EVENT' | 'DELIVERY' | 'JOB'
  id: string | null
  name: string
  status: string | null
  at: Date
}

const FOLLOWED = `
  with caused as (
    select event_id, type, at from events
     where workspace_id = $2 and correlation_id = $3 and $1 = any (told) order by seq limit ${FOLLOWED_MAX})
  select 'EVENT' as kind, event_id as id, type as name, null as status, at from caused
  union all
  select 'DELIVERY', notification_id, n.type, status, created_at from notifications n join caused using (event_id)
   where n.subscriber_id = $1 and n.lane = $2
  union all
  select 'JOB', null, job, null, due_at from due
   where payload -> 'payload' ->> 'workspaceId' = $2::text and payload ->> 'correlationId' = $3
     and exists (select from workspaces where workspace_id = $2 and $1 in (lender_id, law_firm_id))
  order by at limit ${FOLLOWED_MAX}`

/** What came of a request: what has its correlation id, in its workspace. */
export async function listFollowed(
  connection: Connection,
  { subscriberId }: Owner,
  { workspaceId, correlationId }: RequestRow,
): Promise<Followed[]> {
  if (workspaceId === null || correlationId === null) return []
  return connection.query(FOLLOWED, [subscriberId, workspaceId, correlationId])
}

export type ErrorCount = {
  method: string
  route: string
  operation: string
  status: number
  field: string | null
  count: number
  lastAt: Date
  lastRequestId: string
}

export const ERROR_COUNTS_MAX = 100

/** Which refusals there were, the most frequent first. A request with three wrong fields counts for each of them. */
export const countErrors = (connection: Connection, { subscriberId }: Owner): Promise<ErrorCount[]> =>
  connection.query(
    `select method, route, operation, status, error ->> 'field' as field, count(*), max(at) as "lastAt",
            (array_agg(request_id order by request_id desc))[1] as "lastRequestId"
       from requests left join lateral jsonb_array_elements(errors) error on true
      where subscriber_id = $1 and status >= 400 and expires_at > now()
      group by method, route, operation, status, field order by count(*) desc, max(at) desc limit ${ERROR_COUNTS_MAX}`,
    [subscriberId],
  )

/** The newest request of each of these subscribers. */
export const listNewest = (connection: Connection, subscriberIds: readonly string[]) =>
  connection.query<{ subscriberId: string; requestId: string }>(
    `select id as "subscriberId", request_id as "requestId" from unnest($1::uuid[]) id cross join lateral
       (select request_id from requests where subscriber_id = id order by request_id desc limit 1) newest`,
    [subscriberIds],
  )

export const deleteExpired = (connection: Connection) =>
  deleteInBatches(connection, 'requests', 'expires_at <= now()', [])
