// Long because it holds every route of operators, against one service.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { runSql } from '../../test/fixtures/database.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { passesOf, sessionOf } from '../../test/fixtures/people.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { aReceiver, aRegistration } from '../../test/fixtures/webhooks.ts'
import { aSearchedWorkspace, FIRM_ID, LENDER_ID, UNKNOWN_ID } from '../../test/fixtures/workspaces.ts'
import { isOperatorScope } from '../auth/scopes.ts'
import { computeFigures } from '../figures/compute.ts'
import type { Session } from '../people/rules.ts'
import { readRoutes } from '../route-manifest.ts'
import { OPERATOR_PATH } from './parts.ts'

const passes = passesOf()
const TONI = sessionOf('Toni Grant')
let service: TestService
before(async () => {
  service = await testService({ extra: passes.extra })
})

type Answer = { status: number; text: string; headers: Headers; body: Record<string, never> }

async function send(
  method: string,
  path: string,
  { as = TONI, json, key }: { as?: Session; json?: object; key?: string } = {},
): Promise<Answer> {
  const response = await passes.fetchAs(as)(service.url + path, {
    method,
    headers: { ...(json && { 'content-type': 'application/json' }), ...(key && { 'idempotency-key': key }) },
    ...(json && { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  return { status: response.status, text, headers: response.headers, body: text ? JSON.parse(text) : {} }
}

const get = async <T>(path: string): Promise<T> => {
  const { status, text, body } = await send('GET', OPERATOR_PATH + path)
  assert.equal(status, 200, text)
  return body as T
}
const post = async <T = object>(path: string, json?: object, status = 200): Promise<T> => {
  const answer = await send('POST', OPERATOR_PATH + path, json ? { json } : {})
  assert.equal(answer.status, status, answer.text)
  return answer.body as T
}

const tokenStatus = async (clientId: string, secret: string) => {
  const json = { grant_type: 'client_credentials', client_id: clientId, client_secret: secret }
  return (await service.call('POST', '/oauth/token', { json })).status
}

const all = (await readRoutes()).filter(({ method }) => method !== 'HEAD')
const isForOperators = ({ config }: (typeof all)[number]) => isOperatorScope(config?.scope)
const ours = all.filter(isForOperators)
const theirs = all.filter((route) => !isForOperators(route) && route.config?.scope !== 'none')
/** An address that the route takes. */
const pathOf = ({ url }: (typeof all)[number]) =>
  url.replaceAll(/:(\w+)(\([^)]*\))?/g, (_, name) => (name === 'client_id' ? 'sandbox-lender' : UNKNOWN_ID))

describe('the routes of operators', () => {
  for (const route of ours) {
    const { method, url } = route
    it(`${method} ${url} exists for operators alone`, async () => {
      const path = pathOf(route)
      const nothing = await service.call('GET', `${OPERATOR_PATH}/nothing`)
      const tries = [
        await service.call(String(method), path),
        await service.call(String(method), path, { as: 'sandbox-lender' }),
        await service.call(String(method), path, { as: 'sandbox-law-firm' }),
        await send(String(method), path, { as: sessionOf('Alex Moss') }),
        await send(String(method), path, { as: sessionOf('Robin Vale') }),
        await service.call('DELETE', path),
      ]
      for (const { status, text } of tries) assert.deepEqual([status, text], [404, nothing.text])
      assert.notEqual((await send(String(method), path, { as: { ...TONI, decides: 'again' } })).status, 500)
    })
  }

  for (const route of theirs) {
    it(`${route.method} ${route.url} is refused to operators`, async () => {
      assert.equal((await send(String(route.method), pathOf(route))).status, 403)
    })
  }

  it('need a recent sign-in to change something, and none to look and to run', async () => {
    for (const decides of ['again', 'never'] as const) {
      for (const route of ours) {
        const { status, headers } = await send(String(route.method), pathOf(route), { as: { ...TONI, decides } })
        const isChange = route.config?.scope === 'operator:change'
        assert.equal(status === 403, isChange, `${route.method} ${route.url}: ${status}`)
        assert.equal(/insufficient_user_auth/.test(headers.get('www-authenticate') ?? ''), isChange)
      }
    }
  })

  it('are no part of the contract', async () => {
    const document = await (await fetch(`${service.url}/openapi.json`)).text()
    assert.doesNotMatch(document, /operator\/v1|operator:/)
  })
})

describe('an operator', () => {
  it('sees each node, what it runs and whether it is ready', async () => {
    type Node = { roles: string[]; ready: boolean; checks: Record<string, string>; isSilent: boolean; version: string }
    await eventually(async () => (await get<{ records: Node[] }>('/nodes')).records[0]?.ready === true, 30_000)
    const [node, ...others] = (await get<{ records: Node[] }>('/nodes')).records
    assert.equal(others.length, 0)
    assert.deepEqual([node?.roles, node?.ready, node?.isSilent], [['serve', 'work'], true, false])
    assert.equal(node?.checks['database'], 'ok')
  })

  it('switches maintenance, by name and time, and is not kept out by it', async () => {
    await post('/maintenance', { enabled: true })
    const on = await get<{ enabled: boolean; by: string; since: string }>('/maintenance')
    const refused = await service.call('GET', '/partner/api/platformconnect/v1/workspaces', { as: 'sandbox-lender' })
    await post('/maintenance', { enabled: false })
    assert.deepEqual([on.enabled, on.by, refused.status], [true, TONI.person.email, 503])
    assert.ok(Math.abs(Date.parse(on.since) - Date.now()) < 60_000)
    assert.equal((await get<{ enabled: boolean }>('/maintenance')).enabled, false)
  })

  it('sees dead jobs with their error, and lets one or all that match run again', async () => {
    const dead = (job: string, error: string) =>
      runSql(
        service.env['DATABASE_OWNER_URL'] ?? '',
        `insert into pgboss.job (name, data, source_name, source_retry_count, source_output)
           values ('dead', '{"correlationId":"corr-9","payload":{"checkId":"${UNKNOWN_ID}"}}', '${job}', 3, '{"message":"${error}"}')`,
      )
    await dead('audit.verify', 'It timed out.')
    await dead('audit.verify', 'The disk is full.')
    type Dead = { count: number; records: { id: string; job: string; error: string; attempts: number }[] }
    const full = await get<Dead>('/jobs/dead?error=disk')
    assert.deepEqual(
      full.records.map(({ job, error, attempts }) => [job, error, attempts]),
      [['audit.verify', 'The disk is full.', 4]],
    )
    assert.deepEqual(await post('/jobs/dead/retry', { id: full.records[0]?.id }), { count: 1 })
    assert.deepEqual(await post('/jobs/dead/retry', { correlation_id: 'corr-9' }), { count: 1 })
    await eventually(async () => {
      const { records, dead: count } = await get<{ records: object[]; dead: number }>('/jobs')
      return records.length === 0 && count === 0
    })
  })

  it('sees the figures of all subscribers together', async () => {
    const { db, clock } = service.deps
    await computeFigures(db, clock.now())
    assert.ok(Array.isArray((await get<{ waiting: object[] }>('/figures')).waiting))
    assert.match((await get<{ csv: string }>('/figures/waiting')).csv, /^who,days,share\r\n/)
  })

  it('sees whose webhooks fail, by count alone', async () => {
    const receiver = await aReceiver()
    await aRegistration(service, receiver.url)
    await service.deps.db.query(
      `update notification_registrations set webhook_uri = 'http://127.0.0.1:1/secret', status = 'VERIFIED'`,
    )
    await aSearchedWorkspace(service, 'ST500678')
    await eventually(async () => (await get<{ records: object[] }>('/webhooks')).records.length > 0)
    const { records } = await get<{ records: { subscriberId: string; retried: number; registrations: number }[] }>(
      '/webhooks',
    )
    assert.deepEqual([records[0]?.subscriberId, records[0]?.registrations], [LENDER_ID, 1])
    assert.ok((records[0]?.retried ?? 0) > 0)
    assert.doesNotMatch(JSON.stringify(records), /secret/)
  })
})

describe('accounts', () => {
  let subscriberId: string

  it('are added: a subscriber and a client, whose secret is shown once, also when it is asked for twice', async () => {
    const json = { name: 'Westbrook Bank plc', kind: 'LENDER', fourEyes: true, reports: true }
    subscriberId = (await post<{ subscriberId: string }>('/subscribers', json)).subscriberId
    const add = (key: string) =>
      send('POST', `${OPERATOR_PATH}/subscribers/${subscriberId}/clients`, { json: { clientId: 'west/1' }, key })
    const [first, second] = [await add('once'), await add('once')]
    assert.deepEqual([first.status, first.text], [200, second.text])
    assert.equal((await add('twice')).status, 409)
    assert.equal(await tokenStatus('west/1', first.body['secret'] ?? ''), 200)
    const read = await get<{ clients: { clientId: string; secrets: number }[] }>(`/subscribers/${subscriberId}`)
    assert.deepEqual(
      read.clients.map(({ clientId, secrets }) => [clientId, secrets]),
      [['west/1', 1]],
    )
    assert.doesNotMatch(JSON.stringify(read), new RegExp(first.body['secret'] ?? 'x'))
  })

  it('are changed: rotate with overlap, retire, scopes, disable, enable, suspend, resume', async () => {
    const client = '/clients/west%2F1'
    const { secret } = await post<{ secret: string }>(`${client}/rotate`)
    assert.match(secret, /^[\w-]{43}$/)
    assert.equal((await get<{ secrets: number }>(client)).secrets, 2)
    await post(`${client}/retire-old-secret`)
    await post(`${client}/scopes`, { scopes: ['x-api:view:reports'] })
    await post(`${client}/scopes`, { scopes: ['operator:view'] }, 400)
    await post(`/subscribers/${subscriberId}/decisions`, { decisions: 'people' })
    for (const hours of [24, 0]) {
      await post(`${client}/log`, { hours })
      assert.equal((await get<{ logUntil: string | null }>(client)).logUntil !== null, hours > 0)
    }
    for (const enabled of [false, true]) await post(`${client}/enabled`, { enabled })
    const { scopes, secrets } = await get<{ scopes: string[]; secrets: number }>(client)
    assert.deepEqual([scopes, secrets], [['x-api:view:reports'], 1])
    for (const status of ['SUSPENDED', 'ACTIVE']) {
      await post(`/subscribers/${subscriberId}/status`, { status })
      const read = await get<{ status: string; decisions: string }>(`/subscribers/${subscriberId}`)
      assert.deepEqual([read.status, read.decisions], [status, 'people'])
    }
  })

  it('show when a client was last used', async () => {
    const { clients } = await get<{ clients: { lastUsedAt: string | null }[] }>(`/subscribers/${subscriberId}`)
    assert.equal(clients[0]?.lastUsedAt, null) // it got tokens, and called nothing
    await service.call('GET', '/partner/api/platformconnect/v1/workspaces', { as: 'sandbox-law-firm' })
    await eventually(async () => {
      const { lastUsedAt } = await get<{ lastUsedAt: string | null }>('/clients/sandbox-law-firm')
      return lastUsedAt !== null && Math.abs(Date.parse(lastUsedAt) - Date.now()) < 60_000
    })
  })

  it('of people: invite, link, roles, sessions, disable; and nobody locks themselves out', async () => {
    const json = { name: 'Nia', email: 'Nia@west.example', roles: ['viewer'], subscriberId }
    const { personId, link } = await post<{ personId: string; link: string }>('/people', json)
    assert.match(link, new RegExp(`^${service.url}/console/link/[\\w-]{43}$`))
    await post('/people', json, 409)
    await post('/people', { ...json, email: 'x', roles: ['boss'] }, 400)
    const person = `/people/${personId}`
    assert.notEqual((await post<{ link: string }>(`${person}/link`)).link, link)
    await post(`${person}/roles`, { roles: ['viewer', 'approver'] })
    type Read = { email: string; roles: string[]; state: string; sessions: object[] }
    const { email, roles, sessions } = await get<Read>(person)
    assert.deepEqual([email, roles, sessions], ['nia@west.example', ['viewer', 'approver'], []])
    assert.deepEqual(await post(`${person}/sign-out`), { ended: 0 })
    await post(`${person}/disable`)
    await post(`${person}/disable`, undefined, 404)
    assert.equal((await get<Read>(person)).state, 'disabled')
    for (const path of ['disable', 'roles'])
      await post(`/people/${TONI.person.id}/${path}`, path === 'roles' ? { roles: ['operator'] } : undefined, 409)
    const { records } = await get<{ records: object[] }>(`/people?subscriber_id=${FIRM_ID}`)
    assert.equal(records.length, 4)
  })

  it('are changed in the name of the operator, in the audit', async () => {
    const chains = `chain in (select subscriber_id from subscribers where name like 'Westbrook%' union
      select person_id from people where email in ('nia@west.example', '${TONI.person.email}'))`
    const rows = await service.deps.db.query<{ actor: string; action: string }>(
      `select entry ->> 'actingUser' as actor, entry ->> 'action' as action from audit_entries
        where ${chains} and entry ->> 'clientId' like 'person:%' order by entry_id`,
    )
    assert.deepEqual(new Set(rows.map(({ actor }) => actor)), new Set([TONI.person.email]))
    assert.deepEqual(
      rows.map(({ action }) => action),
      ACTIONS,
    )
  })
})

const ACTIONS = [
  'maintenance switched on',
  'maintenance switched off',
  'dead jobs retried',
  'dead jobs retried',
  'subscriber added',
  'client added',
  'client rotated',
  'old client secret retired',
  'client scopes set',
  'decisions set',
  'request log switched on',
  'request log switched off',
  'client disabled',
  'client enabled',
  'subscriber suspended',
  'subscriber resumed',
  'person invited',
  'link made',
  'roles set',
  'sessions ended',
  'person disabled',
]

describe('the audit', () => {
  type Found = { records: { action: string; actingUser?: string; chain: string; correlationId: string }[] }
  const search = (query: Record<string, string>) => get<Found>(`/audit?${new URLSearchParams(query)}`)
  const day = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(new Date())

  it('is searched by id, by day, by person and by correlation id, headers alone', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    const ofMatter = await search({ id: workspaceId })
    assert.equal(ofMatter.records.at(-1)?.action, 'workspace created')
    assert.ok(ofMatter.records.every((one) => one.chain === workspaceId && !('payload' in one)))
    const correlationId = ofMatter.records[0]?.correlationId ?? ''
    const ofCall = await search({ day, correlation_id: correlationId })
    assert.ok(ofCall.records.length > 0 && ofCall.records.every((one) => one.correlationId === correlationId))
    const ofPerson = await search({ day, person: TONI.person.email.toUpperCase() })
    assert.ok(ofPerson.records.length >= 15 && ofPerson.records.every((one) => one.actingUser === TONI.person.email))
    assert.deepEqual((await search({ day: '2001-01-01' })).records, [])
    assert.equal((await send('GET', `${OPERATOR_PATH}/audit?person=x`)).status, 400)
  })

  it('is verified by a job, whose outcome can be read', async () => {
    await post('/audit/check', { anchor: 'f'.repeat(64) }, 202)
    type Checked = {
      check: { askedBy: string; endedAt: string | null; report: { findings: string[]; entries: number } }
    }
    await eventually(async () => (await get<Checked>('/audit/check')).check.endedAt !== null)
    const { check } = await get<Checked>('/audit/check')
    assert.equal(check.askedBy, TONI.person.email)
    assert.match(check.report.findings.join(), /^No anchor has the hash f+/)
    assert.ok(check.report.entries > 0)
  })
})
