import assert from 'node:assert/strict'
import { it } from 'node:test'
import { violationsOf } from './axe.ts'
import { openPage } from './browser.ts'
import type { World } from './world.ts'

const PHONE = { viewport: { width: 390, height: 800 } }
/** A form, a query, a choice of bodies, an upload, a file. */
const OPERATIONS = ['issueToken', 'listWorkspaces', 'updateTitleReconciliation', 'uploadFile', 'getFileContent']
/** Those, and some webhooks, errors and schemas: axe takes minutes for all, which have the same form. */
const SHORTEN = `
  const all = (selector) => [...document.querySelectorAll(selector)]
  const some = ['[id^="webhook-"]', '.error', '.schema'].flatMap((group) => all(group).slice(0, 4))
  const kept = [...all('${OPERATIONS.map((id) => `#operation-${id}`)}'), ...some]
  for (const one of all('.operation, .schema, .error')) if (!kept.includes(one)) one.remove()
  kept.length`

/** The reference and the guide. */
export function referenceTests(world: () => World): void {
  it('the reference is accessible, finds, marks and copies, and loads nothing from elsewhere', async () => {
    const { browser, service } = world()
    const { page, context, outside, problems } = await openPage(browser, service.url)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await page.goto('/docs#operation-addTitle')
    await page.locator('#contents a[aria-current=true][href="#operation-addTitle"]').waitFor()
    await page.locator('#find').fill('approveLodgement')
    assert.equal(await page.locator('#contents li:visible a[href^="#operation-"]').count(), 1)
    await page.keyboard.press('Enter')
    assert.ok(page.url().endsWith('#operation-approveLodgement'))
    await page.locator('#operation-approveLodgement button.copy').first().click()
    assert.match(await page.evaluate<string>('navigator.clipboard.readText()'), /^curl -X POST/)
    await page.locator('#find').fill('')
    assert.equal(await page.evaluate(SHORTEN), OPERATIONS.length + 12)
    assert.deepEqual(await violationsOf(page), [])
    assert.deepEqual([outside, problems], [[], []])
    await context.close()
  })

  it('the guide is accessible, and both fit a phone', async () => {
    const { browser, service } = world()
    const { page, context, outside, problems } = await openPage(browser, service.url, PHONE)
    for (const path of ['/docs', '/docs/guide', '/docs/guide/sandbox']) {
      await page.goto(path)
      const width = await page.evaluate<number>('document.documentElement.scrollWidth')
      assert.ok(width <= PHONE.viewport.width, `${path} is ${width} wide`)
      if (path !== '/docs') assert.deepEqual(await violationsOf(page), [])
    }
    assert.deepEqual([outside, problems], [[], []])
    await context.close()
  })
}
