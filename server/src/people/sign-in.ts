import type { Deps } from '../platform/deps.ts'
import { clearCookie, readCookie, setCookie, signInCookie } from './cookies.ts'
import type { Checks, Identity, Provider } from './provider.ts'
import { CONSOLE_PATH, type Person, returnPath, type Session } from './rules.ts'
import type { Sessions, Visitor } from './sessions.ts'
import type { ConsoleSettings } from './settings.ts'
import { bindSubject, findLink, findPerson, findSubject, type Link, useLink } from './store.ts'
import { hashToken } from './tokens.ts'

/** Where the browser goes next, with which cookies; or why nothing came of it. */
export type Outcome = { location: string; cookies: readonly string[] } | { refused: string }

type Parts = Pick<Deps, 'db' | 'vault'> & {
  settings: ConsoleSettings & { sandbox: boolean; publicUrl: string }
  sessions: Sessions
  provider: Provider | undefined
}

/** What a browser has begun, sealed in a cookie of its own, so that any node can finish it. */
type Pending = { checks?: Checks; returnTo: string; endsAt: number; invited?: string; steppingUp?: string }

const PENDING_SECONDS_MAX = 600
const OWNER = 'console sign-in'

export function createSignIn({ db, vault, settings, sessions, provider }: Parts) {
  const cookie = signInCookie(settings.sandbox)

  const keep = (pending: Omit<Pending, 'endsAt'>): string => {
    const text = JSON.stringify({ ...pending, endsAt: Date.now() + PENDING_SECONDS_MAX * 1_000 })
    return setCookie(cookie, vault.seal(text, OWNER).toString('base64url'), PENDING_SECONDS_MAX)
  }
  const pendingIn = ({ headers }: Request): Pending | undefined => {
    const sealed = readCookie(headers.get('cookie'), cookie)
    if (!sealed) return undefined
    try {
      const pending = JSON.parse(vault.open(Buffer.from(sealed, 'base64url'), OWNER)) as Pending
      return pending.endsAt > Date.now() ? pending : undefined
    } catch {
      return undefined // not ours, or of another pepper
    }
  }
  const enter = (visitor: Visitor, person: Person, identity: Identity, { returnTo, invited }: Pending) =>
    db.transaction(async (tx): Promise<Outcome> => {
      const { issuer, subject, authenticatedAt } = identity
      if (invited && !(await bindSubject(tx, person.id, issuer, subject))) return { refused: BOUND }
      const session = sessions.begin(tx, visitor, person, { way: 'PROVIDER', authenticatedAt })
      return { location: returnTo, cookies: [session, clearCookie(cookie)] }
    })

  async function stepUp(visitor: Visitor, sessionId: string, identity: Identity, returnTo: string): Promise<Outcome> {
    const session = await sessions.signedIn(visitor.request)
    const bound = session && (await findSubject(db.read, session.person.id))
    const isSame = bound?.issuer === identity.issuer && bound.subject === identity.subject
    if (session?.id !== sessionId || !isSame || !identity.authenticatedAt)
      return { refused: 'This was not the person who is signed in here. Nothing has changed.' }
    const renewed = await sessions.stepUp(visitor, session, identity.authenticatedAt)
    if (!renewed) return { refused: NOT_BEGUN }
    return { location: returnTo, cookies: [renewed, clearCookie(cookie)] }
  }

  /** Whom a link is for, while it works. */
  async function link(token: string): Promise<Link | undefined> {
    const found = await findLink(db.read, hashToken(token))
    const isUsable = settings.links || (found?.kind === 'INVITATION' && provider !== undefined)
    return isUsable ? found : undefined
  }

  return {
    /** In the sandbox: one click. */
    async pick(visitor: Visitor, personId: string, returnTo: string): Promise<Outcome> {
      const person = settings.sandbox && UUID.test(personId) && (await findPerson(db.read, { personId }))
      if (!person) return { refused: 'There is no such person in the sandbox.' }
      return db.transaction(
        async (tx): Promise<Outcome> => ({
          location: returnPath(returnTo),
          cookies: [sessions.begin(tx, visitor, person, { way: 'SANDBOX' })],
        }),
      )
    },

    /** To the provider; with a session, so that the same person signs in again, if that was too long ago. */
    async begin({ request }: Visitor, returnTo: string, session?: Session): Promise<Outcome> {
      if (session?.decides === 'now') return { location: returnPath(returnTo), cookies: [] }
      if (!provider || session?.decides === 'never')
        return { refused: 'You cannot sign in at an identity provider here.' }
      const { address, checks } = await provider.begin(session && settings.stepUpMinutes * 60)
      const invited = pendingIn(request)?.invited
      const purpose = session ? { steppingUp: session.id } : invited ? { invited } : {}
      return { location: address, cookies: [keep({ checks, returnTo: returnPath(returnTo), ...purpose })] }
    },

    /** Back from the provider. */
    async finish(visitor: Visitor): Promise<Outcome> {
      const pending = pendingIn(visitor.request)
      if (!provider || !pending?.checks) return { refused: NOT_BEGUN }
      const { pathname, search } = new URL(visitor.request.url)
      const identity = await provider.finish(new URL(settings.publicUrl + pathname + search), pending.checks)
      if (!identity) return { refused: NOT_PROVEN }
      const { returnTo, invited, steppingUp } = pending
      if (steppingUp) return stepUp(visitor, steppingUp, identity, returnTo)
      const known = await findPerson(db.read, identity)
      const person = invited ? await findPerson(db.read, { personId: invited }) : known
      if (!person) return { refused: NOT_KNOWN(identity) }
      return known && known.id !== person.id ? { refused: OTHERS } : enter(visitor, person, identity, pending)
    },

    link,

    /** An invitation leads to the provider if there is one; any other link lets its person in. */
    async useLink(visitor: Visitor, token: string): Promise<Outcome> {
      const found = await link(token)
      if (!found) return { refused: LINK_ENDED }
      const isInvitation = found.kind === 'INVITATION' && provider !== undefined
      return db.transaction(async (tx): Promise<Outcome> => {
        if (!(await useLink(tx, hashToken(token)))) return { refused: LINK_ENDED }
        if (isInvitation) {
          const invited = keep({ returnTo: `${CONSOLE_PATH}/`, invited: found.person.id })
          return { location: `${CONSOLE_PATH}/sign-in?invited`, cookies: [invited] }
        }
        return { location: `${CONSOLE_PATH}/`, cookies: [sessions.begin(tx, visitor, found.person, { way: 'LINK' })] }
      })
    },
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const NOT_BEGUN = 'This sign-in was not begun in this browser, or took longer than 10 minutes. Please sign in again.'
const NOT_PROVEN = 'The identity provider did not confirm who you are. Please sign in again.'
const BOUND = 'You are bound to another account already. Ask the operator of the service.'
const OTHERS = 'This account belongs to another person here. Sign in with your own.'
const LINK_ENDED = 'This link was used already, or is too old. Ask the operator of the service for another.'
const NOT_KNOWN = ({ issuer, subject }: Identity) =>
  `Nobody here is known by this account, or the account is disabled. Send this to the operator of the service: issuer ${issuer}, subject ${subject}.`
