import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { eventually } from '../../test/fixtures/eventually.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { aWorkspace, FIRM_ID, OTHER_FIRM_ID } from '../../test/fixtures/workspaces.ts'
import { createWatch } from './watch.ts'

let service: TestService
before(async () => {
  service = await testService()
})

describe('watching a subscriber', () => {
  it('reports what is published while one watches and shortly before, to nobody else, and then no more', async () => {
    const { watch, stop } = createWatch(service.deps)
    const earlier = await aWorkspace(service)
    await eventually(async () => (await service.deps.db.query('select from event_feed limit 1')).length > 0)
    const seen: string[][] = [[], [], []]
    const into = (list: number) => (change: { workspaceId?: string }) => void seen[list]?.push(change.workspaceId ?? '')
    const end = watch(FIRM_ID, into(0))
    watch(OTHER_FIRM_ID, into(1))
    await eventually(() => seen[0]?.includes(earlier.workspaceId) ?? false)
    const later = await aWorkspace(service)
    await eventually(() => seen[0]?.includes(later.workspaceId) ?? false)
    end()
    watch(FIRM_ID, into(2))
    const last = await aWorkspace(service)
    await eventually(() => seen[2]?.includes(last.workspaceId) ?? false)
    assert.ok(seen[2]?.includes(later.workspaceId))
    assert.ok(!seen[0]?.includes(last.workspaceId))
    assert.deepEqual(
      seen[1]?.filter((id) => id !== ''),
      [],
      'only what concerns no workspace',
    )
    stop()
  })
})
