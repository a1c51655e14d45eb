import assert from 'node:assert/strict'
import { it } from 'node:test'
import { aReceiver } from '../../../server/test/fixtures/webhooks.ts'
import { openPage } from './browser.ts'
import { enter, tabTo } from './keyboard.ts'
import { signInAs, type World } from './world.ts'

/** A developer registers a receiver, sees that it fails, repairs it, and sends all again. */
export function deliveryTests(world: () => World): void {
  it('a developer brings failed deliveries through by keyboard', async () => {
    const { browser, service } = world()
    let status = 500
    const receiver = await aReceiver(() => ({ status }))
    const { page, context, outside, problems } = await openPage(browser, service.url)
    await signInAs(context, 'Robin Vale')
    await page.goto('/console/deliveries')
    await enter(page, 'Registrations')
    await tabTo(page, 'Address')
    await page.keyboard.type(receiver.url)
    await tabTo(page, 'The matter')
    await page.keyboard.press('Enter')
    await tabTo(page, 'WORKSPACE_PARTICIPANT_ADDED')
    await page.keyboard.press('Space')
    await enter(page, 'Register the address and show its secret')
    await page.locator('code', { hasText: 'whsec_' }).waitFor()
    await enter(page, 'I have copied it')
    await enter(page, 'Deliveries')
    // The first step of a scenario: an order that names the firm.
    const fired = await service.call('POST', '/sandbox/v1/scenarios/requisition', { json: { until: 'order' } })
    assert.ok(fired.status < 300, fired.text)
    await page.locator('tr', { hasText: '500 in' }).first().waitFor()
    status = 204
    await enter(page, 'Send again all that failed and match')
    await enter(page, /^Send \d+ deliver(y|ies) again now$/)
    await page.locator('tr', { hasText: 'Delivered' }).first().waitFor()
    assert.ok(receiver.received.length >= 2)
    assert.deepEqual([outside, problems], [[], []])
    await context.close()
  })
}
