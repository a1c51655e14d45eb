import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  A_FIRM,
  ANOTHER_FIRM,
  accepted,
  aMatter,
  EXTERNAL,
  OWN,
  pathOf,
  reusing,
  type ShownRepresentation,
  UNREPRESENTED,
} from '../../test/fixtures/representations.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  eventsOf,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  put,
  setStatus,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'

// Nobody works here: a representation stays queued, unless a test puts it otherwise.
let service: TestService
let workspaceId: string
let partyId: string
let otherPartyId: string
let id: string
before(async () => {
  service = await sharedService('idle')
  const matter = await aMatter(service)
  workspaceId = matter.workspaceId
  ;[partyId, otherPartyId] = matter.partyIds
  id = await accepted(service, workspaceId, { partyId, ...EXTERNAL })
})

type Call = { as?: string; headers?: Record<string, string> }
const patch = (json: unknown, representationId = id, { as = FIRM.as, headers = {} }: Call = {}) =>
  service.call<ShownRepresentation>('PATCH', pathOf(workspaceId, representationId), { as, json, headers })
const read = (representationId = id) =>
  service.call<ShownRepresentation>('GET', pathOf(workspaceId, representationId), FIRM)
const putStatus = (representationId: string, status: string) =>
  service.deps.db.query(
    `update representations set status = $2, failure_reason = case when $2 = 'FAILED' then 'PARTY_GONE' end
      where representation_id = $1`,
    [representationId, status],
  )
const updatesOf = async () =>
  (await eventsOf(service, workspaceId)).filter(({ type }) => type === 'REPRESENTATION_UPDATED')

describe('PATCH /workspaces/{workspace_id}/representation/{representation_id}: 200', () => {
  it('changes name and address at once, of one still queued too, and answers with the new ETag', async () => {
    const headers = { 'x-acting-user': 'ann@harbour.example' }
    const { status, body, headers: answered } = await patch(ANOTHER_FIRM, id, { headers })
    const { representedBy, referenceNumber } = EXTERNAL
    const externalLawFirm = ANOTHER_FIRM
    assert.equal(status, 200)
    assert.deepEqual(body, { representationId: id, partyId, representedBy, referenceNumber, externalLawFirm })
    const shown = await read()
    assert.equal(answered.get('etag'), shown.headers.get('etag'))
    assert.deepEqual([shown.body.externalLawFirm, shown.body.status], [ANOTHER_FIRM, 'QUEUED'])
    assert.equal(shown.body.auditAttributes.lastModifiedBy, 'ann@harbour.example')
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'external law firm changed',
      before: A_FIRM,
      after: ANOTHER_FIRM,
    })
  })

  it('changes nothing the second time: no event, no entry, the same ETag', async () => {
    await patch(A_FIRM)
    const before = [await updatesOf(), await auditOf(service, workspaceId), (await read()).headers.get('etag')]
    const again = await patch(put(A_FIRM, 'address.postcode', 'ta14as'))
    assert.equal(again.status, 200)
    assert.equal(again.headers.get('etag'), before[2])
    const after = [await updatesOf(), await auditOf(service, workspaceId), (await read()).headers.get('etag')]
    assert.deepEqual(after, before)
  })

  it('through either of two that share the firm changes it for both, and tells of each', async () => {
    const first = await accepted(service, workspaceId, { partyId, ...EXTERNAL })
    const second = await accepted(service, workspaceId, { partyId: otherPartyId, ...reusing(first) })
    await putStatus(first, 'ACTIVE')
    for (const [through, firm] of [
      [first, ANOTHER_FIRM],
      [second, A_FIRM],
    ] as const) {
      const before = (await updatesOf()).length
      await patch(firm, through)
      for (const one of [first, second]) assert.deepEqual((await read(one)).body.externalLawFirm, firm)
      assert.deepEqual(
        (await updatesOf()).slice(before).map(({ data }) => [data['representationId'], data['partyId']]),
        [
          [first, partyId],
          [second, otherPartyId],
        ],
      )
    }
    assert.notDeepEqual((await read()).body.externalLawFirm, ANOTHER_FIRM, 'a firm told twice is two firms')
  })
})

describe('PATCH /workspaces/{workspace_id}/representation/{representation_id}: refused', () => {
  for (const [what, json, ...fields] of [
    ['nothing', {}, 'address', 'name'],
    ['a name alone', { name: 'x' }, 'address'],
    ['an address alone', { address: A_FIRM.address }, 'name'],
    ['an empty name', { ...A_FIRM, name: '' }, 'name'],
    ['a name too long', { ...A_FIRM, name: 'x'.repeat(161) }, 'name'],
    ['null', { ...A_FIRM, address: null }, 'address'],
    ['an address without its parts', { ...A_FIRM, address: {} }, 'address.postcode', 'address.street', 'address.town'],
    ['a reference, which cannot be changed', { ...A_FIRM, referenceNumber: 'x' }, 'referenceNumber'],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const answer = await patch(json)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
    })
  }

  it('answers 401 without a token, 403 without the scope and to a lender', async () => {
    assert.equal((await service.call('PATCH', pathOf(workspaceId, id), { json: {} })).status, 401)
    const headers = await narrowToken(service, 'sandbox-law-firm', 'view:workspaces')
    assert.equal((await service.call('PATCH', pathOf(workspaceId, id), { json: {}, headers })).status, 403)
    assert.equal((await patch({}, id, LENDER)).status, 403)
  })

  it('answers 404 to one that was never there, and to every other firm', async () => {
    const never = await patch(A_FIRM, UNKNOWN_ID, { headers: { 'if-match': '"x"' } })
    assert.deepEqual([never.status, fieldsOf(never)], [404, ['representation_id']])
    const others = await patch(A_FIRM, id, OTHER_FIRM)
    assert.deepEqual([others.status, fieldsOf(others)], [404, ['workspace_id']])
  })

  for (const body of [OWN, UNREPRESENTED]) {
    it(`answers 409 to ${body.representedBy}`, async () => {
      const other = await accepted(service, workspaceId, { partyId, ...body })
      const answer = await patch(A_FIRM, other)
      assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
    })
  }

  for (const status of ['FAILED', 'SUPERSEDED']) {
    it(`answers 409 to one that is ${status}`, async () => {
      const ended = await accepted(service, workspaceId, { partyId, ...EXTERNAL })
      await putStatus(ended, status)
      assert.equal((await patch(ANOTHER_FIRM, ended)).status, 409)
      assert.deepEqual((await read(ended)).body.externalLawFirm, A_FIRM)
    })
  }

  it('answers 412 to a stale If-Match, before 409, and takes a fresh one', async () => {
    const stale = (await read()).headers.get('etag') ?? ''
    assert.equal((await patch(ANOTHER_FIRM, id, { headers: { 'if-match': stale } })).status, 200)
    const answer = await patch(A_FIRM, id, { headers: { 'if-match': stale } })
    assert.deepEqual([answer.status, fieldsOf(answer)], [412, ['If-Match']])
    await setStatus(service, workspaceId, 'PREPARED')
    assert.equal((await patch(A_FIRM, id, { headers: { 'if-match': stale } })).status, 412)
    assert.equal((await patch(A_FIRM)).status, 409)
    await setStatus(service, workspaceId, 'CREATED')
  })
})
