import { randomUUID } from 'node:crypto'
import { createLocalJWKSet, createRemoteJWKSet, errors, type JWTVerifyGetKey, jwtVerify, SignJWT } from 'jose'
import { unavailable } from '../platform/errors.ts'
import { ALGORITHM, type SigningKeys } from './keys.ts'
import { isClientId } from './rules.ts'

// Access tokens by the profile of RFC 9068. Their times are real time, not the business clock.

export type Claims = { clientId: string; subscriberId: string; scopes: readonly string[]; expiresAt: number }

export type TokenIssuer = {
  issue(grant: { clientId: string; subscriberId: string; scopes: readonly string[] }): Promise<string>
}

/** Takes the `Authorization` header as it was sent. Returns undefined if it is not valid, for any reason. */
export type TokenVerifier = { verify(authorization: string): Promise<Claims | undefined> | Claims | undefined }

type IssuerAndAudience = { issuer: string; audience: string }

const BEARER = /^Bearer +([A-Za-z0-9\-._~+/]+=*)$/i
const CACHED_TOKENS_MAX = 10_000
const TAIL_CHARACTERS = 43 // half of a signature by ES256
const OTHER_ISSUERS_ALGORITHMS = ['ES256', 'ES384', 'ES512', 'RS256', 'RS384', 'RS512', 'PS256', 'PS384', 'EdDSA']

export function createIssuer(
  keys: SigningKeys,
  { issuer, audience }: IssuerAndAudience,
  tokenSeconds: number,
): TokenIssuer {
  return {
    issue: ({ clientId, subscriberId, scopes }) =>
      new SignJWT({ client_id: clientId, subscriber_id: subscriberId, scope: scopes.join(' ') })
        .setProtectedHeader({ alg: ALGORITHM, typ: 'at+jwt', kid: keys.sign.kid })
        .setIssuer(issuer)
        .setAudience(audience)
        .setSubject(clientId)
        .setJti(randomUUID())
        .setIssuedAt()
        .setExpirationTime(`${tokenSeconds}s`)
        .sign(keys.sign.key),
  }
}

export const verifierOfOwn = (keys: SigningKeys, expected: IssuerAndAudience): TokenVerifier =>
  createVerifier(createLocalJWKSet(keys.published), expected, [ALGORITHM])

export const verifierOfOther = (jwksUrl: string, expected: IssuerAndAudience): TokenVerifier =>
  createVerifier(createRemoteJWKSet(new URL(jwksUrl)), expected, OTHER_ISSUERS_ALGORITHMS)

// Checking a signature costs more than the read that it protects, so a valid header is cached until it expires.
function createVerifier(
  key: JWTVerifyGetKey,
  { issuer, audience }: IssuerAndAudience,
  algorithms: string[],
): TokenVerifier {
  // The key is the end of the signature, which is random: hashing the whole header for each request would cost more.
  const known = new Map<string, { authorization: string; claims: Claims }>()

  async function check(authorization: string): Promise<Claims | undefined> {
    const claims = await verifyOnce(BEARER.exec(authorization)?.[1] ?? '')
    if (claims === undefined) return undefined
    if (known.size >= CACHED_TOKENS_MAX) known.delete(known.keys().next().value ?? '')
    known.set(tailOf(authorization), { authorization, claims })
    return claims
  }

  async function verifyOnce(token: string): Promise<Claims | undefined> {
    try {
      const { payload } = await jwtVerify(token, key, {
        issuer,
        audience,
        algorithms,
        typ: 'at+jwt',
        requiredClaims: ['iss', 'aud', 'sub', 'client_id', 'exp', 'iat', 'jti', 'subscriber_id'],
      })
      const { client_id: clientId, subscriber_id: subscriberId, scope = '', exp } = payload
      if (typeof clientId !== 'string' || typeof subscriberId !== 'string' || typeof scope !== 'string')
        return undefined
      if (!isClientId(clientId)) return undefined // PostgreSQL cannot even search for some others
      return { clientId, subscriberId, scopes: scope.split(' ').filter(Boolean), expiresAt: Number(exp) * 1000 }
    } catch (error) {
      if (isIssuerError(error)) throw unavailable('The keys of the token issuer are not available. Please try again.')
      return undefined
    }
  }

  return {
    verify(authorization) {
      const tail = tailOf(authorization)
      const entry = known.get(tail)
      if (entry?.authorization !== authorization) return check(authorization)
      if (entry.claims.expiresAt > Date.now()) return entry.claims
      known.delete(tail)
      return undefined
    },
  }
}

const tailOf = (authorization: string) => authorization.slice(-TAIL_CHARACTERS)

// Only fetching another issuer's keys can fail for a reason other than the token.
const isIssuerError = (error: unknown) =>
  error instanceof errors.JWKSTimeout ||
  error instanceof errors.JWKSInvalid ||
  error instanceof TypeError ||
  (error instanceof errors.JOSEError && error.code === 'ERR_JOSE_GENERIC')
