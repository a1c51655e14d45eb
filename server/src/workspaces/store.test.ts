import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isHeldUp } from '../../test/fixtures/database.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { aWorkspace, FIRM_ID, LENDER_ID, OTHER_FIRM_ID } from '../../test/fixtures/workspaces.ts'
import { lockAnyWorkspace, lockWorkspace } from './store.ts'

let service: TestService
before(async () => {
  service = await testService({ worker: false })
})

describe('lockWorkspace', () => {
  it('finds the workspace for lender and law firm, with its case', async () => {
    const { workspaceId } = await aWorkspace(service)
    for (const subscriberId of [LENDER_ID, FIRM_ID]) {
      const locked = await service.deps.db.transaction((tx) => lockWorkspace(tx, { subscriberId }, workspaceId))
      assert.partialDeepStrictEqual(locked, { workspaceId, status: 'CREATED', caseStatus: 'CREATED' })
    }
  })

  it('finds nothing of anybody else’s', async () => {
    const { workspaceId } = await aWorkspace(service)
    const locking = service.deps.db.transaction((tx) => lockWorkspace(tx, { subscriberId: OTHER_FIRM_ID }, workspaceId))
    await assert.rejects(locking, { reason: 'not_found' })
  })

  it('waits for the change before it, and then sees workspace and case as that change left them', async () => {
    const { db } = service.deps
    const { workspaceId } = await aWorkspace(service)
    const waiting = Promise.withResolvers<unknown>()
    await db.transaction(async (tx) => {
      await lockAnyWorkspace(tx, workspaceId)
      db.transaction((other) => lockWorkspace(other, { subscriberId: FIRM_ID }, workspaceId)).then(
        waiting.resolve,
        waiting.reject,
      )
      await eventually(() => isHeldUp(db))
      tx.send(`update workspaces set status = 'PREPARED' where workspace_id = $1`, [workspaceId])
      tx.send(`update lodgement_cases set status = 'PREPARED' where workspace_id = $1`, [workspaceId])
    })
    assert.partialDeepStrictEqual(await waiting.promise, { status: 'PREPARED', caseStatus: 'PREPARED' })
  })
})
