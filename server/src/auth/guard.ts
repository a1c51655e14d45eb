import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import { forbidden, Refusal, unavailable } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import type { ServiceState } from '../platform/operations/state.ts'
import { type Directory, mayAct } from './directory.ts'
import { ALL_SCOPES, isScope, type Scope } from './scopes.ts'
import type { Eligibility, SubscriberKind } from './store.ts'
import type { Claims, TokenVerifier } from './tokens.ts'

// The order of the checks: token, maintenance, rate limit, scope, kind of subscriber.

export type Caller = {
  clientId: string
  subscriberId: string
  subscriberName: string
  kind: SubscriberKind
  scopes: ReadonlySet<string>
}

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The kinds of subscriber that may call; all if left out. */
    kinds?: readonly SubscriberKind[]
    /** If the body selects one of several scopes: the one that it needs, or undefined if it names none. */
    scopeOf?: (body: unknown) => Scope | undefined
  }
  interface FastifyRequest {
    caller: Caller
  }
}

export type GuardOptions = {
  verifier: TokenVerifier
  directory: Directory
  state: ServiceState
  rateLimitPerMinute: number
}

export function addGuard(app: App, { verifier, directory, state, rateLimitPerMinute }: GuardOptions): void {
  app.decorateRequest('caller')

  // A route without a scope would be open to every partner, so the app refuses to start with one.
  app.addHook('onRoute', ({ url, config }) => {
    const scopes = [config?.scope ?? []].flat()
    const known = scopes.length > 0 && scopes.every((scope) => scope === 'none' || isScope(scope))
    if (!known) throw new Error(`${url} declares no scope of the interface`)
  })

  const limit = rateLimitPerMinute > 0 ? createLimit(rateLimitPerMinute) : undefined

  const admit = (request: FastifyRequest, reply: FastifyReply, caller: Caller): void | Promise<void> => {
    const { scope = [], kinds } = request.route
    request.caller = caller
    request.clientId = caller.clientId
    if (state.maintenance()) throw unavailable('The service is down for maintenance. Please try again later.', 60)
    return then(limit?.(reply, caller.clientId), () => {
      checkScope(caller, scope)
      checkKind(caller, kinds)
    })
  }

  // Nearly always the answers are cached, and a promise for each request would cost more than the lookup.
  app.addHook('onRequest', (request, reply, done) => {
    const { scope } = request.route
    if (scope === undefined || scope === 'none') return done()
    const admitted = then(authenticate(request, verifier, directory), (caller) => admit(request, reply, caller))
    if (admitted instanceof Promise) admitted.then(() => done(), done)
    else done()
  })

  app.addHook('preValidation', (request, _, done) => {
    const needed = request.route.scopeOf?.(request.body)
    if (needed) checkScope(request.caller, needed)
    const { checkField } = request.route
    if (checkField) for (const name of Object.keys(request.body ?? {})) checkField(request, name)
    done()
  })
}

type MaybePromise<T> = T | Promise<T>

const then = <T, R>(value: MaybePromise<T>, next: (value: T) => MaybePromise<R>): MaybePromise<R> =>
  value instanceof Promise ? value.then(next) : next(value)

function authenticate(request: FastifyRequest, verifier: TokenVerifier, directory: Directory): MaybePromise<Caller> {
  const { authorization } = request.headers
  if (authorization === undefined) throw unauthenticated('An access token is required.', 'Bearer realm="lodgeway"')
  return then(verifier.verify(authorization), (claims) => {
    if (!claims) throw badToken('The access token is not valid or has expired.')
    return then(directory.eligibilityOf(claims.clientId), (eligibility) => {
      if (mayAct(eligibility) && eligibility.subscriberId === claims.subscriberId) return callerOf(claims, eligibility)
      throw badToken('The client of this access token may not act at the moment.')
    })
  })
}

const callers = new WeakMap<Claims, { eligibility: Eligibility; caller: Caller }>()

// Made once for a token, and again when the directory has read the client again.
function callerOf(claims: Claims, eligibility: Eligibility): Caller {
  const known = callers.get(claims)
  if (known?.eligibility === eligibility) return known.caller
  const { clientId, subscriberId, name, kind, scopes: granted } = eligibility
  // A scope that is taken from the client is removed from its live tokens, too.
  const scopes = new Set(ALL_SCOPES.filter((scope) => claims.scopes.includes(scope) && granted.includes(scope)))
  const caller: Caller = { clientId, subscriberId, subscriberName: name, kind, scopes }
  callers.set(claims, { eligibility, caller })
  return caller
}

function checkScope({ scopes }: Caller, needed: string | readonly string[]): void {
  if (typeof needed === 'string' ? scopes.has(needed) : needed.some((scope) => scopes.has(scope))) return
  const named = [needed].flat()
  throw forbidden(`The access token lacks the scope ${named.join(' or ')}.`, {
    'www-authenticate': `Bearer realm="lodgeway", error="insufficient_scope", scope="${named.join(' ')}"`,
  })
}

function checkKind(caller: Caller, kinds: readonly SubscriberKind[] | undefined): void {
  if (kinds === undefined || kinds.includes(caller.kind)) return
  const who = kinds.includes('LENDER') ? 'a lender' : 'a law firm'
  throw forbidden(`Only ${who} may do this.`)
}

function createLimit(perMinute: number) {
  const limiter = new RateLimiterMemory({ points: perMinute, duration: 60 })
  const policy = `"default";q=${perMinute};w=60`
  const setHeaders = (reply: FastifyReply, { remainingPoints, msBeforeNext }: RateLimiterRes) => {
    reply.header('ratelimit-policy', policy)
    reply.header('ratelimit', `"default";r=${Math.max(remainingPoints, 0)};t=${Math.ceil(msBeforeNext / 1000)}`)
  }
  return async (reply: FastifyReply, clientId: string) => {
    try {
      setHeaders(reply, await limiter.consume(clientId))
    } catch (error) {
      if (!(error instanceof RateLimiterRes)) throw error
      setHeaders(reply, error)
      const seconds = String(Math.max(1, Math.ceil(error.msBeforeNext / 1000)))
      const message = `More than ${perMinute} requests in a minute. Please wait ${seconds} s.`
      throw new Refusal('too_many', [{ message }], { 'retry-after': seconds })
    }
  }
}

const badToken = (message: string) =>
  unauthenticated(message, `Bearer realm="lodgeway", error="invalid_token", error_description="${message}"`)

const unauthenticated = (message: string, challenge: string) =>
  new Refusal('unauthenticated', [{ message }], { 'www-authenticate': challenge })
