import type { Connection } from '../platform/database/db.ts'

/** Who did what, to what, and when. What was changed is the payload, which is not read here. */
export type AuditHeader = {
  entryId: number
  /** The workspace, subscriber or person that the entry belongs to. */
  chain: string
  at: string
  action: string
  ids: Record<string, string>
  clientId?: string
  subscriberId?: string
  actingUser?: string
  correlationId: string
}

type Header = Omit<AuditHeader, 'entryId' | 'chain'>

export type AuditFilter = {
  chain?: string | undefined
  /** From and before, if `chain` is not given. */
  between: readonly [from: Date, to: Date] | undefined
  /** The acting user or the client. */
  who?: string | undefined
  correlationId?: string | undefined
  /** The entries before this one, for the next page. */
  before?: number | undefined
}

/** The newest first. */
export async function searchAudit(connection: Connection, filter: AuditFilter, rows: number): Promise<AuditHeader[]> {
  const { chain, between, who, correlationId, before } = filter
  const conditions: string[] = []
  const values: unknown[] = [rows]
  const add = (condition: (place: string) => string, value: unknown) => {
    if (value === undefined) return
    values.push(value)
    conditions.push(condition(`$${values.length}`))
  }
  add((place) => `chain = ${place}`, chain)
  // As texts of one form, in whose order the index is.
  add((place) => `entry ->> 'at' >= ${place}`, between?.[0].toISOString())
  add((place) => `entry ->> 'at' < ${place}`, between?.[1].toISOString())
  add((place) => `lower(${place}) in (lower(entry ->> 'actingUser'), lower(entry ->> 'clientId'))`, who)
  add((place) => `entry ->> 'correlationId' = ${place}`, correlationId)
  add((place) => `entry_id < ${place}`, before)
  // Materialized, because the planner would otherwise read the table backwards from its end.
  const found = await connection.query<{ entryId: number; chain: string; entry: Header }>(
    `with found as materialized (select entry_id, chain, entry from audit_entries where ${conditions.join(' and ')})
     select entry_id as "entryId", chain, entry from found order by entry_id desc limit $1`,
    values,
  )
  return found.map(({ entryId, chain: of, entry }) => ({ entryId, chain: of, ...headerIn(entry) }))
}

// By name, because entries of format 1 have what was changed in the same document.
const headerIn = ({ at, action, ids, clientId, subscriberId, actingUser, correlationId }: Header): Header => ({
  ...{ at, action, ids, correlationId },
  ...(clientId && { clientId }),
  ...(subscriberId && { subscriberId }),
  ...(actingUser && { actingUser }),
})
