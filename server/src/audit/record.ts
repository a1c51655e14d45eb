import { randomUUID } from 'node:crypto'
import type { Transaction } from '../platform/database/db.ts'

/** Who did it. An operator at the command line is the acting user `operator:<name>`; for the service itself it is empty. */
export type Actor = {
  clientId?: string
  subscriberId?: string
  actingUser?: string
  correlationId: string
  /** On the business clock. */
  at: Date
}

/** One change: what was done, to what, and the state before and after. */
export type AuditEntry = {
  /** In the past tense: `client rotated`. */
  action: string
  ids: Readonly<Record<string, string>>
  before?: Snapshot
  after?: Snapshot
}

/** Entries are stored for ever and shown to auditors, so they must not hold secrets, hashed or not. */
type Snapshot = Readonly<Record<string, unknown>> & Partial<Record<(typeof SECRETS)[number], never>>

const SECRETS = ['secret', 'clientSecret', 'sharedSecret', 'secretHash', 'hash', 'password', 'token'] as const

/** The tables whose rows hold the head of a chain, and their keys. */
export const CHAIN_HEADS = {
  subscribers: 'subscriber_id',
  people: 'person_id',
  workspaces: 'workspace_id',
  erased_matters: 'workspace_id',
} as const

/**
 * Adds an entry to the chain of a subscriber. It is sent with the commit, which fails if the entry fails. It locks the
 * chain's head until then, so it is best sent last.
 */
export const recordSubscriberAudit = recorderOf('subscribers', '')

/** The same for a person: invitations, sign-ins, roles. */
export const recordPersonAudit = recorderOf('people', '')

/** The same for a workspace, whose row also has who changed it last, and when, and that its turn was decided with it. */
export const recordWorkspaceAudit = recorderOf(
  'workspaces',
  `, last_modified_at = ($2::jsonb ->> 'at')::timestamptz, last_modified_by =
     coalesce($2::jsonb ->> 'actingUser', $2::jsonb ->> 'clientId', 'system'), turn_seq = audit_seq + 1`,
)

/** The first entry of a workspace, sent before the row that has the head of the chain: see `FIRST_HEAD`. */
export const recordFirstWorkspaceAudit = (tx: Transaction, chain: string, entry: AuditEntry, actor: Actor): void =>
  tx.send(
    `insert into audit_entries (chain, seq, entry, payload, payload_hash, hash)
     select $1::uuid, 1, $2::jsonb, $3::jsonb, payload.hash, ${entryHash("'\\x'::bytea", 'payload.hash', '$2::jsonb')}
       from (select ${payloadHash('$3::jsonb')} as hash) payload`,
    [chain, JSON.stringify(headerOf(entry, actor)), payloadOf(entry)],
  )

/** SQL for the head of a new workspace's chain, whose id is `$1`. Without an entry it violates `not null`. */
export const FIRST_HEAD = {
  audit_seq: '1',
  audit_hash: '(select hash from audit_entries where chain = $1 and seq = 1)',
  turn_seq: '1',
}

/** An entry about what operators do with a workspace, which is no change of it. */
export const recordAboutWorkspace = recorderOf('workspaces', '')

/** The last entry of each of these workspaces, before their rows are deleted. It and the chain's end stay for ever. */
export const recordErasures = (tx: Transaction, workspaceIds: readonly string[], rule: string, actor: Actor): void =>
  tx.send(ERASURES, [
    workspaceIds,
    JSON.stringify(headerOf({ action: 'matter erased', ids: {} }, actor)),
    payloadOf({ action: '', ids: {}, after: { rule } }),
    rule,
    actor.at,
  ])

const ERASURES = `
  with entries as (
    select w.*, audit_seq + 1 as last_seq, payload, header, payload_hash, ${entryHash('audit_hash', 'payload_hash', 'header')} as hash
      from workspaces w,
           lateral (select jsonb_set($2::jsonb, '{ids,workspaceId}', to_jsonb(workspace_id)) as header,
                           jsonb_set($3::jsonb, '{after,endedAt}', to_jsonb(status_since)) as payload) parts,
           lateral (select ${payloadHash('payload')} as payload_hash) hashed
     where workspace_id = any ($1)),
  heads as (
    insert into erased_matters (workspace_id, lender_id, law_firm_id, status, ended_at, erased_at, rule, audit_seq, audit_hash)
    select workspace_id, lender_id, law_firm_id, status, status_since, $5, $4, last_seq, hash from entries)
  insert into audit_entries (chain, seq, entry, payload, payload_hash, hash)
  select workspace_id, last_seq, header, payload, payload_hash, hash from entries`

/** The actor, as the timeline and `createdBy` show it. */
export const actorName = ({ actingUser, clientId }: Actor): string => actingUser ?? clientId ?? 'system'

function recorderOf(table: keyof typeof CHAIN_HEADS, alsoSet: string) {
  const key = CHAIN_HEADS[table]
  // With the outer join, an entry for a missing head violates `not null` instead of being dropped silently.
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

/** SQL for writing and verifying: the hash of a payload, or of an empty text if there is none. */
export function payloadHash(payload: string): string {
  return `sha256(convert_to(coalesce(${payload}::text, ''), 'UTF8'))`
}

/** The same for an entry of format 2. It begins with a byte with which no entry of format 1 begins. */
export function entryHash(previous: string, hashOfPayload: string, header: string): string {
  return `sha256(${previous} || '\\x02' || ${hashOfPayload} || convert_to(${header}::text, 'UTF8'))`
}

// Who did what, and when: this is never erased.
const headerOf = ({ action, ids }: AuditEntry, actor: Actor) => ({
  at: actor.at.toISOString(),
  action,
  ids,
  clientId: actor.clientId,
  subscriberId: actor.subscriberId,
  actingUser: actor.actingUser,
  correlationId: actor.correlationId,
})

// The salt is erased with the payload, so that nobody can find an erased payload by hashing guesses.
const payloadOf = ({ before, after }: AuditEntry): string | null =>
  before || after ? JSON.stringify({ salt: randomUUID(), before, after }) : null
