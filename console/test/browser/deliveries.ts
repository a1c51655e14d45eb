import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aReceiver } from '../../../server/test/fixtures/webhooks.ts'
import { openPage } from './browser.ts'
import { enter, fill, tabTo } from './keyboard.ts'
import type { Locator, Page } from './playwright.ts'
import { signInAs, type World } from './world.ts'

const RUN_MS_MAX = 180_000

/** A developer registers a receiver and plays a requisition, sees that the receiver fails, repairs it, and sends all again. */
export function deliveryTests(world: () => World): void {
  it('a developer plays a requisition and brings its failed deliveries through by keyboard', async () => {
    const { browser, service } = world()
    let status = 500
    const receiver = await aReceiver(() => ({ status }))
    const { page, context, outside, problems } = await openPage(browser, service.url)
    await signInAs(context, 'Robin Vale')
    await page.goto('/console/deliveries')
    await enter(page, 'Registrations')
    await fill(page, { Address: receiver.url })
    await press(page, 'The registry', 'Enter')
    for (const type of ['WORKSPACE_REQUISITIONED', 'REQUISITION_ANSWERED']) await press(page, type, 'Space')
    await enter(page, 'Register the address and show its secret')
    await page.locator('code', { hasText: 'whsec_' }).waitFor()
    await enter(page, 'I have copied it')

    await enter(page, 'Sandbox')
    const until = page.locator('#until-requisition')
    await press(page, until, 'ArrowUp')
    assert.equal(await until.inputValue(), 'answer', 'the step before the last')
    await enter(page, 'Run Requisition, answered')
    await page.locator('#step-answer .tag', { hasText: 'Done' }).waitFor({ timeout: RUN_MS_MAX })

    await enter(page, 'Deliveries')
    await page.locator('tr', { hasText: 'WORKSPACE_REQUISITIONED' }).filter({ hasText: '500 in' }).waitFor()
    status = 204
    await enter(page, 'Send again all that failed and match')
    await enter(page, /^Send \d+ deliver(y|ies) again now$/)
    for (const type of ['WORKSPACE_REQUISITIONED', 'REQUISITION_ANSWERED'])
      await page.locator('tr', { hasText: type }).filter({ hasText: 'Delivered' }).waitFor()
    assert.ok(receiver.received.length >= 3)
    assert.deepEqual([outside, problems], [[], []])
    await context.close()
  })
}

async function press(page: Page, wanted: string | Locator, key: string): Promise<void> {
  await tabTo(page, wanted)
  await page.keyboard.press(key)
}
