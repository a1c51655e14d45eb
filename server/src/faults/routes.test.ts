import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Schemas } from '../../../client/src/index.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { type Answer, PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import { aReceiver, aRegistration, deliveriesOf, isSignedBy } from '../../test/fixtures/webhooks.ts'
import { aCreation, aWorkspace, CREATE, drain, FIRM, LENDER, WORKSPACES } from '../../test/fixtures/workspaces.ts'

const FAULTS = '/sandbox/v1/faults'
type Plan = Schemas['FaultsAnswer']
type Wanted = Schemas['FaultsRequest']['faults'][number]

let service: TestService
before(async () => {
  service = await testService()
})

async function inject(faults: Wanted[], clientId = LENDER.as): Promise<void> {
  const { status, text } = await service.call('PUT', `${FAULTS}/${clientId}`, { json: { faults } })
  assert.equal(status, 200, text)
}
const list = () => service.call('GET', WORKSPACES, LENDER)
/** Not checked against the contract. */
const fetchList = async () =>
  fetch(service.url + WORKSPACES, { headers: { authorization: `Bearer ${await service.tokenOf(LENDER.as)}` } })
const injected = ({ headers, status }: Pick<Answer, 'headers' | 'status'>) => [status, headers.get('x-injected-fault')]
const end = () => service.call('DELETE', `${FAULTS}/${LENDER.as}`)

type Logged = Schemas['LoggedRequest']
const logged = async () =>
  (await service.call<{ records: Logged[] }>('GET', `${PARTNER}/requests?limit=100`, LENDER)).body.records

describe('/sandbox/v1/faults', () => {
  it('refuses what it does not know', async () => {
    for (const [path, json, status, field] of [
      [LENDER.as, { faults: [] }, 400, 'faults'],
      [LENDER.as, { faults: [{ kind: 'DELAY', delayMs: 10_001 }] }, 400, 'faults[0].delayMs'],
      [LENDER.as, { faults: [{ kind: 'DELAY', share: 2 }] }, 400, 'faults[0].share'],
      [LENDER.as, { faults: [{ kind: 'DELAY', operations: ['getworkspace'] }] }, 400, 'faults[0].operations'],
      ['nobody', { faults: [{ kind: 'DELAY' }] }, 404, 'client_id'],
    ] as const) {
      const answer = await service.call<{ errors?: { field: string }[] }>('PUT', `${FAULTS}/${path}`, { json })
      assert.deepEqual([answer.status, answer.body.errors?.[0]?.field], [status, field], answer.text)
    }
  })

  it('answers 429 and 503 with Retry-After, says who did it, counts, and ends', async () => {
    await inject([
      { kind: 'TOO_MANY', times: 1, retryAfterSeconds: 7, operations: ['listWorkspaces'] },
      { kind: 'UNAVAILABLE', times: 1 },
    ])
    const answers = [await list(), await list(), await list()]
    assert.deepEqual(answers.map(injected), [
      [429, 'TOO_MANY'],
      [503, 'UNAVAILABLE'],
      [200, null],
    ])
    assert.deepEqual(
      answers.map(({ headers }) => headers.get('retry-after')),
      ['7', '1', null],
    )
    assert.match(answers[0]?.text ?? '', /Injected by \/sandbox\/v1\/faults/)
    const { records } = (await service.call<{ records: Plan[] }>('GET', FAULTS)).body
    assert.deepEqual(
      records.map(({ clientId, faults }) => [clientId, ...faults.map(({ seen, injected: met }) => [seen, met])]),
      [[LENDER.as, [3, 1], [2, 1]]],
    )
    assert.equal((await service.call('GET', WORKSPACES, FIRM)).headers.get('x-injected-fault'), null)
    assert.equal((await end()).status, 204)
    assert.deepEqual((await service.call<{ records: Plan[] }>('GET', FAULTS)).body.records, [])
  })

  it('ends by itself', async () => {
    await inject([{ kind: 'UNAVAILABLE' }])
    await service.deps.db.query('update sandbox_faults set ends_at = now()')
    assert.equal((await list()).status, 200)
  })

  it('lets a token expire for good', async () => {
    await inject([{ kind: 'EXPIRED_TOKEN', times: 1 }])
    const statuses = [(await list()).status, (await list()).status]
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: LENDER.as,
      client_secret: `${LENDER.as}-secret`,
    })
    const issued = await fetch(`${service.url}/oauth/token`, { method: 'POST', body })
    const { access_token: token } = (await issued.json()) as { access_token: string }
    const renewed = await fetch(service.url + WORKSPACES, { headers: { authorization: `Bearer ${token}` } })
    assert.deepEqual([...statuses, renewed.status], [401, 401, 200])
  })

  it('refuses tokens where they are named, as RFC 6749 does', async () => {
    await inject([{ kind: 'UNAVAILABLE', operations: ['issueToken'], times: 1 }])
    const json = { grant_type: 'client_credentials', client_id: LENDER.as, client_secret: `${LENDER.as}-secret` }
    const ask = () => service.call('POST', '/oauth/token', { json })
    const answers = [await ask(), await ask()]
    assert.deepEqual(
      answers.map(({ status, body }) => [status, body['error']]),
      [
        [503, 'temporarily_unavailable'],
        [200, undefined],
      ],
    )
  })

  it('does the work of a request whose answer is lost, and logs it', async () => {
    await inject([{ kind: 'LOST_ANSWER', times: 1, methods: ['POST'] }])
    const headers = { 'idempotency-key': 'lost-1' }
    const json = aCreation({ reference: 'LOST-1' })
    await assert.rejects(service.call('POST', CREATE, { ...LENDER, json, headers }), /fetch failed/)
    const again = await service.call('POST', CREATE, { ...LENDER, json, headers })
    assert.equal(again.status, 202)
    const found = await service.call<{ records: unknown[] }>('GET', `${WORKSPACES}?reference=LOST-1`, LENDER)
    assert.equal(found.body.records.length, 1)
    const posts = async () => (await logged()).filter(({ method }) => method === 'POST')
    await eventually(async () => (await posts()).length >= 2)
    assert.deepEqual(
      (await posts()).map(({ status, fault }) => [status, fault]),
      [
        [202, undefined],
        [202, 'LOST_ANSWER'],
      ],
    )
  })

  it('delays, and answers with what a future version might have', async () => {
    await aWorkspace(service)
    await inject([{ kind: 'DELAY', delayMs: 50 }, { kind: 'NEW_FIELD' }, { kind: 'NEW_VALUE' }])
    const began = performance.now()
    const answer = await fetchList()
    const { records } = (await answer.json()) as { records: Record<string, unknown>[] }
    assert.ok(performance.now() - began >= 49)
    assert.equal(answer.headers.get('x-injected-fault'), 'DELAY, NEW_FIELD, NEW_VALUE')
    const value = 'VALUE_OF_A_FUTURE_VERSION'
    assert.deepEqual([records[0]?.['status'], records[0]?.['fieldOfAFutureVersion']], [value, value])
  })

  it('never meets the request log, nor what the sandbox itself sends', async () => {
    await inject([{ kind: 'UNAVAILABLE' }])
    assert.equal((await service.call('GET', `${PARTNER}/requests`, LENDER)).status, 200)
    const started = await service.call('POST', '/sandbox/v1/scenarios/straight-through', { json: { until: 'order' } })
    const run = `/sandbox/v1/scenarios/runs/${started.body['runId']}`
    await eventually(async () => (await service.call('GET', run)).body['status'] === 'DONE')
    await end()
  })
})

describe('faults of webhooks', () => {
  it('deliver twice, and the next one first', async () => {
    const receiver = await aReceiver()
    const types = ['WORKSPACE_CREATED', 'TITLE_DATA_RECEIVED', 'WORKSPACE_CANCELLED']
    const registration = await aRegistration(service, receiver.url, types)
    await inject([
      { kind: 'REORDERED_WEBHOOK', times: 1 },
      { kind: 'DUPLICATE_WEBHOOK', times: 1 },
    ])
    await aWorkspace(service, { titleNumber: 'ST500678' })
    await receiver.until(3, 20_000)
    await drain(service)
    assert.deepEqual(
      receiver.received.map(({ payload }) => payload.type),
      ['TITLE_DATA_RECEIVED', 'WORKSPACE_CREATED', 'WORKSPACE_CREATED'],
    )
    assert.ok(receiver.received.every((one) => isSignedBy(registration.sharedSecret, one)))
    const deliveries = await deliveriesOf(service, registration)
    assert.deepEqual(
      deliveries.map(({ type, status, attempts }) => [type, status, attempts.length]),
      [
        ['WORKSPACE_CREATED', 'DELIVERED', 2],
        ['TITLE_DATA_RECEIVED', 'DELIVERED', 1],
      ],
    )
  })
})

describe('POST /sandbox/v1/test-deliveries', () => {
  type Tested = Schemas['TestDeliveryAnswer']
  const send = (registrationId: string, kind: string) =>
    service.call<Tested>('POST', '/sandbox/v1/test-deliveries', { json: { registrationId, kind } })

  it('sends a registered receiver what it must refuse, and reports what it answered', async () => {
    await end()
    const receiver = await aReceiver(({ headers }) => ({ status: headers['webhook-signature'] ? 200 : 400, body: 'x' }))
    const { registrationId } = await aRegistration(service, receiver.url)
    assert.equal((await send(registrationId, 'REPLAYED')).status, 409)
    await aWorkspace(service)
    await receiver.until(1)
    await drain(service)
    const answers = [
      (await send(registrationId, 'UNSIGNED')).body,
      (await send(registrationId, 'FORGED')).body,
      (await send(registrationId, 'REPLAYED')).body,
    ]
    assert.deepEqual(
      answers.map(({ expected, isAsExpected, status, response }) => [expected, isAsExpected, status, response]),
      [
        ['REFUSED', true, 400, 'x'],
        ['REFUSED', false, 200, 'x'],
        ['ACCEPTED', true, 200, 'x'],
      ],
    )
    const ids = receiver.received.map(({ id }) => id)
    assert.deepEqual([ids[3], ids.length, new Set(ids).size], [ids[0], 4, 3])
    await service.deps.db.query(`update notification_registrations set status = 'UNVERIFIED'`)
    assert.equal((await send(registrationId, 'FORGED')).status, 409)
    assert.equal(receiver.received.length, 4)
    const unknown = await send('99999999-9999-4999-8999-999999999999', 'FORGED')
    assert.equal(unknown.status, 404)
  })
})
