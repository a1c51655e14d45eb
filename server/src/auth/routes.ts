import type { FastifyReply, FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { Refusal, STATUS_OF_REASON } from '../platform/errors.ts'
import { refusalOf } from '../platform/http/answer-error.ts'
import type { App } from '../platform/http/http.ts'
import { MalformedBody } from '../platform/http/validate.ts'
import { type Directory, mayAct } from './directory.ts'
import type { SigningKeys } from './keys.ts'
import {
  grantScopes,
  invalidClient,
  type Parameters,
  readTokenRequest,
  TokenRefusal,
  type TokenRequest,
} from './rules.ts'
import { JwksAnswer, MetadataAnswer, TokenAnswer, TokenError, TokenRequestBody } from './schema.ts'
import { ALL_SCOPES } from './scopes.ts'
import { hashSecret, isOneOf } from './secrets.ts'
import type { Eligibility } from './store.ts'
import type { TokenIssuer } from './tokens.ts'

/** The built-in token service; left out if another issuer is used. */
export type TokenService = {
  directory: Directory
  issuer: TokenIssuer
  keys: SigningKeys
  pepper: string
  publicUrl: string
  tokenSeconds: number
  /** Called when the client is known. It may refuse. */
  beforeIssue?: (request: FastifyRequest, clientId: string) => Promise<void>
}

const FAILURES_PER_MINUTE_MAX = 20
const FORM_CHARACTERS_MAX = 16_384
const DESCRIPTION_CHARACTERS_MAX = 1_000 // it may quote what the caller sent
const TAG = 'Authentication'
const JWKS_CACHE = 'public, max-age=300'

export function tokenRoutes(app: App, service: TokenService): void {
  const failures = new RateLimiterMemory({ points: FAILURES_PER_MINUTE_MAX, duration: 60 })

  app.register(async (scoped) => {
    const token = scoped as unknown as App
    token.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, parseForm)
    token.setErrorHandler((error, request, reply) =>
      answerTokenError(error, reply, (err) => request.log.error({ err })),
    )

    token.route({
      method: 'POST',
      url: '/oauth/token',
      config: {
        scope: 'none',
        validatesItself: true,
        refusals: {
          400: 'The request is not one that RFC 6749 allows here, or asks for a scope that was not granted.',
          401: 'The client could not be authenticated.',
          429: 'Too many failed requests for this client id.',
        },
      },
      schema: {
        operationId: 'issueToken',
        tags: [TAG],
        summary: 'Get an access token',
        description:
          'OAuth 2.0 client credentials (RFC 6749). The client authenticates by HTTP Basic or in the body, which may be a form or JSON.',
        consumes: ['application/x-www-form-urlencoded', 'application/json'],
        body: TokenRequestBody,
        answerHeaders: { 'Cache-Control': 'Always `no-store`.' },
        response: { 200: TokenAnswer, '4xx': TokenError, '5xx': TokenError },
      },
      handler: async (request, reply) => {
        noStore(reply)
        const wanted = readTokenRequest(parametersOf(request.body), request.headers.authorization)
        const eligibility = await authenticateClient(service, failures, wanted)
        const { clientId, subscriberId } = eligibility
        await service.beforeIssue?.(request, clientId)
        const scopes = grantScopes(wanted.scopes, eligibility.scopes)
        return {
          access_token: await service.issuer.issue({ clientId, subscriberId, scopes }),
          token_type: 'Bearer' as const,
          expires_in: service.tokenSeconds,
          scope: scopes.join(' '),
        }
      },
    })
  })

  app.route({
    method: 'GET',
    url: '/.well-known/jwks.json',
    config: { scope: 'none' },
    schema: {
      operationId: 'getJwks',
      tags: [TAG],
      summary: 'The public keys that tokens are signed with',
      description:
        'For services that verify tokens (RFC 7517). A key that no longer signs stays here while its tokens may still be ' +
        'valid. The answer may be cached for five minutes.',
      response: { 200: JwksAnswer },
    },
    handler: async (_, reply) => {
      reply.header('cache-control', JWKS_CACHE)
      return service.keys.published as never
    },
  })

  app.route({
    method: 'GET',
    url: '/.well-known/oauth-authorization-server',
    config: { scope: 'none' },
    schema: {
      operationId: 'getAuthorizationServerMetadata',
      tags: [TAG],
      summary: 'Authorization server metadata (RFC 8414)',
      description: 'Where to get tokens and which scopes exist, for clients that configure themselves.',
      response: { 200: MetadataAnswer },
    },
    handler: async (_, reply) => {
      reply.header('cache-control', JWKS_CACHE)
      return metadataOf(service.publicUrl)
    },
  })
}

// A correct secret always passes, so that nobody can lock a partner out by failing with its client id.
async function authenticateClient(
  { directory, pepper }: TokenService,
  failures: RateLimiterMemory,
  { clientId, secret, usedBasic }: TokenRequest,
): Promise<Eligibility> {
  const eligibility = await directory.eligibilityOf(clientId)
  const matches = isOneOf(eligibility?.secretHashes ?? [], hashSecret(pepper, secret))
  if (matches && mayAct(eligibility)) return eligibility
  await failures.consume(clientId).catch(({ msBeforeNext }: { msBeforeNext: number }) => {
    const seconds = String(Math.max(1, Math.ceil(msBeforeNext / 1000)))
    throw new TokenRefusal('invalid_client', `Too many failed requests. Please wait ${seconds} s.`, 429, {
      'retry-after': seconds,
    })
  })
  throw invalidClient(usedBasic)
}

const parseForm = async (_: unknown, text: string) =>
  text.length > FORM_CHARACTERS_MAX
    ? new MalformedBody(`The form may have at most ${FORM_CHARACTERS_MAX.toLocaleString('en-GB')} characters.`)
    : new URLSearchParams(text)

function parametersOf(body: unknown): Parameters {
  if (body instanceof URLSearchParams) return [...body]
  if (body instanceof MalformedBody) throw new TokenRefusal('invalid_request', body.message)
  if (body === undefined) return [] // the credentials may be in HTTP Basic
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return Object.entries(body)
  throw new TokenRefusal('invalid_request', 'The body must be a form or a JSON object.')
}

function answerTokenError(error: unknown, reply: FastifyReply, log: (error: unknown) => void): void {
  noStore(reply)
  const refusal = asTokenRefusal(error)
  if (refusal.status === 500) log(error)
  const description = refusal.message.slice(0, DESCRIPTION_CHARACTERS_MAX)
  reply.code(refusal.status).headers(refusal.headers).send({ error: refusal.error, error_description: description })
}

function asTokenRefusal(error: unknown): TokenRefusal {
  if (error instanceof TokenRefusal) return error
  const refusal = error instanceof Refusal ? error : refusalOf(error)
  if (!refusal) return new TokenRefusal('temporarily_unavailable', 'Something went wrong on our side.', 500)
  const code = refusal.reason === 'unavailable' ? 'temporarily_unavailable' : 'invalid_request'
  return new TokenRefusal(code, refusal.message, STATUS_OF_REASON[refusal.reason], { ...refusal.headers })
}

function noStore(reply: FastifyReply): void {
  reply.header('cache-control', 'no-store').header('pragma', 'no-cache')
}

const metadataOf = (publicUrl: string): MetadataAnswer => ({
  issuer: publicUrl,
  token_endpoint: `${publicUrl}/oauth/token`,
  jwks_uri: `${publicUrl}/.well-known/jwks.json`,
  scopes_supported: [...ALL_SCOPES],
  response_types_supported: [],
  grant_types_supported: ['client_credentials'],
  token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  service_documentation: `${publicUrl}/docs`,
})
