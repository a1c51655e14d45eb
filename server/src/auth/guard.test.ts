import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type CryptoKey, exportSPKI, importJWK, type JWK, type JWTPayload, SignJWT, UnsecuredJWT } from 'jose'
import { eventually } from '../../test/fixtures/eventually.ts'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import { realClock } from '../platform/jobs/clock.ts'
import { generateSigningKey } from './keys.ts'
import { rotateSecret, setEnabled, setStatus } from './manage.ts'

const REPORT = `${PARTNER}/reports/report-workspacesummary-todate/content`
const LENDER = '10000000-0000-4000-8000-000000000001'
const SHUT_OUT_MS_MAX = 5_000

const [key, oldKey] = await Promise.all([generateSigningKey(), generateSigningKey()])
let service: TestService
before(async () => {
  service = await testService({
    env: { SIGNING_KEYS: JSON.stringify({ keys: [key, oldKey] }), SECRET_PEPPER: 'p'.repeat(32) },
  })
})

const claimsOf = (changed: JWTPayload = {}) => ({
  iss: service.url,
  aud: service.url,
  sub: 'sandbox-lender',
  client_id: 'sandbox-lender',
  subscriber_id: LENDER,
  scope: 'x-api:view:reports',
  jti: 'j',
  iat: Math.floor(Date.now() / 1000),
  exp: Math.floor(Date.now() / 1000) + 600,
  ...changed,
})

type Made = { claims?: JWTPayload; with?: typeof key; header?: Record<string, string> }

async function tokenOf({ claims = {}, with: signer = key, header = {} }: Made = {}): Promise<string> {
  const payload = Object.fromEntries(Object.entries(claimsOf(claims)).filter(([, value]) => value !== undefined))
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: signer.kid ?? '', ...header })
    .sign(await importJWK(signer, 'ES256'))
}

const tokenStatus = async (clientId: string, secret: string): Promise<number> => {
  const json = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  return (await service.call('POST', '/oauth/token', { json })).status
}

const read = (authorization: string) => service.call('GET', REPORT, { headers: { authorization } })

describe('a call with a token', () => {
  it('passes with a valid one', async () => assert.equal((await read(`Bearer ${await tokenOf()}`)).status, 200))

  it('passes with one of an older key that is still published', async () => {
    assert.equal((await read(`bearer ${await tokenOf({ with: oldKey })}`)).status, 200)
  })

  it('can be made with either of two live secrets', async () => {
    const { db } = service.deps
    const actor = { actingUser: 'test', correlationId: 'test', at: realClock.now() }
    const rotated = await db.transaction((tx) => rotateSecret(tx, 'p'.repeat(32), 'sandbox-other-firm', actor))
    await eventually(async () => (await tokenStatus('sandbox-other-firm', rotated)) === 200)
    assert.equal(await tokenStatus('sandbox-other-firm', 'sandbox-other-firm-secret'), 200)
  })
})

describe('401', () => {
  const past = Math.floor(Date.now() / 1000) - 10
  const bad: [string, () => Promise<string>][] = [
    ['forged', async () => tokenOf({ with: { ...(await generateSigningKey()), kid: key.kid ?? '' } })],
    ['signed by an unknown key', async () => tokenOf({ with: await generateSigningKey() })],
    ['expired', () => tokenOf({ claims: { exp: past } })],
    ['unsigned', async () => new UnsecuredJWT(claimsOf()).encode()],
    ['for another audience', () => tokenOf({ claims: { aud: 'https://elsewhere.example' } })],
    ['of another issuer', () => tokenOf({ claims: { iss: 'https://elsewhere.example' } })],
    ['of another type', () => tokenOf({ header: { typ: 'JWT' } })],
    ['signed with HMAC under the public key', hmacToken],
    ['without a subscriber', () => tokenOf({ claims: { subscriber_id: undefined } })],
    ['without an expiry', () => tokenOf({ claims: { exp: undefined } as unknown as JWTPayload })],
    [
      'of another subscriber than the client’s',
      () => tokenOf({ claims: { subscriber_id: '10000000-0000-4000-8000-000000000002' } }),
    ],
    ['of a client that does not exist', () => tokenOf({ claims: { client_id: 'nobody', sub: 'nobody' } })],
    ['altered', async () => (await tokenOf()).replace(/\.[^.]+\./, `.${Buffer.from('{}').toString('base64url')}.`)],
    ['cut off', async () => (await tokenOf()).slice(0, -10)],
    ['not a JWT', async () => 'abc'],
    ['with characters that no token has', async () => 'a b'],
  ]
  for (const [what, make] of bad) {
    it(`refuses a token that is ${what}`, async () => {
      const answer = await read(`Bearer ${await make()}`)
      assert.equal(answer.status, 401)
      assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer .*error="invalid_token"/)
      assert.equal(Object.keys(answer.body).join(), 'errors')
    })
  }

  it('asks for a token where none was sent, without an error code (RFC 6750, 3.1)', async () => {
    const answer = await service.call('GET', REPORT)
    assert.equal(answer.status, 401)
    assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer realm="[^"]+"$/)
  })

  it('refuses another scheme', async () => assert.equal((await read('Basic abc')).status, 401))

  it('comes before every error of the request itself', async () => {
    const answer = await service.call('GET', `${PARTNER}/reports/unknown/content?date=x`, {
      headers: { accept: 'image/png' },
    })
    assert.equal(answer.status, 401)
  })

  it('is the answer to a disabled client and a suspended subscriber within 5 seconds', async () => {
    const { db } = service.deps
    const actor = { actingUser: 'test', correlationId: 'test', at: realClock.now() }
    const asFirm = { as: 'sandbox-law-firm' }
    const asLender = { as: 'sandbox-other-lender' }
    assert.equal((await service.call('GET', REPORT, asFirm)).status, 200)
    assert.equal((await service.call('GET', REPORT, asLender)).status, 200)
    await db.transaction((tx) => setEnabled(tx, 'sandbox-law-firm', false, actor))
    await db.transaction((tx) => setStatus(tx, '10000000-0000-4000-8000-000000000002', 'SUSPENDED', actor))
    for (const as of [asFirm, asLender]) {
      await eventually(async () => (await service.call('GET', REPORT, as)).status === 401, SHUT_OUT_MS_MAX)
    }
    assert.equal(await tokenStatus('sandbox-law-firm', 'sandbox-law-firm-secret'), 401)
  })
})

describe('403', () => {
  it('names the scope that the token lacks', async () => {
    const answer = await read(`Bearer ${await tokenOf({ claims: { scope: 'view:workspaces' } })}`)
    assert.equal(answer.status, 403)
    const challenge = answer.headers.get('www-authenticate') ?? ''
    assert.match(challenge, /error="insufficient_scope"/)
    assert.match(challenge, /scope="x-api:view:reports"/)
  })

  it('comes before 406 and 404', async () => {
    const authorization = `Bearer ${await tokenOf({ claims: { scope: '' } })}`
    const answer = await service.call('GET', `${PARTNER}/reports/unknown/content`, {
      headers: { authorization, accept: 'image/png' },
    })
    assert.equal(answer.status, 403)
  })
})

async function hmacToken(): Promise<string> {
  const { body } = await service.call<{ keys: [JWK] }>('GET', '/.well-known/jwks.json')
  const secret = await exportSPKI((await importJWK(body.keys[0], 'ES256', { extractable: true })) as CryptoKey)
  return new SignJWT(claimsOf())
    .setProtectedHeader({ alg: 'HS256', typ: 'at+jwt', kid: key.kid ?? '' })
    .sign(Buffer.from(secret))
}
