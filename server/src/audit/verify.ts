import type { Db } from '../platform/database/db.ts'
import { CHAIN_HEADS, entryHash, payloadHash } from './record.ts'
import { sealed } from './seal.ts'

export type AuditReport = {
  chains: number
  entries: number
  /** Payloads that were erased. Their entries still verify. */
  erased: number
  anchors: number
  /** Compare it with the one stored elsewhere, as nothing in the database protects it. */
  newestAnchor: string | undefined
  /** A sentence for each thing that is missing, altered or impossible. */
  findings: string[]
  /** A sentence for each thing to know that is not an error by itself. */
  notices: string[]
}

const FINDINGS_MAX = 1_000

/**
 * Checks every chain and every anchor, and that there is one with the hash in `anchor`, which was stored elsewhere. All
 * of it happens inside PostgreSQL, so that neither memory nor network grows with the audit (a million entries: about 10
 * seconds). `now` is the time of the business clock.
 */
export async function verifyAudit(db: Db, { now, anchor }: { now: Date; anchor?: string }): Promise<AuditReport> {
  const client = await db.dedicated()
  const list = async (check: string, values: readonly unknown[] = []): Promise<string[]> => {
    const { rows } = await client.query<{ finding: string }>(`${check} limit ${FINDINGS_MAX}`, [...values])
    const more = rows.length === FINDINGS_MAX ? ['There are more of this kind than are shown here.'] : []
    return [...rows.map(({ finding }) => finding), ...more]
  }
  try {
    await client.query('begin isolation level repeatable read, read only')
    const findings = [
      ...(await list(BROKEN_ENTRIES)),
      ...(await list(BROKEN_HEADS)),
      ...(await list(LOST_HEADS)),
      ...(await list(BROKEN_ANCHORS)),
      ...(await list(FUTURE_ANCHORS, [now])),
      ...(await list(NO_RECENT_ANCHOR, [now])),
      ...(anchor === undefined ? [] : await list(LOST_ANCHOR, [anchor])),
    ]
    const notices = [...(await list(DAYS_WITHOUT_ANCHOR, [now])), ...(await list(CLOCK_WENT_BACK))]
    const { rows } = await client.query<Omit<AuditReport, 'findings' | 'notices'>>(COUNTS)
    const { chains = 0, entries = 0, erased = 0, anchors = 0, newestAnchor } = rows[0] ?? {}
    return { chains, entries, erased, anchors, newestAnchor: newestAnchor ?? undefined, findings, notices }
  } finally {
    await client.end()
  }
}

// Each entry is checked against the stored one before it, so that one alteration is one finding and not all that follow it.
// Materialized, because the planner would otherwise expect many findings and look for the first thousand one by one.
const BROKEN_ENTRIES = `
  with entries as (
    select entries.*, before.seq as seq_before, case entries.seq when 1 then ''::bytea else before.hash end as previous
    from audit_entries entries
    left join audit_entries before on before.chain = entries.chain and before.seq = entries.seq - 1),
  broken as materialized (
    select chain, seq, seq_before, broken_hash from entries, lateral (select hash is distinct from
      case when payload_hash is null then sha256(previous || convert_to(entry::text, 'UTF8'))
      else ${entryHash('previous', 'payload_hash', 'entry')} end as broken_hash) checked
    where broken_hash or payload is not null and payload_hash is distinct from ${payloadHash('payload')})
  select format('Chain %s: ', chain) || case
    when not broken_hash then format('the payload of entry %s was altered.', seq)
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
    else format('its head is at %s and differs from its last entry %s.', heads.seq, last_seq) end as finding
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

const day = (time: string) => `to_char(${time} at time zone 'UTC', 'YYYY-MM-DD')`

const BROKEN_ANCHORS = `
  with anchors as (
    select anchor_id, sealed_at, upto, chains, hash,
      lag(upto, 1, 0::bigint) over by_id as upto_before, lag(hash, 1, ''::bytea) over by_id as hash_before
    from audit_anchors window by_id as (order by anchor_id))
  select format('Anchor %s of %s: it was altered, or the one before it, or entries up to id %s that it seals.',
    anchor_id, ${day('sealed_at')}, anchors.upto) as finding
  from anchors, lateral (select upto_before as upto, hash_before as hash) before,
    lateral (${sealed({ sealedAt: 'anchors.sealed_at', upto: 'anchors.upto', before: 'before' })}) sealed
  where (anchors.hash, anchors.chains) <> (sealed.hash, sealed.chains) order by anchor_id`

// Workers with a wrong clock take no work, so clocks cannot differ by a minute.
const FUTURE_ANCHORS = `
  select format('Anchor %s of %s: it is from the future. Check the clocks of workers and database.',
    anchor_id, ${day('sealed_at')}) as finding
  from audit_anchors where sealed_at > $1::timestamptz + interval '1 minute' order by anchor_id`

// Today's is made shortly after midnight, so that yesterday's may be the newest one for a while.
const NO_RECENT_ANCHOR = `
  select format('No anchor was made since %s: no worker runs, or the newest anchors were removed. %s', ${day('last')},
    'Compare with one that was stored elsewhere: audit verify --anchor HASH.') as finding
  from (select coalesce(
    (select max(sealed_at) from audit_anchors where sealed_at <= $1::timestamptz + interval '1 minute'),
    (select (entry ->> 'at')::timestamptz from audit_entries order by entry_id limit 1)) as last) newest
  where last < date_trunc('day', $1::timestamptz, 'UTC') - interval '1 day'`

const LOST_ANCHOR = `
  select format('No anchor has the hash %s: it was removed or altered after its hash was stored.', $1::text) as finding
  where not exists (select from audit_anchors where hash = decode($1::text, 'hex'))`

const DAYS_WITHOUT_ANCHOR = `
  with days as (
    select distinct date_trunc('day', sealed_at, 'UTC') as day from audit_anchors where sealed_at <= $1::timestamptz),
  gaps as (
    select day + interval '1 day' as first, lead(day) over (order by day) - interval '1 day' as last from days)
  select format('No anchor was made from %s to %s: no worker ran, or anchors were removed.',
    ${day('first')}, ${day('last')}) as finding
  from gaps where first <= last order by first`

const CLOCK_WENT_BACK = `
  select format('Anchor %s of %s follows one of %s: the clock of a worker was wrong.',
    anchor_id, ${day('sealed_at')}, ${day('sealed_before')}) as finding
  from (select anchor_id, sealed_at, lag(sealed_at) over (order by anchor_id) as sealed_before from audit_anchors) anchors
  where sealed_at < sealed_before order by anchor_id`

const COUNTS = `
  select (select count(*) from (select from audit_entries group by chain) chains) as chains,
    (select count(*) from audit_entries) as entries,
    (select count(*) from audit_entries
      where payload is null and payload_hash <> ${payloadHash('null::jsonb')}) as erased,
    (select count(*) from audit_anchors) as anchors,
    (select encode(hash, 'hex') from audit_anchors order by anchor_id desc limit 1) as "newestAnchor"`

function missing(first: string, last: string): string {
  return `case ${first} when ${last} then format('entry %s is missing.', ${last})
    else format('entries %s to %s are missing.', ${first}, ${last}) end`
}
