import { randomUUID } from 'node:crypto'
import { type Actor, actorName } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import { presentTrace } from '../platform/operations/trace.ts'
import type { EventType } from './types.ts'

/** Something that happened. Partners receive it, so it holds identifiers only and no personal data. */
export type NewEvent = {
  type: EventType
  workspaceId?: string
  /** The subscribers who receive it. */
  recipients: readonly string[]
  /** The lender's reference for the workspace. */
  reference?: string
  data?: Readonly<Record<string, string>>
  /** A sentence for the timeline, which only participants of the workspace read. */
  message?: string
}

/** The NOTIFY channel that wakes the publisher (`notifications/feed.ts`). */
export const EVENTS_CHANNEL = 'lodgeway_events'

/** Written in the transaction of its change. If it cannot be written, the commit fails. A worker publishes it later. */
export function recordEvent(tx: Transaction, event: NewEvent, actor: Actor): void {
  const { type, workspaceId, recipients, reference, data, message } = event
  tx.send(RECORD, [
    randomUUID(),
    type,
    workspaceId ?? null,
    recipients,
    JSON.stringify({ reference, ...data }),
    message ?? null,
    actorName(actor),
    actor.correlationId,
    actor.at,
    presentTrace()?.parent ?? null,
  ])
  tx.notify(EVENTS_CHANNEL)
}

const RECORD = `
  insert into events (event_id, type, workspace_id, told, data, message, actor, correlation_id, at, traceparent,
    unpublished)
  values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, true)`
