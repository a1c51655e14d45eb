import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { EDITOR } from '../../test/fixtures/approvals.ts'
import {
  aBalancedSchedule,
  approveFinance,
  askSchedule,
  businessDay,
  readSchedule,
  scheduleIdOf,
  schedulePath,
  setDate,
} from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  aWorkspace,
  errorsOf,
  eventsOf,
  eventTypesOf,
  FIRM,
  FIRM_ID,
  fieldsOf,
  LENDER,
  LENDER_ID,
  narrowToken,
  OTHER_FIRM,
  readWorkspace,
  setStatus,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'
import { addDays, addMonths, londonDate } from '../jurisdiction/london.ts'
import { WORKSPACE_STATUSES } from '../workspaces/status.ts'

let service: TestService
let workspaceId: string
let scheduleId: string
before(async () => {
  service = await sharedService('still')
  workspaceId = (await aWorkspace(service)).workspaceId
  scheduleId = await scheduleIdOf(service, workspaceId)
})

describe('PATCH /financial-settlement-schedules/{financial_settlement_schedule_id}: 200', () => {
  it('sets the date, answers the schedule as GET shows it, and shows the date in the workspace', async () => {
    const completionDate = businessDay(service, 2)
    const { status, body, headers } = await setDate(service, scheduleId, completionDate)
    assert.equal(status, 200)
    const read = await askSchedule(service, workspaceId)
    assert.deepEqual(body, read.body.records[0])
    assert.equal(headers.get('etag'), read.headers.get('etag'))
    const shown = (await readWorkspace(service, workspaceId)) as { completionDate?: string }
    assert.deepEqual([body.completionDate, shown.completionDate], [completionDate, completionDate])
  })

  it('takes today, and the last business day within six months', async () => {
    const today = londonDate(service.deps.clock.now())
    const nearest = businessDay(service, 0)
    if (nearest === today) assert.equal((await setDate(service, scheduleId, today)).status, 200)
    let last = addMonths(today, 6)
    while ((await setDate(service, scheduleId, last)).status !== 200) last = addDays(last, -1)
    assert.ok(last >= addDays(addMonths(today, 6), -4), last)
  })

  it('tells both of it, with the schedule, and is audited with before and after', async () => {
    const { workspaceId: id, reference } = await aWorkspace(service)
    const own = await scheduleIdOf(service, id)
    const [first, second] = [businessDay(service, 2), businessDay(service, 3)]
    await setDate(service, own, first)
    const headers = { 'x-acting-user': EDITOR, 'x-request-correlation-id': 'date-1' }
    await setDate(service, own, second, { headers })
    assert.deepEqual((await eventsOf(service, id)).at(-1), {
      type: 'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED',
      recipients: [LENDER_ID, FIRM_ID],
      data: { reference, financialSettlementScheduleId: own },
      actor: EDITOR,
      correlationId: 'date-1',
      message: null,
    })
    assert.partialDeepStrictEqual((await auditOf(service, id)).at(-1), {
      action: 'completion date set',
      actingUser: EDITOR,
      before: { completionDate: first, status: 'DRAFT' },
      after: { completionDate: second, status: 'DRAFT' },
    })
  })

  it('takes back the approval; the same date again takes nothing back and tells nothing', async () => {
    const { workspaceId: id } = await aWorkspace(service)
    const { scheduleId: own, completionDate } = await aBalancedSchedule(service, id)
    await approveFinance(service, id)
    const before = await eventTypesOf(service, id)
    assert.equal((await setDate(service, own, completionDate)).body.status, 'PREPARED')
    assert.deepEqual(await eventTypesOf(service, id), before)
    assert.equal((await setDate(service, own, businessDay(service, 6))).body.status, 'DRAFT')
    assert.deepEqual((await eventTypesOf(service, id)).slice(before.length), [
      'FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED',
      'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED',
    ])
    assert.equal((await readSchedule(service, id)).status, 'DRAFT')
  })

  it('takes the ETag of GET and of its own last answer as If-Match', async () => {
    const { headers } = await askSchedule(service, workspaceId)
    const one = await setDate(service, scheduleId, businessDay(service, 7), {
      headers: { 'if-match': headers.get('etag') ?? '' },
    })
    const two = await setDate(service, scheduleId, businessDay(service, 8), {
      headers: { 'if-match': one.headers.get('etag') ?? '' },
    })
    assert.deepEqual([one.status, two.status], [200, 200])
  })
})

describe('PATCH /financial-settlement-schedules/{financial_settlement_schedule_id}: refused', () => {
  const saturday = () => {
    let day = addDays(londonDate(service.deps.clock.now()), 7)
    while (new Date(day).getUTCDay() !== 6) day = addDays(day, 1)
    return day
  }

  for (const [what, date] of [
    ['no date', () => undefined],
    ['null', () => null],
    ['a time', () => '2026-06-01T09:00:00Z'],
    ['a day that there is not', () => '2026-02-31'],
    ['yesterday', () => addDays(londonDate(service.deps.clock.now()), -1)],
    ['a Saturday', saturday],
    ['Christmas Day, however far', () => '2026-12-25'],
    ['a day too far ahead', () => addDays(addMonths(londonDate(service.deps.clock.now()), 6), 1)],
  ] as const) {
    it(`answers 400 at completionDate to ${what}, once`, async () => {
      const answer = await setDate(service, scheduleId, date())
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['completionDate']])
    })
  }

  it('tells path and body together, and an unknown property', async () => {
    const json = { completionDate: saturday(), status: 'DRAFT' }
    const answer = await service.call('PATCH', schedulePath('x'), { ...FIRM, json })
    assert.deepEqual(
      [answer.status, fieldsOf(answer)],
      [400, ['completionDate', 'financial_settlement_schedule_id', 'status']],
    )
  })

  it('answers 401 without a token, 403 without the scope and to a lender, before it looks at the body', async () => {
    const path = schedulePath(scheduleId)
    assert.equal((await service.call('PATCH', path, { json: {} })).status, 401)
    const headers = await narrowToken(service, 'sandbox-law-firm', 'view:financial_settlement_schedules')
    assert.equal((await service.call('PATCH', path, { json: {}, headers })).status, 403)
    assert.equal((await service.call('PATCH', path, { json: {}, ...LENDER })).status, 403)
  })

  it('answers 404 to a schedule that was never there, and to every other firm, with the same words', async () => {
    const date = businessDay(service, 2)
    const [never, others] = [
      await setDate(service, UNKNOWN_ID, date),
      await setDate(service, scheduleId, date, OTHER_FIRM),
    ]
    assert.deepEqual([never.status, fieldsOf(never)], [404, ['financial_settlement_schedule_id']])
    assert.equal(others.text, never.text)
  })

  it('answers 412 to a stale If-Match, before 409', async () => {
    const answer = await setDate(service, scheduleId, businessDay(service, 2), { headers: { 'if-match': '"old"' } })
    assert.deepEqual([answer.status, fieldsOf(answer)], [412, ['If-Match']])
  })

  for (const status of WORKSPACE_STATUSES.slice(1)) {
    it(`answers 409 in a workspace that is ${status}`, async () => {
      const { workspaceId: id } = await aWorkspace(service)
      const own = await scheduleIdOf(service, id)
      await setStatus(service, id, status)
      const answer = await setDate(service, own, businessDay(service, 2))
      assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
      if (status === 'PREPARED') assert.match(errorsOf(answer)[0]?.message ?? '', /Take back an approval first/)
      assert.equal((await readSchedule(service, id)).completionDate, undefined)
    })
  }
})
