import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import { generateSigningKey } from '../auth/keys.ts'
import { readConfig } from '../config.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Service, startService } from '../service.ts'

const PEPPER = 'p'.repeat(32)

let service: TestService
before(async () => {
  service = await testService({ env: { SECRET_PEPPER: PEPPER } })
})

const DUE = '/sandbox/v1/due'
const clock = async () => new Date(String((await service.call('GET', '/sandbox/v1/clock')).body['now']))
const move = (json: object) =>
  service.call<{ now: string; ran: number; due: { at: string }[] }>('POST', '/sandbox/v1/clock', { json })

describe('the clock', () => {
  it('moves by a duration, runs what becomes due, and continues at normal speed', async () => {
    const before = await clock()
    await service.deps.db.transaction(async (tx) =>
      schedule(tx, new Date(before.getTime() + 3_600_000), 'audit.seal', {}, { correlationId: 'test' }, 'test-seal'),
    )
    const { status, body } = await move({ advance: 'PT2H' })
    assert.equal(status, 200)
    assert.ok(body.ran >= 1)
    const moved = (await clock()).getTime() - before.getTime()
    assert.ok(moved >= 7_200_000 && moved < 7_260_000)
  })

  it('shows what it will run, the next first', async () => {
    const at = new Date((await clock()).getTime() + 60_000).toISOString()
    const payload = { workspaceId: '50000000-0000-4000-8000-000000000001' }
    await service.deps.db.transaction(async (tx) =>
      schedule(tx, new Date(at), 'worklist.day-ended', payload, { correlationId: 'test' }, 'test-due'),
    )
    const { body } = await service.call<{ records: { at: string }[] }>('GET', DUE)
    assert.deepEqual(
      body.records.find((record) => record.at === at),
      {
        at,
        job: 'worklist.day-ended',
        ...payload,
        message: 'The completion day ends. Without a payment another date is needed.',
      },
    )
    assert.deepEqual(
      body.records,
      body.records.toSorted((one, other) => one.at.localeCompare(other.at)),
    )
  })

  it('goes to the next thing of a workspace, and says what became due', async () => {
    const { records } = (await service.call<{ records: { at: string; workspaceId?: string }[] }>('GET', DUE)).body
    const next = records.find(({ workspaceId }) => workspaceId)
    const { body } = await move({ to: 'next' })
    assert.ok(body.now >= (next?.at ?? '') && body.due.some(({ at }) => at === next?.at))
    assert.deepEqual(
      records.filter(({ at }) => at <= (next?.at ?? '')),
      body.due,
    )
  })

  it('can be set, and shows its time', async () => {
    const target = new Date((await clock()).getTime() + 86_400_000).toISOString()
    const { body } = await move({ set: target })
    assert.ok(body.now >= target)
  })

  it('runs what is due with an advance of zero', async () =>
    assert.equal((await move({ advance: 'PT0S' })).status, 200))

  for (const [what, json, field] of [
    ['backwards', { set: '2020-01-01T00:00:00Z' }, 'set'],
    ['by what is no duration', { advance: 'soon' }, 'advance'],
    ['to what is no time', { set: 'tomorrow' }, 'set'],
    ['both ways', { advance: 'P1D', set: '2030-01-01T00:00:00Z' }, 'advance'],
    ['not at all', {}, 'advance'],
    ['to another word', { to: 'last' }, 'to'],
    ['with a property that it does not know', { advance: 'P1D', by: 1 }, 'by'],
  ] as const) {
    it(`refuses to move ${what}: 400 at ${field}`, async () => {
      const { status, body } = await move(json)
      const errors = (body as unknown as { errors: { field: string }[] }).errors
      assert.deepEqual([status, errors[0]?.field], [400, field])
    })
  }
})

describe('POST /sandbox/v1/subscribers', () => {
  it('adds a subscriber whose client can call at once, and records it', async () => {
    const json = { kind: 'LAW_FIRM', name: '  Tidewater Legal  ' }
    const { status, body } = await service.call('POST', '/sandbox/v1/subscribers', { json })
    assert.equal(status, 201)
    const { subscriberId, clientId, clientSecret } = body as Record<string, string>
    assert.ok(await service.tokenOf(String(clientId), String(clientSecret)))
    const answer = await service.call('GET', `${PARTNER}/reports/report-workspacesummary-todate/content`, {
      as: String(clientId),
    })
    assert.equal(answer.status, 404)
    const entries = await service.deps.db.query<{ action: string; name: string | null }>(
      `select entry ->> 'action' as action, payload -> 'after' ->> 'name' as name
         from audit_entries where chain = $1 order by seq`,
      [subscriberId],
    )
    assert.deepEqual(entries, [
      { action: 'subscriber added', name: 'Tidewater Legal' },
      { action: 'client added', name: null },
    ])
  })

  it('adds one for one Idempotency-Key, and refuses the key for another request', async () => {
    const headers = { 'idempotency-key': 'k1' }
    const json = { kind: 'LENDER', name: 'Once Bank' }
    const first = await service.call('POST', '/sandbox/v1/subscribers', { json, headers })
    const second = await service.call('POST', '/sandbox/v1/subscribers', { json, headers })
    assert.deepEqual([second.status, second.body], [first.status, first.body])
    const other = await service.call('POST', '/sandbox/v1/subscribers', { json: { ...json, name: 'Twice' }, headers })
    assert.equal(other.status, 422)
  })

  it('forgets a key after 24 hours on the business clock', async () => {
    const headers = { 'idempotency-key': 'k2' }
    const json = { kind: 'LENDER', name: 'Daily Bank' }
    const first = await service.call('POST', '/sandbox/v1/subscribers', { json, headers })
    await move({ advance: 'P1D' })
    const second = await service.call('POST', '/sandbox/v1/subscribers', { json, headers })
    assert.notDeepEqual(second.body, first.body)
  })

  it('frees the key of a request that was refused', async () => {
    const headers = { 'idempotency-key': 'k3' }
    const refused = await service.call('POST', '/sandbox/v1/subscribers', { json: { kind: 'LENDER' }, headers })
    assert.equal(refused.status, 400)
    const json = { kind: 'LENDER', name: 'Third Bank' }
    assert.equal((await service.call('POST', '/sandbox/v1/subscribers', { json, headers })).status, 201)
  })

  it('names all errors at once', async () => {
    const { status, body } = await service.call('POST', '/sandbox/v1/subscribers', {
      json: { kind: 'BANK', colour: 1 },
    })
    const fields = (body['errors'] as { field: string }[]).map(({ field }) => field).sort()
    assert.deepEqual([status, fields], [400, ['colour', 'kind', 'name']])
  })
})

describe('POST /sandbox/v1/reset', () => {
  it('restores the initial data and real time; tokens of the initial clients stay valid', async () => {
    const token = await service.tokenOf('sandbox-lender')
    const { status } = await service.call('POST', '/sandbox/v1/reset')
    assert.equal(status, 200)
    assert.ok(Math.abs((await clock()).getTime() - Date.now()) < 5_000)
    const headers = { authorization: `Bearer ${token}` }
    const path = `${PARTNER}/reports/report-workspacesummary-todate/content`
    assert.equal((await service.call('GET', path, { headers })).status, 200)
    const [count] = await service.deps.db.query<{ count: number }>('select count(*) from subscribers')
    assert.equal(count?.count, 5)
  })
})

describe('a web page', () => {
  const send = async (method: string, headers: Record<string, string>) => {
    const { port } = new URL(service.url)
    const request = httpRequest({ port, host: '127.0.0.1', method, path: '/sandbox/v1/clock', headers }).end()
    const [answer] = (await once(request, 'response')) as [IncomingMessage]
    answer.resume()
    return answer.statusCode
  }

  it('cannot read or control the sandbox under its own host name', async () => {
    assert.deepEqual(
      [await send('GET', { host: 'evil.example' }), await send('POST', { host: 'evil.example' })],
      [403, 403],
    )
    assert.equal(await send('GET', { host: 'localhost' }), 200)
  })

  it('of another site cannot control it', async () => {
    assert.equal(await send('POST', { 'sec-fetch-site': 'cross-site' }), 403)
    assert.equal(await send('POST', { origin: 'https://evil.example' }), 403)
  })
})

describe('outside the sandbox', () => {
  let outside: Service
  const start = async (changed: Record<string, string> = {}) => {
    const settings = { HOST: '127.0.0.1', PORT: '0', REGISTRY: 'simulator', PAYMENTS: 'simulator', ...changed }
    const env = { ...service.env, ...settings, SIGNING_KEYS: JSON.stringify(await generateSigningKey()) }
    return startService(readConfig(env, { sandbox: false, part: 'serve' }), { http: true, worker: false })
  }
  before(async () => {
    outside = await start()
  })
  after(() => outside.stop())

  it('does not exist', async () => {
    for (const [method, path] of [
      ['GET', 'clock'],
      ['POST', 'clock'],
      ['POST', 'subscribers'],
      ['POST', 'maintenance'],
      ['POST', 'reset'],
      ['GET', 'scenarios'],
      ['GET', 'faults'],
      ['PUT', 'faults/sandbox-lender'],
      ['POST', 'test-deliveries'],
    ] as const) {
      const response = await fetch(`${outside.url}/sandbox/v1/${path}`, { method })
      const expected = { errors: [{ message: 'There is nothing at this path.' }] }
      assert.deepEqual([response.status, await response.json()], [404, expected], `${method} ${path}`)
    }
  })

  it('has the reference and the guide, though no console', async () => {
    const typeOf = async (path: string, accept = '*/*') => {
      const { status, headers } = await fetch(outside.url + path, { headers: { accept } })
      return `${status} ${headers.get('content-type')?.split(';')[0]}`
    }
    const types: Record<string, string[]> = {
      'text/html': ['/docs', '/docs/guide/sandbox', '/docs/operations/addTitle'],
      'text/markdown': ['/docs/guide/sandbox.md', '/docs/operations/addTitle.md'],
      'text/plain': ['/llms.txt'],
    }
    for (const [type, paths] of Object.entries(types))
      for (const path of paths) {
        assert.equal(await typeOf(path), `200 ${type}`, path)
        assert.equal(await typeOf(path, 'text/markdown'), '200 text/markdown', path)
      }
    assert.match(await typeOf('/console'), /^404/)
  })

  it('shows on the admin port which adapters are used for the registry and the bank', async () => {
    const response = await fetch(`${outside.adminUrl}/readyz`)
    assert.partialDeepStrictEqual(await response.json(), {
      status: 'ready',
      adapters: { registry: 'simulator', payments: 'simulator' },
    })
  })

  it('does not start with a pepper other than that of the database', async () => {
    await assert.rejects(start({ SECRET_PEPPER: 'q'.repeat(32) }), /SECRET_PEPPER is not the one/)
  })
})
