import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import type { Schemas } from '../../../client/src/index.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { passesOf, sessionOf } from '../../test/fixtures/people.ts'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import { aReceiver, aRegistration } from '../../test/fixtures/webhooks.ts'
import {
  aWorkspace,
  CREATE,
  drain,
  FIRM,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  readCase,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { clientFetcherOf } from '../people/fetch-as.ts'
import { tidyRequestsJob } from './jobs.ts'

type Records = { records: Schemas['LoggedRequest'][]; nextCursor?: string }

const REQUESTS = `${PARTNER}/requests`
const CORRELATION_ID = '0b1c8a52-6f0e-4a55-9a3c-6d3f2a1b4c5d'
const passes = passesOf()
let fetchAsClient: ReturnType<typeof clientFetcherOf>
let service: TestService
let workspaceId: string

const list = async (query = '', as = FIRM) => {
  const { status, body, text } = await service.call<Records>('GET', `${REQUESTS}?${query}`, as)
  assert.equal(status, 200, text)
  return body
}
const operationsOf = async (query: string, as = FIRM) =>
  (await list(query, as)).records.map(({ operation }) => operation)

/** The newest call of this operation, once it is written. */
async function logged(operation: string, as = FIRM): Promise<Schemas['RequestDetail']> {
  let found: Schemas['LoggedRequest'] | undefined
  await eventually(async () => {
    found = (await list(`operation=${operation}`, as)).records[0]
    return found !== undefined
  })
  const { body } = await service.call<Schemas['RequestDetail']>('GET', `${REQUESTS}/${found?.requestId}`, as)
  return body
}

before(async () => {
  service = await testService({
    extra(app, deps, ofService) {
      passes.extra(app, deps, ofService)
      fetchAsClient = clientFetcherOf({ app, passes: ofService }, deps.db.read)
    },
  })
  workspaceId = (await aWorkspace(service)).workspaceId
})

describe('the log of one’s own calls', () => {
  it('has a call with its body, its answer and what followed it', async () => {
    await aRegistration(service, (await aReceiver()).url, ['TITLE_DATA_RECEIVED'], FIRM)
    const headers = { 'x-request-correlation-id': CORRELATION_ID, 'x-acting-user': 'sam@harbour.example' }
    const json = { titleNumber: 'ST500678' }
    await service.call('POST', `${WORKSPACES}/${workspaceId}/titles`, { ...FIRM, json, headers })
    await drain(service)
    const { requestId: _, at: __, durationMs: ___, answer, followed, ...found } = await logged('addTitle')
    assert.deepEqual(found, {
      method: 'POST',
      route: `${PARTNER}/workspaces/{workspace_id}/titles`,
      operation: 'addTitle',
      status: 202,
      clientId: 'sandbox-law-firm',
      person: 'sam@harbour.example',
      correlationId: CORRELATION_ID,
      workspaceId,
      errors: [],
      path: `${PARTNER}/workspaces/${workspaceId}/titles`,
      headers: { accept: '*/*', 'content-type': 'application/json', 'x-acting-user': 'sam@harbour.example' },
      body: { text: JSON.stringify(json), isTruncated: false },
    })
    assert.match(answer?.text ?? '', /"titleId"/)
    const kinds = followed.map(({ kind, name, status }) => [kind, name, status].filter(Boolean).join(' '))
    assert.ok(kinds.includes('EVENT TITLE_DATA_RECEIVED'), String(kinds))
    assert.ok(kinds.includes('DELIVERY TITLE_DATA_RECEIVED DELIVERED'), String(kinds))
  })

  it('has why a call was refused, and counts it by operation and field', async () => {
    const json = { titleNumber: 'ST500679' }
    for (let time = 0; time < 2; time++)
      await service.call('POST', `${WORKSPACES}/${workspaceId}/titles`, { ...FIRM, json })
    await eventually(async () => (await operationsOf('status=4xx')).length === 2)
    const { status, errors } = await logged('addTitle')
    assert.deepEqual(
      [status, errors],
      [409, [{ field: 'titleNumber', message: 'The workspace has the title ST500678 already.' }]],
    )
    const { body } = await service.call<Schemas['RequestErrors']>('GET', `${REQUESTS}/errors`, FIRM)
    const [{ lastAt: _, lastRequestId: __, ...count } = assert.fail()] = body.records
    const route = `${PARTNER}/workspaces/{workspace_id}/titles`
    assert.deepEqual(count, {
      method: 'POST',
      route,
      operation: 'addTitle',
      status: 409,
      field: 'titleNumber',
      count: 2,
    })
  })

  it('has a call whose text PostgreSQL cannot store', async () => {
    const json = { titleNumber: '\u0000\ud800\\u0000', '\u0000\ud800': 1 }
    await service.call('POST', `${WORKSPACES}/${workspaceId}/titles`, { ...FIRM, json })
    await eventually(async () => (await logged('addTitle')).status === 400)
    assert.match((await logged('addTitle')).body?.text ?? '', /titleNumber/)
  })

  it('knows the workspace of a call that names its case, its query or only its answer', async () => {
    const { lodgementCaseId } = await readCase(service, workspaceId)
    await service.call('GET', `${PARTNER}/lodgement-cases/${lodgementCaseId}/requisitions`, FIRM)
    await service.call('GET', `${PARTNER}/lodgement-cases/${lodgementCaseId}/requisitions`, OTHER_FIRM)
    assert.equal((await logged('listRequisitions')).workspaceId, workspaceId)
    assert.equal((await logged('listRequisitions', OTHER_FIRM)).workspaceId, undefined)
    assert.equal((await logged('getLodgementCases')).workspaceId, workspaceId)
    assert.equal((await logged('createRemortgageWorkspace', LENDER)).workspaceId, workspaceId)
  })

  it('has no secret', async () => {
    const { answer } = await logged('createNotificationRegistration')
    assert.match(answer?.text ?? '', /"sharedSecret":"\[redacted\]"/)
    await service.call('GET', `${WORKSPACES}?access_token=secret-1`, FIRM)
    await eventually(async () => (await operationsOf('operation=listWorkspaces')).length > 0)
    const rows = await service.deps.db.query<{ text: string }>('select r::text as text from requests r')
    const token = await service.tokenOf(FIRM.as)
    for (const { text } of rows) assert.ok(!/whsec_|secret-1|Bearer/.test(text) && !text.includes(token), text)
  })

  it('can be filtered, and read page by page', async () => {
    assert.deepEqual(new Set(await operationsOf('status=4xx&operation=addTitle')), new Set(['addTitle']))
    assert.deepEqual(await operationsOf(`correlation_id=${CORRELATION_ID}`), ['addTitle'])
    assert.deepEqual(await operationsOf('client_id=somebody'), [])
    assert.ok((await operationsOf(`workspace_id=${workspaceId}`)).length >= 4)
    assert.deepEqual(await operationsOf('status=5xx'), [])
    const all = (await list()).records.map(({ requestId }) => requestId)
    const first = await list('limit=3')
    const second = await list(`limit=3&cursor=${first.nextCursor}`)
    assert.deepEqual(
      [...first.records, ...second.records].map(({ requestId }) => requestId),
      all.slice(0, 6),
    )
    assert.deepEqual(all, all.toSorted().reverse())
  })

  it('has neither its own reading nor that of pages, but what a person changes', async () => {
    const fetchAs = passes.fetchAs(sessionOf('Alex Moss'))
    await fetchAs(`${service.url}${WORKSPACES}/${workspaceId}/plan`)
    const json = JSON.stringify({ ownReference: 'HC/1' })
    const headers = { 'content-type': 'application/json' }
    await fetchAs(`${service.url}${WORKSPACES}/${workspaceId}`, { method: 'PATCH', body: json, headers })
    const { clientId, person } = await logged('updateWorkspace')
    assert.deepEqual([/^person:/.test(clientId), person], [true, 'alex.moss@harbour.example'])
    const operations = await operationsOf('limit=100')
    for (const name of ['getPlan', 'listRequests', 'getRequest']) assert.ok(!operations.includes(name), name)
  })

  it('is for its subscriber alone, and for those with the scope', async () => {
    const { requestId } = await logged('addTitle')
    const elses = await service.call('GET', `${REQUESTS}/${requestId}`, OTHER_FIRM)
    const unknown = await service.call('GET', `${REQUESTS}/${CORRELATION_ID}`, OTHER_FIRM)
    assert.deepEqual([elses.status, elses.text], [404, unknown.text])
    assert.deepEqual(await operationsOf(`workspace_id=${workspaceId}&operation=addTitle`, OTHER_FIRM), [])
    const narrow = { headers: await narrowToken(service, FIRM.as, 'view:workspaces') }
    for (const path of [REQUESTS, `${REQUESTS}/errors`, `${REQUESTS}/${requestId}`])
      assert.equal((await service.call('GET', path, narrow)).status, 403)
    for (const [name, status] of [
      ['Robin Vale', 200],
      ['Jo Marsh', 403],
    ] as const)
      assert.equal((await passes.fetchAs(sessionOf(name))(service.url + REQUESTS)).status, status)
  })

  it('lets a call be sent again as a client of one’s own subscriber, and of no other', async () => {
    const send = async (clientId: string, path: string) => {
      const post = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
      return (await fetchAsClient(sessionOf('Robin Vale'), clientId)(service.url + path, post)).status
    }
    assert.equal(await send(FIRM.as, `${WORKSPACES}/${workspaceId}/titles`), 400)
    assert.equal((await logged('addTitle')).clientId, FIRM.as)
    for (const client of [LENDER.as, 'nobody', 'person:1']) assert.equal(await send(client, CREATE), 403)
  })

  it('forgets what has expired', async () => {
    const { requestId } = await logged('addTitle')
    const { db } = service.deps
    await db.query('update requests set expires_at = now() where request_id = $1', [requestId])
    assert.equal((await service.call('GET', `${REQUESTS}/${requestId}`, FIRM)).status, 404)
    const job = tidyRequestsJob({ db })
    if (job.transactional !== false) assert.fail()
    await job.run({ correlationId: '', now: new Date(), signal: AbortSignal.timeout(10_000) }, {})
    assert.deepEqual(await db.query('select from requests where expires_at <= now()'), [])
    const [row] = await db.query<{ days: number }>(
      'select round(extract(epoch from expires_at - at) / 86400)::int as days from requests limit 1',
    )
    assert.equal(row?.days, 7)
  })

  it('names no person where `X-Acting-User` is empty', async () => {
    const headers = { 'x-acting-user': '' }
    assert.equal((await service.call('GET', `${WORKSPACES}/counts`, { ...FIRM, headers })).status, 400)
    assert.equal((await logged('countWorkspaces')).person, undefined)
  })
})
