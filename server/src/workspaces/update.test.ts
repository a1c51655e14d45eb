import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { anApprovedCase } from '../../test/fixtures/lodging.ts'
import { reportOf, SUMMARY } from '../../test/fixtures/reports.ts'
import { setClock } from '../../test/fixtures/schedules.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  eventsOf,
  FIRM,
  FIRM_ID,
  fieldsOf,
  LENDER,
  LENDER_ID,
  narrowToken,
  OTHER_LENDER,
  readCase,
  readWorkspace,
  type ShownWorkspace,
  setStatus,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { londonDate } from '../jurisdiction/london.ts'
import { madeAt } from '../reports/rules.ts'
import { WORKSPACE_STATUSES } from './status.ts'

let service: TestService
before(async () => {
  service = await testService({ reports: true })
})

const ADDRESS = { flat: '2', town: 'Exeter', postcode: 'EX1 1AA' }

const patch = (id: string, json: unknown, as = LENDER, headers: Record<string, string> = {}) =>
  service.call<ShownWorkspace>('PATCH', `${WORKSPACES}/${id}`, { ...as, json, headers })

const read = (id: string, as = LENDER) => service.call<ShownWorkspace>('GET', `${WORKSPACES}/${id}`, as)

/** Everything that the change of an own reference leaves alone. */
const tracesOf = async (id: string) => [await eventsOf(service, id), await auditOf(service, id)]

describe('PATCH /workspaces/{workspace_id} by the lender', () => {
  it('replaces the reference and the whole address, and answers body and ETag of GET', async () => {
    const { workspaceId } = await aWorkspace(service)
    const headers = { 'x-acting-user': 'ann@northgate.example' }
    const json = { reference: ' REM-2 ', securityAddress: { ...ADDRESS, postcode: 'ex11aa' } }
    const answer = await patch(workspaceId, json, LENDER, headers)
    assert.equal(answer.status, 200, answer.text)
    const { reference, securityAddress, auditAttributes } = answer.body
    assert.deepEqual([reference, securityAddress], ['REM-2', ADDRESS])
    assert.equal(auditAttributes.lastModifiedBy, 'ann@northgate.example')
    const seen = await read(workspaceId)
    assert.deepEqual([seen.body, seen.headers.get('etag')], [answer.body, answer.headers.get('etag')])

    const events = await eventsOf(service, workspaceId)
    const message = 'The lender changed the reference and the security address.'
    assert.partialDeepStrictEqual(events.at(-1), {
      type: 'WORKSPACE_UPDATED',
      recipients: [LENDER_ID, FIRM_ID],
      data: { reference: 'REM-2' },
      message,
    })
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'workspace updated',
      before: { reference: 'REM-1', securityAddress: { postcode: 'TA1 9QH' } },
      after: { reference: 'REM-2', securityAddress: ADDRESS },
    })
    const found = await service.call<{ records: { workspaceId: string }[] }>('GET', `${WORKSPACES}?postcode=EX11AA`, {
      ...LENDER,
    })
    assert.deepEqual(
      found.body.records.map((one) => one.workspaceId),
      [workspaceId],
    )

    const traces = await tracesOf(workspaceId)
    assert.equal((await patch(workspaceId, json)).status, 200)
    assert.equal((await patch(workspaceId, {})).status, 200)
    assert.deepEqual(await tracesOf(workspaceId), traces, 'the same again changes nothing')
  })

  it('withdraws the approval of the case with another address, and not with another reference', async () => {
    const workspaceId = await anApprovedCase(service)
    const statusOf = async () => (await readCase(service, workspaceId)).lodgementCaseStatus
    await patch(workspaceId, { reference: 'REM-3' })
    assert.equal(await statusOf(), 'PREPARED')
    const { securityAddress } = await readWorkspace(service, workspaceId)
    await patch(workspaceId, { securityAddress })
    assert.equal(await statusOf(), 'PREPARED', 'the same address is no change')
    await patch(workspaceId, { securityAddress: { ...securityAddress, county: 'Devon' } })
    assert.equal(await statusOf(), 'CREATED')
  })

  it('is refused as a whole once the workspace is no longer CREATED', async () => {
    for (const status of WORKSPACE_STATUSES.filter((one) => one !== 'CREATED' && one !== 'CANCELLED')) {
      const { workspaceId } = await aWorkspace(service)
      await setStatus(service, workspaceId, status)
      const whole = await patch(workspaceId, { reference: 'REM-1', ownReference: 'N-1' })
      assert.deepEqual([whole.status, fieldsOf(whole)], [409, ['']], status)
      assert.equal((await readWorkspace(service, workspaceId)).ownReference, undefined)
      const own = await patch(workspaceId, { ownReference: 'N-1' })
      assert.deepEqual([own.status, own.body.ownReference], [200, 'N-1'], status)
    }
  })
})

describe('ownReference', () => {
  it('is seen by the side that set it alone, and leaves everything else as it was', async () => {
    const { workspaceId } = await aWorkspace(service)
    const [lender, firm, traces] = [await read(workspaceId), await read(workspaceId, FIRM), await tracesOf(workspaceId)]
    const answer = await patch(workspaceId, { ownReference: 'HC/2026/1' }, FIRM)
    assert.equal(answer.status, 200, answer.text)
    assert.deepEqual(answer.body, { ...firm.body, ownReference: 'HC/2026/1' })
    const seen = await read(workspaceId, FIRM)
    assert.deepEqual([seen.body, seen.headers.get('etag')], [answer.body, answer.headers.get('etag')])
    assert.notEqual(seen.headers.get('etag'), firm.headers.get('etag'))
    const other = await read(workspaceId)
    assert.deepEqual([other.body, other.headers.get('etag')], [lender.body, lender.headers.get('etag')])
    assert.deepEqual(await tracesOf(workspaceId), traces)
    const entry = (await auditOf(service, FIRM_ID)).at(-1)
    const after = { ownReference: 'HC/2026/1' }
    assert.partialDeepStrictEqual(entry, { action: 'own reference set', ids: { workspaceId }, after })

    const both = await patch(workspaceId, { ownReference: 'N-1' })
    assert.equal(both.body.ownReference, 'N-1')
    assert.equal((await read(workspaceId, FIRM)).body.ownReference, 'HC/2026/1')
  })

  it('is the subscriber_reference of that side’s reports', async () => {
    const { workspaceId } = await aWorkspace(service, { reference: 'REM-9' })
    await patch(workspaceId, { ownReference: '=N' })
    const today = londonDate(service.deps.clock.now())
    await setClock(service, madeAt(today))
    const referenceFor = async ({ as }: { as: string }) =>
      (await reportOf(service, SUMMARY, today, as)).find((row) => row['workspace_id'] === workspaceId)?.[
        'subscriber_reference'
      ]
    assert.deepEqual([await referenceFor(LENDER), await referenceFor(FIRM)], ["'=N", 'REM-9'])
  })
})

describe('PATCH /workspaces/{workspace_id} refuses', () => {
  let workspaceId: string
  before(async () => {
    workspaceId = (await aWorkspace(service)).workspaceId
  })

  for (const [json, fields] of [
    [{ reference: '' }, ['reference']],
    [{ reference: 'x'.repeat(26) }, ['reference']],
    [{ ownReference: '' }, ['ownReference']],
    [{ ownReference: null }, ['ownReference']],
    [{ ownReference: 'x'.repeat(26) }, ['ownReference']],
    [{ securityAddress: { ...ADDRESS, postcode: 'X' } }, ['securityAddress.postcode']],
    [{ securityAddress: { postcode: 'EX1 1AA', number: '1' } }, ['securityAddress.town']],
    [{ securityAddress: { town: 'Exeter', postcode: 'EX1 1AA' } }, ['securityAddress']],
    [{ securityAddress: 5, status: 'CLOSED' }, ['securityAddress', 'status']],
  ] as const) {
    it(`${JSON.stringify(json).slice(0, 60)}: 400`, async () => {
      const answer = await patch(workspaceId, json)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields], answer.text)
    })
  }

  it('a law firm that sends what only the lender may change: 403, before every other error', async () => {
    for (const json of [{ reference: 'REM-2' }, { securityAddress: 5, ownReference: '', x: 1 }]) {
      for (const id of [workspaceId, UNKNOWN_ID, 'x']) assert.equal((await patch(id, json, FIRM)).status, 403)
    }
  })

  it('a stale If-Match: 412, and takes the one of GET', async () => {
    const etag = (await read(workspaceId, FIRM)).headers.get('etag') ?? ''
    assert.equal((await patch(workspaceId, { ownReference: 'A' }, FIRM, { 'if-match': etag })).status, 200)
    assert.equal((await patch(workspaceId, { ownReference: 'B' }, FIRM, { 'if-match': etag })).status, 412)
  })

  it('a token without edit:workspaces: 403, and a workspace of others: 404', async () => {
    const headers = await narrowToken(service, 'sandbox-lender', 'view:workspaces')
    const json = { ownReference: 'A' }
    assert.equal((await service.call('PATCH', `${WORKSPACES}/${workspaceId}`, { headers, json })).status, 403)
    for (const answer of [await patch(UNKNOWN_ID, json), await patch(workspaceId, json, OTHER_LENDER)]) {
      assert.deepEqual([answer.status, fieldsOf(answer)], [404, ['workspace_id']])
    }
  })
})
