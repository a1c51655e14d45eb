import type { Connection, Transaction } from '../platform/database/db.ts'
import type { Person, Way } from './rules.ts'
import { MAY_COME, PERSON, type PersonRow, personOf } from './store.ts'

// Sessions live by real time, that of the database, which all nodes share.

export type NewSession = {
  tokenHash: Buffer
  sessionId: string
  personId: string
  way: Way
  authenticatedAt: Date | undefined
  browser: string
}

const SESSIONS_MAX = 20

export function insertSession(tx: Transaction, session: NewSession, { sessionHours }: { sessionHours: number }): void {
  const { tokenHash, sessionId, personId, way, authenticatedAt = null, browser } = session
  tx.send(
    `delete from sessions where person_id = $1 and (ends_at <= now() or session_id not in
       (select session_id from sessions where person_id = $1 order by created_at desc limit $2))`,
    [personId, SESSIONS_MAX - 1],
  )
  tx.send(
    `insert into sessions (token_hash, session_id, person_id, way, authenticated_at, browser, ends_at)
     values ($1, $2, $3, $4, $5, $6, now() + make_interval(hours => $7))`,
    [tokenHash, sessionId, personId, way, authenticatedAt, browser, sessionHours],
  )
}

export type FoundSession = { id: string; way: Way; authenticatedAt: Date | null; toTouch: boolean; person: Person }

/** A valid session of somebody who may come in, and whether to record that it was used. */
export async function findSession(
  connection: Connection,
  tokenHash: Buffer,
  { idleMinutes }: { idleMinutes: number },
): Promise<FoundSession | undefined> {
  const [row] = await connection.query<PersonRow & Omit<FoundSession, 'person'>>(
    `select s.session_id as id, s.way, s.authenticated_at as "authenticatedAt",
            s.last_seen_at < now() - interval '1 minute' as "toTouch", ${PERSON}
       from sessions s join people p using (person_id) left join subscribers u on u.subscriber_id = p.subscriber_id
      where s.token_hash = $1 and s.ends_at > now() and s.last_seen_at > now() - make_interval(mins => $2) and ${MAY_COME}`,
    [tokenHash, idleMinutes],
  )
  return row && { ...row, person: personOf(row) }
}

export const touchSession = (connection: Connection, tokenHash: Buffer) =>
  connection.query('update sessions set last_seen_at = now() where token_hash = $1', [tokenHash])

/** The same session under a new name. False if it has ended meanwhile. */
export async function renameSession(
  tx: Transaction,
  sessionId: string,
  { tokenHash, authenticatedAt }: { tokenHash: Buffer; authenticatedAt: Date },
): Promise<boolean> {
  const renamed = await tx.query(
    `update sessions set token_hash = $2, authenticated_at = $3, last_seen_at = now() where session_id = $1 returning session_id`,
    [sessionId, tokenHash, authenticatedAt],
  )
  return renamed.length === 1
}

export type ListedSession = { id: string; way: Way; browser: string; createdAt: Date; lastSeenAt: Date }

export const listSessions = (connection: Connection, personId: string, { idleMinutes }: { idleMinutes: number }) =>
  connection.query<ListedSession>(
    `select session_id as id, way, browser, created_at as "createdAt", last_seen_at as "lastSeenAt" from sessions
      where person_id = $1 and ends_at > now() and last_seen_at > now() - make_interval(mins => $2)
      order by last_seen_at desc, session_id`,
    [personId, idleMinutes],
  )

/** One session of a person, or all. Returns the ids of those that ended. */
export async function deleteSessions(tx: Transaction, personId: string, sessionId?: string): Promise<string[]> {
  const ended = await tx.query<{ id: string }>(
    `delete from sessions where person_id = $1 and ($2::uuid is null or session_id = $2) returning session_id as id`,
    [personId, sessionId ?? null],
  )
  return ended.map(({ id }) => id)
}

/** The session that a browser had before. */
export function deleteNamedSession(tx: Transaction, tokenHash: Buffer): void {
  tx.send('delete from sessions where token_hash = $1', [tokenHash])
}

export async function deleteEnded(connection: Connection): Promise<void> {
  await connection.query('delete from sessions where ends_at <= now()')
  await connection.query('delete from person_links where ends_at <= now()')
}
