import type { FastifyReply, FastifyRequest } from 'fastify'
import { forbidden, Refusal, unavailable } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import type { ServiceState } from '../platform/operations/state.ts'
import { type Directory, mayAct } from './directory.ts'
import type { Limiter } from './limit.ts'
import type { Operator, Passes, PassOn } from './passes.ts'
import { ALL_SCOPES, DECISION_SCOPES, isOperatorScope, isScope, type OperatorScope, type Scope } from './scopes.ts'
import type { Decisions, Eligibility, SubscriberKind } from './store.ts'
import type { Claims, TokenVerifier } from './tokens.ts'

// The order of the checks: token or pass, maintenance, rate limit, scope, kind of subscriber, who may decide.

export type Caller = {
  clientId: string
  subscriberId: string
  subscriberName: string
  kind: SubscriberKind
  scopes: ReadonlySet<string>
  /** Whether a client's token is enough to approve, authorise and confirm. */
  decisions: Decisions
  /** Until then its requests are logged, outside the sandbox. */
  logUntil?: Date
  /** Who signed in to the console; undefined for a client's token. `mayDecide` needs a recent sign-in. */
  person?: { email: string; isApprover: boolean; mayDecide: boolean }
  passOn?: PassOn
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kinds of subscriber that may call; all if left out. */
    kinds?: readonly SubscriberKind[]
    /** If the body selects one of several scopes: the one that it needs, or undefined if it names none. */
    scopeOf?: (body: unknown) => Scope | undefined
    /** Whether it approves, authorises or confirms. By default those whose scope does. */
    isDecision?: boolean
  }
  interface FastifyRequest {
    caller: Caller
    /** Who runs the service, on the routes of operators alone. */
    operator: Operator | undefined
    /** Whether a request whose response is still open would be admitted now. */
    isAdmitted(): Promise<boolean>
  }
}

export type GuardOptions = {
  verifier: TokenVerifier
  passes: Passes
  directory: Directory
  state: ServiceState
  /** Undefined if there is no limit. */
  limiter: Limiter | undefined
  /** Called when a client is known to have called, often. */
  onUse?: (clientId: string) => void
}

export function addGuard(app: App, options: GuardOptions): void {
  const { verifier, passes, directory, state, limiter, onUse } = options
  app.decorateRequest('caller')
  app.decorateRequest('operator')
  app.decorateRequest('isAdmitted', async function (this: FastifyRequest) {
    if (state.maintenance() || this.caller.person) return false
    try {
      checkScope(await authenticate(this, verifier, directory), this.route.scope ?? [])
      return true
    } catch (error) {
      if (error instanceof Refusal) return false
      throw error
    }
  })

  // A route without a scope would be open to every partner, so the app refuses to start with one.
  app.addHook('onRoute', (route) => {
    const scopes = [route.config?.scope ?? []].flat()
    const known =
      scopes.length > 0 && scopes.every((scope) => scope === 'none' || isOperatorScope(scope) || isScope(scope))
    if (!known) throw new Error(`${route.url} declares no scope of the interface`)
    route.config = { isDecision: scopes.some(isDecisionScope), ...route.config }
  })

  const limit = limiter && createLimit(limiter)

  const admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller): void | Promise<void> => {
    const { scope = [], kinds, isDecision } = request.route
    const { clientId, person } = caller
    request.caller = caller
    request.clientId = clientId
    // The console goes on showing, with a banner.
    if (state.maintenance() && !(person && request.method === 'GET')) throw underMaintenance()
    // The pages that a person opens are limited, not the calls behind them.
    return then(person ? undefined : limit?.(reply, clientId), () => {
      if (!(person && isDecision)) checkScope(caller, scope)
      checkKind(caller, kinds)
      if (isDecision) checkDecision(caller)
    })
  }

  // Nearly always the answers are cached, and a promise for each request would cost more than the lookup.
  app.addHook('onRequest', (request, reply, done) => {
    const { scope } = request.route
    if (scope === undefined || scope === 'none') return done()
    const bearer = passes.take(request)
    if (isOperatorScope(scope)) {
      admitOperator(request, bearer, scope)
      return done()
    }
    const caller = bearer ?? authenticate(request, verifier, directory, onUse)
    if ('operatorId' in caller) throw forbidden('Operators neither read nor change matters.')
    const admitted = then(caller, (known) => admit(request, reply, known))
    if (admitted instanceof Promise) admitted.then(() => done(), done)
    else done()
  })

  app.addHook('preValidation', (request, _, done) => {
    const needed = request.route.scopeOf?.(request.body)
    if (needed) checkScope(request.caller, needed)
    checkNamed(request)
    const { checkField } = request.route
    if (checkField) for (const name of Object.keys(request.body ?? {})) checkField(request, name)
    done()
  })
}

/** For everybody else these paths do not exist. Maintenance does not keep operators out, who end it. */
function admitOperator(request: FastifyRequest, bearer: Caller | Operator | undefined, scope: OperatorScope): void {
  if (!bearer || !('operatorId' in bearer))
    throw new Refusal('not_found', [{ message: 'There is nothing at this path.' }])
  request.operator = bearer
  request.clientId = bearer.clientId
  if (scope === 'operator:change' && !bearer.mayChange) throw tooLongAgo()
}

type MaybePromise<T> = T | Promise<T>

const then = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value)

function authenticate(
  request: FastifyRequest,
  verifier: TokenVerifier,
  directory: Directory,
  onUse?: (clientId: string) => void,
): MaybePromise<Caller> {
  const { authorization } = request.headers
  if (authorization === undefined) throw unauthenticated('An access token is required.', 'Bearer realm="lodgeway"')
  return then(verifier.verify(authorization), (claims) => {
    if (!claims) throw badToken('The access token is not valid or has expired.')
    return then(directory.eligibilityOf(claims.clientId), (eligibility) => {
      if (mayAct(eligibility) && eligibility.subscriberId === claims.subscriberId) {
        onUse?.(claims.clientId)
        return callerOf(claims, eligibility)
      }
      throw badToken('The client of this access token may not act at the moment.')
    })
  })
}

const callers = new WeakMap<Claims, { eligibility: Eligibility; caller: Caller }>()

// Made once for a token, and again when the directory has read the client again.
function callerOf(claims: Claims, eligibility: Eligibility): Caller {
  const known = callers.get(claims)
  if (known?.eligibility === eligibility) return known.caller
  const { clientId, subscriberId, name, kind, decisions, logUntil, scopes: granted } = eligibility
  // A scope that is taken from the client is removed from its live tokens, too.
  const scopes = new Set(ALL_SCOPES.filter((scope) => claims.scopes.includes(scope) && granted.includes(scope)))
  const caller: Caller = {
    clientId,
    subscriberId,
    subscriberName: name,
    kind,
    scopes,
    decisions,
    ...(logUntil && { logUntil }),
  }
  callers.set(claims, { eligibility, caller })
  return caller
}

function checkScope({ scopes, person }: Caller, needed: string | readonly string[]): void {
  if (typeof needed === 'string' ? scopes.has(needed) : needed.some((scope) => scopes.has(scope))) return
  const named = [needed].flat()
  if (person) throw forbidden(`None of your roles has the scope ${named.join(' or ')}.`)
  throw forbidden(`The access token lacks the scope ${named.join(' or ')}.`, {
    'www-authenticate': `Bearer realm="lodgeway", error="insufficient_scope", scope="${named.join(' ')}"`,
  })
}

function checkKind(caller: Caller, kinds: readonly SubscriberKind[] | undefined): void {
  if (kinds === undefined || kinds.includes(caller.kind)) return
  const who = kinds.includes('LENDER') ? 'a lender' : 'a law firm'
  throw forbidden(`Only ${who} may do this.`)
}

const isDecisionScope = (scope: string) => DECISION_SCOPES.some((one) => one === scope)

function checkDecision({ person, decisions }: Caller): void {
  if (!person) {
    if (decisions === 'any') return
    throw forbidden('This subscriber decides in the console: a person must sign in there to do this.')
  }
  if (!person.isApprover) throw forbidden('Only an approver may do this.')
  if (!person.mayDecide) throw tooLongAgo()
}

// The error code of RFC 9470.
const tooLongAgo = () =>
  forbidden('Sign in again to do this: your sign-in is too old, or was by a link.', {
    'www-authenticate': 'Pass error="insufficient_user_authentication"',
  })

/** Four eyes: a person who signed in decides in no other name. */
function checkNamed({ caller, body }: FastifyRequest): void {
  if (!caller?.person || typeof body !== 'object' || body === null) return
  const { email } = caller.person
  for (const [field, value] of Object.entries(body)) {
    if (!NAMES_OF_PEOPLE.includes(field) || String(value).toLowerCase() === email.toLowerCase()) continue
    throw new Refusal('forbidden', [{ field, message: `${field} must be you: ${email}.` }])
  }
}

const NAMES_OF_PEOPLE = ['approvedBy', 'confirmedBy']

const underMaintenance = () => unavailable('The service is down for maintenance. Please try again later.', 60)

function createLimit({ perMinute, take }: Limiter) {
  const policy = `"default";q=${perMinute};w=60`
  return (reply: FastifyReply, clientId: string) =>
    then(take(clientId), ({ isAdmitted, left, msLeft }) => {
      const seconds = Math.max(1, Math.ceil(msLeft / 1000))
      reply.header('ratelimit-policy', policy)
      reply.header('ratelimit', `"default";r=${left};t=${seconds}`)
      if (isAdmitted) return
      const message = `More than ${perMinute} requests in a minute. Please wait ${seconds} s.`
      throw new Refusal('too_many', [{ message }], { 'retry-after': String(seconds) })
    })
}

export const badToken = (message: string) =>
  unauthenticated(message, `Bearer realm="lodgeway", error="invalid_token", error_description="${message}"`)

const unauthenticated = (message: string, challenge: string) =>
  new Refusal('unauthenticated', [{ message }], { 'www-authenticate': challenge })
