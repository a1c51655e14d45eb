import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { grantScopes, type Parameters, readTokenRequest, TokenRefusal } from './rules.ts'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`
const grant = ['grant_type', 'client_credentials'] as const
const inBody: Parameters = [grant, ['client_id', 'a'], ['client_secret', 's']]

function refusalOf(work: () => unknown): TokenRefusal {
  try {
    work()
  } catch (error) {
    if (error instanceof TokenRefusal) return error
    throw error
  }
  throw new Error('nothing was refused')
}

describe('readTokenRequest', () => {
  it('takes credentials from the body', () => {
    const request = readTokenRequest([...inBody, ['scope', 'x  y']], undefined)
    assert.deepEqual(request, { clientId: 'a', secret: 's', usedBasic: false, scopes: ['x', 'y'] })
  })

  it('takes credentials from HTTP Basic, form-decoded as RFC 6749 2.3.1 requires', () => {
    const { clientId, secret, usedBasic } = readTokenRequest([grant], basic('a%3Ab:s+%C3%A9:t'))
    assert.deepEqual({ clientId, secret, usedBasic }, { clientId: 'a:b', secret: 's é:t', usedBasic: true })
  })

  it('treats a parameter without a value as left out', () => {
    assert.equal(readTokenRequest([...inBody, ['scope', '']], undefined).scopes, undefined)
  })

  it('ignores parameters that it does not know', () => {
    assert.equal(readTokenRequest([...inBody, ['resource', 'x']], undefined).clientId, 'a')
  })

  const refused: [string, Parameters, string | undefined, string, number][] = [
    ['a missing grant_type', inBody.slice(1), undefined, 'invalid_request', 400],
    ['another grant_type', [['grant_type', 'password'], ...inBody.slice(1)], undefined, 'unsupported_grant_type', 400],
    ['a parameter sent twice', [...inBody, grant], undefined, 'invalid_request', 400],
    ['a value that is not a string', [...inBody, ['scope', 7]], undefined, 'invalid_request', 400],
    ['credentials in two places', inBody, basic('a:s'), 'invalid_request', 400],
    ['no credentials', [grant], undefined, 'invalid_client', 401],
    ['a client id alone', [grant, ['client_id', 'a']], undefined, 'invalid_client', 401],
    ['another scheme than Basic', [grant], 'Bearer abc', 'invalid_client', 401],
    [
      'a client id with a NUL in it',
      [grant, ['client_id', 'a\u0000'], ['client_secret', 's']],
      undefined,
      'invalid_client',
      401,
    ],
    ['a client id of 256 characters', [grant], basic(`${'a'.repeat(256)}:s`), 'invalid_client', 401],
    ['Basic without a colon', [grant], basic('abc'), 'invalid_client', 401],
    ['Basic with broken encoding', [grant], basic('a:%zz'), 'invalid_client', 401],
    ['a scope with a quote in it', [...inBody, ['scope', 'a"b']], undefined, 'invalid_scope', 400],
  ]
  for (const [what, parameters, authorization, error, status] of refused) {
    it(`refuses ${what} with ${error}`, () => {
      const refusal = refusalOf(() => readTokenRequest(parameters, authorization))
      assert.deepEqual([refusal.error, refusal.status], [error, status])
    })
  }

  it('challenges with Basic if Basic was tried', () => {
    const refusal = refusalOf(() => readTokenRequest([grant], basic('abc')))
    assert.match(refusal.headers['www-authenticate'] ?? '', /^Basic /)
  })
})

describe('grantScopes', () => {
  it('grants all that the client has when none is named', () => {
    assert.deepEqual(grantScopes(undefined, ['a', 'b']), ['a', 'b'])
  })

  it('grants only what is named, once', () => {
    assert.deepEqual(grantScopes(['b', 'b'], ['a', 'b']), ['b'])
  })

  it('refuses a scope that was not granted and names it', () => {
    const refusal = refusalOf(() => grantScopes(['a', 'c'], ['a', 'b']))
    assert.equal(refusal.error, 'invalid_scope')
    assert.match(refusal.message, /c/)
  })
})
