import { type Browser, type BrowserContextOptions, chromium } from 'playwright-core'
import { findBrowser } from './chromium.ts'

/** Opens the one browser of the run; undefined, and said loudly, where there is none. */
export async function openBrowser(): Promise<Browser | undefined> {
  const found = await findBrowser()
  if (!found) {
    process.stderr.write(`\n*** ${NO_BROWSER} ***\n\n`)
    return undefined
  }
  // Playwright adds `--no-sandbox`, which root needs, and nothing that weakens what the tests are about.
  return chromium.launch({
    executablePath: found.executablePath,
    env: { ...process.env, ...found.env } as Record<string, string>,
  })
}

export const NO_BROWSER =
  'NO BROWSER, SO NOTHING OF THE CONSOLE IS TESTED IN ONE: install Chromium, or set CHROMIUM to its path'

/** A new profile with one page, and the requests that left for anywhere else than the service. */
export async function openPage(browser: Browser, baseURL: string, options: BrowserContextOptions = {}) {
  const context = await browser.newContext({ baseURL, ...options })
  const page = await context.newPage()
  const outside: string[] = []
  const problems: string[] = []
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${baseURL}/`) && !url.startsWith('data:')) outside.push(url)
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  page.on('console', (message) => {
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      problems.push(message.text())
  })
  return { page, context, outside, problems }
}
