import type { Db } from '../platform/db.ts'
import { CHAIN_HEADS } from './record.ts'
import { sealed } from './seal.ts'

export type AuditReport = {
  chains: number
  entries: number
  anchors: number
  /** To be compared with what was kept elsewhere, as nothing in the database follows it. */
  newestAnchor: string | undefined
  /** What is missing or altered, a sentence for each. */
  findings: string[]
}

const FINDINGS_MAX = 1_000

/**
 * Checks every chain and every anchor where they lie: only findings leave the database, so neither memory nor network
 * grows with what was recorded, and PostgreSQL may use all its cores.
 */
export async function verifyAudit(db: Db): Promise<AuditReport> {
  const client = await db.dedicated()
  try {
    await client.query('begin isolation level repeatable read, read only')
    const findings: string[] = []
    for (const check of [BROKEN_ENTRIES, BROKEN_HEADS, LOST_HEADS, BROKEN_ANCHORS]) {
      const { rows } = await client.query<{ finding: string }>(`${check} limit ${FINDINGS_MAX}`)
      for (const { finding } of rows) findings.push(finding)
      if (rows.length === FINDINGS_MAX) findings.push('There are more of the kind than are shown here.')
    }
    const { rows } = await client.query<Omit<AuditReport, 'findings'>>(COUNTS)
    const { chains = 0, entries = 0, anchors = 0, newestAnchor } = rows[0] ?? {}
    return { chains, entries, anchors, newestAnchor: newestAnchor ?? undefined, findings }
  } finally {
    await client.end()
  }
}

// Each entry is judged by the stored one before it, so that one alteration is one finding and not all that follow it.
const BROKEN_ENTRIES = `
  select format('Chain %s: ', chain) || case
    when seq_before = seq - 1 then format('entry %s was altered, or the hash of the one before it.', seq)
    else ${missing('seq_before + 1', 'seq - 1')} end as finding
  from (
    select entries.chain, entries.seq, coalesce((
      select max(seq) from audit_entries where chain = entries.chain and seq < entries.seq), 0) as seq_before
    from audit_entries entries
    left join audit_entries before on before.chain = entries.chain and before.seq = entries.seq - 1
    where entries.hash is distinct from sha256(
      case entries.seq when 1 then ''::bytea else before.hash end || convert_to(entries.entry::text, 'UTF8'))) broken
  order by chain, seq`

const HEADS = Object.entries(CHAIN_HEADS)
  .map(([table, key]) => `select ${key} as chain, audit_seq as seq, audit_hash as hash from ${table}`)
  .join(' union all ')

const BROKEN_HEADS = `
  select format('Chain %s: ', heads.chain) || case
    when heads.seq > last.seq then ${missing('last.seq + 1', 'heads.seq')}
    else format('its head stands at %s and differs from its last entry %s.', heads.seq, last.seq) end as finding
  from (${HEADS}) heads, lateral (
    select seq, hash from audit_entries where chain = heads.chain
    union all select 0, '' order by seq desc limit 1) last
  where (heads.seq, heads.hash) <> (last.seq, last.hash) order by heads.chain`

const LOST_HEADS = `
  select format('Chain %s: what it belongs to is gone; its last entry is %s.', chain, max(seq)) as finding
  from audit_entries where chain not in (select chain from (${HEADS}) heads) group by chain order by chain`

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
