import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { importJWK, SignJWT } from 'jose'
import { eventually } from '../../test/fixtures/eventually.ts'
import { freePort } from '../../test/fixtures/ports.ts'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import { generateSigningKey, readSigningKeys } from './keys.ts'
import { createIssuer, verifierOfOther, verifierOfOwn } from './tokens.ts'

const EXPECTED = { issuer: 'https://lodgeway.example', audience: 'https://lodgeway.example' }
const GRANT = { clientId: 'c', subscriberId: 's', scopes: ['a', 'b'] }

describe('a verified token', () => {
  it('is cached: the second time it gives the same claims without checking the signature', async () => {
    const keys = await readSigningKeys(JSON.stringify(await generateSigningKey()))
    const token = await createIssuer(keys, EXPECTED, 60).issue(GRANT)
    const verifier = verifierOfOwn(keys, EXPECTED)
    const first = await verifier.verify(`Bearer ${token}`)
    assert.deepEqual(first?.scopes, ['a', 'b'])
    assert.equal(verifier.verify(`Bearer ${token}`), first, 'the answer comes at once and is the same object')
  })

  it('is removed from the cache when it expires', async () => {
    const keys = await readSigningKeys(JSON.stringify(await generateSigningKey()))
    const token = await createIssuer(keys, EXPECTED, 2).issue(GRANT) // whole seconds: with 1 it may expire at once
    const verifier = verifierOfOwn(keys, EXPECTED)
    assert.ok(await verifier.verify(`Bearer ${token}`))
    await eventually(async () => (await verifier.verify(`Bearer ${token}`)) === undefined)
  })

  it('is valid only as long as its key is published', async () => {
    const [first, second] = await Promise.all([generateSigningKey(), generateSigningKey()])
    const before = await readSigningKeys(JSON.stringify({ keys: [first] }))
    const during = await readSigningKeys(JSON.stringify({ keys: [second, first] }))
    const afterwards = await readSigningKeys(JSON.stringify({ keys: [second] }))
    const token = await createIssuer(before, EXPECTED, 60).issue(GRANT)
    assert.ok(await verifierOfOwn(during, EXPECTED).verify(`Bearer ${token}`))
    assert.equal(await verifierOfOwn(afterwards, EXPECTED).verify(`Bearer ${token}`), undefined)
  })
})

describe('a token whose client id no client can have', () => {
  for (const clientId of ['a\0b', '\ud800', 'café', '', 'x'.repeat(256)]) {
    it(`is not valid, though it is signed: ${JSON.stringify(clientId).slice(0, 20)}`, async () => {
      const keys = await readSigningKeys(JSON.stringify(await generateSigningKey()))
      const token = await createIssuer(keys, EXPECTED, 60).issue({ ...GRANT, clientId })
      assert.equal(await verifierOfOwn(keys, EXPECTED).verify(`Bearer ${token}`), undefined)
    })
  }
})

describe('readSigningKeys', () => {
  for (const [what, text] of [
    ['text that is not JSON', 'x'],
    ['an empty set', '{"keys":[]}'],
    ['a public key', '{"kty":"EC","crv":"P-256","x":"a","y":"b","kid":"1"}'],
    ['another curve', '{"kty":"EC","crv":"P-384","x":"a","y":"b","d":"c","kid":"1"}'],
  ] as const) {
    it(`refuses ${what} with a message`, () => assert.rejects(readSigningKeys(text), /SIGNING_KEYS/))
  }
})

describe('another issuer', () => {
  let service: TestService
  const issuer = createServer((request, response) => {
    response.writeHead(request.url === '/gone' ? 404 : 200, { 'content-type': 'application/json' })
    response.end(request.url === '/jwks' ? JSON.stringify({ keys: [publicKey] }) : '{}')
  })
  let key: Awaited<ReturnType<typeof generateSigningKey>>
  let publicKey: object
  let address: string

  before(async () => {
    key = await generateSigningKey()
    const { d: _, ...published } = key
    publicKey = published
    const port = await freePort()
    address = `http://127.0.0.1:${port}`
    await new Promise<void>((done) => issuer.listen(port, '127.0.0.1', done))
    const env = { AUTH_ISSUER: address, AUTH_JWKS_URL: `${address}/jwks`, AUTH_AUDIENCE: 'lodgeway' }
    service = await testService({ env, worker: false })
  })
  after(() => issuer.close())

  const tokenOf = async (issuedBy: string) =>
    new SignJWT({
      client_id: 'sandbox-lender',
      subscriber_id: '10000000-0000-4000-8000-000000000001',
      scope: 'x-api:view:reports',
    })
      .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: key.kid ?? '' })
      .setIssuer(issuedBy)
      .setAudience('lodgeway')
      .setSubject('sandbox-lender')
      .setJti('1')
      .setIssuedAt()
      .setExpirationTime('5m')
      .sign(await importJWK(key, 'ES256'))

  const read = async (issuedBy: string) =>
    service.call('GET', `${PARTNER}/reports/report-workspacesummary-todate/content`, {
      headers: { authorization: `Bearer ${await tokenOf(issuedBy)}` },
    })

  it('is trusted for its tokens, and no other is', async () => {
    assert.equal((await read(address)).status, 200)
    assert.equal((await read('http://127.0.0.1:9')).status, 401)
  })

  it('replaces the built-in token service, which then does not exist', async () => {
    for (const path of ['/oauth/token', '/.well-known/jwks.json', '/.well-known/oauth-authorization-server']) {
      assert.equal((await fetch(service.url + path)).status, 404)
    }
  })

  it('whose keys are not available is a 503, not a 401', async () => {
    for (const url of ['http://127.0.0.1:9/jwks', `${address}/gone`, `${address}/no-keys`]) {
      const verifier = verifierOfOther(url, { issuer: address, audience: 'lodgeway' })
      await assert.rejects(async () => verifier.verify(`Bearer ${await tokenOf(address)}`), { reason: 'unavailable' })
    }
  })
})
