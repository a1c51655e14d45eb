import type { EventType } from '../events/types.ts'
import type { Connection } from '../platform/database/db.ts'
import type { ValidationStatus, WorkspaceStatus } from './status.ts'
import { workspaceNotFound } from './store.ts'

// What is read in pages. Each page is one statement that follows an index, however much there is.

export type SummaryRow = {
  seq: number
  workspaceId: string
  workspaceReferenceId: string
  reference: string
  status: WorkspaceStatus
  postcode: string
  titleNumber: string | null
  validationStatus: ValidationStatus
  completionDate: string | null
  createdAt: Date
}

type Bounds = { after: number | null; rows: number }

const OWNER = { LENDER: 'lender_id', LAW_FIRM: 'law_firm_id' } as const
const FILTERED = ['status', 'reference', 'title_number', 'postcode'] as const

/** What may be asked for, by its column. */
type Filters = Partial<Record<(typeof FILTERED)[number], string>>

/** Newest first. The text differs by kind of caller and by the filters given, so that each has its own plan. */
export function listWorkspaces(
  connection: Connection,
  caller: { subscriberId: string; kind: keyof typeof OWNER },
  filters: Filters,
  { after, rows }: Bounds,
): Promise<SummaryRow[]> {
  const values: unknown[] = [caller.subscriberId, rows]
  const conditions = [`${OWNER[caller.kind]} = $1`]
  const add = (condition: string, value: unknown) => {
    values.push(value)
    conditions.push(`${condition} $${values.length}`)
  }
  if (after !== null) add('seq <', after)
  for (const column of FILTERED) if (filters[column] !== undefined) add(`${column} =`, filters[column])
  return connection.query<SummaryRow>(
    `select seq, workspace_id as "workspaceId", workspace_reference_id as "workspaceReferenceId", reference, status,
            postcode, title_number as "titleNumber", borrowers_validation_status as "validationStatus",
            completion_date as "completionDate", created_at as "createdAt"
       from workspaces where ${conditions.join(' and ')} order by seq desc limit $2`,
    values,
  )
}

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
