import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ApiError, createClient, isApiError, type LodgewayError } from '../src/index.ts'
import { aFault, startStub } from './support/stub.ts'

const ID = 'ce4c1f0a-7d9b-4c55-9b1f-0f6f3f0f8a11'
const PATH = { workspace_id: ID }
const P = '/partner/api/platformconnect/v1'

describe('a call', () => {
  it('sends path, query and body as the interface defines them', async () => {
    const { lodgeway, seen } = await startStub([{ json: { records: [] } }])
    await lodgeway.listWorkspaces({ query: { status: 'CREATED', postcode: 'EX4 3AN', limit: 5 } })
    await lodgeway.addTitle({ path: { workspace_id: 'a/b' }, body: { titleNumber: 'ST500678' } })
    assert.deepEqual(
      seen.map(({ method, url, body }) => `${method} ${url} ${body}`),
      [
        `GET ${P}/workspaces?status=CREATED&postcode=EX4%203AN&limit=5 `,
        `POST ${P}/workspaces/a%2Fb/titles {"titleNumber":"ST500678"}`,
      ],
    )
  })

  it('sends the acting user of the call, or that of the client', async () => {
    const { lodgeway, seen } = await startStub([{ json: { records: [] } }], { actingUser: 'jo@harbour.example' })
    await lodgeway.listWorkspaces()
    await lodgeway.listWorkspaces({ actingUser: 'al@harbour.example', correlationId: 'mine' })
    assert.deepEqual(
      seen.map(({ headers }) => headers['x-acting-user']),
      ['jo@harbour.example', 'al@harbour.example'],
    )
    assert.equal(seen[1]?.headers['x-request-correlation-id'], 'mine')
  })

  it('returns status, etag and correlation id', async () => {
    const headers = { etag: '"7"', 'x-request-correlation-id': 'theirs' }
    const { lodgeway } = await startStub([{ json: { status: 'CREATED' }, headers }])
    const answer = await lodgeway.call('getWorkspace', { path: PATH })
    assert.deepEqual([answer.status, answer.etag, answer.correlationId], [200, '"7"', 'theirs'])
    assert.equal(answer.data.status, 'CREATED')
  })

  it('returns 304 when nothing has changed', async () => {
    const { lodgeway, seen } = await startStub([{ status: 304, headers: { etag: '"7"' } }])
    const answer = await lodgeway.call('getWorkspace', { path: PATH, ifNoneMatch: '"7"' })
    assert.deepEqual([answer.status, answer.data], [304, undefined])
    assert.equal(seen[0]?.headers['if-none-match'], '"7"')
  })

  it('returns undefined for a response without content', async () => {
    const { lodgeway } = await startStub([{ status: 204 }])
    assert.equal(await lodgeway.deleteNotificationRegistration({ path: { registration_id: ID } }), undefined)
  })
})

describe('an error response', () => {
  it('is thrown with its status, errors and correlation id', async () => {
    const errors = [
      { field: 'parties[0].role', message: 'role must be BORROWER.' },
      { field: 'reference', message: 'reference must have 1 to 25 characters.' },
    ]
    const { lodgeway } = await startStub([
      { status: 400, json: { errors }, headers: { 'x-request-correlation-id': 'theirs' } },
    ])
    await assert.rejects(lodgeway.addTitle({ path: PATH, body: { titleNumber: '' } }), (error: ApiError) => {
      assert.deepEqual(error.errors, errors)
      assert.equal(error.messageAt('reference'), 'reference must have 1 to 25 characters.')
      assert.equal(error.messageAt('property'), undefined)
      assert.equal(error.correlationId, 'theirs')
      assert.equal(error.operation, `POST ${P}/workspaces/{workspace_id}/titles`)
      assert.match(error.message, /answered 400: parties\[0\]\.role: role must be BORROWER\. reference: .* theirs/)
      return true
    })
  })

  it('is recognised by its status', async () => {
    const { lodgeway } = await startStub([aFault(404, 'No such workspace.', 'workspace_id')])
    const error: unknown = await lodgeway.getWorkspace({ path: PATH }).catch((one: unknown) => one)
    assert.ok(isApiError(error) && isApiError(error, 404) && isApiError(error, 409, 404))
    assert.ok(!isApiError(error, 409) && !isApiError(new Error('other'), 404))
  })

  it('is thrown also without a readable body', async () => {
    const { lodgeway } = await startStub([
      { status: 500, bytes: Buffer.from('<html>'), headers: { 'content-type': 'text/html' } },
    ])
    await assert.rejects(lodgeway.getWorkspace({ path: PATH }), (error: ApiError) => {
      assert.deepEqual([error.status, error.errors], [500, []])
      return true
    })
  })
})

describe('createClient', () => {
  it('refuses an invalid base URL', () => {
    for (const baseUrl of ['', 'api.example', 'ftp://api.example']) {
      assert.throws(() => createClient({ baseUrl, clientId: 'a', clientSecret: 'b' }), /baseUrl must be an address/)
    }
  })

  it('accepts a base URL with a path and a slash at the end', async () => {
    const { url, seen } = await startStub([{ json: { now: '2026-03-14T09:30:00.000Z' } }])
    await createClient({ baseUrl: `${url}/lodgeway/`, clientId: 'a', clientSecret: 'b' }).getClock()
    assert.equal(seen[0]?.url, '/lodgeway/sandbox/v1/clock')
  })

  it('needs credentials, unless a fetch of the caller authenticates', async () => {
    const baseUrl = 'https://api.example'
    assert.throws(() => createClient({ baseUrl }), /clientId and clientSecret are needed/)
    const seen: [address: string, authorization: string | null][] = []
    const fetch: typeof globalThis.fetch = async (input, init) => {
      seen.push([String(input), new Headers(init?.headers).get('authorization')])
      return Response.json({ records: [] })
    }
    await createClient({ baseUrl, fetch }).listWorkspaces()
    assert.deepEqual(seen, [[`${baseUrl}/partner/api/platformconnect/v1/workspaces`, null]])
  })

  it('says that the response is not JSON', async () => {
    const { lodgeway } = await startStub([{ bytes: Buffer.from('<html>Welcome</html>') }])
    await assert.rejects(lodgeway.getClock(), (error: LodgewayError) => /not JSON.*baseUrl.*http:/.test(error.message))
  })
})
