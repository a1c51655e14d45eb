import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  ADVANCE,
  aBalancedSchedule,
  addLine,
  approveFinance,
  aSchedule,
  askSchedule,
  linePath,
  REDEMPTION,
  REFUSED_LINES,
  readSchedule,
  type ShownLine,
} from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  eventTypesOf,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  setStatus,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'
import { WORKSPACE_STATUSES } from '../workspaces/status.ts'

let service: TestService
before(async () => {
  service = await sharedService('still')
})

const linesOf = async (id: string) => (await readSchedule(service, id)).lineItems

type Way = { as?: string; headers?: Record<string, string> }

const patch = (own: string, lineItemId: string, json: unknown, { as = FIRM.as, headers = {} }: Way = {}) =>
  service.call<ShownLine>('PATCH', linePath(own, lineItemId), { as, json, headers })

const remove = (own: string, lineItemId: string, { as = FIRM.as, headers = {} }: Way = {}) =>
  service.call('DELETE', linePath(own, lineItemId), { as, headers })

/** A schedule with one line. */
async function aLine(json: object = REDEMPTION) {
  const own = await aSchedule(service)
  const { body, headers } = await addLine(service, own.scheduleId, json)
  return { ...own, line: body, etag: headers.get('etag') ?? '' }
}

describe('PATCH …/line-items/{line_item_id}: 200', () => {
  const ACCOUNT = { accountName: 'Harbour Conveyancing LLP', accountNumber: '87655678', sortCode: '102030' }
  for (const [what, change] of [
    ['its amount', { amount: 0.07 }],
    ['its category', { category: 'Onward Funds' }],
    ['its reference', { reference: 'OTHER' }],
    ['its account', { bankAccount: ACCOUNT }],
    ['all of it, its own type beside', { ...REDEMPTION, category: 'Surplus', amount: 5, bankAccount: ACCOUNT }],
  ] as const) {
    it(`changes ${what}, and answers it as the schedule then shows it`, async () => {
      const { workspaceId: id, scheduleId: own, line } = await aLine()
      const { status, body } = await patch(own, line.lineItemId, change)
      assert.deepEqual([status, body], [200, { ...line, ...change }])
      assert.deepEqual(await linesOf(id), [body])
    })
  }

  it('changes nothing for an empty body or the same again: no event, and the approval stays', async () => {
    const { workspaceId: id } = await aWorkspace(service)
    const { scheduleId: own } = await aBalancedSchedule(service, id)
    await approveFinance(service, id)
    const before = [await readSchedule(service, id), await eventTypesOf(service, id), await auditOf(service, id)]
    for (const { lineItemId, ...line } of await linesOf(id)) {
      for (const json of [{}, line]) assert.equal((await patch(own, lineItemId, json)).status, 200)
    }
    assert.deepEqual(
      [await readSchedule(service, id), await eventTypesOf(service, id), await auditOf(service, id)],
      before,
    )
  })

  it('takes back the approval, tells of both, and is audited with what was and what is', async () => {
    const { workspaceId: id } = await aWorkspace(service)
    const { scheduleId: own } = await aBalancedSchedule(service, id)
    await approveFinance(service, id)
    const before = await eventTypesOf(service, id)
    const line = (await linesOf(id))[1]
    await patch(own, line?.lineItemId ?? '', { amount: 5, bankAccount: ACCOUNT })
    assert.equal((await readSchedule(service, id)).status, 'DRAFT')
    assert.deepEqual((await eventTypesOf(service, id)).slice(before.length), [
      'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED',
      'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED',
    ])
    assert.partialDeepStrictEqual((await auditOf(service, id)).at(-1), {
      action: 'line item changed',
      ids: { lineItemId: line?.lineItemId },
      before: { amountPence: 206_000_00, account: '****5678', scheduleStatus: 'PREPARED' },
      after: { amountPence: 500, account: '****5678', otherAccount: true, scheduleStatus: 'DRAFT' },
    })
  })

  it('takes as If-Match the ETag of the line, or of the schedule in which it was read', async () => {
    const { workspaceId: id, scheduleId: own, line, etag } = await aLine()
    const one = await patch(own, line.lineItemId, { amount: 1 }, { headers: { 'if-match': etag } })
    const next = one.headers.get('etag') ?? ''
    const two = await patch(own, line.lineItemId, { amount: 2 }, { headers: { 'if-match': next } })
    const read = (await askSchedule(service, id)).headers.get('etag') ?? ''
    const three = await patch(own, line.lineItemId, { amount: 3 }, { headers: { 'if-match': read } })
    assert.deepEqual([one.status, two.status, three.status], [200, 200, 200])
    for (const stale of [etag, next, read]) {
      const late = await patch(own, line.lineItemId, { amount: 4 }, { headers: { 'if-match': stale } })
      assert.deepEqual([late.status, fieldsOf(late)], [412, ['If-Match']])
    }
  })
})

describe('PATCH …/line-items/{line_item_id}: refused', () => {
  for (const [what, json, ...fields] of REFUSED_LINES) {
    it(`answers 400 to ${what}`, async () => {
      const { workspaceId: id, scheduleId: own, line } = await aLine(json.type === 'SOURCE' ? ADVANCE : REDEMPTION)
      const answer = await patch(own, line.lineItemId, json)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
      assert.deepEqual(await linesOf(id), [line])
    })
  }

  for (const [what, of, json, ...fields] of [
    ['another type', ADVANCE, { type: 'DESTINATION' }, 'type'],
    ['a category that its type does not have', ADVANCE, { category: 'Redemption' }, 'category'],
    ['an account for what is a source', ADVANCE, { bankAccount: REDEMPTION.bankAccount }, 'bankAccount'],
    ['another type and all that goes with it', ADVANCE, REDEMPTION, 'bankAccount', 'category', 'type'],
  ] as const) {
    it(`answers 400 to ${what}, as the line stands`, async () => {
      const { scheduleId: own, line } = await aLine(of)
      const answer = await patch(own, line.lineItemId, json)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
    })
  }
})

describe('DELETE …/line-items/{line_item_id}: 204', () => {
  it('removes the line, takes back the approval, and tells of both', async () => {
    const { workspaceId: id } = await aWorkspace(service)
    const { scheduleId: own } = await aBalancedSchedule(service, id)
    await approveFinance(service, id)
    const [advance, redemption] = await linesOf(id)
    const { status, text } = await remove(own, advance?.lineItemId ?? '')
    assert.deepEqual([status, text], [204, ''])
    const { status: left, lineItems, totals } = await readSchedule(service, id)
    assert.deepEqual([left, lineItems, totals.sources], ['DRAFT', [redemption], 0])
    assert.deepEqual((await eventTypesOf(service, id)).slice(-2), [
      'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED',
      'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED',
    ])
    assert.partialDeepStrictEqual((await auditOf(service, id)).at(-1), {
      action: 'line item deleted',
      before: { type: 'SOURCE', amountPence: 206_000_00 },
    })
    assert.equal((await remove(own, advance?.lineItemId ?? '')).status, 404, 'it is gone')
  })
})

for (const [method, send] of [
  ['PATCH', (own: string, id: string, way?: Way) => patch(own, id, { amount: 1 }, way)],
  ['DELETE', remove],
] as const) {
  describe(`${method} …/line-items/{line_item_id}: refused to everybody else`, () => {
    it('answers 400 to ids that are none', async () => {
      const answer = await send('x', 'y')
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['financial_settlement_schedule_id', 'line_item_id']])
    })

    it('answers 401 without a token, 403 without the scope and to a lender', async () => {
      const { scheduleId: own, line } = await aLine()
      assert.equal((await service.call(method, linePath(own, line.lineItemId))).status, 401)
      const headers = await narrowToken(service, 'sandbox-law-firm', 'view:financial_settlement_schedules')
      assert.equal((await service.call(method, linePath(own, line.lineItemId), { headers })).status, 403)
      assert.equal((await send(own, line.lineItemId, LENDER)).status, 403)
    })

    it('answers 404 at the schedule, then at the line, one of another schedule included', async () => {
      const [one, other] = [await aLine(), await aLine()]
      const never = await send(UNKNOWN_ID, one.line.lineItemId)
      assert.deepEqual([never.status, fieldsOf(never)], [404, ['financial_settlement_schedule_id']])
      assert.equal((await send(one.scheduleId, one.line.lineItemId, OTHER_FIRM)).text, never.text)
      const unknown = await send(one.scheduleId, UNKNOWN_ID)
      assert.deepEqual([unknown.status, fieldsOf(unknown)], [404, ['line_item_id']])
      assert.equal((await send(one.scheduleId, other.line.lineItemId)).text, unknown.text)
    })

    for (const status of WORKSPACE_STATUSES.slice(1)) {
      it(`answers 409 in a workspace that is ${status}`, async () => {
        const { workspaceId: id, scheduleId: own, line } = await aLine()
        await setStatus(service, id, status)
        const answer = await send(own, line.lineItemId)
        assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
        assert.deepEqual(await linesOf(id), [line])
      })
    }
  })
}
