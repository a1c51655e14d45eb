import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { EDITOR } from '../../test/fixtures/approvals.ts'
import {
  ADVANCE,
  aBalancedSchedule,
  addLine,
  approveFinance,
  aSchedule,
  linePath,
  REDEMPTION,
  REFUSED_LINES,
  readSchedule,
  scheduleIdOf,
} from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  eventsOf,
  eventTypesOf,
  FIRM_ID,
  fieldsOf,
  LENDER,
  LENDER_ID,
  narrowToken,
  OTHER_FIRM,
  put,
  setStatus,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'
import { WORKSPACE_STATUSES } from '../workspaces/status.ts'
import { CATEGORIES, LINE_ITEMS_MAX } from './rules.ts'

let service: TestService
let workspaceId: string
let scheduleId: string
before(async () => {
  service = await sharedService('still')
  workspaceId = (await aWorkspace(service)).workspaceId
  scheduleId = await scheduleIdOf(service, workspaceId)
})

const linesOf = async (id = workspaceId) => (await readSchedule(service, id)).lineItems

describe('POST …/line-items: 201', () => {
  for (const [what, json] of [
    ...CATEGORIES.SOURCE.map((category) => [`a source, ${category}`, { ...ADVANCE, category }] as const),
    ...CATEGORIES.DESTINATION.map((category) => [`a destination, ${category}`, { ...REDEMPTION, category }] as const),
  ] as const) {
    it(`adds ${what}, and answers it as the schedule then shows it`, async () => {
      const own = await aSchedule(service)
      const { status, body } = await addLine(service, own.scheduleId, json)
      assert.equal(status, 201)
      assert.deepEqual(body, { lineItemId: body.lineItemId, ...json })
      assert.deepEqual(await linesOf(own.workspaceId), [body])
    })
  }

  for (const amount of [0.01, 0.07, 1.1, 4.35, 100, 999_999_999_999.99]) {
    it(`keeps ${amount} to the penny`, async () => {
      assert.equal((await addLine(service, scheduleId, { ...ADVANCE, amount })).body.amount, amount)
      assert.equal((await linesOf()).at(-1)?.amount, amount)
    })
  }

  it('takes names and references to their full length, and trims names', async () => {
    const reference = `/-\\?:().,'#=!"%& +`
    const json = put({ ...REDEMPTION, reference }, 'bankAccount.accountName', ` ${'é'.repeat(35)} `)
    const { status, body } = await addLine(service, scheduleId, json)
    assert.deepEqual([status, body.reference, body.bankAccount?.accountName], [201, reference, 'é'.repeat(35)])
  })

  it('does it once for one idempotency key, and answers the same again', async () => {
    const own = await aSchedule(service)
    const headers = { 'idempotency-key': 'one-line' }
    const [one, two] = [
      await addLine(service, own.scheduleId, ADVANCE, { headers }),
      await addLine(service, own.scheduleId, ADVANCE, { headers }),
    ]
    assert.deepEqual([two.text, two.headers.get('etag')], [one.text, one.headers.get('etag')])
    assert.equal((await linesOf(own.workspaceId)).length, 1)
  })

  it('adds up to the penny, though every line is the largest that there may be', async () => {
    const own = await aSchedule(service)
    for (let turn = 0; turn < LINE_ITEMS_MAX; turn++) {
      const { status } = await addLine(service, own.scheduleId, { ...ADVANCE, amount: 999_999_999_999.99 })
      assert.equal(status, 201)
    }
    const { totals } = await readSchedule(service, own.workspaceId)
    assert.deepEqual(totals, { sources: 49_999_999_999_999.5, destinations: 0, difference: 49_999_999_999_999.5 })
    const answer = await addLine(service, own.scheduleId, ADVANCE)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
  })

  it('tells both, with ids alone, and is audited without the account, but for its last digits', async () => {
    const { workspaceId: id, scheduleId: own, reference } = await aSchedule(service)
    const headers = { 'x-acting-user': EDITOR }
    const { body } = await addLine(service, own, REDEMPTION, { headers })
    const event = (await eventsOf(service, id)).at(-1)
    assert.partialDeepStrictEqual(event, {
      type: 'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED',
      recipients: [LENDER_ID, FIRM_ID],
      actor: EDITOR,
    })
    assert.deepEqual(event?.data, {
      reference,
      financialSettlementScheduleId: own,
      lineItemId: body.lineItemId,
    })
    const entry = (await auditOf(service, id)).at(-1)
    assert.partialDeepStrictEqual(entry, {
      action: 'line item added',
      after: { type: 'DESTINATION', category: 'Redemption', amountPence: 206_000_00, account: '****5678' },
    })
    const kept = JSON.stringify([event, entry])
    for (const secret of Object.values(REDEMPTION.bankAccount)) assert.ok(!kept.includes(secret), secret)
  })

  it('takes back the approval', async () => {
    const { workspaceId: id } = await aWorkspace(service)
    const { scheduleId: own } = await aBalancedSchedule(service, id)
    await approveFinance(service, id)
    const before = await eventTypesOf(service, id)
    await addLine(service, own, ADVANCE)
    assert.equal((await readSchedule(service, id)).status, 'DRAFT')
    assert.deepEqual((await eventTypesOf(service, id)).slice(before.length), [
      'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED',
      'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED',
    ])
    assert.partialDeepStrictEqual((await auditOf(service, id)).at(-1), {
      before: { scheduleStatus: 'PREPARED' },
      after: { scheduleStatus: 'DRAFT' },
    })
  })
})

describe('POST …/line-items: refused', () => {
  for (const [what, json, ...fields] of [
    ...REFUSED_LINES,
    ['a destination without an account', put(REDEMPTION, 'bankAccount', undefined), 'bankAccount'],
    ['nothing', {}, 'amount', 'category', 'reference', 'type'],
    [
      'all wrong at once',
      { type: 'SOURCE', category: 'Surplus', amount: 0.001, bankAccount: REDEMPTION.bankAccount, x: 1 },
      'amount',
      'amount',
      'bankAccount',
      'category',
      'reference',
      'x',
    ],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const before = await linesOf()
      const answer = await addLine(service, scheduleId, json)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
      assert.deepEqual(await linesOf(), before)
    })
  }

  it('answers 401 without a token, 403 without the scope and to a lender, before it looks at the body', async () => {
    assert.equal((await service.call('POST', linePath(scheduleId), { json: {} })).status, 401)
    const headers = await narrowToken(service, 'sandbox-law-firm', 'view:financial_settlement_schedules')
    assert.equal((await service.call('POST', linePath(scheduleId), { json: {}, headers })).status, 403)
    assert.equal((await addLine(service, scheduleId, {}, LENDER)).status, 403)
  })

  it('answers 404 to a schedule that was never there, and to every other firm, with the same words', async () => {
    const never = await addLine(service, UNKNOWN_ID, ADVANCE)
    assert.deepEqual([never.status, fieldsOf(never)], [404, ['financial_settlement_schedule_id']])
    assert.equal((await addLine(service, scheduleId, ADVANCE, OTHER_FIRM)).text, never.text)
  })

  for (const status of WORKSPACE_STATUSES.slice(1)) {
    it(`answers 409 in a workspace that is ${status}`, async () => {
      const own = await aSchedule(service)
      await setStatus(service, own.workspaceId, status)
      const answer = await addLine(service, own.scheduleId, ADVANCE)
      assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
      assert.deepEqual(await linesOf(own.workspaceId), [])
    })
  }
})
