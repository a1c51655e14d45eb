import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { before, describe, it } from 'node:test'
import { atEnd } from '../../test/fixtures/at-end.ts'
import { runSql, testDatabase } from '../../test/fixtures/database.ts'
import { offer } from '../../test/fixtures/documents.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { upload } from '../../test/fixtures/multipart.ts'
import { freePort } from '../../test/fixtures/ports.ts'
import { BASE_ENV, endProcess, isReady } from '../../test/fixtures/process.ts'
import { type Answer, callerOf, PARTNER } from '../../test/fixtures/service.ts'
import { aBorrower, CREATE, HOME, WORKSPACES } from '../../test/fixtures/workspaces.ts'
import { generateSigningKey } from '../auth/keys.ts'
import { addClient, addSubscriber, setLogHours } from '../auth/manage.ts'
import { ALL_SCOPES } from '../auth/scopes.ts'
import { openDb } from '../platform/database/db.ts'

// A service outside the sandbox, in a process of its own, whose log is switched on for its clients. Whatever a partner can
// write into a request has a marker; neither the request log nor the process log nor the metrics may have it.

const MARK = 'Qzxv'
const ACCOUNT = '77712345'
const AMOUNT = 918273.64
const MARKS = new RegExp(`${MARK}|${ACCOUNT}|${AMOUNT}|91827364`, 'i')
const PEPPER = 'p'.repeat(32)
const CORRELATION_ID = '0b1c8a52-6f0e-4a55-9a3c-6d3f2a1b4c5d'
const ROOT = resolve(import.meta.dirname, '../../..')
const IDS = { LENDER: '10000000-0000-4000-8000-000000000009', LAW_FIRM: '20000000-0000-4000-8000-000000000009' }
const [LENDER, FIRM, QUIET] = ['live-lender', 'live-firm', 'quiet-firm']
const HEADERS = {
  'x-acting-user': `${MARK}@firm.example`,
  'x-request-correlation-id': `${MARK}-1`,
  'idempotency-key': `${MARK}-2`,
  'if-match': `"${MARK}"`,
  'user-agent': MARK,
  'x-forwarded-for': MARK,
}

let [databaseUrl, url, metricsUrl, output] = ['', '', '', '']
let { call } = callerOf('')
const rows = () =>
  runSql<{ text: string; operation: string; client: string }>(
    databaseUrl,
    'select r::text as text, operation, client_id as client from requests r order by request_id',
  )

before(async () => {
  const [database, folder, port, adminPort] = await Promise.all([
    testDatabase(),
    mkdtemp(join(tmpdir(), 'lodgeway-live-')),
    freePort(),
    freePort(),
  ])
  databaseUrl = database.ownerUrl
  const db = openDb({ url: database.ownerUrl, poolSize: 1 })
  await db.transaction(async (tx) => {
    const actor = { correlationId: 'test', at: new Date() }
    const options = { fourEyes: true, reports: false }
    for (const [kind, subscriberId] of Object.entries(IDS) as ['LENDER' | 'LAW_FIRM', string][])
      addSubscriber(tx, { subscriberId, name: kind, kind, ...options }, actor)
    const clients = { [LENDER]: IDS.LENDER, [FIRM]: IDS.LAW_FIRM, [QUIET]: IDS.LAW_FIRM }
    for (const [clientId, subscriberId] of Object.entries(clients))
      addClient(tx, PEPPER, { clientId, subscriberId, secret: `${clientId}-secret`, scopes: ALL_SCOPES }, actor)
    for (const clientId of [LENDER, FIRM]) await setLogHours(tx, clientId, 24, actor)
  })
  await db.close()
  const env = {
    ...BASE_ENV,
    DATABASE_URL: database.url,
    DATABASE_OWNER_URL: database.ownerUrl,
    DATA_DIR: folder,
    PORT: String(port),
    ADMIN_PORT: String(adminPort),
    SECRET_PEPPER: PEPPER,
    SIGNING_KEYS: JSON.stringify(await generateSigningKey()),
    REGISTRY: 'simulator',
    PAYMENTS: 'simulator',
    LOG_LEVEL: 'trace',
  }
  const child = spawn(process.execPath, [join(ROOT, 'server/src/main.ts'), 'serve'], { env })
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      output += chunk
    })
  atEnd(async () => {
    await endProcess(child)
    await database.drop()
    await rm(folder, { recursive: true, force: true })
  })
  url = `http://127.0.0.1:${port}`
  metricsUrl = `http://127.0.0.1:${adminPort}/metrics`
  await eventually(() => isReady(url), 120_000)
  call = callerOf(url).call
})

describe('outside the sandbox a browser', () => {
  it('is led from the root to the reference, where the console is off', async () => {
    const response = await fetch(`${url}/`, { headers: { accept: 'text/html,*/*' }, redirect: 'manual' })
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/docs'])
  })
})

describe('outside the sandbox the request log', () => {
  it('has what was asked, when and with what outcome', async () => {
    const headers = { 'x-request-correlation-id': CORRELATION_ID, 'x-acting-user': `${MARK}@firm.example` }
    const json = { [MARK]: MARK, titleNumber: MARK }
    const id = IDS.LENDER
    await call('POST', `${WORKSPACES}/${id}/titles`, { as: FIRM, json, headers })
    await eventually(async () => (await rows()).length === 1)
    const { body } = await call<{ records: Record<string, unknown>[] }>('GET', `${PARTNER}/requests?status=4xx`, {
      as: FIRM,
    })
    const [{ requestId, at: _, durationMs: __, ...found } = assert.fail()] = body.records
    assert.deepEqual(found, {
      method: 'POST',
      route: `${PARTNER}/workspaces/{workspace_id}/titles`,
      operation: 'addTitle',
      status: 400,
      clientId: FIRM,
      correlationId: CORRELATION_ID,
      workspaceId: id,
      errors: [{ field: '…' }, { field: 'titleNumber' }],
    })
    const detail = await call('GET', `${PARTNER}/requests/${requestId}`, { as: FIRM })
    assert.deepEqual(
      Object.keys(detail.body).filter((name) => ['path', 'body', 'answer', 'headers'].includes(name)),
      [],
    )
    const [kept] = await runSql<{ hours: number }>(
      databaseUrl,
      `select round(extract(epoch from expires_at - at) / 3600)::int as hours from requests`,
    )
    assert.equal(kept?.hours, 24)
  })

  it('is off until it is switched on for a client', async () => {
    await call('GET', WORKSPACES, { as: QUIET })
    await call('GET', WORKSPACES, { as: FIRM })
    await eventually(async () => (await rows()).some(({ operation }) => operation === 'listWorkspaces'))
    assert.ok((await rows()).every(({ client }) => client === FIRM))
  })

  it('has no value of any request, nor have the process log and the metrics', async () => {
    const statuses = [...(await validRequests()), ...(await everyOperation())]
    assert.ok(statuses.filter((status) => status < 300).length >= 10, String(statuses))
    await eventually(async () => (await rows()).length >= statuses.length)
    const found = [output, await (await fetch(metricsUrl)).text(), ...(await rows()).map(({ text }) => text)]
    assert.match(output, /serve is ready/)
    for (const text of found) assert.doesNotMatch(text, MARKS)
    assert.match(found[1] ?? '', /^request_log_dropped_total 0$/m)
  })
})

/** A matter whose every text is a marker, as far as the interface accepts it. */
async function validRequests(): Promise<number[]> {
  const answers: Answer[] = []
  const send = async <Body extends object>(as: string, method: string, path: string, json?: unknown) => {
    const { 'if-match': _, 'idempotency-key': __, ...headers } = HEADERS
    const answer = await call<Body>(method, path, { as, headers, ...(json !== undefined && { json }) })
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    answers.push(answer)
    return answer.body
  }
  const securityAddress = { ...HOME, name: MARK, street: MARK, town: MARK }
  const parties = [aBorrower(MARK, MARK, IDS.LAW_FIRM)]
  const order = { reference: `${MARK}-3`, property: { securityAddress }, parties }
  const { workspaceId } = await send<{ workspaceId: string }>(LENDER, 'POST', CREATE, order)
  const path = `${WORKSPACES}/${workspaceId}`
  const workspace = await send<{ parties: { partyId: string }[] }>(FIRM, 'GET', path)
  for (const query of [`q=${MARK}`, `borrower=${MARK}`, `reference=${MARK}`, `own_reference=${MARK}`])
    await send(FIRM, 'GET', `${WORKSPACES}?${query}`)
  await send(FIRM, 'PATCH', path, { ownReference: MARK })
  const address = { street: MARK, town: MARK, postcode: 'TA1 4AS' }
  const firm = { representedBy: 'EXTERNAL_LAW_FIRM', externalLawFirm: { name: MARK, address }, referenceNumber: MARK }
  await send(FIRM, 'POST', `${path}/representation`, { partyId: workspace.parties[0]?.partyId, ...firm })
  const schedules = `${PARTNER}/financial-settlement-schedules`
  const { records } = await send<{ records: { financialSettlementScheduleId: string }[] }>(
    FIRM,
    'GET',
    `${schedules}?workspace_id=${workspaceId}`,
  )
  const bankAccount = { accountName: MARK, accountNumber: ACCOUNT, sortCode: '204060' }
  const line = { type: 'DESTINATION', category: 'Redemption', amount: AMOUNT, reference: MARK, bankAccount }
  await send(FIRM, 'POST', `${schedules}/${records[0]?.financialSettlementScheduleId}/line-items`, line)
  const service = { call } as Parameters<typeof upload>[0]
  answers.push(await upload(service, `${path}/files`, { as: FIRM, fields: offer(), fileName: `${MARK}.pdf` }))
  const notes = { cancellationReason: 'OTHER', cancellationNotesForOther: MARK }
  await send(FIRM, 'POST', `${path}/cancel`, notes).catch(() => undefined)
  return answers.map(({ status }) => status)
}

type Schema = {
  $ref?: string
  type?: string
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
}
type Operation = {
  security?: unknown[]
  parameters?: { $ref?: string; name?: string; in?: string }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

/** Each operation with a marker as every parameter, header, field and value, and as the name of a field. */
async function everyOperation(): Promise<number[]> {
  const document = JSON.parse(await readFile(join(ROOT, 'openapi.json'), 'utf8')) as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Schema>; parameters?: Record<string, { name: string; in: string }> }
  }
  const resolved = ({ $ref, ...schema }: Schema): Schema =>
    $ref ? (document.components.schemas[$ref.split('/').at(-1) ?? ''] ?? {}) : schema
  const filled = (schema: Schema): unknown => {
    const { type, properties, items, oneOf, anyOf } = resolved(schema)
    const [first] = [...(oneOf ?? []), ...(anyOf ?? [])]
    if (first) return filled(first)
    if (items) return [filled(items)]
    if (!properties) return type === 'number' || type === 'integer' ? AMOUNT : MARK
    const own = Object.entries(properties).map(([name, value]) => [name, filled(value)])
    return { ...Object.fromEntries(own), [MARK]: MARK }
  }
  const statuses: number[] = []
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!path.startsWith('/partner/')) continue
    for (const [method, { parameters = [], requestBody }] of Object.entries(methods)) {
      if (!['get', 'post', 'patch', 'put', 'delete'].includes(method) || path.startsWith(`${PARTNER}/requests`))
        continue
      const named = parameters.map((one) =>
        one.$ref ? document.components.parameters?.[one.$ref.split('/').at(-1) ?? ''] : one,
      )
      const query = named.flatMap((one) => (one?.in === 'query' ? [`${one.name}=${MARK}`] : []))
      const json = Object.values(requestBody?.content ?? {})[0]
      for (const id of [MARK, CORRELATION_ID]) {
        const address = `${path.replaceAll(/\{\w+\}/g, id)}?${[...query, `${MARK}=${MARK}`].join('&')}`
        const { status } = await call(method.toUpperCase(), address, {
          as: statuses.length % 2 ? LENDER : FIRM,
          headers: HEADERS,
          ...(json && { json: filled(json.schema) }),
        })
        statuses.push(status)
      }
    }
  }
  assert.ok(statuses.length > 100)
  return statuses
}
