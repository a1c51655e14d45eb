import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { createLocalJWKSet, decodeProtectedHeader, jwtVerify } from 'jose'
import * as oauth from 'oauth4webapi'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { ALL_SCOPES } from './scopes.ts'

const LENDER = '10000000-0000-4000-8000-000000000001'
let service: TestService
before(async () => {
  service = await testService()
})

const form = (parameters: Record<string, string>) => ({
  body: new URLSearchParams(parameters).toString(),
  headers: { 'content-type': 'application/x-www-form-urlencoded' },
})
const basic = (id: string, secret: string) => `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}`
const good = {
  grant_type: 'client_credentials',
  client_id: 'sandbox-lender',
  client_secret: 'sandbox-lender-secret',
}

describe('POST /oauth/token', () => {
  it('serves an independent OAuth client, from metadata to a verified token', async () => {
    const issuer = new URL(service.url)
    const insecure = { [oauth.allowInsecureRequests]: true }
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure })
    const server = await oauth.processDiscoveryResponse(issuer, found)
    const client = { client_id: 'sandbox-law-firm' }
    for (const authenticate of [oauth.ClientSecretBasic, oauth.ClientSecretPost]) {
      const response = await oauth.clientCredentialsGrantRequest(
        server,
        client,
        authenticate('sandbox-law-firm-secret'),
        new URLSearchParams({ scope: 'view:workspaces' }),
        insecure,
      )
      const answer = await oauth.processClientCredentialsResponse(server, client, response)
      assert.equal(answer.token_type, 'bearer')
      assert.equal(answer.scope, 'view:workspaces')
      const request = new Request(`${service.url}/x`, { headers: { authorization: `Bearer ${answer.access_token}` } })
      const claims = await oauth.validateJwtAccessToken(server, request, service.url, insecure)
      assert.equal(claims.client_id, 'sandbox-law-firm')
    }
  })

  it('issues a JWT by RFC 9068 with subscriber_id, signed by a published key', async () => {
    const answer = await service.call('POST', '/oauth/token', form(good))
    assert.equal(answer.status, 200)
    assert.equal(answer.headers.get('cache-control'), 'no-store')
    assert.equal(answer.body['expires_in'], 3600)
    const token = String(answer.body['access_token'])
    const jwks = await service.call<{ keys: [] }>('GET', '/.well-known/jwks.json')
    const { payload } = await jwtVerify(token, createLocalJWKSet(jwks.body), { typ: 'at+jwt' })
    const { iat = 0, exp = 0, jti, ...claims } = payload
    assert.deepEqual(claims, {
      iss: service.url,
      aud: service.url,
      sub: 'sandbox-lender',
      client_id: 'sandbox-lender',
      subscriber_id: LENDER,
      scope: ALL_SCOPES.join(' '),
    })
    assert.equal(exp - iat, 3600)
    assert.ok(jti)
    assert.equal(decodeProtectedHeader(token).alg, 'ES256')
  })

  it('accepts a JSON body with the same names', async () => {
    const answer = await service.call('POST', '/oauth/token', { json: { ...good, scope: 'view:workspaces' } })
    assert.equal(answer.status, 200)
    assert.equal(answer.body['scope'], 'view:workspaces')
  })

  it('accepts HTTP Basic', async () => {
    const { body, headers } = form({ grant_type: 'client_credentials' })
    const authorization = basic('sandbox-lender', 'sandbox-lender-secret')
    assert.equal(
      (await service.call('POST', '/oauth/token', { body, headers: { ...headers, authorization } })).status,
      200,
    )
  })

  for (const [what, parameters, error] of [
    ['another grant', { ...good, grant_type: 'password' }, 'unsupported_grant_type'],
    ['no grant', { client_id: good.client_id, client_secret: good.client_secret }, 'invalid_request'],
    ['an ungranted scope', { ...good, scope: 'view:everything' }, 'invalid_scope'],
  ] as const) {
    it(`answers 400 ${error} to ${what}`, async () => {
      const answer = await service.call('POST', '/oauth/token', form(parameters as Record<string, string>))
      assert.deepEqual([answer.status, answer.body['error']], [400, error])
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    })
  }

  for (const body of ['{', '[1]', '[["grant_type","client_credentials"]]', 'null', '"x"']) {
    it(`answers 400 invalid_request to the body ${body}, which is not a JSON object`, async () => {
      const headers = { 'content-type': 'application/json' }
      const answer = await service.call('POST', '/oauth/token', { body, headers })
      assert.deepEqual([answer.status, answer.body['error']], [400, 'invalid_request'])
    })
  }

  it('answers 401 to a client id that no database can store', async () => {
    const answer = await service.call('POST', '/oauth/token', form({ ...good, client_id: 'a\u0000b' }))
    assert.deepEqual([answer.status, answer.body['error']], [401, 'invalid_client'])
  })

  it('answers 413 to a body that is too large, and says how large it may be', async () => {
    const answer = await service.call('POST', '/oauth/token', form({ ...good, scope: 'x'.repeat(1_048_576) }))
    assert.deepEqual([answer.status, answer.body['error']], [413, 'invalid_request'])
    assert.match(String(answer.body['error_description']), /at most 1048576 bytes/)
  })

  it('answers 415 to another type of body, in the format of RFC 6749', async () => {
    const answer = await service.call('POST', '/oauth/token', { body: 'x', headers: { 'content-type': 'text/plain' } })
    assert.deepEqual([answer.status, answer.body['error']], [415, 'invalid_request'])
  })

  it('answers 401 invalid_client, with a Basic challenge if Basic was tried', async () => {
    const inBody = await service.call('POST', '/oauth/token', form({ ...good, client_secret: 'wrong' }))
    assert.deepEqual([inBody.status, inBody.body['error']], [401, 'invalid_client'])
    const { body, headers } = form({ grant_type: 'client_credentials' })
    const authorization = basic('sandbox-lender', 'wrong')
    const byBasic = await service.call('POST', '/oauth/token', { body, headers: { ...headers, authorization } })
    assert.equal(byBasic.status, 401)
    assert.match(byBasic.headers.get('www-authenticate') ?? '', /^Basic /)
  })

  it('gives an unknown client the same answer as a wrong secret', async () => {
    const unknown = await service.call('POST', '/oauth/token', form({ ...good, client_id: 'nobody' }))
    const wrong = await service.call('POST', '/oauth/token', form({ ...good, client_secret: 'wrong' }))
    assert.deepEqual(unknown.body, wrong.body)
  })

  it('limits failed requests per client id, and never refuses the right secret', async () => {
    const bad = form({ ...good, client_id: 'sandbox-other-firm', client_secret: 'wrong' })
    const answers = await Promise.all(Array.from({ length: 30 }, () => service.call('POST', '/oauth/token', bad)))
    const limited = answers.filter(({ status }) => status === 429)
    assert.equal(limited.length, 10)
    assert.ok(Number(limited[0]?.headers.get('retry-after')) > 0)
    const right = form({ ...good, client_id: 'sandbox-other-firm', client_secret: 'sandbox-other-firm-secret' })
    assert.equal((await service.call('POST', '/oauth/token', right)).status, 200)
  })
})

describe('GET /.well-known/oauth-authorization-server', () => {
  it('has what RFC 8414 requires', async () => {
    const { status, body } = await service.call('GET', '/.well-known/oauth-authorization-server')
    assert.equal(status, 200)
    assert.equal(body['issuer'], service.url)
    assert.equal(body['token_endpoint'], `${service.url}/oauth/token`)
    assert.equal(body['jwks_uri'], `${service.url}/.well-known/jwks.json`)
    assert.deepEqual(body['grant_types_supported'], ['client_credentials'])
  })
})
