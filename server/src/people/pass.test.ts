import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { approvalsOf } from '../../test/fixtures/approvals.ts'
import { filesPath, offer } from '../../test/fixtures/documents.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { aPdf } from '../../test/fixtures/multipart.ts'
import { passesOf, sessionOf } from '../../test/fixtures/people.ts'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import {
  aWorkspace,
  CREATE,
  FIRM,
  FIRM_ID,
  OTHER_FIRM_ID,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { setDecisions } from '../auth/manage.ts'
import { createPasses } from '../auth/passes.ts'
import { createWatch } from '../events/watch.ts'
import { realClock } from '../platform/jobs/clock.ts'
import { sourceOf } from './fetch-as.ts'
import type { Session } from './rules.ts'

const passes = passesOf()
let service: TestService
let workspaceId: string
before(async () => {
  service = await testService({ extra: passes.extra })
  workspaceId = (await aWorkspace(service)).workspaceId
})

const SAM = sessionOf('Sam Reid')
const JO = sessionOf('Jo Marsh')
const approval = (approvedBy: string) => ({ action: 'APPROVE', workspaceId, approvedBy })
const payment = `${PARTNER}/financial-settlement-schedules/${UNKNOWN_ID}/line-items/${UNKNOWN_ID}/payment`
const paid = (confirmedBy: string) => ({ paidOn: '2026-06-01', bankReference: 'FPS-1', confirmedBy })

async function call(session: Session, method: string, path: string, json?: object, headers = {}) {
  const response = await passes.fetchAs(session)(service.url + path, {
    method,
    headers: { ...(json && { 'content-type': 'application/json' }), ...headers },
    ...(json && { body: JSON.stringify(json) }),
  })
  const text = await response.text()
  return { status: response.status, headers: response.headers, text, body: text ? JSON.parse(text) : undefined }
}

describe('a person who signed in', () => {
  it('gets a large answer as the stream that it is made from, or reads it', async () => {
    const response = await passes.fetchAs(SAM)(`${service.url}${WORKSPACES}/${workspaceId}/evidence`)
    assert.deepEqual([response.status, response.headers.get('content-length')], [200, null])
    assert.ok(sourceOf(response))
    assert.equal(
      Buffer.from(await response.arrayBuffer())
        .subarray(0, 2)
        .toString(),
      'PK',
    )
  })

  it('acts in their own name, whatever is stated', async () => {
    const stated = { 'x-acting-user': 'somebody.else@harbour.example' }
    const { status } = await call(
      SAM,
      'POST',
      `${WORKSPACES}/${workspaceId}/titles`,
      { titleNumber: 'ST500678' },
      stated,
    )
    assert.equal(status, 202)
    const actors = await service.deps.db.query(
      `select distinct entry ->> 'clientId' as client, entry ->> 'actingUser' as person from audit_entries
        where chain = $1 and entry ->> 'clientId' like 'person:%'`,
      [workspaceId],
    )
    assert.deepEqual(actors, [{ client: `person:${SAM.person.id}`, person: SAM.person.email }])
  })

  it('sends and receives files as streams', async () => {
    const form = new FormData()
    for (const [name, value] of Object.entries(offer())) form.set(name, value)
    const bytes = aPdf('An offer')
    form.set('file', new Blob([new Uint8Array(bytes)], { type: 'application/pdf' }), 'offer.pdf')
    const sent = await passes.fetchAs(SAM)(service.url + filesPath(workspaceId), { method: 'POST', body: form })
    const { fileId } = (await sent.json()) as { fileId: string }
    assert.equal(sent.status, 202)
    const read = async () => passes.fetchAs(SAM)(`${service.url}${filesPath(workspaceId, fileId)}/content`)
    await eventually(async () => (await read()).status === 200)
    assert.deepEqual(Buffer.from(await (await read()).arrayBuffer()), bytes)
  })

  const STALE: Session = { ...JO, decides: 'again' }
  const LINK: Session = { ...JO, decides: 'never' }
  const REFUSED: [why: string, session: Session, method: string, path: () => string, body: object, field?: string][] = [
    ['approves in no other name', JO, 'POST', () => approvalsOf(workspaceId), approval('a@b.example'), 'approvedBy'],
    ['confirms in no other name', JO, 'PUT', () => payment, paid('a@b.example'), 'confirmedBy'],
    ['approves only as an approver', SAM, 'POST', () => approvalsOf(workspaceId), approval(SAM.person.email)],
    ['confirms a payment only as an approver', SAM, 'PUT', () => payment, paid(SAM.person.email)],
    ['approves only after a recent sign-in', STALE, 'POST', () => approvalsOf(workspaceId), approval(JO.person.email)],
    ['approves not after a link', LINK, 'POST', () => approvalsOf(workspaceId), approval(JO.person.email)],
    [
      'prepares only as a preparer',
      JO,
      'POST',
      () => `${WORKSPACES}/${workspaceId}/titles`,
      { titleNumber: 'ST500678' },
    ],
    ['does only what is for their kind of subscriber', SAM, 'POST', () => CREATE, {}],
    ['reads no matter as an operator', sessionOf('Toni Grant'), 'GET', () => WORKSPACES, {}],
  ]
  for (const [why, session, method, path, body, field] of REFUSED) {
    it(why, async () => {
      const answer = await call(session, method, path(), method === 'GET' ? undefined : body)
      assert.equal(answer.status, 403, answer.text)
      assert.equal(answer.body.errors[0].field, field)
      const isStepUp = [STALE, LINK].includes(session)
      assert.equal(/insufficient_user_auth/.test(answer.headers.get('www-authenticate') ?? ''), isStepUp)
    })
  }

  it('decides in their own name after a recent sign-in', async () => {
    assert.equal((await call(JO, 'POST', approvalsOf(workspaceId), approval(JO.person.email))).status, 409) // not ready
    assert.equal((await call(JO, 'PUT', payment, paid(JO.person.email.toUpperCase()))).status, 404)
  })

  it('is not limited like a client, and reads during maintenance', async () => {
    const { headers } = await call(SAM, 'GET', WORKSPACES)
    assert.equal(headers.get('ratelimit'), null)
    assert.equal(headers.get('cache-control'), 'no-store')
    await service.call('POST', '/sandbox/v1/maintenance', { json: { enabled: true } })
    const [read, changed] = [await call(SAM, 'GET', WORKSPACES), await call(SAM, 'DELETE', `${WORKSPACES}/x/titles/x`)]
    await service.call('POST', '/sandbox/v1/maintenance', { json: { enabled: false } })
    assert.deepEqual([read.status, changed.status], [200, 503])
  })
})

describe('somebody who watches', () => {
  it('learns of each change of a matter of the subscriber, and of no other', async () => {
    const { watch, stop } = createWatch(service.deps)
    const seen: { firm: unknown[]; other: unknown[] } = { firm: [], other: [] }
    const leave = watch(FIRM_ID, (change) => void seen.firm.push(change.workspaceId))
    watch(OTHER_FIRM_ID, (change) => void seen.other.push(change.workspaceId))
    const created = await aWorkspace(service)
    await eventually(async () => seen.firm.includes(created.workspaceId))
    leave()
    stop()
    assert.ok(!seen.other.includes(created.workspaceId)) // it may have reports of its own from the start
  })
})

describe('a pass', () => {
  it('is good for one request of this process, and for none from outside', async () => {
    const own = createPasses()
    const bearer = { operatorId: 'x', clientId: 'person:x', email: 'x@example.com', mayChange: true }
    const header = { authorization: own.issue(bearer) }
    const request = { raw: { socket: {} }, headers: header } as Parameters<typeof own.take>[0]
    assert.deepEqual([own.take(request) !== undefined, own.take(request) !== undefined], [true, false])
    const authorization = passes.issue(bearer)
    for (const header of [authorization, 'Pass x', 'Pass']) {
      assert.equal((await service.call('GET', WORKSPACES, { headers: { authorization: header } })).status, 401)
    }
  })
})

describe('a subscriber whose people decide', () => {
  const actor = { actingUser: 'operator:test', correlationId: 'test', at: realClock.now() }
  const set = (decisions: 'any' | 'people') =>
    service.deps.db.transaction((tx) => setDecisions(tx, FIRM_ID, decisions, actor))

  it('has no decision made by a token, within 5 seconds', async () => {
    const token = async () =>
      (await service.call('POST', approvalsOf(workspaceId), { ...FIRM, json: approval('ann@example.com') })).status
    assert.equal(await token(), 409)
    await set('people')
    await eventually(async () => (await token()) === 403, 5_000)
    assert.equal((await service.call('PUT', payment, { ...FIRM, json: paid('ann@example.com') })).status, 403)
    assert.equal((await service.call('GET', WORKSPACES, FIRM)).status, 200)
    assert.equal((await call(JO, 'POST', approvalsOf(workspaceId), approval(JO.person.email))).status, 409)
    await set('any')
    await eventually(async () => (await token()) === 409, 5_000)
  })
})
