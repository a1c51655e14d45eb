import { randomUUID } from 'node:crypto'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type Actor, recordPersonAudit } from '../audit/record.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { Refusal } from '../platform/errors.ts'
import { clearCookie, readCookie, sessionCookie, setCookie } from './cookies.ts'
import { CONSOLE_PATH, decidesOf, type Person, type Session, type Way } from './rules.ts'
import type { ConsoleSettings } from './settings.ts'
import {
  deleteNamedSession,
  deleteSessions,
  findSession,
  insertSession,
  type ListedSession,
  listSessions,
  renameSession,
  touchSession,
} from './store-sessions.ts'
import { hashToken, newToken } from './tokens.ts'

/** A request of a browser, and the id under which it is logged and audited. */
export type Visitor = { request: Request; correlationId: string }

export type Sessions = {
  signedIn(request: Request): Promise<Session | undefined>
  /** Always a new session: one that was planted in the browser is worth nothing. Returns the cookie. */
  begin(
    tx: Transaction,
    visitor: Visitor,
    person: Person,
    how: { way: Way; authenticatedAt?: Date | undefined },
  ): string
  /** After a person signed in again. Returns the cookie, or undefined if the session has ended meanwhile. */
  stepUp(visitor: Visitor, session: Session, authenticatedAt: Date): Promise<string | undefined>
  list(session: Session): Promise<ListedSession[]>
  /** Ends one of this person's sessions. Returns the cookie that replaces that of the session. */
  end(visitor: Visitor, session: Session, sessionId: string): Promise<string>
}

const PAGES_PER_MINUTE_MAX = 300
const BROWSER_CHARACTERS_MAX = 200

export function createSessions(
  { db, clock }: Pick<Deps, 'db' | 'clock'>,
  settings: ConsoleSettings & { sandbox: boolean },
): Sessions {
  const cookie = sessionCookie(settings.sandbox)
  const pages = new RateLimiterMemory({ points: PAGES_PER_MINUTE_MAX, duration: 60 })
  const tokenIn = ({ headers }: Request) => readCookie(headers.get('cookie'), cookie)
  const actorOf = ({ id, email, subscriber }: Person, { correlationId }: Visitor): Actor => ({
    clientId: clientIdOf(id),
    ...(subscriber && { subscriberId: subscriber.id }),
    actingUser: email,
    correlationId,
    at: clock.now(),
  })

  return {
    async signedIn(request) {
      const token = tokenIn(request)
      if (token === undefined) return undefined
      const found = await findSession(db.auth, hashToken(token), settings)
      if (!found) return undefined
      const { id, person, toTouch } = found
      if (!isStream(request))
        await pages.consume(person.id).catch(({ msBeforeNext }: { msBeforeNext: number }) => {
          const seconds = String(Math.max(1, Math.ceil(msBeforeNext / 1_000)))
          const message = `More than ${PAGES_PER_MINUTE_MAX} pages in a minute. Please wait ${seconds} s.`
          throw new Refusal('too_many', [{ message }], { 'retry-after': seconds })
        })
      if (toTouch && isByPerson(request)) await touchSession(db, hashToken(token))
      return { id, person, decides: decidesOf(found, settings, new Date()) }
    },

    begin(tx, visitor, person, { way, authenticatedAt }) {
      const { token, tokenHash } = newToken()
      const sessionId = randomUUID()
      const former = tokenIn(visitor.request)
      if (former !== undefined) deleteNamedSession(tx, hashToken(former))
      const browser = (visitor.request.headers.get('user-agent') ?? '').slice(0, BROWSER_CHARACTERS_MAX)
      insertSession(tx, { tokenHash, sessionId, personId: person.id, way, authenticatedAt, browser }, settings)
      const ids = { personId: person.id, sessionId }
      recordPersonAudit(tx, person.id, { action: 'signed in', ids, after: { way } }, actorOf(person, visitor))
      return setCookie(cookie, token)
    },

    async stepUp(visitor, { id: sessionId, person }, authenticatedAt) {
      const { token, tokenHash } = newToken()
      return db.transaction(async (tx) => {
        if (!(await renameSession(tx, sessionId, { tokenHash, authenticatedAt }))) return undefined
        const ids = { personId: person.id, sessionId }
        recordPersonAudit(tx, person.id, { action: 'signed in again', ids }, actorOf(person, visitor))
        return setCookie(cookie, token)
      })
    },

    list: ({ person }) => listSessions(db.read, person.id, settings),

    async end(visitor, { person }, sessionId) {
      await db.transaction(async (tx) => {
        const [ended] = await deleteSessions(tx, person.id, sessionId)
        if (!ended) return
        const ids = { personId: person.id, sessionId }
        recordPersonAudit(tx, person.id, { action: 'signed out', ids }, actorOf(person, visitor))
      })
      return clearCookie(cookie)
    },
  }
}

/** In idempotency keys and in the audit, where a client's id is for a token. */
export const clientIdOf = (personId: string): string => `person:${personId}`

const isStream = ({ url }: Request): boolean => new URL(url).pathname === `${CONSOLE_PATH}/live`

/** An open page that renews itself does not keep a session alive. */
const isByPerson = (request: Request): boolean => !isStream(request) && !request.headers.has('x-refresh')
