import assert from 'node:assert/strict'
import { it } from 'node:test'
import { reconcile } from '../../../server/test/fixtures/reconciliation.ts'
import { FIRM, readWorkspace } from '../../../server/test/fixtures/workspaces.ts'
import { openPage } from './browser.ts'
import { enter, tabTo } from './keyboard.ts'
import { within } from './load.ts'
import { aMisspelling, signInAs, type World } from './world.ts'

const SEEN_MS_MAX = 2_000

/** What other people do while somebody looks at a page. */
export function changeTests(world: () => World): void {
  it('a page whose stream was lost reads itself again when it has one, for it may have missed a change', async () => {
    const { browser, service } = world()
    const { workspaceId } = await aMisspelling(world())
    const { page, context } = await openPage(browser, service.url)
    await signInAs(context, 'Sam Reid')
    // Streams that end at once and report nothing.
    const ended = { contentType: 'text/event-stream', body: 'retry: 200\n\n' }
    await page.route('**/console/live?*', (route) => route.fulfill(ended))
    await page.goto(`/console/matters/${workspaceId}/names`)
    const { parties } = await readWorkspace(service, workspaceId, FIRM)
    const answer = await reconcile(service, workspaceId, {
      action: 'UPDATE_PARTY_NAME',
      type: 'INDIVIDUAL',
      partyId: parties[0]?.partyId,
      partyDetails: { forenames: 'Bill', surname: 'Prynne' },
    })
    assert.equal(answer.status, 200)
    await page.locator('.pair', { hasText: 'Bill Prynne' }).waitFor()
    await context.close()
  })

  it('a change by another person is on the screen within 2 s; focus, scroll and unsaved input stay', async () => {
    const { browser, service } = world()
    const { workspaceId } = await aMisspelling(world())
    const { page, context, problems } = await openPage(browser, service.url, { viewport: { width: 400, height: 400 } })
    await signInAs(context, 'Sam Reid')
    await page.goto(`/console/matters/${workspaceId}/names`)
    await page.locator('#live', { hasText: 'Live' }).waitFor()
    await tabTo(page, /^The order is wrong/)
    // What is added above may not move what a person looks at.
    const PLACE = 'window.kept.getBoundingClientRect().top'
    const before = await page.evaluate<number>(`(window.kept = document.activeElement, ${PLACE})`)
    const { parties } = await readWorkspace(service, workspaceId, FIRM)
    const rename = async (forenames: string) => {
      const [partyDetails, partyId] = [{ forenames, surname: 'Prynne' }, parties[0]?.partyId]
      const answer = await reconcile(service, workspaceId, {
        action: 'UPDATE_PARTY_NAME',
        type: 'INDIVIDUAL',
        partyId,
        partyDetails,
      })
      assert.equal(answer.status, 200)
    }
    await rename('Bill')
    await within(SEEN_MS_MAX, () => page.locator('.pair', { hasText: 'Bill Prynne' }).isVisible())
    const [isKept, after] = await page.evaluate<[boolean, number]>(`[window.kept === document.activeElement, ${PLACE}]`)
    assert.ok(isKept && Math.abs(after - before) < 50, `${isKept}, ${before} to ${after}`)
    await page.keyboard.press('Space')
    await rename('Will')
    await within(SEEN_MS_MAX, () => page.locator('#stale').isVisible())
    assert.ok(await page.evaluate<boolean>('window.kept.checked'))
    assert.equal(await page.locator('.pair', { hasText: 'Will Prynne' }).count(), 0)
    assert.deepEqual(problems, [])
    await context.close()
  })

  it('a scenario runs while somebody watches: its steps are ticked off without a reload', async () => {
    const { browser, service } = world()
    const { page, context, problems } = await openPage(browser, service.url)
    await signInAs(context, 'Robin Vale')
    await page.goto('/console/sandbox')
    await page.locator('#until-straight-through').selectOption('case')
    await enter(page, 'Run Straight through')
    await page.evaluate('window.kept = document.body')
    await page.locator('#step-case .tag', { hasText: 'Done' }).waitFor()
    assert.ok(await page.evaluate<boolean>('window.kept === document.body'))
    assert.deepEqual(problems, [])
    await context.close()
  })
}
