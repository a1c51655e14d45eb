import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { isHeldUp } from '../../test/fixtures/database.ts'
import { eventually } from '../../test/fixtures/eventually.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { aWorkspace, FIRM_ID, LENDER_ID, OTHER_FIRM_ID } from '../../test/fixtures/workspaces.ts'
import { lockAnyMatter, lockMatter } from './load.ts'

let service: TestService
before(async () => {
  service = await sharedService('idle')
})

describe('lockMatter', () => {
  it('finds the workspace for lender and law firm, with its case and its parts', async () => {
    const { workspaceId } = await aWorkspace(service)
    for (const subscriberId of [LENDER_ID, FIRM_ID]) {
      const locked = await service.deps.db.transaction((tx) => lockMatter(tx, { workspaceId }, { subscriberId }))
      assert.partialDeepStrictEqual(locked, {
        workspace: { workspaceId, status: 'CREATED' },
        lodgementCase: { status: 'CREATED' },
      })
    }
  })

  it('finds nothing of anybody else’s', async () => {
    const { workspaceId } = await aWorkspace(service)
    const locking = service.deps.db.transaction((tx) =>
      lockMatter(tx, { workspaceId }, { subscriberId: OTHER_FIRM_ID }),
    )
    await assert.rejects(locking, { reason: 'not_found' })
  })

  it('waits for the change before it, and then sees workspace and case as that change left them', async () => {
    const { db } = service.deps
    const { workspaceId } = await aWorkspace(service)
    const waiting = Promise.withResolvers<unknown>()
    await db.transaction(async (tx) => {
      await lockAnyMatter(tx, workspaceId)
      db.transaction((other) => lockMatter(other, { workspaceId }, { subscriberId: FIRM_ID })).then(
        waiting.resolve,
        waiting.reject,
      )
      await eventually(() => isHeldUp(db))
      tx.send(`update workspaces set status = 'PREPARED' where workspace_id = $1`, [workspaceId])
      tx.send(`update lodgement_cases set status = 'PREPARED' where workspace_id = $1`, [workspaceId])
    })
    assert.partialDeepStrictEqual(await waiting.promise, {
      workspace: { status: 'PREPARED' },
      lodgementCase: { status: 'PREPARED' },
    })
  })
})
