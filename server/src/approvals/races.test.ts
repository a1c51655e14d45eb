import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { approve, patchDeed, unapprove } from '../../test/fixtures/approvals.ts'
import { aReadyCase } from '../../test/fixtures/lodging.ts'
import { partyNamed, readReconciliation, reconcile } from '../../test/fixtures/reconciliation.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { eventTypesOf, readCase } from '../../test/fixtures/workspaces.ts'

let service: TestService
let workspaceId: string
before(async () => {
  service = await sharedService('still')
  workspaceId = await aReadyCase(service)
})

const ROUNDS = 12

/** Case and applications agree, and an approval stands only where nothing was changed after it. */
async function assertWhole(): Promise<string> {
  const { lodgementCaseStatus, applications } = await readCase(service, workspaceId)
  const statuses = applications.map(({ status }) => status).filter((status) => status !== 'WITHDRAWN')
  const expected = lodgementCaseStatus === 'PREPARED' ? ['APPROVED'] : ['READY']
  assert.deepEqual([...new Set(statuses)], expected)
  const told = await eventTypesOf(service, workspaceId)
  const [approved, taken, changed] = [
    'LODGEMENT_CASE_PREPARED',
    'LODGEMENT_CASE_UNAPPROVED',
    'LODGEMENT_APPLICATION_UPDATED',
  ].map((type) => told.lastIndexOf(type)) as [number, number, number]
  const stands = approved > taken
  assert.equal(lodgementCaseStatus, stands ? 'PREPARED' : 'CREATED')
  if (stands) assert.ok(changed < approved, 'nothing was changed after the approval that stands')
  return lodgementCaseStatus
}

describe('an approval and what happens at the same time', () => {
  it('never stands over a change that came after it', async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const [approval] = await Promise.all([
        approve(service, workspaceId),
        patchDeed(service, workspaceId, { transactionValue: round }),
      ])
      assert.equal(approval.status, 202)
      if ((await assertWhole()) === 'PREPARED') await unapprove(service, workspaceId)
    }
  })

  it('is given once, however many ask', async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const answers = await Promise.all([1, 2, 3].map(() => approve(service, workspaceId)))
      assert.deepEqual(answers.map(({ status }) => status).sort(), [202, 409, 409])
      await assertWhole()
      const backs = await Promise.all([1, 2, 3].map(() => unapprove(service, workspaceId)))
      assert.deepEqual(backs.map(({ status }) => status).sort(), [202, 409, 409])
      await assertWhole()
    }
  })

  it('is judged by the names as they are when it is given', async () => {
    for (let round = 1; round <= ROUNDS; round++) {
      const { partyId } = partyNamed(await readReconciliation(service, workspaceId), 'Tracey')
      const named = (surname: string) => ({
        action: 'UPDATE_PARTY_NAME',
        partyId,
        type: 'INDIVIDUAL',
        partyDetails: { forenames: 'Tracey', surname },
      })
      const [approval, renamed] = await Promise.all([
        approve(service, workspaceId),
        reconcile(service, workspaceId, named('Hart')),
      ])
      assert.equal(renamed.status, 200)
      // In either order the borrower is no longer on the register, so no approval may remain.
      assert.ok([202, 409].includes(approval.status))
      assert.equal(await assertWhole(), 'CREATED')
      await reconcile(service, workspaceId, named('Prynne'))
    }
  })
})
