import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { before, describe, it } from 'node:test'
import {
  APPROVER,
  approvalsOf,
  approve,
  EDITOR,
  makeRejected,
  patchDeed,
  unapprove,
} from '../../test/fixtures/approvals.ts'
import { anApprovedCase, aReadyCase } from '../../test/fixtures/lodging.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  applicationsOf,
  aSearchedWorkspace,
  auditOf,
  eventsOf,
  eventTypesOf,
  FIRM,
  FIRM_ID,
  LENDER_ID,
  readCase,
  readWorkspace,
} from '../../test/fixtures/workspaces.ts'

let service: TestService
before(async () => {
  service = await sharedService('still')
})

/** Whether the approval said that there are disclosable overriding interests. */
async function statedIn(workspaceId: string) {
  const [row] = await service.deps.db.query<{ stated: boolean | null }>(
    'select disclosable_overriding_interests as stated from lodgement_cases where workspace_id = $1',
    [workspaceId],
  )
  return row?.stated
}

const approveSchedule = (workspaceId: string) =>
  service.deps.db.query(`update settlement_schedules set status = 'PREPARED' where workspace_id = $1`, [workspaceId])

describe('POST /workspaces/{workspace_id}/lodgement-approvals, APPROVE', () => {
  it('states whether there are disclosable overriding interests, each time', async () => {
    const workspaceId = await aReadyCase(service)
    for (const disclosableOverridingInterests of [false, true, undefined]) {
      const json = { action: 'APPROVE', workspaceId, approvedBy: APPROVER, disclosableOverridingInterests }
      const { status } = await service.call('POST', approvalsOf(workspaceId), { as: FIRM.as, json })
      assert.deepEqual([status, await statedIn(workspaceId)], [202, disclosableOverridingInterests ?? null])
      await unapprove(service, workspaceId)
    }
  })

  it('approves the case and all that counts in it, and tells and records it once', async () => {
    const workspaceId = await aReadyCase(service)
    const [events, entries] = [await eventsOf(service, workspaceId), await auditOf(service, workspaceId)]
    const { lodgementCaseId } = await readCase(service, workspaceId)
    assert.equal((await readWorkspace(service, workspaceId)).readyForApproval, true)
    const correlationId = randomUUID()
    const headers = { 'x-request-correlation-id': correlationId, 'x-acting-user': 'lee@harbour.example' }
    const { status, body } = await approve(service, workspaceId, { approvedBy: 'Jo.Marsh@Harbour.example', headers })
    assert.equal(status, 202)
    const { approvedAt, ...answer } = body
    assert.match(approvedAt, /^\d{4}-.*Z$/)
    assert.deepEqual(answer, {
      lodgementCaseId,
      action: 'APPROVE',
      lodgementCaseStatus: 'PREPARED',
      approvedBy: 'Jo.Marsh@Harbour.example',
    })

    const record = await readCase(service, workspaceId)
    assert.equal(record.lodgementCaseStatus, 'PREPARED')
    assert.deepEqual(applicationsOf(record), ['DISCHARGE APPROVED', 'MORTGAGE_DEED APPROVED'])
    assert.equal(record.auditAttributes.lastModifiedBy, 'lee@harbour.example')
    assert.partialDeepStrictEqual(await readWorkspace(service, workspaceId), {
      status: 'CREATED',
      readyForApproval: false,
      canBeUnapproved: true,
      isLocked: false,
    })
    const [event, ...more] = (await eventsOf(service, workspaceId)).slice(events.length)
    assert.partialDeepStrictEqual(event, {
      type: 'LODGEMENT_CASE_PREPARED',
      recipients: [LENDER_ID, FIRM_ID],
      data: { lodgementCaseId },
      actor: 'lee@harbour.example',
      correlationId,
    })
    const [entry, ...others] = (await auditOf(service, workspaceId)).slice(entries.length)
    assert.partialDeepStrictEqual(entry, {
      action: 'lodgement case approved',
      clientId: FIRM.as,
      actingUser: 'lee@harbour.example',
      correlationId,
      ids: { workspaceId, lodgementCaseId },
      before: { status: 'CREATED' },
      after: { status: 'PREPARED', approvedBy: 'Jo.Marsh@Harbour.example' },
    })
    assert.deepEqual([more, others], [[], []])
  })

  it('prepares the workspace where its schedule is approved already', async () => {
    const workspaceId = await aReadyCase(service)
    await approveSchedule(workspaceId)
    assert.equal((await approve(service, workspaceId)).status, 202)
    assert.partialDeepStrictEqual(await readWorkspace(service, workspaceId), {
      status: 'PREPARED',
      isLocked: true,
      canBeUnapproved: true,
      readyForApproval: false,
    })
    assert.deepEqual((await eventTypesOf(service, workspaceId)).slice(-2), [
      'LODGEMENT_CASE_PREPARED',
      'WORKSPACE_PREPARED',
    ])
  })

  it('has a rejected case sent again at once, changed or not', async () => {
    const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
    await makeRejected(service, workspaceId)
    const { db } = service.deps
    await db.query('update workspaces set completion_date = current_date where workspace_id = $1', [workspaceId])
    const { lodgementCaseId } = await readCase(service, workspaceId)
    assert.equal((await readWorkspace(service, workspaceId)).readyForApproval, true)
    await patchDeed(service, workspaceId, { mortgageDeedReference: 'MD432C' })
    assert.deepEqual(applicationsOf(await readCase(service, workspaceId)), [
      'DISCHARGE REJECTED',
      'MORTGAGE_DEED READY',
    ])
    const { status, body } = await approve(service, workspaceId, { approvedBy: 'second@harbour.example' })
    assert.deepEqual([status, body.lodgementCaseStatus], [202, 'RESUBMISSION_PREPARED'])
    const sent = await db.query('select number, approved_by from submissions where lodgement_case_id = $1', [
      lodgementCaseId,
    ])
    assert.deepEqual(sent, [{ number: 1, approved_by: 'second@harbour.example' }])
    const told = await eventTypesOf(service, workspaceId)
    assert.equal(told.filter((type) => type === 'LODGEMENT_CASE_PREPARED').length, 2)
  })

  it('answers a repeat with the same Idempotency-Key and does nothing again', async () => {
    const workspaceId = await aReadyCase(service)
    const headers = { 'idempotency-key': randomUUID() }
    const first = await approve(service, workspaceId, { headers })
    const told = await eventTypesOf(service, workspaceId)
    const again = await approve(service, workspaceId, { headers })
    assert.deepEqual([again.status, again.body], [202, first.body])
    assert.deepEqual(await eventTypesOf(service, workspaceId), told)
    assert.equal((await unapprove(service, workspaceId, { headers })).status, 422)
  })
})

describe('POST /workspaces/{workspace_id}/lodgement-approvals, UNAPPROVE', () => {
  it('returns case and applications to where they stood', async () => {
    const workspaceId = await anApprovedCase(service)
    const [events, entries] = [await eventsOf(service, workspaceId), await auditOf(service, workspaceId)]
    const { status, body } = await unapprove(service, workspaceId, { approvedBy: EDITOR })
    assert.equal(status, 202)
    assert.partialDeepStrictEqual(body, { action: 'UNAPPROVE', lodgementCaseStatus: 'CREATED', approvedBy: EDITOR })
    assert.ok(body.approvedAt)
    const record = await readCase(service, workspaceId)
    assert.equal(record.lodgementCaseStatus, 'CREATED')
    assert.deepEqual(applicationsOf(record), ['DISCHARGE READY', 'MORTGAGE_DEED READY'])
    assert.partialDeepStrictEqual(await readWorkspace(service, workspaceId), {
      status: 'CREATED',
      readyForApproval: true,
      canBeUnapproved: false,
    })
    const told = (await eventsOf(service, workspaceId)).slice(events.length)
    assert.deepEqual(
      told.map(({ type }) => type),
      ['LODGEMENT_CASE_UNAPPROVED'],
    )
    const [entry, ...others] = (await auditOf(service, workspaceId)).slice(entries.length)
    assert.partialDeepStrictEqual(entry, {
      action: 'lodgement case unapproved',
      before: { status: 'PREPARED' },
      after: { status: 'CREATED', unapprovedBy: EDITOR },
    })
    assert.deepEqual(others, [])
    const [kept] = await service.deps.db.query(
      'select approved_by, approved_at from lodgement_cases where workspace_id = $1',
      [workspaceId],
    )
    assert.deepEqual(kept, { approved_by: null, approved_at: null })
    const [first, second, ...none] = record.approvals
    assert.partialDeepStrictEqual(first, { action: 'APPROVE', approvedBy: APPROVER })
    assert.deepEqual(second, { action: 'UNAPPROVE', approvedBy: EDITOR, at: body.approvedAt })
    assert.deepEqual(none, [])
  })

  it('opens a workspace that was prepared, and keeps the approval of its schedule', async () => {
    const workspaceId = await aReadyCase(service)
    await approveSchedule(workspaceId)
    await approve(service, workspaceId)
    assert.equal((await unapprove(service, workspaceId)).status, 202)
    assert.partialDeepStrictEqual(await readWorkspace(service, workspaceId), { status: 'CREATED', isLocked: false })
    assert.deepEqual((await eventTypesOf(service, workspaceId)).slice(-2), [
      'LODGEMENT_CASE_UNAPPROVED',
      'WORKSPACE_REVERTED_TO_CREATED',
    ])
    const [schedule] = await service.deps.db.query('select status from settlement_schedules where workspace_id = $1', [
      workspaceId,
    ])
    assert.deepEqual(schedule, { status: 'PREPARED' })
    assert.equal((await approve(service, workspaceId)).status, 202)
    assert.equal((await readWorkspace(service, workspaceId)).status, 'PREPARED')
  })

  it('may be done by the person who changed it last: four eyes are for approval', async () => {
    const workspaceId = await anApprovedCase(service)
    assert.equal((await unapprove(service, workspaceId, { approvedBy: EDITOR })).status, 202)
  })
})

describe('the path of lodgement approvals', () => {
  it('takes the workspace in either case, in path and body', async () => {
    const workspaceId = await aReadyCase(service)
    const json = { action: 'APPROVE', workspaceId, approvedBy: APPROVER }
    const { status } = await service.call('POST', approvalsOf(workspaceId.toUpperCase()), { ...FIRM, json })
    assert.equal(status, 202)
    const back = { ...json, action: 'UNAPPROVE', workspaceId: workspaceId.toUpperCase() }
    assert.equal((await service.call('POST', approvalsOf(workspaceId), { ...FIRM, json: back })).status, 202)
  })
})
