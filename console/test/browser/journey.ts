import assert from 'node:assert/strict'
import { it } from 'node:test'
import { drain, FIRM, readWorkspace } from '../../../server/test/fixtures/workspaces.ts'
import { openPage } from './browser.ts'
import { enter, tabTo } from './keyboard.ts'
import { aMisspelling, type World } from './world.ts'

/** A preparer finds a matter, compares the names, takes the register's, and represents both borrowers. */
export function journeyTests(world: () => World): void {
  for (const javaScriptEnabled of [true, false]) {
    it(`a preparer brings a matter from the worklist to its representation by keyboard, ${javaScriptEnabled ? 'live' : 'without JavaScript'}`, async () => {
      const { browser, service } = world()
      const { workspaceId, workspaceReferenceId } = await aMisspelling(world())
      const { page, context, outside, problems } = await openPage(browser, service.url, { javaScriptEnabled })
      await page.goto('/console/')
      await enter(page, 'Sam Reid')
      await page.locator('h1', { hasText: 'Harbour Conveyancing LLP' }).waitFor()
      // Several matters have the same reference: the row with this number.
      const row = page.locator('tr', { hasText: workspaceReferenceId }).locator('a').first()
      await enter(page, row)
      await enter(page, 'Compare the names')
      await tabTo(page, /^The order is wrong: the borrower is Tracey Prynne/)
      await page.keyboard.press('Space')
      await enter(page, 'Show what this changes')
      await page.locator('li', { hasText: 'Tracey Prinne is called Tracey Prynne in this matter.' }).waitFor()
      await enter(page, 'Rename the borrower')
      await page.locator('.good', { hasText: 'Every name agrees.' }).waitFor()
      await enter(page, 'say who represents each party')
      await enter(page, 'Harbour Conveyancing LLP represents both')
      await drain(service)
      if (!javaScriptEnabled) await page.reload()
      await page.locator('.good', { hasText: 'Every party is provided for.' }).waitFor()
      const { parties } = await readWorkspace(service, workspaceId, FIRM)
      assert.deepEqual(
        parties.map(({ representation }) => representation?.representedBy),
        ['PLATFORM_SUBSCRIBER_LAW_FIRM', 'PLATFORM_SUBSCRIBER_LAW_FIRM'],
      )
      assert.deepEqual([outside, problems], [[], []])
      await context.close()
    })
  }
}
