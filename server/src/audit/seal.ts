import type { Db } from '../platform/database/db.ts'

/** A day's seal. Store its hash elsewhere, too: the owner of the database could remove the newest ones. */
export type Anchor = { anchorId: number; upto: number; chains: number; hash: string }

export const SEAL_LOCK_KEY = 4_815_003
const SEAL_MS_MAX = 600_000
const FRONTIER_WAIT_MS_MAX = 2_000

/**
 * Seals the heads of all chains into one anchor. It covers the heads that changed since the previous anchor, and that
 * anchor's hash, which covers all others. So its cost depends on a day's entries, not on their total number.
 * Once a day (UTC): undefined if another node, or an earlier attempt, has sealed it.
 */
export async function sealAudit(db: Db, now: Date): Promise<Anchor | undefined> {
  const upto = await findFrontier(db)
  return db.transaction(
    async (tx) => {
      tx.send(`set local statement_timeout = ${SEAL_MS_MAX}`)
      tx.send('select pg_advisory_xact_lock($1)', [SEAL_LOCK_KEY])
      const [anchor] = await tx.query<Anchor>(SEAL, [now, upto])
      return anchor
    },
    { msMax: SEAL_MS_MAX },
  )
}

// A short, separate transaction: while it waits for a running writer, other writers wait behind it.
function findFrontier(db: Db): Promise<number> {
  return db.transaction(async (tx) => {
    tx.send(`set local lock_timeout = ${FRONTIER_WAIT_MS_MAX}`)
    const [row] = await tx.query<{ frontier: number }>('select audit_frontier() as frontier')
    return row?.frontier ?? 0
  })
}

/** SQL for sealing and verifying: what an anchor holds, given the previous one. */
export const sealed = (anchor: { sealedAt: string; upto: string; before: string }) => `
  select count(*) as chains, sha256(${anchor.before}.hash
    || convert_to((extract(epoch from ${anchor.sealedAt}) * 1000000)::bigint || ' ' || ${anchor.upto}, 'UTF8')
    || coalesce(string_agg(uuid_send(chain) || int8send(seq) || heads.hash, ''::bytea order by chain), '')) as hash
  from (
    select distinct on (chain) chain, seq, hash from audit_entries
    where entry_id > ${anchor.before}.upto and entry_id <= ${anchor.upto} order by chain, seq desc) heads`

const SEAL = `
  with before as (
    select upto, hash from (
      select anchor_id, upto, hash from audit_anchors union all select 0, 0, '') anchors
    order by anchor_id desc limit 1)
  insert into audit_anchors (sealed_at, upto, chains, hash)
  select $1, $2, sealed.chains, sealed.hash
  from before, lateral (${sealed({ sealedAt: '$1::timestamptz', upto: '$2::bigint', before: 'before' })}) sealed
  where before.upto <= $2 and not exists (
    select from audit_anchors where date_trunc('day', sealed_at, 'UTC') = date_trunc('day', $1::timestamptz, 'UTC'))
  returning anchor_id as "anchorId", upto, chains, encode(hash, 'hex') as hash`
