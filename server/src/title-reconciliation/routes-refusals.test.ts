import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readReconciliation, reconcilingWith } from '../../test/fixtures/reconciliation.ts'
import { sharedService } from '../../test/fixtures/service.ts'
import {
  aBorrower,
  aSearchedWorkspace,
  aWorkspace,
  fieldsOf,
  LENDER,
  OTHER_FIRM,
  OTHER_LENDER,
  setStatus,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { WORKSPACE_STATUSES } from '../workspaces/status.ts'

// By status, in the order in which the service looks. What is well-formed and what not: routes-bodies.test.ts.

const service = await sharedService('still')
const { read, patch, refused, anUnmatchedPair, aTransfer } = reconcilingWith(service)

const PERSON = { forenames: 'Ann', surname: 'Lee' }
const COMPANY = { organisationName: 'Hill plc' }
const incoming = (partyId: string) => ({ action: 'SET_AS_INCOMING_PROPRIETOR', partyId })
const outgoing = (proprietorId: string) => ({ action: 'SET_AS_OUTGOING_PROPRIETOR', proprietorId })
const renamed = (partyId: string, partyDetails: object = PERSON, type = 'INDIVIDUAL') => ({
  action: 'UPDATE_PARTY_NAME',
  partyId,
  type,
  partyDetails,
})
const proprietor = (proprietorId: string, action = 'UPDATE_PROPRIETOR_NAME', company = false) => ({
  action,
  proprietorId,
  ...(company
    ? { type: 'ORGANISATION', proprietorDetails: COMPANY }
    : { type: 'INDIVIDUAL', proprietorDetails: PERSON }),
})
const OUTGOING_NAME = 'UPDATE_OUTGOING_PROPRIETOR_NAME'

describe('401 and 403', () => {
  it('asks who is calling', async () => {
    for (const method of ['GET', 'PATCH']) {
      const { status, headers } = await service.call(method, `${WORKSPACES}/${UNKNOWN_ID}/title-reconciliation`)
      assert.deepEqual([status, headers.get('www-authenticate')?.startsWith('Bearer')], [401, true])
    }
  })

  it('wants the scope: view:workspaces to read, edit:workspace_parties to change', async () => {
    const { workspaceId, grace } = await anUnmatchedPair()
    for (const [scope, got] of [
      ['view:workspaces', [200, 403]],
      ['edit:workspace_parties', [403, 200]],
    ] as const) {
      const secret = { client_id: 'sandbox-law-firm', client_secret: 'sandbox-law-firm-secret' }
      const body = new URLSearchParams({ grant_type: 'client_credentials', scope, ...secret })
      const token = await service.call<{ access_token: string }>('POST', '/oauth/token', { body })
      const headers = { authorization: `Bearer ${token.body.access_token}` }
      const path = `${WORKSPACES}/${workspaceId}/title-reconciliation`
      const seen = await service.call('GET', path, { headers })
      const changed = await service.call('PATCH', path, { headers, json: incoming(grace) })
      assert.deepEqual([seen.status, changed.status], got)
      const [lacking] = [seen, changed].filter(({ status }) => status === 403)
      assert.match(lacking?.headers.get('www-authenticate') ?? '', /error="insufficient_scope"/)
    }
  })

  it('lets no lender change it, whatever the workspace and whatever the body', async () => {
    const { workspaceId, grace } = await anUnmatchedPair()
    const own = await patch(workspaceId, incoming(grace), {}, LENDER)
    const others = await patch(workspaceId, incoming(grace), {}, OTHER_LENDER)
    const unknown = await patch(UNKNOWN_ID, { nonsense: 1 }, { 'if-match': '"x"' }, LENDER)
    assert.deepEqual([own.status, others.status, unknown.status], [403, 403, 403])
    assert.deepEqual([others.text, unknown.text], [own.text, own.text])
  })
})

describe('404', () => {
  it('hides what is not yours behind the answer for what never was', async () => {
    const { workspaceId, grace } = await anUnmatchedPair()
    const [reading, changing] = [
      [await read(workspaceId, {}, OTHER_FIRM), await read(UNKNOWN_ID), await read(workspaceId, {}, OTHER_LENDER)],
      [await patch(workspaceId, incoming(grace), {}, OTHER_FIRM), await patch(UNKNOWN_ID, incoming(grace))],
    ]
    for (const answer of [...reading, ...changing]) {
      assert.deepEqual([answer.status, answer.text], [404, changing[0]?.text])
      assert.deepEqual(fieldsOf(answer), ['workspace_id'])
    }
  })

  it('knows only the parties and proprietors of this workspace', async () => {
    const [{ workspaceId, leaving, coming }, other] = [await aTransfer(), await anUnmatchedPair()]
    for (const [json, field] of [
      [renamed(UNKNOWN_ID), 'partyId'],
      [renamed(other.grace), 'partyId'],
      [incoming(other.grace), 'partyId'],
      [incoming(coming), 'partyId'],
      [outgoing(other.tracey), 'proprietorId'],
      [outgoing(leaving), 'proprietorId'],
      [proprietor(other.tracey), 'proprietorId'],
      [proprietor(UNKNOWN_ID, OUTGOING_NAME), 'proprietorId'],
    ] as const) {
      assert.deepEqual(await refused(workspaceId, json), [404, [field]], json.action)
    }
  })
})

describe('409', () => {
  it('refuses an action that does not fit the standing, at the id that it is about', async () => {
    const { workspaceId, william, matched, tracey, coming, leaving } = await aTransfer()
    for (const [json, field] of [
      [renamed(leaving), 'partyId'],
      [incoming(william), 'partyId'],
      [incoming(leaving), 'partyId'],
      [outgoing(matched), 'proprietorId'],
      [outgoing(coming), 'proprietorId'],
      [proprietor(coming), 'proprietorId'],
      [proprietor(tracey), 'proprietorId'],
      [proprietor(matched, OUTGOING_NAME), 'proprietorId'],
      [proprietor(coming, OUTGOING_NAME), 'proprietorId'],
    ] as const) {
      assert.deepEqual(await refused(workspaceId, json), [409, [field]], JSON.stringify(json))
    }
  })

  it('refuses a fifth proprietor, who comes or who would stay after all', async () => {
    const names = ['Ann', 'Bo', 'Cy', 'Di'].map((forenames) => aBorrower(forenames, 'Lee'))
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678', names)
    const seen = await readReconciliation(service, workspaceId)
    const [ann = '', bo = '', cy = '', di = ''] = seen.parties.map(({ partyId }) => partyId)
    for (const partyId of [ann, bo]) assert.equal((await patch(workspaceId, incoming(partyId))).status, 200)
    assert.deepEqual(await refused(workspaceId, incoming(cy)), [409, ['partyId']])
    const [, tracey] = seen.unmatchedProprietors
    assert.equal((await patch(workspaceId, outgoing(tracey?.proprietorId ?? ''))).status, 200)
    assert.equal((await patch(workspaceId, incoming(cy))).status, 200)
    assert.deepEqual(await refused(workspaceId, renamed(di, tracey?.proprietorDetails)), [409, ['partyId']])
  })

  it('takes nothing but the name of a party before a title search has succeeded', async () => {
    const { workspaceId: unsearched } = await aWorkspace(service)
    const { workspaceId: failed } = await aSearchedWorkspace(service, 'NF100001')
    for (const workspaceId of [unsearched, failed]) {
      const partyId = (await readReconciliation(service, workspaceId)).parties[0]?.partyId ?? ''
      for (const json of [
        incoming(partyId),
        outgoing(UNKNOWN_ID),
        proprietor(UNKNOWN_ID),
        proprietor(UNKNOWN_ID, OUTGOING_NAME),
      ]) {
        assert.deepEqual(await refused(workspaceId, json), [409, ['']], json.action)
      }
      assert.deepEqual(await refused(workspaceId, incoming(UNKNOWN_ID)), [404, ['partyId']])
      assert.equal((await patch(workspaceId, renamed(partyId))).status, 200)
    }
  })

  for (const status of WORKSPACE_STATUSES.filter((one) => one !== 'CREATED')) {
    it(`takes no action in a workspace that is ${status}`, async () => {
      const { workspaceId, grace, tracey } = await anUnmatchedPair()
      await setStatus(service, workspaceId, status)
      for (const json of [renamed(grace), incoming(grace), outgoing(tracey), proprietor(tracey)]) {
        assert.deepEqual(await refused(workspaceId, json), [409, ['']], json.action)
      }
      assert.equal((await read(workspaceId)).status, 200)
    })
  }

  it('takes no action in a cancelled workspace, not even one that changes nothing', async () => {
    const { workspaceId, grace } = await aTransfer()
    const json = { cancellationReason: 'TITLE_COMPLICATIONS' }
    await service.call('DELETE', `${WORKSPACES}/${workspaceId}/cancel-workspace`, { ...LENDER, json })
    assert.deepEqual(await refused(workspaceId, incoming(grace)), [409, ['']])
  })
})

describe('412', () => {
  it('refuses a change of what was read before another change, and takes one of the present state', async () => {
    const { workspaceId, grace, tracey } = await anUnmatchedPair()
    const stale = (await read(workspaceId)).headers.get('etag') ?? ''
    const changed = await patch(workspaceId, incoming(grace), { 'if-match': stale })
    assert.equal(changed.status, 200)
    assert.deepEqual(await refused(workspaceId, outgoing(tracey), { 'if-match': stale }), [412, ['If-Match']])
    const fresh = changed.headers.get('etag') ?? ''
    assert.equal((await patch(workspaceId, outgoing(tracey), { 'if-match': `"other", ${fresh}` })).status, 200)
    assert.equal((await patch(workspaceId, renamed(grace), { 'if-match': '*' })).status, 200)
  })

  it('refuses even what would change nothing', async () => {
    const { workspaceId, grace } = await aTransfer()
    assert.deepEqual(await refused(workspaceId, incoming(grace), { 'if-match': '"other"' }), [412, ['If-Match']])
  })
})

describe('of several faults the first kind answers', () => {
  const stale = { 'if-match': '"stale"' }

  it('400, before 404 for the path', async () => {
    const answer = await patch(UNKNOWN_ID, { action: 'NOTHING' }, stale)
    assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['action']])
  })

  it('404 for the path, before 412', async () => {
    const answer = await patch(UNKNOWN_ID, incoming(UNKNOWN_ID), stale)
    assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
  })

  it('412, before 409 for the status, before 404 at a field, before 400 at type, before the other 409', async () => {
    const { workspaceId, leaving, tracey } = await aTransfer()
    const [unknown, mistyped] = [
      renamed(UNKNOWN_ID, COMPANY, 'ORGANISATION'),
      renamed(leaving, COMPANY, 'ORGANISATION'),
    ]
    assert.deepEqual(await refused(workspaceId, unknown), [404, ['partyId']])
    assert.deepEqual(await refused(workspaceId, mistyped), [400, ['type']])
    assert.deepEqual(await refused(workspaceId, proprietor(tracey, undefined, true)), [400, ['type']])
    assert.deepEqual(await refused(workspaceId, proprietor(tracey, OUTGOING_NAME, true)), [400, ['type']])
    await setStatus(service, workspaceId, 'PREPARED')
    for (const json of [unknown, mistyped]) assert.deepEqual(await refused(workspaceId, json), [409, ['']])
    assert.deepEqual(await refused(workspaceId, unknown, stale), [412, ['If-Match']])
  })
})
