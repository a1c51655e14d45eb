import { randomUUID } from 'node:crypto'
import { type Actor, actorName } from '../audit/record.ts'
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

/** The job that delivers what waits for a registration, and the key under which a lane's next look is due. */
export const DELIVER_JOB = 'notifications.deliver'
export const laneKey = (registrationId: string, lane: string): string => `deliver:${registrationId}:${lane}`

/**
 * Written with the change that it tells of: it travels with the commit, which fails if it does. With it goes a
 * delivery for each registration that wants it, and what wakes the sender. A lane that is due already is locked until
 * the commit, for it must not be taken before the delivery can be seen.
 */
export function recordEvent(tx: Transaction, event: HouseEvent, actor: Actor): void {
  const { type, workspaceId, told, reference, data, message } = event
  tx.send(RECORD, [
    randomUUID(),
    type,
    workspaceId ?? null,
    told,
    JSON.stringify({ reference, ...data }),
    message ?? null,
    actorName(actor),
    actor.correlationId,
    actor.at,
  ])
}

const RECORD = `
  with event as (
    insert into events (event_id, type, workspace_id, told, data, message, actor, correlation_id, at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9) returning *),
  unpublished as (insert into event_outbox select seq from event),
  wanted as (
    select gen_random_uuid() as id, r.registration_id, r.subscriber_id, e.*
      from event e join notification_registrations r on r.subscriber_id = any (e.told) and e.type = any (r.event_types)),
  delivery as (
    insert into notifications (notification_id, registration_id, subscriber_id, event_id, lane, type, status,
      next_attempt_at, created_at)
    select id, registration_id, subscriber_id, event_id, coalesce(workspace_id, id), type, 'PENDING', at, at
      from wanted returning registration_id, lane, created_at)
  insert into due (due_at, job, payload, key)
  select created_at, '${DELIVER_JOB}', jsonb_build_object('correlationId', $8::text, 'payload',
           jsonb_build_object('registrationId', registration_id, 'at', $9::timestamptz)),
         'deliver:' || registration_id || ':' || lane
    from delivery
  on conflict (key) do update set due_at = due.due_at`
