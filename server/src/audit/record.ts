import { randomUUID } from 'node:crypto'
import type { Transaction } from '../platform/database/db.ts'

/** Who did it. An operator at the command line is the acting user `operator:<name>`; the service itself names nobody. */
export type Actor = {
  clientId?: string
  subscriberId?: string
  actingUser?: string
  correlationId: string
  /** On the business clock. */
  at: Date
}

/** One change: what was done, to what, and how that looked before and after. */
export type AuditEntry = {
  /** In the past tense: `client rotated`. */
  action: string
  ids: Readonly<Record<string, string>>
  before?: Snapshot
  after?: Snapshot
}

/** An entry is kept for ever and shown to auditors, so no secret goes into one, hashed or not. */
type Snapshot = Readonly<Record<string, unknown>> & Partial<Record<(typeof SECRETS)[number], never>>

const SECRETS = ['secret', 'clientSecret', 'sharedSecret', 'secretHash', 'hash', 'password', 'token'] as const

/** The tables whose rows head a chain, and their keys. Another kind of chain is a line here and one below. */
export const CHAIN_HEADS = { subscribers: 'subscriber_id', workspaces: 'workspace_id' } as const

/**
 * Adds an entry to the chain of a subscriber. It travels with the commit, which fails if it does. Until then it holds
 * the chain's head, so it is best sent last.
 */
export const recordSubscriberAudit = recorderOf('subscribers', '')

/** The same for a workspace, whose row also says who changed it last, and when. */
export const recordWorkspaceAudit = recorderOf(
  'workspaces',
  `, last_modified_at = ($2::jsonb ->> 'at')::timestamptz, last_modified_by =
     coalesce($2::jsonb ->> 'actingUser', $2::jsonb ->> 'clientId', 'system')`,
)

/** Who acted, as the timeline and `createdBy` show it. */
export const actorName = ({ actingUser, clientId }: Actor): string => actingUser ?? clientId ?? 'system'

function recorderOf(table: keyof typeof CHAIN_HEADS, alsoSet: string) {
  const key = CHAIN_HEADS[table]
  // The outer join lets a chain without its head break the entry's `not null` instead of passing in silence.
  const text = `
    with payload as (select ${payloadHash('$3::jsonb')} as hash), head as (
      update ${table}
      set audit_seq = audit_seq + 1, audit_hash = ${entryHash('audit_hash', 'payload.hash', '$2::jsonb')}${alsoSet}
      from payload where ${key} = $1 returning audit_seq, audit_hash)
    insert into audit_entries (chain, seq, entry, payload, payload_hash, hash)
    select $1, audit_seq, $2::jsonb, $3::jsonb, payload.hash, audit_hash from payload left join head on true`

  return (tx: Transaction, chain: string, entry: AuditEntry, actor: Actor): void =>
    tx.send(text, [chain, JSON.stringify(headerOf(entry, actor)), payloadOf(entry)])
}

/** SQL, shared by writing and verifying: the hash of a payload, or of nothing where there is none. */
export function payloadHash(payload: string): string {
  return `sha256(convert_to(coalesce(${payload}::text, ''), 'UTF8'))`
}

/** The same for an entry of format 2. No text of format 1 begins with its first byte. */
export function entryHash(previous: string, hashOfPayload: string, header: string): string {
  return `sha256(${previous} || '\\x02' || ${hashOfPayload} || convert_to(${header}::text, 'UTF8'))`
}

// Who did what, and when: it stays, whatever is erased.
const headerOf = ({ action, ids }: AuditEntry, actor: Actor) => ({
  at: actor.at.toISOString(),
  action,
  ids,
  clientId: actor.clientId,
  subscriberId: actor.subscriberId,
  actingUser: actor.actingUser,
  correlationId: actor.correlationId,
})

// The salt is erased with the payload, so that nobody can find the payload by trying what might have its hash.
const payloadOf = ({ before, after }: AuditEntry): string | null =>
  before || after ? JSON.stringify({ salt: randomUUID(), before, after }) : null
