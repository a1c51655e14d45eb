import type { Connection } from '../platform/database/db.ts'

// One limit for each client over all nodes, without a statement for each request. The database has a row for each client:
// what was taken of its present minute. A node takes a batch ahead of need and counts by itself until half of it is used.
// What this promises, and by how much it may be wrong: docs/decisions/0023-rate-limits-in-leases.md.

export type Verdict = { isAdmitted: boolean; left: number; msLeft: number }

export type Limiter = { perMinute: number; take(clientId: string): Verdict | Promise<Verdict> }

/** A part of a client's minute. `left` is what nobody has taken yet, `nodes` how many serve. */
export type Lease = { granted: number; left: number; msLeft: number; nodes: number }

export type TakeLease = (clientId: string, wanted: number) => Promise<Lease>

type Bucket = {
  endsAt: number
  /** Requests admitted by this node. */
  used: number
  /** Leased and not used; negative while a lease is awaited. */
  tokens: number
  /** What the database had left when it was last asked. */
  left: number
  leasing: Promise<void> | undefined
}

type Parts = { perMinute: number; lease: TakeLease; onError(error: unknown): void; now?: () => number }

const MINUTE_MS = 60_000
const BATCHES_PER_MINUTE = 20
const CLIENTS_MAX = 10_000

/** The most that a node holds of a client's minute. */
export const batchOf = (perMinute: number) => Math.ceil(perMinute / BATCHES_PER_MINUTE)

export function createLimiter({ perMinute, lease, onError, now = () => performance.now() }: Parts): Limiter {
  const batch = batchOf(perMinute)
  const half = Math.floor(batch / 2)
  const buckets = new Map<string, Bucket>()
  let nodes = 1

  function bucketOf(clientId: string): Bucket {
    const at = now()
    const known = buckets.get(clientId)
    if (known && at < known.endsAt) return known
    if (!known && buckets.size >= CLIENTS_MAX) buckets.clear()
    const unused = { endsAt: at + MINUTE_MS, used: 0, tokens: 0, left: perMinute }
    // The same object, so that a lease that is under way is not lost.
    const bucket = known ? Object.assign(known, unused) : { ...unused, leasing: undefined }
    buckets.set(clientId, bucket)
    return bucket
  }

  async function replenish(clientId: string, bucket: Bucket): Promise<void> {
    const askedAt = now()
    try {
      const { granted, left, msLeft, nodes: counted } = await lease(clientId, batch - bucket.tokens)
      nodes = Math.max(1, counted)
      bucket.tokens += granted
      bucket.left = left
      bucket.endsAt = askedAt + msLeft // rather too early: what is left of one minute is never used in the next
    } catch (error) {
      onError(error)
      // Until the minute ends this node counts alone, and admits no more than its share.
      bucket.tokens = Math.max(1, Math.floor(perMinute / nodes)) - bucket.used
      bucket.left = 0
    } finally {
      bucket.leasing = undefined
    }
  }

  function take(clientId: string): Verdict | Promise<Verdict> {
    const bucket = bucketOf(clientId)
    const mayUse = bucket.used < perMinute
    // A few are admitted before the lease arrives, so that none waits for it.
    const isAdmitted = mayUse && (bucket.tokens > 0 || (bucket.left > 0 && bucket.tokens > -half))
    if (isAdmitted) {
      bucket.used++
      bucket.tokens--
    }
    if (mayUse && bucket.left > 0 && bucket.tokens <= half) bucket.leasing ??= replenish(clientId, bucket)
    if (mayUse && !isAdmitted && bucket.leasing) return bucket.leasing.then(() => take(clientId))
    const left = Math.max(0, Math.min(perMinute - bucket.used, bucket.tokens + bucket.left))
    return { isAdmitted, left, msLeft: bucket.endsAt - now() }
  }

  return { perMinute, take }
}

/**
 * Leases from the database. Sent with the reads of authentication, which are sent again where a connection is stuck: then
 * the client gets a batch less, never more.
 */
export const leasesOf =
  (connection: Connection, perMinute: number): TakeLease =>
  async (clientId, wanted) => {
    const [row] = await connection.query<Taken>(LEASE, [clientId, wanted])
    if (!row) throw new Error('The database gave no lease.')
    const { taken, ...rest } = row
    return { ...rest, ...shareOf(taken, wanted, perMinute) }
  }

/** What the last one of those who took gets, where more was asked for than there is. */
export const shareOf = (taken: number, wanted: number, perMinute: number) => ({
  granted: Math.max(0, Math.min(wanted, perMinute - (taken - wanted))),
  left: Math.max(0, perMinute - taken),
})

type Taken = { taken: number; msLeft: number; nodes: number }

const LEASE = `
  insert into rate_limits as present (client_id, ends_at, taken) values ($1, now() + interval '60 seconds', $2)
  on conflict (client_id) do update set
    taken = case when present.ends_at > now() then present.taken else 0 end + excluded.taken,
    ends_at = case when present.ends_at > now() then present.ends_at else excluded.ends_at end
  returning taken, (extract(epoch from ends_at - now()) * 1000)::integer as "msLeft",
    (select count(*) from nodes where 'serve' = any (roles) and last_seen_at > now() - interval '20 seconds') as nodes`
