import type { EventType } from '../events/types.ts'
import type { Connection } from '../platform/database/db.ts'
import type { Bounds, Key } from '../platform/http/page.ts'
import type { Name } from './names.ts'
import {
  type CaseStatus,
  TASKS_OF,
  type ValidationStatus,
  WHOS,
  WORKSPACE_STATUSES,
  type WorkspaceStatus,
} from './status.ts'
import { TURN, type TurnRow, workspaceNotFound } from './store.ts'

// What is read in pages. Each page is one statement that follows an index, however much there is.

export type SummaryRow = {
  seq: number
  key: Key
  workspaceId: string
  workspaceReferenceId: string
  reference: string
  status: WorkspaceStatus
  lodgementCaseStatus: CaseStatus
  postcode: string
  titleNumber: string | null
  borrowers: Name[]
  validationStatus: ValidationStatus
  completionDate: string | null
  turn: TurnRow | null
  lastModifiedBy: string
  createdAt: Date
  lastModifiedAt: Date
}

export const SIDES = {
  LENDER: { owner: 'lender_id', ownReference: 'lender_own_reference' },
  LAW_FIRM: { owner: 'law_firm_id', ownReference: 'law_firm_own_reference' },
} as const

export type Side = (typeof SIDES)[keyof typeof SIDES]

/** The conditions of the filters on the workspace `w` and its activity `a`, which also has the status. */
export const conditionsOf = ({ ownReference }: Side, statusOf: 'w' | 'a') => ({
  status: `${statusOf}.status = ?`,
  workspace_reference_id: 'w.workspace_reference_id = ?',
  reference: 'lower(w.reference) = lower(?)',
  own_reference: `lower(w.${ownReference}) = lower(?)`,
  title_number: 'w.title_number = ?',
  postcode: 'w.postcode = ?',
  lodgement_case_status: 'w.lodgement_case_status = ?',
  registry_reference:
    'w.workspace_id = any (array(select workspace_id from lodgement_cases where registry_reference = ?))',
  completion_date_from: 'w.completion_date >= ?',
  completion_date_to: 'w.completion_date <= ?',
  changed_since: 'a.last_event_at >= ?',
  turn: 'w.turn_who = ?',
  task: 'w.turn_task = ?',
  approver: `not exists (select from subscribers f where f.subscriber_id = w.law_firm_id and f.four_eyes and lower(?) = any (
    case w.turn_task
      when 'APPROVE_CASE' then (select changed_by_users from lodgement_cases c where c.workspace_id = w.workspace_id)
      when 'APPROVE_MONEY' then (select changed_by_users from settlement_schedules s where s.workspace_id = w.workspace_id)
    end))`,
})

type Condition = keyof ReturnType<typeof conditionsOf>

/** `borrowers` is what a search name begins with: any of these. */
export type Filters = { [Name in Condition]?: string | undefined } & { borrowers?: readonly string[] }

/** Of these at most a few workspaces have the same, so they are found first and sorted then. */
const RARE = [
  'workspace_reference_id',
  'reference',
  'own_reference',
  'title_number',
  'postcode',
  'registry_reference',
] as const

/** Their indexes have the newest first as `-seq`: the planner would otherwise look for a rare one among all workspaces. */
const BY_MINUS_SEQ = [
  'status',
  'lodgement_case_status',
  'reference',
  'own_reference',
  'title_number',
  'postcode',
] as const

/** The orders of the list, and where each has its keys: in the workspace `w`, its activity `a` or its party `p`. */
const ORDERS = {
  creation: { row: 'w', keys: [['w.seq', 'bigint']] },
  completion: { row: 'w', keys: [['w.completion_date', 'date']] },
  change: { row: 'a', keys: [['a.last_event_at', 'timestamptz']] },
  name: { row: 'p', keys: [['p.search_name', 'text']] },
  due: {
    row: 'w',
    keys: [
      [`coalesce(w.turn_due_at, 'infinity')`, 'timestamptz'],
      ['w.turn_since', 'timestamptz'],
    ],
  },
} as const satisfies Record<string, { row: string; keys: [sql: string, type: string][] }>

export function orderOf(filters: Filters): keyof typeof ORDERS {
  if (filters.borrowers) return 'name'
  if (filters.changed_since !== undefined) return 'change'
  if (filters.completion_date_from !== undefined || filters.completion_date_to !== undefined) return 'completion'
  return filters.turn === undefined && filters.task === undefined ? 'creation' : 'due'
}

/**
 * Newest first, or oldest first by another key. The text differs by kind of caller and by the filters given, so that each
 * has its own plan. Where an index has the rows in order only within a status or for one beginning of a name, the first
 * rows of each are merged.
 */
export function listWorkspaces(
  connection: Connection,
  caller: { subscriberId: string; kind: keyof typeof SIDES },
  filters: Filters,
  { after, rows }: Bounds<number | Key>,
): Promise<SummaryRow[]> {
  const side = SIDES[caller.kind]
  const order = orderOf(filters)
  const { row, keys } = ORDERS[order]
  const places = [...keys.map(([sql]) => sql), `${row}.workspace_id`]
  const isAnyGiven = (names: readonly Condition[]) => names.some((name) => filters[name] !== undefined)
  const isRare = isAnyGiven(RARE)
  const statusOf = row === 'a' ? 'a' : 'w'
  const values: unknown[] = []
  const param = (value: unknown) => `$${values.push(value)}`
  const [me, most] = [param(caller.subscriberId), param(rows)]

  const conditions = [...new Set(['w', row])].map((one) => `${one}.${side.owner} = ${me}`)
  for (const [name, condition] of Object.entries(conditionsOf(side, statusOf)) as [Condition, string][]) {
    if (filters[name] !== undefined) conditions.push(condition.replace('?', param(filters[name])))
  }
  const newest = isAnyGiven(BY_MINUS_SEQ) ? '-w.seq' : 'w.seq desc'
  if (typeof after === 'number')
    conditions.push(newest === '-w.seq' ? `-w.seq > ${param(-after)}` : `w.seq < ${param(after)}`)
  else if (after) {
    const types = [...keys.map(([, type]) => type), 'uuid']
    const values = types.map((type, i) => `${param(after[i])}::${type}`)
    conditions.push(`(${places.join(', ')}) > (${values.join(', ')})`)
  }
  let from = 'workspaces w'
  if (order === 'name') from = isRare ? `parties p join ${from} using (workspace_id)` : `parties p ${workspaceOf('p')}`
  if (order === 'change' && !isRare) from = `workspace_activity a ${workspaceOf('a')}`
  else if (filters.changed_since !== undefined) from = `${from} ${WITH_ACTIVITY}`

  let branches: string | undefined
  if (filters.borrowers) {
    const prefixes = param(filters.borrowers)
    branches = `unnest(${prefixes}::text[]) as branch(value)`
    conditions.push(...NAMED, firstOf(prefixes))
  } else if (order === 'due' && !isRare) {
    const turns = turnsOf(filters)
    branches = `unnest(${param(turns.map(({ who }) => who))}::text[], ${param(turns.map(({ task }) => task))}::text[])
      as branch(who, task)`
    conditions.push('w.turn_who = branch.who and w.turn_task = branch.task')
  } else if (!isRare && filters.status === undefined && (order !== 'creation' || filters.lodgement_case_status)) {
    branches = `unnest(${param(WORKSPACE_STATUSES)}::text[]) as branch(value)`
    conditions.push(`${statusOf}.status = branch.value`)
  }

  const names = keys.map((_, i) => `key_${i}`)
  const sorted =
    order === 'creation' ? 'w.key_0 desc' : [...names, 'workspace_id'].map((name) => `w.${name}`).join(', ')
  const first = `select w.*, ${keys.map(([sql], i) => `${sql} as key_${i}`).join(', ')} from ${from}
    where ${conditions.join(' and ')} order by ${order === 'creation' ? newest : places.join(', ')} limit ${most}`
  const merged = `select w.* from ${branches} cross join lateral (${first}) w order by ${sorted} limit ${most}`
  return connection.query<SummaryRow>(summariesOf(`(${branches ? merged : first}) w`, names, sorted), values)
}

/** What is shown of the workspaces `w`, with the keys of each. */
export const summariesOf = (from: string, keys: readonly string[], order: string): string =>
  `select jsonb_build_array(${keys.join(', ')}, w.workspace_id) as key, ${COLUMNS} from ${from} ${WITH_ACTIVITY}
    order by ${order}`

/** The index of turns has its rows in order for each who and task. */
const turnsOf = ({ turn, task }: Filters) =>
  WHOS.filter((who) => turn === undefined || who === turn).flatMap((who) =>
    TASKS_OF[who].filter((one) => task === undefined || one === task).map((one) => ({ who, task: one })),
  )

// `offset 0` keeps the order of a join: for each row on the left its one row on the right.

export const WITH_ACTIVITY = `cross join lateral (
  select * from workspace_activity o where o.workspace_id = w.workspace_id offset 0) a`

export const workspaceOf = (row: string) => `cross join lateral (
  select * from workspaces o where o.workspace_id = ${row}.workspace_id offset 0) w`

/** Looked up for each workspace: as a join, the plan for any name reads all parties of that name. */
export const partiesOf = (row: string) =>
  `(select * from parties o where o.workspace_id = ${row}.workspace_id offset 0)`

const NAMED = [
  `p.role <> 'OUTGOING_PROPRIETOR'`,
  'p.search_name >= branch.value and p.search_name < branch.value || chr(1114111)',
]

/** Whether a party is the first of its workspace that is searched for: each workspace is listed once. */
const firstOf = (prefixes: string) => `not exists (
  select from ${partiesOf('p')} q
   where q.role <> 'OUTGOING_PROPRIETOR'
     and (q.search_name, q.party_id) < (p.search_name, p.party_id)
     and exists (select from unnest(${prefixes}::text[]) prefix where starts_with(q.search_name, prefix)))`

const COLUMNS = `
  seq, w.workspace_id as "workspaceId",
  workspace_reference_id as "workspaceReferenceId", reference, w.status, lodgement_case_status as "lodgementCaseStatus",
  postcode, title_number as "titleNumber", borrowers_validation_status as "validationStatus",
  completion_date as "completionDate", ${TURN} as turn, created_at as "createdAt", last_event_at as "lastModifiedAt",
  w.last_modified_by as "lastModifiedBy", coalesce(borrowers, borrowers_of(w.workspace_id)) as borrowers`

export type TimelineRow = {
  seq: number
  at: Date
  type: EventType
  by: string
  correlationId: string
  message: string | null
}

/** Oldest first. A workspace that is not the caller's is not found; one without further events is an empty page. */
export async function listTimeline(
  connection: Connection,
  { subscriberId }: { subscriberId: string },
  workspaceId: string,
  { after, rows }: Bounds,
): Promise<TimelineRow[]> {
  const found = await connection.query<TimelineRow & { seq: number | null }>(
    `select e.* from workspaces w
       left join lateral (
         select seq, at, type, actor as by, correlation_id as "correlationId", message
           from events where workspace_id = w.workspace_id and seq > coalesce($3::bigint, 0) order by seq limit $4) e on true
      where w.workspace_id = $1 and $2 in (w.lender_id, w.law_firm_id) order by e.seq`,
    [workspaceId, subscriberId, after, rows],
  )
  if (!found.length) throw workspaceNotFound()
  return found.filter((row) => row.seq !== null)
}
