import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Cut, type Relay, startRelay } from './fakes/database-relay.ts'
import { reconcilingWith } from './fixtures/reconciliation.ts'
import { type Answer, type TestService, testService } from './fixtures/service.ts'
import { aCreation, aWorkspace, CREATE, LENDER, readWorkspace, WORKSPACES } from './fixtures/workspaces.ts'

// The connection to the database is cut at the COMMIT of a request.

let service: TestService
let relay: Relay
before(async () => {
  service = await testService({
    relay: async (url) => {
      relay = await startRelay(url)
      return relay
    },
  })
})

/** Prepares a request, and returns it with a way to see whether it was done. */
type Change = () => Promise<{ send(): Promise<Answer>; isDone(): Promise<boolean>; good: number }>

const CHANGES: Record<string, Change> = {
  'POST without an Idempotency-Key': async () => {
    const reference = `REM-${crypto.randomUUID().slice(0, 8)}`
    return {
      send: () => service.call('POST', CREATE, { ...LENDER, json: aCreation({ reference }) }),
      isDone: async () => {
        const { body } = await service.call<{ records: unknown[] }>(
          'GET',
          `${WORKSPACES}?reference=${reference}`,
          LENDER,
        )
        return body.records.length === 1
      },
      good: 202,
    }
  },
  'PATCH with If-Match': async () => {
    const { read, patch, anUnmatchedPair } = reconcilingWith(service)
    const { workspaceId, grace } = await anUnmatchedPair()
    const etag = (await read(workspaceId)).headers.get('etag') ?? ''
    const json = { action: 'SET_AS_INCOMING_PROPRIETOR', partyId: grace }
    return {
      send: () => patch(workspaceId, json, { 'if-match': etag }),
      isDone: async () => (await read(workspaceId)).headers.get('etag') !== etag,
      good: 200,
    }
  },
  cancellation: async () => {
    const { workspaceId } = await aWorkspace(service)
    const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
    return {
      send: () => service.call('DELETE', `${WORKSPACES}/${workspaceId}/cancel-workspace`, { ...LENDER, json }),
      isDone: async () => (await readWorkspace(service, workspaceId)).status === 'CANCELLED',
      good: 200,
    }
  },
}

for (const [name, prepare] of Object.entries(CHANGES)) {
  describe(`${name}, cut at its COMMIT`, () => {
    it('gets its normal response, if the commit arrived', async () => {
      const { send, isDone, good } = await prepare()
      const { status, text } = await cut('after COMMIT', send)
      assert.equal(status, good, text)
      assert.ok(await isDone())
    })

    it('gets a 503 that says nothing was done, if it did not, and can be repeated', async () => {
      const { send, isDone, good } = await prepare()
      const { status, text, headers } = await cut('before COMMIT', send)
      const shown = ['x-outcome', 'retry-after', 'etag'].map((name) => headers.get(name))
      assert.deepEqual([status, ...shown], [503, null, '5', null])
      assert.match(text, /Nothing was done/)
      assert.equal(await isDone(), false)
      assert.equal((await send()).status, good)
    })

    it('gets a 503 that says the outcome is unknown, if there was a failover', async () => {
      const { send } = await prepare()
      for (const at of ['before COMMIT', 'after COMMIT'] as const) {
        const { status, text, headers } = await cut(at, send, { failOver: true })
        assert.deepEqual([status, headers.get('x-outcome')], [503, 'unknown'])
        assert.match(text, /outcome of this request is unknown/)
      }
    })
  })
}

describe('a POST with an Idempotency-Key, cut at its COMMIT', () => {
  it('gets its normal response even after a failover: the stored response proves the commit', async () => {
    const headers = { 'idempotency-key': crypto.randomUUID() }
    const send = () => service.call('POST', CREATE, { ...LENDER, json: aCreation(), headers })
    const earned = await cut('after COMMIT', send, { failOver: true })
    assert.equal(earned.status, 202, earned.text)
    assert.deepEqual((await send()).body, earned.body)
  })
})

async function cut(at: Cut, send: () => Promise<Answer>, options?: { failOver: boolean }): Promise<Answer> {
  const cutsBefore = relay.cuts()
  relay.cutNext(at, options)
  const answer = await send()
  assert.equal(relay.cuts(), cutsBefore + 1)
  return answer
}
