import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Connection, Db, Transaction } from '../database/db.ts'
import { deleteInBatches } from '../database/delete-in-batches.ts'
import { conflict, Refusal } from '../errors.ts'
import type { Clock } from '../jobs/clock.ts'
import type { Vault } from '../vault.ts'

export const IDEMPOTENCY_HOURS_MAX = 24
const KEPT_HEADERS = ['etag', 'location'] as const

/**
 * Runs the work of a request in one transaction and answers what it returns. A POST with an `Idempotency-Key` stores its
 * answer in that same transaction, so a repeat finds both or neither, whatever was killed in between.
 */
export function idempotentTransaction<T>(
  { db, clock, vault }: Keeping,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const claim = claimOf(request, clock)
  const key = recordOf(request)
  if (!claim) return db.transaction(work, { key })
  let sealed: Buffer | undefined
  const answerOnce = async (tx: Transaction) => {
    const kept = await lockKept(tx, claim)
    if (kept) return replay(reply, kept, vault.open(kept.body, request.clientId)) as T
    const answer = await work(tx)
    sealed = vault.seal(JSON.stringify(answer) ?? '', request.clientId)
    keep(tx, claim, reply, sealed)
    return answer
  }
  // No two answers are sealed alike, so the row proves that this transaction, and no other, was committed.
  const isProven = async (connection: Connection) =>
    sealed !== undefined && (await findKept(connection, claim))?.body.equals(sealed) === true
  return db.transaction(answerOnce, { key, isProven })
}

/** The record that a request changes is the first that its path names. */
const recordOf = ({ params }: FastifyRequest): string | undefined => Object.values(params as Record<string, string>)[0]

/**
 * The answer of a request that was made before, for one whose work begins long before its transaction. Not locked:
 * `idempotentTransaction` looks again.
 */
export async function findStoredResponse<T>(
  { db, clock, vault }: Keeping,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<T | undefined> {
  const claim = claimOf(request, clock)
  const kept = claim && checkSame(claim, await findKept(db.read, claim))
  return kept && (replay(reply, kept, vault.open(kept.body, request.clientId)) as T)
}

type Keeping = { db: Db; clock: Clock; vault: Vault }
type Claim = { clientId: string; key: string; fingerprint: Buffer; now: Date }
type StoredResponse = { fingerprint: Buffer; status: number; headers: Record<string, string>; body: Buffer }

function claimOf(request: FastifyRequest, clock: Clock): Claim | undefined {
  const key = request.headers['idempotency-key']
  if (request.method !== 'POST' || typeof key !== 'string') return undefined
  return { clientId: request.clientId, key, fingerprint: fingerprintOf(request), now: clock.now() }
}

// The lock must be held before the look: two statements, one round trip.
async function lockKept(tx: Transaction, claim: Claim): Promise<StoredResponse | undefined> {
  const [[lock], kept] = await Promise.all([
    tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 1)) as mine', [
      `${claim.clientId}\n${claim.key}`,
    ]),
    findKept(tx, claim),
  ])
  if (kept) return checkSame(claim, kept) // the holder of the lock then only repeats it, too
  if (lock?.mine) return undefined
  const message = 'A request with this Idempotency-Key is still running. Repeat it in a moment to read its answer.'
  throw conflict({ field: 'Idempotency-Key', message })
}

async function findKept(connection: Connection, { clientId, key, now }: Claim): Promise<StoredResponse | undefined> {
  const [kept] = await connection.query<StoredResponse>(
    `select fingerprint, status, headers, body from idempotency_keys
      where client_id = $1 and key = $2 and created_at > $3`,
    [clientId, key, forgottenBefore(now)],
  )
  return kept
}

const forgottenBefore = (now: Date) => new Date(now.getTime() - IDEMPOTENCY_HOURS_MAX * 3_600_000)

function checkSame({ fingerprint }: Claim, kept: StoredResponse | undefined): StoredResponse | undefined {
  if (!kept || kept.fingerprint.equals(fingerprint)) return kept
  const message = 'This Idempotency-Key was used for another request. Use a new key for a new request.'
  throw new Refusal('key_reused', [{ field: 'Idempotency-Key', message }])
}

function keep(tx: Transaction, claim: Claim, reply: FastifyReply, body: Buffer): void {
  const headers = KEPT_HEADERS.flatMap((name) => (reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : []))
  tx.send(
    `insert into idempotency_keys (client_id, key, fingerprint, status, headers, body, created_at)
     values ($1, $2, $3, $4, $5, $6, $7)
     on conflict (client_id, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
       headers = excluded.headers, body = excluded.body, created_at = excluded.created_at`,
    [
      claim.clientId,
      claim.key,
      claim.fingerprint,
      reply.statusCode,
      JSON.stringify(Object.fromEntries(headers)),
      body,
      claim.now,
    ],
  )
}

function replay(reply: FastifyReply, { status, headers }: StoredResponse, body: string): unknown {
  reply.code(status).headers(headers)
  return body === '' ? undefined : JSON.parse(body)
}

// The body of a form holds the hash of its file, and nothing of the boundary.
function fingerprintOf({ method, url, body }: FastifyRequest): Buffer {
  const [path, ...query] = url.split('?')
  return createHash('sha256')
    .update(JSON.stringify([method, path, query.join('?'), body ?? null]))
    .digest()
}

/** Keys past their day, removed by a nightly chore. */
export const deleteOldKeys = (connection: Connection, now: Date) =>
  deleteInBatches(connection, 'idempotency_keys', 'created_at < $1', [forgottenBefore(now)])
