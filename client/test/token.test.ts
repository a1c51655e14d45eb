import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type ApiError, TokenError } from '../src/index.ts'
import { aFault, aToken, BUSY, DROPPED, startStub } from './support/stub.ts'

const EMPTY = { json: { records: [] } }
const bearersOf = (seen: { headers: Record<string, string> }[]) => seen.map(({ headers }) => headers['authorization'])

describe('the access token', () => {
  it('is fetched once, however many calls need it, and cached', async () => {
    const { lodgeway, seen, tokens } = await startStub([EMPTY])
    await Promise.all([lodgeway.listWorkspaces(), lodgeway.listWorkspaces(), lodgeway.listWorkspaces()])
    await lodgeway.listWorkspaces()
    assert.equal(tokens.length, 1)
    assert.deepEqual(new Set(bearersOf(seen)), new Set(['Bearer token-1']))
  })

  it('is requested with Basic credentials and the scope in the form', async () => {
    const { lodgeway, tokens } = await startStub([EMPTY], { clientId: 'a:b', clientSecret: 'ü +/', scope: 'one two' })
    await lodgeway.listWorkspaces()
    const [sent] = tokens
    const [id, secret] = atob(sent?.headers['authorization']?.slice('Basic '.length) ?? '').split(':')
    assert.deepEqual(
      [id, secret].map((half) => new URLSearchParams(`x=${half}`).get('x')),
      ['a:b', 'ü +/'],
    )
    assert.equal(sent?.body.toString(), 'grant_type=client_credentials&scope=one+two')
  })

  it('is renewed before it expires', async () => {
    const { lodgeway, tokens } = await startStub([EMPTY], { tokens: [aToken(1, 0.1), aToken(2)] })
    await lodgeway.listWorkspaces()
    await delay(110)
    await lodgeway.listWorkspaces()
    assert.equal(tokens.length, 2)
  })

  it('is renewed once when the service refuses it', async () => {
    const refused = aFault(401, 'The token has expired.')
    const { lodgeway, seen } = await startStub([EMPTY, refused, EMPTY])
    await lodgeway.listWorkspaces()
    await lodgeway.listWorkspaces()
    assert.deepEqual(bearersOf(seen), ['Bearer token-1', 'Bearer token-1', 'Bearer token-2'])
    const never = await startStub([refused])
    await assert.rejects(never.lodgeway.listWorkspaces(), (error: ApiError) => error.status === 401)
    assert.equal(never.seen.length, 2)
  })

  it('is not sent to operations that need none', async () => {
    const { lodgeway, seen, tokens } = await startStub([{ json: { now: '2026-03-14T09:30:00.000Z' } }])
    await lodgeway.getClock()
    assert.deepEqual([tokens.length, bearersOf(seen)], [0, [undefined]])
  })

  it('is requested again when the token endpoint is busy or its connection lost', async () => {
    const { lodgeway, tokens } = await startStub([EMPTY], { tokens: [BUSY, DROPPED, aToken(1)] })
    await lodgeway.listWorkspaces()
    assert.equal(tokens.length, 3)
  })

  it('that is refused says why, and is requested again by the next call', async () => {
    const refused = { status: 401, json: { error: 'invalid_client', error_description: 'Unknown client.' } }
    const { lodgeway } = await startStub([EMPTY], { tokens: [refused, aToken(2)] })
    await assert.rejects(lodgeway.listWorkspaces(), (error: TokenError) => {
      assert.ok(error instanceof TokenError)
      assert.deepEqual([error.status, error.code], [401, 'invalid_client'])
      assert.match(error.message, /from http:\/\/[^ ]*\/oauth\/token: invalid_client\. Unknown client/)
      return true
    })
    await lodgeway.listWorkspaces()
  })

  it('is still fetched for other callers when one is aborted', async () => {
    const { lodgeway } = await startStub([EMPTY], { tokens: [BUSY, aToken(1)], retry: { firstMs: 100 } })
    const impatient = assert.rejects(lodgeway.listWorkspaces({ signal: AbortSignal.timeout(10) }), {
      name: 'TimeoutError',
    })
    await Promise.all([impatient, lodgeway.listWorkspaces()])
  })
})
