import assert from 'node:assert/strict'
import { it } from 'node:test'
import { violationsOf } from './axe.ts'
import { openPage } from './browser.ts'
import { within } from './load.ts'
import { aMisspelling, signInAs, type World } from './world.ts'

/** Keys for those who work here all day, and the calls to copy. */
export function shortcutTests(world: () => World): void {
  it('keys lead through the lists, never act in a field, and can be switched off', async () => {
    const { browser, service } = world()
    await aMisspelling(world())
    const second = await aMisspelling(world())
    const { page, context, problems } = await openPage(browser, service.url)
    await signInAs(context, 'Sam Reid')
    const openPalette = async () => {
      await press('ControlOrMeta+k')
      await page.locator('#palette-field').waitFor()
    }
    const focused = () => page.evaluate<string>('document.activeElement.id || document.activeElement.tagName')
    const press = async (...keys: string[]) => {
      for (const key of keys) await page.keyboard.press(key)
    }
    await page.goto('/console/')
    await press('?')
    await page.waitForURL('**/console/help')
    await page.locator('#keys-on').uncheck()
    await page.locator('h1').click()
    await press('g', 'm')
    assert.match(page.url(), /help$/)
    await page.locator('#keys-on').check()
    await page.locator('h1').click()
    await press('/')
    await page.waitForURL('**/console/matters#q')
    assert.equal(await focused(), 'q')
    await press('j', '?')
    assert.equal(await page.locator('#q').inputValue(), 'j?')
    await page.goto('/console/matters')
    await press('g', 'w')
    await page.waitForURL('**/console/')
    await press('j', 'j', 'k', 'Enter')
    await page.waitForURL('**/console/matters/*')
    const first = page.url()
    await page.locator('#near [rel="next"]').waitFor()
    await press(']')
    await page.waitForURL((url) => url.href !== first)
    await press('[')
    await page.waitForURL(first)
    await openPalette()
    await page.keyboard.type(second.workspaceReferenceId)
    await page.locator('#palette a', { hasText: second.reference }).waitFor()
    assert.deepEqual(await violationsOf(page), [])
    await press('Enter')
    await page.waitForURL(`**/console/matters/${second.workspaceId}`)
    await openPalette()
    await page.keyboard.type('compare')
    await press('ArrowDown', 'Enter')
    await page.waitForURL(`**/console/matters/${second.workspaceId}/names`)
    assert.deepEqual(problems, [])
    await context.close()
  })

  it('the calls behind a page are copied', async () => {
    const { browser, service } = world()
    const { page, context } = await openPage(browser, service.url)
    await context.grantPermissions(['clipboard-read', 'clipboard-write'])
    await signInAs(context, 'Sam Reid')
    await page.goto('/console/matters')
    await page.locator('#calls > summary').click()
    const clipboard = () => page.evaluate<string>('navigator.clipboard.readText()')
    for (const [label, begins] of [
      ['curl', 'curl '],
      ['TypeScript', 'await lodgeway.listWorkspaces('],
      ['CLI', 'lodgeway call listWorkspaces'],
    ] as const) {
      await page.locator('.copy > summary', { hasText: label }).first().click()
      await within(2_000, async () => (await clipboard()).startsWith(begins))
    }
    await context.close()
  })
}
