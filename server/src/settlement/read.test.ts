import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { APPROVER } from '../../test/fixtures/approvals.ts'
import {
  ADVANCE,
  addLine,
  approveFinance,
  askSchedule,
  businessDay,
  REDEMPTION,
  readSchedule,
  SCHEDULES,
  scheduleIdOf,
  setDate,
} from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aWorkspace,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
  OTHER_LENDER,
  UNKNOWN_ID,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
let workspaceId: string
let scheduleId: string
before(async () => {
  service = await sharedService('still')
  workspaceId = (await aWorkspace(service)).workspaceId
  scheduleId = await scheduleIdOf(service, workspaceId)
})

describe('GET /financial-settlement-schedules', () => {
  it('shows the schedule that a workspace has from the start: empty, and without a date', async () => {
    const created = await aWorkspace(service)
    const { status, body } = await askSchedule(service, created.workspaceId)
    assert.equal(status, 200)
    assert.deepEqual(body, {
      records: [
        {
          financialSettlementScheduleId: body.records[0]?.financialSettlementScheduleId,
          workspaceId: created.workspaceId,
          status: 'DRAFT',
          lineItems: [],
          totals: { sources: 0, destinations: 0, difference: 0 },
          approvals: [],
        },
      ],
    })
  })

  it('shows lender and firm the same: date, lines in their order, totals to the penny, approvals', async () => {
    const { workspaceId: id } = await aWorkspace(service)
    const own = await scheduleIdOf(service, id)
    const lines = []
    for (const json of [
      { ...ADVANCE, amount: 0.1 },
      { ...REDEMPTION, amount: 0.15 },
      { ...ADVANCE, amount: 0.2 },
    ]) {
      lines.push((await addLine(service, own, json)).body)
    }
    const completionDate = businessDay(service, 3)
    await setDate(service, own, completionDate)
    const shown = await readSchedule(service, id)
    assert.deepEqual(
      [shown.completionDate, shown.lineItems, shown.totals],
      [completionDate, lines, { sources: 0.3, destinations: 0.15, difference: 0.15 }],
    )
    assert.deepEqual(await readSchedule(service, id, LENDER), shown)
    await addLine(service, own, { ...REDEMPTION, amount: 0.15 })
    await approveFinance(service, id)
    const [approval, ...more] = (await readSchedule(service, id)).approvals
    assert.deepEqual([approval?.action, approval?.approvedBy, more], ['APPROVE', APPROVER, []])
    assert.match(approval?.at ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
  })

  it('has an ETag, and answers 304 to a caller who has it', async () => {
    const first = await askSchedule(service, workspaceId)
    const etag = first.headers.get('etag') ?? ''
    assert.equal((await askSchedule(service, workspaceId, { ...FIRM, headers: { 'if-none-match': etag } })).status, 304)
    await addLine(service, scheduleId, ADVANCE)
    assert.notEqual((await askSchedule(service, workspaceId)).headers.get('etag'), etag)
  })

  it('answers 400 without a workspace and to one that is no UUID', async () => {
    for (const query of ['', '?workspace_id=x']) {
      const answer = await service.call('GET', SCHEDULES + query, FIRM)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, ['workspace_id']])
    }
  })

  it('answers 401 without a token and 403 without the scope', async () => {
    assert.equal((await askSchedule(service, workspaceId, {})).status, 401)
    const headers = await narrowToken(service, 'sandbox-law-firm', 'edit:financial_settlement_schedules')
    assert.equal((await askSchedule(service, workspaceId, { headers })).status, 403)
  })

  it('answers 404 to a workspace that was never there, and to everybody else, with the same words', async () => {
    const never = await askSchedule(service, UNKNOWN_ID)
    assert.deepEqual([never.status, fieldsOf(never)], [404, ['workspace_id']])
    for (const as of [OTHER_FIRM, OTHER_LENDER]) {
      assert.equal((await askSchedule(service, workspaceId, as)).text, never.text)
    }
  })
})
