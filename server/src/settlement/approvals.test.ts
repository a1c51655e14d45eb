import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { anApprovedCase } from '../../test/support/lodging.ts'
import { type TestService, testService } from '../../test/support/service.ts'
import {
  ADVANCE,
  aBalancedSchedule,
  addLine,
  anAuthorisedMatter,
  aPreparedMatter,
  approveFinance,
  businessDay,
  MONEY_APPROVER,
  MONEY_EDITOR,
  REDEMPTION,
  readSchedule,
  setClock,
  setDate,
  unapproveFinance,
} from '../../test/support/settling.ts'
import {
  auditOf,
  aWorkspace,
  eventsOf,
  eventTypesOf,
  FIRM,
  FIRM_ID,
  faultsOf,
  fieldsOf,
  LENDER,
  LENDER_ID,
  narrowToken,
  OTHER_FIRM,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/support/workspaces.ts'
import { addDays, londonMoment } from '../platform/london.ts'
import { WORKSPACE_STATUSES } from '../workspaces/status.ts'

let service: TestService
before(async () => {
  service = await testService()
})

/** A schedule that only waits for its approval, in a workspace whose case does not count here. */
async function aSchedule() {
  const { workspaceId, reference } = await aWorkspace(service)
  return { workspaceId, reference, ...(await aBalancedSchedule(service, workspaceId)) }
}

const pathOf = (workspaceId: string) => `${WORKSPACES}/${workspaceId}/financial-approvals`
const statusesOf = async (workspaceId: string) => [
  (await readWorkspace(service, workspaceId)).status,
  (await readSchedule(service, workspaceId)).status,
]

describe('POST /workspaces/{workspace_id}/financial-approvals: 200', () => {
  it('approves, and answers what GET then shows', async () => {
    const { workspaceId, scheduleId } = await aSchedule()
    const { status, body } = await approveFinance(service, workspaceId)
    assert.equal(status, 200)
    const { approvedAt } = body
    assert.deepEqual(body, {
      financialSettlementScheduleId: scheduleId,
      action: 'APPROVE',
      status: 'PREPARED',
      approvedBy: MONEY_APPROVER,
      approvedAt,
    })
    const shown = await readSchedule(service, workspaceId)
    assert.deepEqual(
      [shown.status, shown.approvals],
      ['PREPARED', [{ action: 'APPROVE', approvedBy: MONEY_APPROVER, at: approvedAt }]],
    )
    assert.equal((await readWorkspace(service, workspaceId)).status, 'CREATED', 'the case is not approved')
  })

  it('takes the approval back, and keeps both', async () => {
    const { workspaceId } = await aSchedule()
    await approveFinance(service, workspaceId)
    const { status, body } = await unapproveFinance(service, workspaceId, { approvedBy: MONEY_EDITOR })
    assert.deepEqual([status, body.action, body.status], [200, 'UNAPPROVE', 'DRAFT'])
    const { status: left, approvals } = await readSchedule(service, workspaceId)
    assert.deepEqual(
      [left, approvals.map(({ action, approvedBy }) => `${action} ${approvedBy}`)],
      ['DRAFT', [`APPROVE ${MONEY_APPROVER}`, `UNAPPROVE ${MONEY_EDITOR}`]],
    )
  })

  it('makes a workspace PREPARED whose case is approved, and CREATED again', async () => {
    const workspaceId = await anApprovedCase(service, 'ST500678')
    await aBalancedSchedule(service, workspaceId)
    const before = (await eventTypesOf(service, workspaceId)).length
    await approveFinance(service, workspaceId)
    assert.deepEqual(await statusesOf(workspaceId), ['PREPARED', 'PREPARED'])
    await unapproveFinance(service, workspaceId)
    assert.deepEqual(await statusesOf(workspaceId), ['CREATED', 'DRAFT'])
    assert.deepEqual((await eventTypesOf(service, workspaceId)).slice(before), [
      'FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED',
      'WORKSPACE_PREPARED',
      'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED',
      'WORKSPACE_REVERTED_TO_CREATED',
    ])
  })

  it('tells both of it, and is audited with who approved', async () => {
    const { workspaceId, scheduleId, reference } = await aSchedule()
    const headers = { 'x-acting-user': 'clerk@harbour.example', 'x-request-correlation-id': 'approve-1' }
    await approveFinance(service, workspaceId, { headers })
    assert.deepEqual((await eventsOf(service, workspaceId)).at(-1), {
      type: 'FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED',
      told: [LENDER_ID, FIRM_ID],
      data: { reference, financialSettlementScheduleId: scheduleId },
      actor: 'clerk@harbour.example',
      correlationId: 'approve-1',
      message: null,
    })
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'schedule approved',
      before: { status: 'DRAFT' },
      after: { status: 'PREPARED', approvedBy: MONEY_APPROVER },
    })
  })

  it('does it once for one idempotency key, and answers the same again', async () => {
    const { workspaceId } = await aSchedule()
    const headers = { 'idempotency-key': `approve ${workspaceId}` }
    const [one, two] = [
      await approveFinance(service, workspaceId, { headers }),
      await approveFinance(service, workspaceId, { headers }),
    ]
    assert.deepEqual([one.status, two.status, two.text], [200, 200, one.text])
  })
})

describe('four eyes over the money', () => {
  it('keep whoever made the last change from approving it, whatever way the address is written', async () => {
    const { workspaceId } = await aSchedule()
    for (const approvedBy of [MONEY_EDITOR, MONEY_EDITOR.toUpperCase()]) {
      const answer = await approveFinance(service, workspaceId, { approvedBy })
      assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['approvedBy']])
    }
  })

  it('count the last change alone, to the date or to a line; one that names nobody hinders nobody', async () => {
    const { workspaceId, scheduleId } = await aSchedule()
    const headers = { 'x-acting-user': 'other@harbour.example' }
    await setDate(service, scheduleId, businessDay(service, 9), { headers })
    const late = await approveFinance(service, workspaceId, { approvedBy: 'other@harbour.example' })
    assert.deepEqual([late.status, fieldsOf(late)], [409, ['approvedBy']])
    await setDate(service, scheduleId, businessDay(service, 8))
    assert.equal((await approveFinance(service, workspaceId, { approvedBy: 'other@harbour.example' })).status, 200)
  })

  it('are not wanted of taking back, nor by a firm that switched them off', async () => {
    const { workspaceId } = await aSchedule()
    const switchTo = (on: boolean) =>
      service.deps.db.query('update subscribers set four_eyes = $2 where subscriber_id = $1', [FIRM_ID, on])
    await switchTo(false)
    assert.equal((await approveFinance(service, workspaceId, { approvedBy: MONEY_EDITOR })).status, 200)
    await switchTo(true)
    assert.equal((await unapproveFinance(service, workspaceId, { approvedBy: MONEY_EDITOR })).status, 200)
  })
})

describe('POST /workspaces/{workspace_id}/financial-approvals: refused', () => {
  let workspaceId: string
  before(async () => {
    workspaceId = (await aSchedule()).workspaceId
  })

  for (const [what, json, ...fields] of [
    ['nothing', {}, 'action', 'approvedBy'],
    ['an unknown action', { action: 'REJECT', approvedBy: MONEY_APPROVER }, 'action'],
    ['somebody without an address', { action: 'APPROVE', approvedBy: 'Jo Marsh' }, 'approvedBy'],
    ['null', { action: 'APPROVE', approvedBy: null }, 'approvedBy'],
    ['an unknown property', { action: 'APPROVE', approvedBy: MONEY_APPROVER, workspaceId: UNKNOWN_ID }, 'workspaceId'],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const answer = await service.call('POST', pathOf(workspaceId), { ...FIRM, json })
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
    })
  }

  it('answers 401 without a token, and 403 to a lender before it looks at the body', async () => {
    assert.equal((await service.call('POST', pathOf(workspaceId), { json: {} })).status, 401)
    assert.equal((await service.call('POST', pathOf(workspaceId), { json: {}, ...LENDER })).status, 403)
  })

  for (const [action, scope, other] of [
    ['APPROVE', 'x-api:approve:financial_settlement_schedules', 'UNAPPROVE'],
    ['UNAPPROVE', 'x-api:unapprove:financial_settlement_schedules', 'APPROVE'],
  ] as const) {
    it(`needs ${scope} for ${action}, and is 403 without it whatever else is wrong`, async () => {
      const headers = await narrowToken(service, 'sandbox-law-firm', scope)
      const post = (json: object) => service.call('POST', pathOf(workspaceId), { headers, json })
      const refused = await post({ action: other, approvedBy: 'x' })
      assert.equal(refused.status, 403)
      assert.match(refused.headers.get('www-authenticate') ?? '', /insufficient_scope/)
      assert.equal((await post({ action, approvedBy: 'x' })).status, 400)
      assert.equal((await post({ action: 'REJECT' })).status, 400, 'either of the two will do for none of them')
    })
  }

  it('answers 403 to a token with neither scope', async () => {
    const headers = await narrowToken(service, 'sandbox-law-firm', 'view:financial_settlement_schedules')
    assert.equal((await service.call('POST', pathOf(workspaceId), { headers, json: {} })).status, 403)
  })

  it('answers 404 to a workspace that was never there, and to every other firm, with the same words', async () => {
    const never = await approveFinance(service, UNKNOWN_ID)
    assert.deepEqual([never.status, fieldsOf(never)], [404, ['workspace_id']])
    assert.equal((await approveFinance(service, workspaceId, OTHER_FIRM)).text, never.text)
  })

  it('answers 409 with one error for each fault of an empty schedule', async () => {
    const created = await aWorkspace(service)
    const answer = await approveFinance(service, created.workspaceId)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['completionDate', 'lineItems', 'lineItems']])
    assert.equal((await readSchedule(service, created.workspaceId)).status, 'DRAFT')
  })

  it('answers 409 where the sums differ by a penny, and says what they are', async () => {
    const { workspaceId: id, scheduleId } = await aSchedule()
    await addLine(service, scheduleId, { ...ADVANCE, amount: 0.01 })
    const answer = await approveFinance(service, id)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['lineItems']])
    assert.match(faultsOf(answer)[0]?.message ?? '', /206000\.01, destinations to 206000\.00/)
    await addLine(service, scheduleId, { ...REDEMPTION, category: 'Conveyancing Fees', amount: 0.01 })
    assert.equal((await approveFinance(service, id)).status, 200)
  })

  it('answers 409 where the completion day has passed; on the day itself, to its end, it may be approved', async () => {
    const [late, due] = [await aSchedule(), await aSchedule()]
    const day = late.completionDate
    await setClock(service, new Date(londonMoment(addDays(day, 1), '00:00:00').getTime() - 60_000))
    assert.equal((await approveFinance(service, due.workspaceId)).status, 200)
    await setClock(service, londonMoment(addDays(day, 1), '00:00:00'))
    const answer = await approveFinance(service, late.workspaceId)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['completionDate']])
  })

  it('answers 409 to the same again, and to taking back what is not there', async () => {
    const { workspaceId: id } = await aSchedule()
    assert.equal((await unapproveFinance(service, id)).status, 409)
    await approveFinance(service, id)
    assert.equal((await approveFinance(service, id)).status, 409)
    await unapproveFinance(service, id)
    assert.equal((await unapproveFinance(service, id)).status, 409)
  })

  it('answers 409 to taking back once funds are authorised', async () => {
    const { workspaceId: id } = await anAuthorisedMatter(service)
    const answer = await unapproveFinance(service, id)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
    assert.deepEqual(await statusesOf(id), ['FUNDS_AUTHORISED', 'AUTHORISED'])
  })

  for (const status of WORKSPACE_STATUSES.slice(2)) {
    it(`answers 409 to either in a workspace that is ${status}`, async () => {
      const { workspaceId: id } = await aSchedule()
      await service.deps.db.query('update workspaces set status = $2 where workspace_id = $1', [id, status])
      for (const action of ['APPROVE', 'UNAPPROVE']) {
        const answer = await approveFinance(service, id, { action })
        assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
      }
    })
  }

  it('lets one of two at the same time through', async () => {
    const { workspaceId: id } = await aSchedule()
    const both = await Promise.all([approveFinance(service, id), approveFinance(service, id)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await readSchedule(service, id)).approvals.length, 1)
  })
})

describe('a prepared workspace', () => {
  it('keeps its schedule as it is until an approval is taken back', async () => {
    const { workspaceId, scheduleId } = await aPreparedMatter(service)
    const before = await readSchedule(service, workspaceId)
    assert.equal((await addLine(service, scheduleId, ADVANCE)).status, 409)
    assert.equal((await setDate(service, scheduleId, businessDay(service, 9))).status, 409)
    assert.deepEqual(await readSchedule(service, workspaceId), before)
    await unapproveFinance(service, workspaceId)
    assert.equal((await setDate(service, scheduleId, businessDay(service, 9))).status, 200)
  })
})
