import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Connection, Db, Transaction } from '../database/db.ts'
import { deleteInBatches } from '../database/delete-in-batches.ts'
import { conflict, Refusal } from '../errors.ts'
import type { Clock } from '../jobs/clock.ts'
import type { Vault } from '../vault.ts'

export const IDEMPOTENCY_HOURS_MAX = 24
const STORED_HEADERS = ['etag', 'location'] as const

/**
 * Runs the work of a request in one transaction and returns its result. A POST with an `Idempotency-Key` stores its
 * response in the same transaction, so a repeat finds both or neither, even if a process was killed in between.
 */
export function idempotentTransaction<T>(
  { db, clock, vault }: StoreDeps,
  request: FastifyRequest,
  reply: FastifyReply,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const claim = claimOf(request, clock)
  const key = recordOf(request)
  if (!claim) return db.transaction(work, { key })
  let sealed: Buffer | undefined
  const runOnce = async (tx: Transaction) => {
    const stored = await lockStored(tx, claim)
    if (stored) return replay(reply, stored, vault.open(stored.body, request.clientId)) as T
    const response = await work(tx)
    sealed = vault.seal(JSON.stringify(response) ?? '', request.clientId)
    store(tx, claim, reply, sealed)
    return response
  }
  // Each seal is unique, so the row proves that exactly this transaction was committed.
  const isProven = async (connection: Connection) =>
    sealed !== undefined && (await findStored(connection, claim))?.body.equals(sealed) === true
  return db.transaction(runOnce, { key, isProven })
}

/** A request changes the record that is first in its path. */
const recordOf = ({ params }: FastifyRequest): string | undefined => Object.values(params as Record<string, string>)[0]

/**
 * The stored response of an earlier request with the same key, for work that begins long before its transaction. Takes
 * no lock: `idempotentTransaction` looks again.
 */
export async function findStoredResponse<T>(
  { db, clock, vault }: StoreDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<T | undefined> {
  const claim = claimOf(request, clock)
  const stored = claim && checkSame(claim, await findStored(db.read, claim))
  return stored && (replay(reply, stored, vault.open(stored.body, request.clientId)) as T)
}

type StoreDeps = { db: Db; clock: Clock; vault: Vault }
type Claim = { clientId: string; key: string; fingerprint: Buffer; now: Date }
type StoredResponse = { fingerprint: Buffer; status: number; headers: Record<string, string>; body: Buffer }

function claimOf(request: FastifyRequest, clock: Clock): Claim | undefined {
  const key = request.headers['idempotency-key']
  if (request.method !== 'POST' || typeof key !== 'string') return undefined
  return { clientId: request.clientId, key, fingerprint: fingerprintOf(request), now: clock.now() }
}

// The lock must be held before the row is read: two statements, one round trip.
async function lockStored(tx: Transaction, claim: Claim): Promise<StoredResponse | undefined> {
  const [[lock], stored] = await Promise.all([
    tx.query<{ mine: boolean }>('select pg_try_advisory_xact_lock(hashtextextended($1, 1)) as mine', [
      `${claim.clientId}\n${claim.key}`,
    ]),
    findStored(tx, claim),
  ])
  if (stored) return checkSame(claim, stored) // then the holder of the lock is also a repeat
  if (lock?.mine) return undefined
  const message = 'A request with this Idempotency-Key is still running. Repeat it in a moment to read its answer.'
  throw conflict({ field: 'Idempotency-Key', message })
}

async function findStored(connection: Connection, { clientId, key, now }: Claim): Promise<StoredResponse | undefined> {
  const [stored] = await connection.query<StoredResponse>(
    `select fingerprint, status, headers, body from idempotency_keys
      where client_id = $1 and key = $2 and created_at > $3`,
    [clientId, key, forgottenBefore(now)],
  )
  return stored
}

const forgottenBefore = (now: Date) => new Date(now.getTime() - IDEMPOTENCY_HOURS_MAX * 3_600_000)

function checkSame({ fingerprint }: Claim, stored: StoredResponse | undefined): StoredResponse | undefined {
  if (!stored || stored.fingerprint.equals(fingerprint)) return stored
  const message = 'This Idempotency-Key was used for another request. Use a new key for a new request.'
  throw new Refusal('key_reused', [{ field: 'Idempotency-Key', message }])
}

function store(tx: Transaction, claim: Claim, reply: FastifyReply, body: Buffer): void {
  const headers = STORED_HEADERS.flatMap((name) =>
    reply.hasHeader(name) ? [[name, String(reply.getHeader(name))]] : [],
  )
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

// The body of a form has the hash of its file, and not the boundary.
function fingerprintOf({ method, url, body }: FastifyRequest): Buffer {
  const [path, ...query] = url.split('?')
  return createHash('sha256')
    .update(JSON.stringify([method, path, query.join('?'), body ?? null]))
    .digest()
}

/** Called every night. */
export const deleteOldKeys = (connection: Connection, now: Date) =>
  deleteInBatches(connection, 'idempotency_keys', 'created_at < $1', [forgottenBefore(now)])
