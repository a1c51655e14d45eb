import type { Caller } from '../auth/guard.ts'
import { ALL_SCOPES, DECISION_SCOPES, type Scope } from '../auth/scopes.ts'
import { type FieldError, Refusal } from '../platform/errors.ts'

export const ROLES = ['viewer', 'preparer', 'approver', 'developer', 'operator'] as const
export type Role = (typeof ROLES)[number]

export type Person = {
  id: string
  name: string
  email: string
  roles: readonly Role[]
  /** An operator belongs to none. */
  subscriber?: { id: string; name: string; kind: Caller['kind'] }
}

/** How somebody signed in: at the identity provider, by a link that works once, or by a click in the sandbox. */
export type Way = 'PROVIDER' | 'LINK' | 'SANDBOX'

export type Session = {
  id: string
  person: Person
  /** Whether this person may approve, authorise and confirm: now, after signing in again, or not with this session. */
  decides: 'now' | 'again' | 'never'
}

const DEVELOP: readonly Scope[] = ['view:notifications', 'view:requests', 'edit:notification_registrations']
const VIEW = ALL_SCOPES.filter((scope) => /^(x-api:)?view:/.test(scope) && scope !== 'view:requests')
const PREPARE = ALL_SCOPES.filter((scope) => ![...VIEW, ...DEVELOP].includes(scope) && !DECISION_SCOPES.includes(scope))

const SCOPES_OF: Record<Role, readonly Scope[]> = {
  viewer: VIEW,
  preparer: [...VIEW, ...PREPARE],
  approver: [...VIEW, ...DECISION_SCOPES],
  developer: DEVELOP,
  operator: [],
}

export const scopesOf = (roles: readonly Role[]): ReadonlySet<Scope> =>
  new Set(roles.flatMap((role) => SCOPES_OF[role]))

/** Outside the sandbox only somebody whom the provider saw recently decides. */
export function decidesOf(
  { way, authenticatedAt }: { way: Way; authenticatedAt: Date | null },
  { sandbox, stepUpMinutes }: { sandbox: boolean; stepUpMinutes: number },
  now: Date,
): Session['decides'] {
  if (way !== 'PROVIDER') return sandbox ? 'now' : 'never'
  const ageMs = now.getTime() - (authenticatedAt?.getTime() ?? 0)
  return stepUpMinutes === 0 || ageMs < stepUpMinutes * 60_000 ? 'now' : 'again'
}

export type NewPerson = { name: string; email: string; roles: readonly string[]; subscriberId?: string | undefined }

const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]+$/
const CHARACTERS_MAX = 254

export function checkPerson({ name, email, roles, subscriberId }: NewPerson): void {
  const errors: FieldError[] = []
  if (!name || name.length > CHARACTERS_MAX)
    errors.push({ field: 'name', message: 'name must have 1 to 254 characters.' })
  if (!EMAIL.test(email) || email.length > CHARACTERS_MAX)
    errors.push({ field: 'email', message: 'email must be an e-mail address.' })
  const isOperator = roles.includes('operator')
  if (roles.length === 0 || !roles.every(isRole))
    errors.push({ field: 'roles', message: `roles must be some of ${ROLES.join(', ')}.` })
  else if (isOperator && roles.length > 1)
    errors.push({ field: 'roles', message: 'An operator has no other role: operators do not read matters.' })
  if (isOperator !== (subscriberId === undefined))
    errors.push({ field: 'subscriber', message: 'subscriber is needed, and left out only for an operator.' })
  if (errors.length) throw new Refusal('invalid', errors)
}

export const isRole = (text: string): text is Role => ROLES.some((role) => role === text)

export const CONSOLE_PATH = '/console'
const RETURN_CHARACTERS_MAX = 2_000

/** Where to go after signing in: a page of the console, never another site. */
export function returnPath(text: string | null | undefined): string {
  if ((text ?? '').length > RETURN_CHARACTERS_MAX) return `${CONSOLE_PATH}/`
  // The parser resolves `..` and `\`, so what is compared is what a browser would open.
  const url = URL.parse(text ?? '', 'http://console.invalid')
  const isOurs = url?.origin === 'http://console.invalid' && `${url.pathname}/`.startsWith(`${CONSOLE_PATH}/`)
  return url && isOurs ? url.pathname + url.search : `${CONSOLE_PATH}/`
}
