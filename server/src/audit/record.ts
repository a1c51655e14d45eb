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
  before?: Pictured
  after?: Pictured
}

/** An entry is kept for ever and shown to auditors, so no secret goes into one, hashed or not. */
type Pictured = Readonly<Record<string, unknown>> & Partial<Record<(typeof SECRETS)[number], never>>

const SECRETS = ['secret', 'clientSecret', 'sharedSecret', 'secretHash', 'hash', 'password', 'token'] as const

/** The tables whose rows head a chain, and their keys. Another kind of chain is a line here and one below. */
export const CHAIN_HEADS = { subscribers: 'subscriber_id', workspaces: 'workspace_id' } as const

/**
 * Adds an entry to the chain of a subscriber. It travels with the commit, which fails if it does. Until then it holds
 * the chain's head, so it is best sent last.
 */
export const recordSubscriberAudit = recorderOf('subscribers', '')

/** The same for a workspace, whose row also bears who changed it last, and when. */
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
    with head as (
      update ${table}
      set audit_seq = audit_seq + 1, audit_hash = sha256(audit_hash || convert_to($2::jsonb::text, 'UTF8'))${alsoSet}
      where ${key} = $1 returning audit_seq, audit_hash)
    insert into audit_entries (chain, seq, entry, hash)
    select $1, audit_seq, $2::jsonb, audit_hash from (values (1)) one left join head on true`

  return (tx: Transaction, chain: string, entry: AuditEntry, actor: Actor): void =>
    tx.send(text, [chain, JSON.stringify(written(entry, actor))])
}

const written = ({ action, ids, before, after }: AuditEntry, actor: Actor) => ({
  at: actor.at.toISOString(),
  action,
  ids,
  clientId: actor.clientId,
  subscriberId: actor.subscriberId,
  actingUser: actor.actingUser,
  correlationId: actor.correlationId,
  before,
  after,
})
