import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { makeApproved } from '../../test/fixtures/approvals.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import {
  applicationsOf,
  aSearchedWorkspace,
  eventsOf,
  eventTypesOf,
  readCase,
  readWorkspace,
} from '../../test/fixtures/workspaces.ts'
import { type LockedWorkspace, lockAnyWorkspace } from '../workspaces/store.ts'
import { moveCase, type Remark } from './move.ts'
import type { CaseEvent } from './status.ts'

let service: TestService
before(async () => {
  service = await testService()
})

/** A case that was approved and whose money has moved, to the knowledge of the workspace alone. */
async function anExchangedOne(): Promise<string> {
  const { workspaceId } = await aSearchedWorkspace(service, 'ST500678')
  await makeApproved(service, workspaceId)
  await service.deps.db.query(`update workspaces set status = 'FUNDS_EXCHANGED' where workspace_id = $1`, [workspaceId])
  return workspaceId
}

const move = (workspaceId: string, event: CaseEvent, remark?: Remark): Promise<LockedWorkspace> =>
  service.deps.db.transaction(async (tx) => {
    const workspace = await lockAnyWorkspace(tx, workspaceId)
    assert.ok(workspace)
    return moveCase(tx, workspace, event, { correlationId: 'moved', at: service.deps.clock.now() }, remark)
  })

/** Workspace, case and applications, in short; the two applications once where they agree. */
async function standing(workspaceId: string): Promise<string> {
  const { status } = await readWorkspace(service, workspaceId)
  const record = await readCase(service, workspaceId)
  return [status, record.lodgementCaseStatus, ...applicationsOf(record).map((text) => text.split(' ')[1])].join(' ')
}

type Step = [event: CaseEvent, left: string, told: string[]]

const SENT: Step = ['sent', 'FUNDS_EXCHANGED INITIATED SUBMITTED SUBMITTED', ['LODGEMENT_SUBMITTED']]
const ACCEPTED: Step = ['accepted', 'LODGED LODGED LODGED LODGED', ['WORKSPACE_LODGED']]
const ASKED: Step = [
  'requisitioned',
  'REQUISITIONED REQUISITIONED REQUISITIONED REQUISITIONED',
  ['WORKSPACE_REQUISITIONED'],
]
const ANSWERED: Step = [
  'answered',
  'REQUISITIONED REQUISITION_SUBMITTED REQUISITIONED REQUISITIONED',
  ['REQUISITION_ANSWERED'],
]
const REJECTED = 'FUNDS_EXCHANGED REGISTRATION_REJECTED REJECTED REJECTED'

const LIVES: Record<string, Step[]> = {
  'to its registration': [
    SENT,
    ACCEPTED,
    ['completed', 'CLOSED REGISTERED REGISTERED REGISTERED', ['LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED']],
  ],
  'through an early completion, whose discharge follows': [
    SENT,
    ACCEPTED,
    ['completed early', 'LODGED PARTIALLY_REGISTERED LODGED REGISTERED', ['LODGEMENT_PARTIALLY_REGISTERED']],
    ['discharged', 'CLOSED REGISTERED REGISTERED REGISTERED', ['LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED']],
  ],
  'through two requisitions': [
    SENT,
    ACCEPTED,
    ASKED,
    ANSWERED,
    ASKED,
    ANSWERED,
    ['answer accepted', 'LODGED LODGED LODGED LODGED', ['WORKSPACE_LODGED']],
  ],
  'to a deadline that passed': [SENT, ACCEPTED, ASKED, ['deadline passed', REJECTED, ['LODGEMENT_REJECTED']]],
  'to a cancellation while an answer is considered': [
    SENT,
    ACCEPTED,
    ASKED,
    ANSWERED,
    ['cancelled by the registry', REJECTED, ['LODGEMENT_REJECTED']],
  ],
  'through a failed validation to the next submission': [
    SENT,
    ['validation failed', REJECTED, ['LODGEMENT_REJECTED']],
    ['approved', 'FUNDS_EXCHANGED RESUBMISSION_PREPARED APPROVED APPROVED', ['LODGEMENT_CASE_PREPARED']],
    SENT,
  ],
}

describe('moveCase', () => {
  for (const [what, steps] of Object.entries(LIVES)) {
    it(`takes applications and workspace along, and tells of it: ${what}`, async () => {
      const workspaceId = await anExchangedOne()
      for (const [event, left, told] of steps) {
        const before = (await eventTypesOf(service, workspaceId)).length
        const moved = await move(workspaceId, event)
        const seen = await standing(workspaceId)
        assert.equal(seen, left, event)
        assert.equal(`${moved.status} ${moved.caseStatus}`, seen.split(' ').slice(0, 2).join(' '))
        assert.deepEqual((await eventTypesOf(service, workspaceId)).slice(before), told, event)
      }
    })
  }

  it('refuses what cannot happen, and leaves everything as it was', async () => {
    const workspaceId = await anExchangedOne()
    const [before, told] = [await standing(workspaceId), await eventTypesOf(service, workspaceId)]
    await assert.rejects(move(workspaceId, 'completed'), { reason: 'conflict', message: /PREPARED/ })
    assert.deepEqual([await standing(workspaceId), await eventTypesOf(service, workspaceId)], [before, told])
  })

  it('gives its sentence and its ids to the event of the case, and not to that of the workspace', async () => {
    const workspaceId = await anExchangedOne()
    for (const event of ['sent', 'accepted'] as const) await move(workspaceId, event)
    await move(workspaceId, 'completed', { message: 'Done.', data: { more: 'x' } })
    const [registered, closed] = (await eventsOf(service, workspaceId)).slice(-2)
    const { lodgementCaseId } = await readCase(service, workspaceId)
    assert.partialDeepStrictEqual(registered, { message: 'Done.', data: { lodgementCaseId, more: 'x' } })
    assert.deepEqual([closed?.message, Object.keys(closed?.data ?? {})], [null, ['reference']])
  })
})
