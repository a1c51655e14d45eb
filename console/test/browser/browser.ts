import { ifInstallable } from '../../../server/test/on-demand/on-demand.ts'
import { findBrowser } from './chromium.ts'
import { type Browser, type BrowserContextOptions, loadPlaywright } from './playwright.ts'

/** Opens the one browser of the run; undefined, and said loudly, where there is none. */
export async function openBrowser(): Promise<Browser | undefined> {
  const found = await findBrowser()
  const playwright = found && (await ifInstallable(loadPlaywright))
  if (!playwright) {
    process.stderr.write(`\n*** ${NO_BROWSER} ***\n\n`)
    return undefined
  }
  // Playwright adds `--no-sandbox`, which root needs, and nothing that weakens what the tests are about.
  const { executablePath, env } = found
  return playwright.chromium.launch({ executablePath, env: { ...process.env, ...env } })
}

export const NO_BROWSER =
  'NO BROWSER, SO NOTHING OF THE CONSOLE IS TESTED IN ONE: install Chromium, or set CHROMIUM to its path'

export type Watched = { outside: string[]; problems: string[] }

/**
 * A new profile with one page. `outside` gets the requests that left for anywhere else than the service, `problems` what the
 * browser complained about.
 */
export async function openPage(
  browser: Browser,
  baseURL: string,
  options: BrowserContextOptions = {},
  watched: Watched = { outside: [], problems: [] },
) {
  const { outside, problems } = watched
  const context = await browser.newContext({ baseURL, ...options })
  context.on('request', (request) => {
    const url = request.url()
    if (!url.startsWith(`${baseURL}/`) && !url.startsWith('data:')) outside.push(url)
  })
  context.on('weberror', (error) => problems.push(String(error.error())))
  context.on('console', (message) => {
    const isStatus = message.text().startsWith('Failed to load resource')
    if (message.type() === 'error' && !isStatus) problems.push(message.text())
  })
  return { page: await context.newPage(), context, outside, problems }
}
