import { randomUUID } from 'node:crypto'
import { type Actor, nameOf } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { EventType } from './types.ts'

/** Something that happened. It leaves the house, so it holds identifiers only and no personal data. */
export type HouseEvent = {
  type: EventType
  workspaceId?: string
  /** The subscribers who hear of it. */
  told: readonly string[]
  /** The lender's own reference of the workspace. */
  reference?: string
  data?: Readonly<Record<string, string>>
  /** A sentence for the timeline, which only participants of the workspace read. */
  message?: string
}

/** Written with the change that it tells of: it travels with the commit, which fails if it does. */
export function recordEvent(tx: Transaction, event: HouseEvent, actor: Actor): void {
  const { type, workspaceId, told, reference, data, message } = event
  tx.send(
    `insert into events (event_id, type, workspace_id, told, data, message, actor, correlation_id, at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
    [
      randomUUID(),
      type,
      workspaceId ?? null,
      told,
      JSON.stringify({ reference, ...data }),
      message ?? null,
      nameOf(actor),
      actor.correlationId,
      actor.at,
    ],
  )
}
