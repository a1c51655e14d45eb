import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openPage } from './browser.ts'
import type { Page } from './playwright.ts'
import { aMisspelling, signInAs, type World } from './world.ts'

/** Nothing that is hidden has a height. */
const heightOf = async (page: Page, selector: string) =>
  (await page.locator(selector).first().boundingBox())?.height ?? 0

const styleOf = (page: Page, selector: string, property: string) =>
  page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`)

/** Paper, the colours of the system, and pages that do not move. */
export function mediaTests(world: () => World): void {
  it('a matter is printed unfolded and without what can only be clicked', async () => {
    const { browser, service } = world()
    const { workspaceId } = await aMisspelling(world())
    const { page, context } = await openPage(browser, service.url)
    await signInAs(context, 'Sam Reid')
    await page.goto(`/console/matters/${workspaceId}`)
    const folded = await heightOf(page, 'main details')
    await page.emulateMedia({ media: 'print' })
    for (const hidden of ['.bar nav', '.foot', '.crumbs']) assert.equal(await heightOf(page, hidden), 0, hidden)
    assert.ok((await heightOf(page, 'main details')) > folded, 'what is folded on the screen is printed')
    await context.close()
  })

  it('the current tab and the focus are seen in the colours of the system', async () => {
    const { browser, service } = world()
    const { page, context } = await openPage(browser, service.url, { forcedColors: 'active' })
    await signInAs(context, 'Sam Reid')
    await page.goto('/console/')
    assert.equal(await styleOf(page, '.tabs [aria-current]', 'outlineStyle'), 'solid')
    assert.equal(await styleOf(page, '.tabs a:not([aria-current])', 'outlineStyle'), 'none')
    await page.keyboard.press('Tab')
    assert.notEqual(await styleOf(page, ':focus', 'outlineStyle'), 'none')
    await context.close()
  })

  it('nothing moves for people who want no motion', async () => {
    const { browser, service } = world()
    for (const [reducedMotion, animation] of [
      ['reduce', 'none'],
      ['no-preference', 'changed'],
    ] as const) {
      const { page, context } = await openPage(browser, service.url, { reducedMotion })
      await page.goto('/console/sign-in')
      await page.evaluate("document.querySelector('main').classList.add('changed')")
      assert.equal(await styleOf(page, 'main', 'animationName'), animation)
      await context.close()
    }
  })
}
