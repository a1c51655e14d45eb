import assert from 'node:assert/strict'
import { it } from 'node:test'
import { openPage } from './browser.ts'
import { enter, tabTo } from './keyboard.ts'
import { within } from './load.ts'
import type { Page } from './playwright.ts'
import type { World } from './world.ts'

const SHUT_OUT_MS_MAX = 5_000

/** An operator and the person whom they invite, each at a browser of their own. */
export function invitationTests(world: () => World): void {
  it('an operator invites a person by keyboard, who signs in at the identity provider, and is shut out within 5 s of being disabled', async () => {
    const { browser, service, provider } = world()
    const operator = await openPage(browser, service.url)
    const link = await invite(operator.page)

    const invited = await openPage(browser, service.url)
    provider.person = { subject: 'nia' }
    await invited.page.goto(link)
    await enter(invited.page, 'Continue as Nia Price')
    await enter(invited.page, /^Continue with/)
    await invited.page.waitForURL('**/console/')
    await invited.page.locator('.who', { hasText: 'Nia Price' }).waitFor()
    assert.equal((await invited.page.goto(link))?.status(), 403)
    await invited.page.goto('/console/me')

    await enter(operator.page, 'Go to the person')
    await unfold(operator.page, 'Disable')
    await enter(operator.page, 'Disable Nia Price: locked out within 5 seconds')
    await within(SHUT_OUT_MS_MAX, async () => {
      await invited.page.goto('/console/me')
      return invited.page.url().includes('/console/sign-in')
    })
    await operator.page.locator('.tag', { hasText: 'disabled' }).waitFor()
    assert.deepEqual(operator.problems, [])
    for (const { context } of [operator, invited]) await context.close()
  })
}

/** From the sign-in to the link, which is on the page and not in its address. */
async function invite(page: Page): Promise<string> {
  await page.goto('/console/')
  await enter(page, 'Toni Grant')
  await page.waitForURL('**/console/admin')
  await enter(page, 'Subscribers')
  await enter(page, 'Harbour Conveyancing LLP')
  await unfold(page, 'Invite somebody')
  await type(page, 'Name', 'Nia Price')
  await type(page, 'E-mail', 'nia.price@harbour.example')
  await tabTo(page, /^Viewer/)
  await page.keyboard.press('Space')
  await enter(page, 'Invite and show the link')
  const link = (await page.locator('.secret').textContent()) ?? ''
  assert.match(link, /\/console\/link\/[\w-]{43}$/)
  assert.doesNotMatch(page.url(), /link/)
  return link
}

async function unfold(page: Page, name: string): Promise<void> {
  await tabTo(page, name)
  await page.keyboard.press('Enter')
}

async function type(page: Page, label: string, text: string): Promise<void> {
  await tabTo(page, label)
  await page.keyboard.type(text)
}
