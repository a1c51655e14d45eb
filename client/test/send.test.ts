import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ApiError, ConnectionError } from '../src/index.ts'
import { aFault, BUSY, DROPPED, type Reply, startStub } from './support/stub.ts'

const ID = 'ce4c1f0a-7d9b-4c55-9b1f-0f6f3f0f8a11'
const PATH = { workspace_id: ID }
const TITLE = { path: PATH, body: { titleNumber: 'ST500678' } }
const ACCEPTED: Reply = { status: 202, json: { workspaceId: ID, titleId: ID, titleNumber: 'ST500678' } }
const keysOf = (seen: { headers: Record<string, string> }[]) =>
  new Set(seen.map((one) => one.headers['idempotency-key']))

describe('a service that is busy', () => {
  for (const status of [408, 429, 503]) {
    it(`gets the request again after ${status}`, async () => {
      const { lodgeway, seen } = await startStub([
        aFault(status, 'Later.'),
        aFault(status, 'Later.'),
        { json: { records: [] } },
      ])
      assert.deepEqual(await lodgeway.listWorkspaces(), { records: [] })
      assert.equal(seen.length, 3)
    })
  }

  it('gets no request before the time of Retry-After', async () => {
    const { lodgeway } = await startStub([
      aFault(429, 'Later.', undefined, { 'retry-after': '1' }),
      { json: { records: [] } },
    ])
    const began = performance.now()
    await lodgeway.listWorkspaces()
    assert.ok(performance.now() - began >= 1_000)
  })

  it('gets no request when Retry-After is later than the policy allows', async () => {
    const { lodgeway, seen } = await startStub([aFault(503, 'Maintenance.', undefined, { 'retry-after': '600' })])
    await assert.rejects(lodgeway.listWorkspaces(), (error: ApiError) => {
      assert.equal(error.status, 503)
      assert.equal(error.retryAfterSeconds, 600)
      return true
    })
    assert.equal(seen.length, 1)
  })

  it('gets as many attempts as the policy allows, and its last response is thrown', async () => {
    const { lodgeway, seen } = await startStub([BUSY], { retry: { attempts: 3, firstMs: 1 } })
    await assert.rejects(
      lodgeway.listWorkspaces(),
      (error: ApiError) => error.errors[0]?.message === 'Please try again.',
    )
    assert.equal(seen.length, 3)
  })

  it('gets no attempt after the time of the policy', async () => {
    const { lodgeway, seen } = await startStub([BUSY], { retry: { attempts: 1_000, firstMs: 20, totalMs: 100 } })
    await assert.rejects(lodgeway.listWorkspaces(), ApiError)
    assert.ok(seen.length > 1 && seen.length < 10)
  })
})

describe('a POST', () => {
  it('has a generated key, another for each call', async () => {
    const { lodgeway, seen } = await startStub([ACCEPTED])
    await lodgeway.addTitle(TITLE)
    await lodgeway.addTitle(TITLE)
    assert.equal(keysOf(seen).size, 2)
  })

  it('is retried with the same key when its connection is lost', async () => {
    const { lodgeway, seen } = await startStub([DROPPED, BUSY, DROPPED, ACCEPTED])
    await lodgeway.addTitle(TITLE)
    assert.equal(seen.length, 4)
    assert.equal(keysOf(seen).size, 1)
    assert.equal(new Set(seen.map(({ body }) => body.toString())).size, 1)
    assert.equal(new Set(seen.map(({ headers }) => headers['x-request-correlation-id'])).size, 1)
  })

  it('has the key that the caller gives', async () => {
    const { lodgeway, seen } = await startStub([DROPPED, ACCEPTED])
    await lodgeway.addTitle({ ...TITLE, idempotencyKey: 'title-of-42' })
    assert.deepEqual([...keysOf(seen)], ['title-of-42'])
  })

  it('is retried when the response was cut off', async () => {
    const { lodgeway, seen } = await startStub([{ ...ACCEPTED, dropAfterBytes: 10 }, ACCEPTED])
    assert.equal((await lodgeway.addTitle(TITLE)).titleNumber, 'ST500678')
    assert.equal(keysOf(seen).size, 1)
  })

  it('waits for its own first attempt while that is still running', async () => {
    const running = aFault(409, 'Still running.', 'Idempotency-Key')
    const { lodgeway, seen } = await startStub([DROPPED, running, running, ACCEPTED])
    await lodgeway.addTitle(TITLE)
    assert.equal(seen.length, 4)
  })

  it('is refused at once when another request runs with its key', async () => {
    const { lodgeway, seen } = await startStub([aFault(409, 'Still running.', 'Idempotency-Key')])
    await assert.rejects(lodgeway.addTitle(TITLE), (error: ApiError) => error.status === 409)
    assert.equal(seen.length, 1)
  })

  it('without a key is retried when it was not done, and not when it may have been', async () => {
    const busy = await startStub([BUSY, { json: { now: '2026-03-14T09:30:00.000Z', ran: 0 } }])
    await busy.lodgeway.moveClock({ body: { advance: 'P1D' } })
    assert.equal(busy.seen.length, 2)
    const lost = await startStub([DROPPED])
    await assert.rejects(lost.lodgeway.moveClock({ body: { advance: 'P1D' } }), ConnectionError)
    assert.equal(lost.seen.length, 1)
  })

  it('that failed has its key in the error, to be repeated later', async () => {
    const { lodgeway, seen } = await startStub([DROPPED], { retry: { attempts: 2, firstMs: 1 } })
    await assert.rejects(lodgeway.addTitle(TITLE), (error: ConnectionError) => {
      assert.equal(error.attempts, 2)
      assert.match(error.message, /^POST \/partner\S* at http:\/\/127\.0\.0\.1:\d+ was tried 2 times/)
      assert.equal(error.idempotencyKey, seen[0]?.headers['idempotency-key'])
      assert.equal(error.correlationId, seen[0]?.headers['x-request-correlation-id'])
      return true
    })
  })
})

describe('other methods', () => {
  it('PATCH is retried, with its If-Match', async () => {
    const { lodgeway, seen } = await startStub([
      DROPPED,
      { status: 502 },
      { json: { action: 'SET_AS_INCOMING_PROPRIETOR' } },
    ])
    const body = { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: ID } as const
    await lodgeway.updateTitleReconciliation({ path: PATH, body, ifMatch: '"1"' })
    assert.deepEqual(
      seen.map(({ method, headers }) => `${method} ${headers['if-match']}`),
      ['PATCH "1"', 'PATCH "1"', 'PATCH "1"'],
    )
  })

  it('DELETE that is answered 404 after a lost response was done', async () => {
    const gone = aFault(404, 'No such registration.', 'registration_id')
    const input = { path: { registration_id: ID } }
    for (const unknown of [DROPPED, aFault(503, 'Who knows?', undefined, { 'x-outcome': 'unknown' })]) {
      const lost = await startStub([unknown, gone])
      assert.equal(await lost.lodgeway.deleteNotificationRegistration(input), undefined)
    }
    const never = await startStub([BUSY, gone])
    await assert.rejects(
      never.lodgeway.deleteNotificationRegistration(input),
      (error: ApiError) => error.status === 404,
    )
  })

  it('a cancellation that is refused after a lost response reads whether it was done', async () => {
    const refused = aFault(409, 'It is cancelled.')
    const input = { path: PATH, body: { cancellationReason: 'TITLE_COMPLICATIONS' } } as const
    const done = await startStub([DROPPED, refused, { json: { status: 'CANCELLED' } }])
    assert.equal((await done.lodgeway.cancelWorkspace(input)).status, 'CANCELLED')
    assert.deepEqual(
      done.seen.map(({ method }) => method),
      ['DELETE', 'DELETE', 'GET'],
    )
    const other = await startStub([DROPPED, refused, { json: { status: 'LODGED' } }])
    await assert.rejects(other.lodgeway.cancelWorkspace(input), (error: ApiError) => error.status === 409)
    const plain = await startStub([refused])
    await assert.rejects(plain.lodgeway.cancelWorkspace(input), (error: ApiError) => error.status === 409)
    assert.equal(plain.seen.length, 1)
  })
})

describe('timeouts', () => {
  it('an attempt that is silent is aborted and retried', async () => {
    const { lodgeway, seen } = await startStub([{ isSilent: true }, { json: { records: [] } }], { timeoutMs: 50 })
    await lodgeway.listWorkspaces()
    assert.equal(seen.length, 2)
  })

  it('the caller can abort a call while it waits for a response or for the next attempt', async () => {
    const silent = await startStub([{ isSilent: true }])
    await assert.rejects(silent.lodgeway.listWorkspaces({ signal: AbortSignal.timeout(30) }), { name: 'TimeoutError' })
    const busy = await startStub([BUSY], { retry: { firstMs: 60_000, longestMs: 60_000, totalMs: 1e9 } })
    await assert.rejects(busy.lodgeway.listWorkspaces({ signal: AbortSignal.timeout(30) }), { name: 'TimeoutError' })
    const never = await startStub([{}])
    await assert.rejects(never.lodgeway.listWorkspaces({ signal: AbortSignal.abort(new Error('no')) }), /no/)
    assert.equal(never.seen.length, 0)
  })
})
