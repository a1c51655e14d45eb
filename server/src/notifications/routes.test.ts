// Long because one service is started for all operations of webhooks.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aReceiver,
  aRegistration,
  deliveriesOf,
  EVENTS,
  feedOf,
  isSignedBy,
  NOTIFICATIONS,
  REGISTRATIONS,
  type ShownDelivery,
  type ShownDetail,
  type ShownRegistration,
} from '../../test/fixtures/webhooks.ts'
import {
  auditOf,
  aWorkspace,
  drain,
  FIRM,
  fieldsOf,
  LENDER,
  LENDER_ID,
  narrowToken,
  OTHER_LENDER,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'

const CLOSED_PORT = 'http://127.0.0.1:1/hooks'
const aRequest = { webhookURI: CLOSED_PORT, eventTypes: ['WORKSPACE_CREATED', 'WORKSPACE_CANCELLED'] }

let service: TestService
before(async () => {
  service = await testService()
})

const pathOf = ({ registrationId }: { registrationId: string }) => `${REGISTRATIONS}/${registrationId}`

describe('POST /notification-registrations', () => {
  it('201 shows the secret once, and audits all but it', async () => {
    const { status, body } = await service.call<ShownRegistration>('POST', REGISTRATIONS, { ...LENDER, json: aRequest })
    assert.equal(status, 201)
    assert.partialDeepStrictEqual(body, { ...aRequest, subscriberId: LENDER_ID })
    assert.match(body.sharedSecret, /^whsec_[A-Za-z0-9+/]{43}=$/)
    assert.equal(Date.parse(body.sharedSecretExpiry) - Date.parse(body.createdAt), 365 * 86_400_000)
    const { sharedSecret, ...shown } = body
    assert.deepEqual((await service.call('GET', pathOf(body), LENDER)).body, shown)
    const entry = (await auditOf(service, LENDER_ID)).at(-1)
    assert.partialDeepStrictEqual(entry, { action: 'webhook registered', after: { ...aRequest, status: 'VERIFIED' } })
    assert.ok(!JSON.stringify(entry).includes(sharedSecret))
    const [row] = await service.deps.db.query('select * from notification_registrations where registration_id = $1', [
      body.registrationId,
    ])
    assert.ok(row && !JSON.stringify(row).includes(sharedSecret) && !(row['secret'] as Buffer).includes('whsec'))
  })

  it('201 once for one Idempotency-Key', async () => {
    const options = { ...LENDER, json: aRequest, headers: { 'idempotency-key': 'a webhook' } }
    const [one, again] = [
      await service.call('POST', REGISTRATIONS, options),
      await service.call('POST', REGISTRATIONS, options),
    ]
    assert.deepEqual(again.body, one.body)
  })

  const WRONG: [what: string, json: unknown, fields: string[]][] = [
    ['nothing', {}, ['eventTypes', 'webhookURI']],
    ['no types', { ...aRequest, eventTypes: [] }, ['eventTypes']],
    ['a type twice', { ...aRequest, eventTypes: ['SECRET_EXPIRY', 'SECRET_EXPIRY'] }, ['eventTypes']],
    ['an unknown type', { ...aRequest, eventTypes: ['SECRET_EXPIRY', 'TEST'] }, ['eventTypes[1]']],
    ['types that are no list', { ...aRequest, eventTypes: 'SECRET_EXPIRY' }, ['eventTypes']],
    ['a type of null', { ...aRequest, eventTypes: [null] }, ['eventTypes[0]']],
    ['http to elsewhere', { ...aRequest, webhookURI: 'http://partner.example/' }, ['webhookURI']],
    ['a private address', { ...aRequest, webhookURI: 'https://10.0.0.1/' }, ['webhookURI']],
    ['credentials', { ...aRequest, webhookURI: 'https://me:pw@partner.example/' }, ['webhookURI']],
    ['a number', { ...aRequest, webhookURI: 7 }, ['webhookURI']],
    ['all at once', { webhookURI: 'ftp://x', eventTypes: ['NO'], more: 1 }, ['eventTypes[0]', 'more', 'webhookURI']],
  ]
  for (const [what, json, fields] of WRONG) {
    it(`400 for ${what}`, async () => {
      const answer = await service.call('POST', REGISTRATIONS, { ...LENDER, json })
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
    })
  }

  it('409 past a hundred, also when the last ones come at once', async () => {
    const { deps } = service
    await deps.db.query(
      `insert into notification_registrations (registration_id, subscriber_id, webhook_uri, event_types, secret,
         secret_expires_at, created_at)
       select gen_random_uuid(), $1, 'https://partner.example/', '{}', '', now(), now() from generate_series(1, 99)`,
      ['10000000-0000-4000-8000-000000000003'],
    )
    const register = () => service.call('POST', REGISTRATIONS, { as: 'sandbox-new-lender', json: aRequest })
    const answers = await Promise.all(Array.from({ length: 8 }, register))
    assert.deepEqual(answers.map(({ status }) => status).sort(), [201, ...Array(7).fill(409)])
  })
})

describe('GET /notification-registrations', () => {
  it('200 lists one’s own, newest first, in pages, and reads each with an ETag', async () => {
    const made = []
    for (let n = 0; n < 3; n++) made.push(await aRegistration(service, CLOSED_PORT, ['SECRET_EXPIRY'], FIRM))
    type List = { records: ShownRegistration[]; nextCursor?: string }
    const first = await service.call<List>('GET', `${REGISTRATIONS}?limit=2`, FIRM)
    const rest = await service.call<List>('GET', `${REGISTRATIONS}?cursor=${first.body.nextCursor}`, FIRM)
    const ids = [...first.body.records, ...rest.body.records].map(({ registrationId }) => registrationId)
    assert.deepEqual(ids, made.map(({ registrationId }) => registrationId).reverse())
    assert.equal(rest.body.nextCursor, undefined)
    const path = `${REGISTRATIONS}/${ids[0]}`
    const etag = (await service.call('GET', path, FIRM)).headers.get('etag') ?? ''
    assert.equal((await service.call('GET', path, { ...FIRM, headers: { 'if-none-match': etag } })).status, 304)
  })
})

describe('PUT and DELETE /notification-registrations/{registration_id}', () => {
  it('200 changes it, 204 ends it and all that it was to be sent', async () => {
    const made = await aRegistration(service, CLOSED_PORT)
    const json = { webhookURI: 'http://localhost:1/other', eventTypes: ['SECRET_EXPIRY'] }
    const changed = await service.call<ShownRegistration>('PUT', pathOf(made), { ...LENDER, json })
    assert.equal(changed.status, 200, changed.text)
    assert.deepEqual((await service.call('GET', pathOf(made), LENDER)).body, changed.body)
    assert.partialDeepStrictEqual(changed.body, json)
    assert.equal(changed.body.sharedSecret, undefined)
    assert.equal((await service.call('DELETE', pathOf(made), LENDER)).status, 204)
    assert.equal((await service.call('GET', pathOf(made), LENDER)).status, 404)
    assert.deepEqual(await deliveriesOf(service, made), [])
  })

  it('400 for what POST refuses', async () => {
    const made = await aRegistration(service, CLOSED_PORT)
    const json = { ...aRequest, webhookURI: 'https://[::ffff:10.0.0.1]/' }
    const answer = await service.call('PUT', pathOf(made), { ...LENDER, json })
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['webhookURI']])
  })
})

describe('GET /notifications and POST …/retry', () => {
  it('200 lists deliveries with attempts, 202 retries, 409 once delivered', async () => {
    const made = await aRegistration(service, CLOSED_PORT)
    await aWorkspace(service)
    await drain(service)
    const [failed] = await deliveriesOf(service, made)
    assert.equal(failed?.attempts[0]?.error, 'The connection was refused.')
    const retry = `${NOTIFICATIONS}/${failed?.notificationId}/retry`
    const again = await service.call<ShownDelivery>('POST', retry, LENDER)
    assert.deepEqual([again.status, again.body.status, again.body.attempts.length], [202, 'PENDING', 1])
    await service.deps.db.query(`update notifications set status = 'DELIVERED' where notification_id = $1`, [
      failed?.notificationId,
    ])
    assert.equal((await service.call('POST', retry, LENDER)).status, 409)
    const stranger = await service.call<{ records: unknown[] }>('GET', NOTIFICATIONS, OTHER_LENDER)
    assert.deepEqual(stranger.body.records, [])
    assert.equal((await service.call('POST', retry, OTHER_LENDER)).status, 404)
  })

  it('200 lists those that match, and none of another subscriber', async () => {
    const [one, other] = [await aRegistration(service, CLOSED_PORT), await aRegistration(service, CLOSED_PORT)]
    const { workspaceId } = await aWorkspace(service)
    await drain(service)
    const count = async (query: Record<string, string>, as = LENDER) => {
      const address = `${NOTIFICATIONS}?${new URLSearchParams({ workspace_id: workspaceId, ...query })}`
      const { body, text } = await service.call<{ records: ShownDelivery[] }>('GET', address, as)
      assert.ok(body.records, text)
      for (const record of body.records) assert.equal(record.workspaceId, workspaceId)
      return body.records.length
    }
    const [shown] = await deliveriesOf(service, one)
    const at = shown?.createdAt ?? ''
    const all = await count({})
    for (const [query, expected] of [
      [{ registration_id: one.registrationId }, 1],
      [{ registration_id: other.registrationId, status: 'PENDING', type: 'WORKSPACE_CREATED' }, 1],
      [{ registration_id: UNKNOWN_ID }, 0],
      [{ workspace_id: UNKNOWN_ID }, 0],
      [{ status: 'DEAD' }, 0],
      [{ type: 'TEST' }, 0],
      [{ created_since: at }, all],
      [{ created_before: at }, 0],
      [{ created_before: '1244-04-05T10:32:46.110+16:57' }, 0],
      [{ created_since: '2016-12-31T23:59:60Z' }, all],
    ] as const) {
      assert.equal(await count(query), expected, JSON.stringify(query))
    }
    assert.equal(await count({}, OTHER_LENDER), 0)
    const wrong = await service.call(
      'GET',
      `${NOTIFICATIONS}?status=LOST&registration_id=x&created_since=never`,
      LENDER,
    )
    assert.deepEqual([wrong.status, fieldsOf(wrong)], [400, ['created_since', 'registration_id', 'status']])
  })
})

describe('GET /notifications/{notification_id}', () => {
  it('200 has the bytes and headers that were sent, and what waits for what', async () => {
    const receiver = await aReceiver(() => ({ status: 503, body: 'try later' }))
    const made = await aRegistration(service, receiver.url, ['WORKSPACE_CREATED', 'WORKSPACE_CANCELLED'])
    const { workspaceId } = await aWorkspace(service)
    await drain(service)
    const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
    await service.call('DELETE', `${WORKSPACES}/${workspaceId}/cancel-workspace`, { ...LENDER, json })
    await drain(service)
    const [first, second] = await deliveriesOf(service, made)
    const read = async ({ notificationId = '' } = {}) => {
      const { body } = await service.call<ShownDetail>('GET', `${NOTIFICATIONS}/${notificationId}`, LENDER)
      return body
    }
    const [one, two] = [await read(first), await read(second)]
    const [received] = receiver.received
    assert.equal(one.body, received?.body)
    assert.partialDeepStrictEqual(received?.headers, one.headers)
    assert.ok(
      isSignedBy(made.sharedSecret, { ...(received ?? assert.fail()), headers: one.headers as Record<string, string> }),
    )
    assert.deepEqual([one.attempts[0]?.status, one.attempts[0]?.response], [503, 'try later'])
    assert.deepEqual([one.waitsFor, one.waitingBehind], [undefined, 1])
    assert.deepEqual([two.waitsFor, two.waitingBehind, two.attempts.length], [first?.notificationId, 0, 0])
    assert.deepEqual(two.headers, {})
  })
})

describe('POST /notifications/retry', () => {
  const retry = async (json: object, options: object = LENDER) =>
    (await service.call<{ count: number; hasMore: boolean }>('POST', `${NOTIFICATIONS}/retry`, { ...options, json }))
      .body

  it('200 counts first, then sends what failed and matches, once, and audits it', async () => {
    let status = 500
    const receiver = await aReceiver(() => ({ status }))
    const { registrationId } = await aRegistration(service, receiver.url)
    for (let n = 0; n < 3; n++) await aWorkspace(service)
    await drain(service)
    const { db } = service.deps
    await db.query(
      `update notifications set status = 'DEAD', next_attempt_at = null
        where seq = (select max(seq) from notifications where registration_id = $1)`,
      [registrationId],
    )
    const count = (json: object, options?: object) => retry({ registrationId, dryRun: true, ...json }, options)
    assert.deepEqual(await count({}), { count: 3, hasMore: false })
    assert.deepEqual(await count({ status: 'DEAD' }), { count: 1, hasMore: false })
    assert.deepEqual(await count({ type: 'WORKSPACE_CLOSED' }), { count: 0, hasMore: false })
    assert.deepEqual(await count({}, OTHER_LENDER), { count: 0, hasMore: false })
    status = 204
    const options = { ...LENDER, headers: { 'idempotency-key': 'all that match' } }
    const answers = [await retry({ registrationId }, options), await retry({ registrationId }, options)]
    assert.deepEqual(answers, Array(2).fill({ count: 3, hasMore: false }))
    assert.deepEqual(await count({}), { count: 0, hasMore: false }, 'they are on their way')
    assert.partialDeepStrictEqual((await auditOf(service, LENDER_ID)).at(-1), {
      action: 'notifications retried',
      after: { registrationId, count: 3 },
    })
    await drain(service)
    assert.equal(receiver.received.length, 6)
    const statuses = (await deliveriesOf(service, { registrationId })).map((one) => one.status)
    assert.deepEqual(new Set(statuses), new Set(['DELIVERED']))
  })

  it('200 sends 1,000 at most, the oldest first, and says that there are more', async () => {
    const { registrationId } = await aRegistration(service, CLOSED_PORT, ['SECRET_EXPIRY'])
    await service.deps.db.query(
      `insert into notifications (notification_id, registration_id, subscriber_id, event_id, lane, type, status, created_at)
       select id, $1, $2, id, id, 'TEST', 'DEAD', now() from (
         select gen_random_uuid() as id from generate_series(1, 1001)) ids`,
      [registrationId, LENDER_ID],
    )
    assert.deepEqual(await retry({ registrationId }), { count: 1_000, hasMore: true })
    assert.deepEqual(await retry({ registrationId, dryRun: true, status: 'DEAD' }), { count: 1, hasMore: false })
    await service.call('DELETE', pathOf({ registrationId }), LENDER)
  })
})

describe('GET /events', () => {
  // Reports are off for it, so nothing was published before.
  const NEW_LENDER = { as: 'sandbox-new-lender' }

  it('200 goes on where it ended, says the same when nothing is new, and begins with the oldest', async () => {
    const start = await feedOf(service, '?limit=1', NEW_LENDER)
    assert.deepEqual(start.records, [])
    assert.equal((await feedOf(service, `?after=${start.nextCursor}`, NEW_LENDER)).nextCursor, start.nextCursor)
    await aWorkspace(service, {}, NEW_LENDER)
    await drain(service)
    const one = await feedOf(service, `?limit=1&after=${start.nextCursor}`, NEW_LENDER)
    const two = await feedOf(service, `?after=${one.nextCursor}`, NEW_LENDER)
    const types = [...one.records, ...two.records].map(({ type }) => type)
    assert.deepEqual(types, ['WORKSPACE_CREATED', 'WORKSPACE_PARTICIPANT_ADDED'])
    assert.equal((await feedOf(service, `?after=${two.nextCursor}`, NEW_LENDER)).nextCursor, two.nextCursor)
    assert.deepEqual((await feedOf(service, '', NEW_LENDER)).records, [...one.records, ...two.records])

    const foreign = await service.call('GET', `${EVENTS}?after=${one.nextCursor}`, FIRM)
    assert.deepEqual([foreign.status, fieldsOf(foreign)], [400, ['after']], 'a place in another feed')
  })

  for (const query of ['after=x', 'after=', 'after=ZTk5OTk5OTk', 'limit=0', 'limit=101', 'limit=x']) {
    it(`400 for ${query}`, async () => {
      const answer = await service.call('GET', `${EVENTS}?${query}`, LENDER)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [query.split('=')[0]]])
    })
  }
})

type Operation = [method: string, path: (id: string) => string, scope: string, json?: unknown]
const one =
  (suffix = '') =>
  (id: string) =>
    `${REGISTRATIONS}/${id}${suffix}`
const EDIT = 'edit:notification_registrations'
const VIEW = 'view:notifications'
const ALL: Operation[] = [
  ['POST', () => REGISTRATIONS, EDIT, aRequest],
  ['GET', () => REGISTRATIONS, VIEW],
  ['GET', one(), VIEW],
  ['PUT', one(), EDIT, aRequest],
  ['DELETE', one(), EDIT],
  ['POST', one('/secret-rotation'), EDIT],
  ['POST', one('/test'), EDIT],
  ['GET', () => NOTIFICATIONS, VIEW],
  ['GET', (id) => `${NOTIFICATIONS}/${id}`, VIEW],
  ['POST', () => `${NOTIFICATIONS}/retry`, EDIT, {}],
  ['POST', (id) => `${NOTIFICATIONS}/${id}/retry`, EDIT],
  ['GET', () => EVENTS, VIEW],
]

for (const [method, path, scope, json] of ALL) {
  describe(`${method} ${path('{id}')}`, () => {
    const body = json === undefined ? {} : { json }

    it('401 without a token, 403 with the other scope alone', async () => {
      assert.equal((await service.call(method, path(UNKNOWN_ID), body)).status, 401)
      const headers = await narrowToken(service, 'sandbox-lender', scope === VIEW ? EDIT : VIEW)
      const { status, text } = await service.call(method, path(UNKNOWN_ID), { ...body, headers })
      assert.equal(status, 403)
      assert.match(text, new RegExp(scope))
    })

    if (path('a') === path('b')) return

    it('400 for what is no UUID, 404 for another’s as for one that never was', async () => {
      assert.equal((await service.call(method, path('x'), { ...LENDER, ...body })).status, 400)
      const { registrationId } = await aRegistration(service, CLOSED_PORT)
      const unknown = await service.call(method, path(UNKNOWN_ID), { ...LENDER, ...body })
      const foreign = await service.call(method, path(registrationId), { ...OTHER_LENDER, ...body })
      assert.deepEqual([foreign.status, foreign.text], [404, unknown.text])
    })
  })
}
