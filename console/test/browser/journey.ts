import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aPdf } from '../../../server/test/fixtures/multipart.ts'
import { readSchedule } from '../../../server/test/fixtures/schedules.ts'
import { drain, FIRM, readWorkspace } from '../../../server/test/fixtures/workspaces.ts'
import { openPage } from './browser.ts'
import { enter, fill, tabTo } from './keyboard.ts'
import type { Page } from './playwright.ts'
import { aMisspelling, type World } from './world.ts'

/** A preparer finds a matter and prepares it whole: names, representation, deed, document, money. */
export function journeyTests(world: () => World): void {
  for (const javaScriptEnabled of [true, false]) {
    it(`a preparer brings a matter from the worklist to its approval by keyboard, ${javaScriptEnabled ? 'live' : 'without JavaScript'}`, async () => {
      const { browser, service } = world()
      const { workspaceId, workspaceReferenceId } = await aMisspelling(world())
      const { page, context, outside, problems } = await openPage(browser, service.url, { javaScriptEnabled })
      /** What runs in the background is done; a page without a script must be read again to show it. */
      const settled = async () => {
        await drain(service)
        if (!javaScriptEnabled) await page.reload()
      }
      await page.goto('/console/')
      await enter(page, 'Sam Reid')
      await page.locator('h1', { hasText: 'Harbour Conveyancing LLP' }).waitFor()
      // Several matters have the same reference: the row with this number.
      const row = page.locator('tr', { hasText: workspaceReferenceId }).locator('a').first()
      await enter(page, row)
      await takeTheRegistersName(page)
      await enter(page, 'say who represents each party')
      await enter(page, 'Harbour Conveyancing LLP represents both')
      await settled()
      await page.locator('.good', { hasText: 'Every party is provided for.' }).waitFor()
      await enter(page, 'Back to the matter')
      await fillInTheDeed(page, settled)
      await enter(page, 'REM-1')
      await drawUpTheMoney(page)
      const { parties, readyForApproval } = await readWorkspace(service, workspaceId, FIRM)
      assert.deepEqual(
        parties.map(({ representation }) => representation?.representedBy),
        ['PLATFORM_SUBSCRIBER_LAW_FIRM', 'PLATFORM_SUBSCRIBER_LAW_FIRM'],
      )
      const { totals, lineItems } = await readSchedule(service, workspaceId)
      assert.deepEqual([readyForApproval, totals.difference, lineItems.length], [true, 0, 2])
      assert.deepEqual([outside, problems], [[], []])
      await context.close()
    })
  }
}

async function takeTheRegistersName(page: Page): Promise<void> {
  await enter(page, 'Compare the names')
  await tabTo(page, /^The order is wrong: the borrower is Tracey Prynne/)
  await page.keyboard.press('Space')
  await enter(page, 'Show what this changes')
  await page.locator('li', { hasText: 'Tracey Prinne is called Tracey Prynne in this matter.' }).waitFor()
  await enter(page, 'Rename the borrower')
  await page.locator('.good', { hasText: 'Every name agrees.' }).waitFor()
}

/** From the page of the matter, by its button. */
export async function fillInTheDeed(page: Page, settled = async () => {}): Promise<void> {
  await enter(page, 'Complete the case')
  await enter(page, 'Fill in the deed: Charge to the new lender')
  await tabTo(page, 'On paper')
  await page.keyboard.press('Space')
  await fill(page, { 'Reference of the deed': 'MD431C', 'Amount of the mortgage in pounds': '206,000' })
  await enter(page, 'Save')
  await enter(page, 'Upload a document: Charge to the new lender')
  await tabTo(page, 'What the file shows')
  await page.keyboard.press('ArrowDown')
  // Before the way to the field: the browser needs a moment until it hands its dialog over.
  const chooser = page.waitForEvent('filechooser')
  await tabTo(page, 'File')
  await page.keyboard.press('Space')
  await (await chooser).setFiles({ name: 'deed.pdf', mimeType: 'application/pdf', buffer: aPdf() })
  await enter(page, 'Upload')
  await settled()
  await page.locator('.good', { hasText: 'The case is complete.' }).waitFor()
}

const REDEMPTION = {
  'Payment reference': 'REDEMPTION 4471',
  'Name of the account': 'Eastmoor Bank plc',
  'Sort code': '200000',
  'Account number': '40117788',
}

/** From the page of the matter, which offers it beside the approval of the case. */
export async function drawUpTheMoney(page: Page): Promise<void> {
  await enter(page, 'money')
  await tabTo(page, 'Completion day')
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('ArrowDown')
  await fill(page, { 'Amount in pounds': '206,000.00', 'Payment reference': 'ADVANCE' })
  await differs(page, '£206,000.00')
  await fill(page, { 'Amount in pounds': '206000', ...REDEMPTION })
  await differs(page, '£0.00')
  await enter(page, 'Save')
  await page.locator('.good', { hasText: 'Both sides agree to the penny.' }).waitFor()
}

/** While it is typed; without a script it is shown when it is saved. */
async function differs(page: Page, amount: string): Promise<void> {
  const isLive = (await page.locator('#live').textContent()) !== ''
  if (isLive) assert.equal(await page.locator('[data-sum="difference"]').textContent(), amount)
}
