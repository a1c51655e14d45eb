import type { Db } from '../platform/database/db.ts'
import { CHAIN_HEADS } from './record.ts'
import { sealed } from './seal.ts'

export type AuditSummary = {
  chains: number
  entries: number
  anchors: number
  /** To be compared with what was kept elsewhere, as nothing in the database follows it. */
  newestAnchor: string | undefined
  findings: number
}

const FINDINGS_MAX = 1_000

/**
 * Checks every chain and every anchor and tells what is missing or altered, a sentence for each. They are checked where
 * they lie, so that neither memory nor network grows with what was recorded (a million entries: some 10 seconds).
 */
export async function verifyAudit(db: Db, tell: (finding: string) => void): Promise<AuditSummary> {
  const client = await db.dedicated()
  try {
    await client.query('begin isolation level repeatable read, read only')
    let findings = 0
    for (const check of [BROKEN_ENTRIES, BROKEN_HEADS, LOST_HEADS, BROKEN_ANCHORS]) {
      const { rows } = await client.query<{ finding: string }>(`${check} limit ${FINDINGS_MAX}`)
      for (const { finding } of rows) tell(finding)
      if (rows.length === FINDINGS_MAX) tell('There are more of the kind than are told here.')
      findings += rows.length
    }
    const { rows } = await client.query<Omit<AuditSummary, 'findings'>>(COUNTS)
    const { chains = 0, entries = 0, anchors = 0, newestAnchor } = rows[0] ?? {}
    return { chains, entries, anchors, newestAnchor: newestAnchor ?? undefined, findings }
  } finally {
    await client.end()
  }
}

// Each entry is judged by the stored one before it, so that one alteration is one finding and not all that follow it.
// Materialized, lest the planner count on many findings and look for the first thousand entry by entry.
const BROKEN_ENTRIES = `
  with broken as materialized (
    select entries.chain, entries.seq, before.seq as seq_before from audit_entries entries
    left join audit_entries before on before.chain = entries.chain and before.seq = entries.seq - 1
    where entries.hash is distinct from sha256(
      case entries.seq when 1 then ''::bytea else before.hash end || convert_to(entries.entry::text, 'UTF8')))
  select format('Chain %s: ', chain) || case
    when seq = 1 or seq_before is not null then format('entry %s was altered, or the hash of the one before it.', seq)
    else ${missing('last_before + 1', 'seq - 1')} end as finding
  from broken, lateral (
    select coalesce(max(seq), 0) as last_before from audit_entries
    where chain = broken.chain and seq < broken.seq) earlier
  order by chain, seq`

const HEADS = Object.entries(CHAIN_HEADS)
  .map(([table, key]) => `select ${key} as chain, audit_seq as seq, audit_hash as hash from ${table}`)
  .join(' union all ')

const BROKEN_HEADS = `
  select format('Chain %s: ', heads.chain) || case
    when heads.seq > last_seq then ${missing('last_seq + 1', 'heads.seq')}
    else format('its head stands at %s and differs from its last entry %s.', heads.seq, last_seq) end as finding
  from (${HEADS}) heads
  left join lateral (select seq, hash from audit_entries where chain = heads.chain order by seq desc limit 1) last on true,
  coalesce(last.seq, 0) as last_seq
  where (heads.seq, heads.hash) <> (last_seq, coalesce(last.hash, '')) order by heads.chain`

const LOST_HEADS = `
  with lost as materialized (
    select chain, max(seq) as seq from audit_entries
    where not exists (select from (${HEADS}) heads where heads.chain = audit_entries.chain) group by chain)
  select format('Chain %s: what it belongs to is gone; its last entry is %s.', chain, seq) as finding
  from lost order by chain`

const BROKEN_ANCHORS = `
  with anchors as (
    select anchor_id, sealed_at, upto, chains, hash,
      lag(upto, 1, 0::bigint) over by_id as upto_before, lag(hash, 1, ''::bytea) over by_id as hash_before
    from audit_anchors window by_id as (order by anchor_id))
  select format('Anchor %s of %s: it was altered, or the one before it, or entries up to id %s that it seals.',
    anchor_id, to_char(sealed_at at time zone 'UTC', 'YYYY-MM-DD'), anchors.upto) as finding
  from anchors, lateral (select upto_before as upto, hash_before as hash) before,
    lateral (${sealed({ sealedAt: 'anchors.sealed_at', upto: 'anchors.upto', before: 'before' })}) sealed
  where (anchors.hash, anchors.chains) <> (sealed.hash, sealed.chains) order by anchor_id`

const COUNTS = `
  select (select count(*) from (select from audit_entries group by chain) chains) as chains,
    (select count(*) from audit_entries) as entries, (select count(*) from audit_anchors) as anchors,
    (select encode(hash, 'hex') from audit_anchors order by anchor_id desc limit 1) as "newestAnchor"`

function missing(first: string, last: string): string {
  return `case ${first} when ${last} then format('entry %s is missing.', ${last})
    else format('entries %s to %s are missing.', ${first}, ${last}) end`
}
