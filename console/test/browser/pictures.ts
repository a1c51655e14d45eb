import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { serviceProcess } from '../../../server/test/fixtures/process.ts'
import { callerOf } from '../../../server/test/fixtures/service.ts'
import { FIRM, WORKSPACES } from '../../../server/test/fixtures/workspaces.ts'
import { NO_BROWSER, openBrowser, openPage } from './browser.ts'
import type { Page } from './playwright.ts'
import { signInAs } from './world.ts'

// `npm run pictures [-- name …]`: the pictures of docs/console.md, from the sandbox and its sample matters.

const FOLDER = resolve(import.meta.dirname, '../../../docs/pictures')
const BYTES_MAX = 900_000
const SIZE = { width: 1120, height: 760 }

/** How each page is reached from the worklist, by what a person would click. */
const PICTURES: Record<string, (page: Page) => Promise<unknown>> = {
  worklist: async (page) => page.goto('/console/'),
  matter: (page) => open(page, 'NBS-1021'),
  names: async (page) => {
    await open(page, 'NBS-1021')
    await page.getByRole('link', { name: 'Compare the names' }).click()
    await page.getByLabel('The order is wrong').check()
  },
  preview: async (page) => {
    await page.goto('/console/')
    await open(page, 'NBS-1018')
    await page.getByRole('link', { name: 'Compare the names' }).click()
    await page.getByLabel('The name changed').check()
    await page.getByRole('button', { name: 'Show what this changes' }).click()
  },
  matters: async (page) => page.goto('/console/matters'),
  case: async (page) => {
    await open(page, 'NBS-1021')
    await page.goto(`${page.url()}/case`)
  },
  money: async (page) => {
    await open(page, 'NBS-1021')
    await page.goto(`${page.url()}/money`)
    for (const amount of await page.getByLabel('Amount in pounds').all()) await amount.fill('206,000')
    await page.getByLabel('Payment reference').first().fill('ADVANCE')
  },
  figures: async (page) => page.goto('/console/figures'),
  sandbox: async (page) => page.goto('/console/sandbox'),
  // The last ones, as somebody else signs in for them.
  request: async (page) => {
    await open(page, 'NBS-1021')
    const { origin, pathname } = new URL(page.url())
    const path = `${WORKSPACES}/${pathname.split('/').at(-1)}/titles`
    await callerOf(origin).call('POST', path, { ...FIRM, json: { titleNumber: 'ST500679' } })
    await signInAs(page.context(), 'Robin Vale')
    await page.goto('/console/requests')
    await page.getByRole('link', { name: 'POST addTitle' }).click()
  },
  admin: async (page) => {
    await signInAs(page.context(), 'Toni Grant')
    await page.goto('/console/admin')
  },
}

async function open(page: Page, reference: string): Promise<void> {
  await page.goto(`/console/matters?q=${reference}`)
  await page.getByRole('link', { name: reference, exact: true }).click()
}

const browser = await openBrowser()
if (!browser) throw new Error(NO_BROWSER)
const service = await serviceProcess()
try {
  await service.start()
  await mkdir(FOLDER, { recursive: true })
  const { page, context } = await openPage(browser, service.url, { viewport: SIZE })
  await signInAs(context, 'Sam Reid')
  let bytes = 0
  const named = process.argv.slice(2)
  for (const [name, reach] of Object.entries(PICTURES)) {
    if (named.length > 0 && !named.includes(name)) continue
    await reach(page)
    const path = join(FOLDER, `${name}.png`)
    await page.screenshot({ path })
    bytes += (await stat(path)).size
  }
  process.stdout.write(`${named.length || Object.keys(PICTURES).length} pictures, ${Math.round(bytes / 1000)} kB\n`)
  if (bytes > BYTES_MAX)
    throw new Error(`The pictures have ${bytes} bytes: at most ${BYTES_MAX} go into the repository.`)
} finally {
  await browser.close()
  await service.kill('SIGTERM')
  await service.remove()
}
