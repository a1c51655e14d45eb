import type { Locator, Page } from './playwright.ts'

const TABS_MAX = 200

/** Moves the focus with the Tab key to what has this accessible name, or to this element, as a person without a mouse does. */
export async function tabTo(page: Page, wanted: string | RegExp | Locator): Promise<void> {
  const passed = new Set<string>()
  for (let count = 0; count < TABS_MAX; count++) {
    await page.keyboard.press('Tab')
    const name = await page.evaluate<string>(FOCUSED_NAME)
    if (await isReached(wanted, name)) return
    passed.add(name)
  }
  throw new Error(`Tab never reached ${wanted}. It passed: ${[...passed].join(' | ')}`)
}

async function isReached(wanted: string | RegExp | Locator, name: string): Promise<boolean> {
  if (typeof wanted === 'string') return name === wanted
  if (wanted instanceof RegExp) return wanted.test(name)
  return wanted.evaluate((one: { matches(selector: string): boolean }) => one.matches(':focus'))
}

const FOCUSED_NAME = `(() => {
  const one = document.activeElement
  const text = one.getAttribute('aria-label') || (one.labels && one.labels[0] && one.labels[0].textContent) || one.textContent
  return (text || '').replace(/\\s+/g, ' ').trim()
})()`

/** Goes there by Tab and presses Enter, which leads to another page. */
export async function enter(page: Page, wanted: string | RegExp | Locator): Promise<void> {
  await tabTo(page, wanted)
  const moved = page.waitForEvent('framenavigated')
  await page.keyboard.press('Enter')
  await moved
  await page.waitForLoadState('domcontentloaded')
}

/** Types into fields, in the order in which the page has them. */
export async function fill(page: Page, fields: Readonly<Record<string, string>>): Promise<void> {
  for (const [label, text] of Object.entries(fields)) {
    await tabTo(page, label)
    await page.keyboard.type(text)
  }
}

/** In the order of day and month that the browser has: a date field has one part for each. */
export async function typeDate(page: Page, label: string, date: string): Promise<void> {
  const [year = '', month = '', day = ''] = date.split('-')
  for (const digits of [month + day + year, day + month + year]) {
    await tabTo(page, label)
    await page.keyboard.type(digits)
    if ((await page.evaluate<string>('document.activeElement.value')) === date) return
    await page.evaluate('document.activeElement.blur()')
  }
  throw new Error(`${date} could not be typed.`)
}
