import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { APPROVER, EDITOR } from '../../test/fixtures/approvals.ts'
import { anApprovedCase } from '../../test/fixtures/lodging.ts'
import {
  ADVANCE,
  aBalancedSchedule,
  addLine,
  aPreparedMatter,
  approveFinance,
  aScheduleToApprove,
  businessDay,
  readSchedule,
  setDate,
  statusesOf,
  unapproveFinance,
} from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  eventsOf,
  eventTypesOf,
  FIRM_ID,
  fieldsOf,
  LENDER_ID,
  readWorkspace,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
before(async () => {
  service = await sharedService('still')
})

describe('POST /workspaces/{workspace_id}/financial-approvals: 200', () => {
  it('approves, and answers what GET then shows', async () => {
    const { workspaceId, scheduleId } = await aScheduleToApprove(service)
    const { status, body } = await approveFinance(service, workspaceId)
    assert.equal(status, 200)
    const { approvedAt } = body
    assert.deepEqual(body, {
      financialSettlementScheduleId: scheduleId,
      action: 'APPROVE',
      status: 'PREPARED',
      approvedBy: APPROVER,
      approvedAt,
    })
    const shown = await readSchedule(service, workspaceId)
    assert.deepEqual(
      [shown.status, shown.approvals],
      ['PREPARED', [{ action: 'APPROVE', approvedBy: APPROVER, at: approvedAt }]],
    )
    assert.equal((await readWorkspace(service, workspaceId)).status, 'CREATED', 'the case is not approved')
  })

  it('takes the approval back, and keeps both', async () => {
    const { workspaceId } = await aScheduleToApprove(service)
    await approveFinance(service, workspaceId)
    const { status, body } = await unapproveFinance(service, workspaceId, { approvedBy: EDITOR })
    assert.deepEqual([status, body.action, body.status], [200, 'UNAPPROVE', 'DRAFT'])
    const { status: left, approvals } = await readSchedule(service, workspaceId)
    assert.deepEqual(
      [left, approvals.map(({ action, approvedBy }) => `${action} ${approvedBy}`)],
      ['DRAFT', [`APPROVE ${APPROVER}`, `UNAPPROVE ${EDITOR}`]],
    )
  })

  it('makes a workspace PREPARED whose case is approved, and CREATED again', async () => {
    const workspaceId = await anApprovedCase(service)
    await aBalancedSchedule(service, workspaceId)
    const before = (await eventTypesOf(service, workspaceId)).length
    await approveFinance(service, workspaceId)
    assert.deepEqual(await statusesOf(service, workspaceId), ['PREPARED', 'PREPARED'])
    await unapproveFinance(service, workspaceId)
    assert.deepEqual(await statusesOf(service, workspaceId), ['CREATED', 'DRAFT'])
    assert.deepEqual((await eventTypesOf(service, workspaceId)).slice(before), [
      'FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED',
      'WORKSPACE_PREPARED',
      'FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED',
      'WORKSPACE_REVERTED_TO_CREATED',
    ])
  })

  it('tells both of it, and is audited with who approved', async () => {
    const { workspaceId, scheduleId, reference } = await aScheduleToApprove(service)
    const headers = { 'x-acting-user': 'clerk@harbour.example', 'x-request-correlation-id': 'approve-1' }
    await approveFinance(service, workspaceId, { headers })
    assert.deepEqual((await eventsOf(service, workspaceId)).at(-1), {
      type: 'FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED',
      recipients: [LENDER_ID, FIRM_ID],
      data: { reference, financialSettlementScheduleId: scheduleId },
      actor: 'clerk@harbour.example',
      correlationId: 'approve-1',
      message: null,
    })
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'schedule approved',
      before: { status: 'DRAFT' },
      after: { status: 'PREPARED', approvedBy: APPROVER },
    })
  })

  it('does it once for one idempotency key, and answers the same again', async () => {
    const { workspaceId } = await aScheduleToApprove(service)
    const headers = { 'idempotency-key': `approve ${workspaceId}` }
    const [one, two] = [
      await approveFinance(service, workspaceId, { headers }),
      await approveFinance(service, workspaceId, { headers }),
    ]
    assert.deepEqual([one.status, two.status, two.text], [200, 200, one.text])
  })
})

describe('four eyes over the money', () => {
  it('keep a person who made a change from approving it, in capitals too', async () => {
    const { workspaceId } = await aScheduleToApprove(service)
    for (const approvedBy of [EDITOR, EDITOR.toUpperCase()]) {
      const answer = await approveFinance(service, workspaceId, { approvedBy })
      assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['approvedBy']])
    }
  })

  it('remember everybody who changed the date or a line; a change that names nobody clears nobody', async () => {
    const { workspaceId, scheduleId } = await aScheduleToApprove(service)
    const headers = { 'x-acting-user': 'other@harbour.example' }
    await setDate(service, scheduleId, businessDay(service, 9), { headers })
    await setDate(service, scheduleId, businessDay(service, 8))
    const refused = async () => {
      for (const approvedBy of [EDITOR, 'other@harbour.example']) {
        const answer = await approveFinance(service, workspaceId, { approvedBy })
        assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['approvedBy']])
      }
    }
    await refused()
    assert.equal((await approveFinance(service, workspaceId)).status, 200)
    await setDate(service, scheduleId, businessDay(service, 9))
    await refused()
  })

  it('are not wanted of taking back, nor by a firm that switched them off', async () => {
    const { workspaceId } = await aScheduleToApprove(service)
    const switchTo = (on: boolean) =>
      service.deps.db.query('update subscribers set four_eyes = $2 where subscriber_id = $1', [FIRM_ID, on])
    await switchTo(false)
    assert.equal((await approveFinance(service, workspaceId, { approvedBy: EDITOR })).status, 200)
    await switchTo(true)
    assert.equal((await unapproveFinance(service, workspaceId, { approvedBy: EDITOR })).status, 200)
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
