import { mkdir, stat } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { startReceiver } from '../../../server/test/fakes/receiver.ts'
import { patchDeed, unapprove } from '../../../server/test/fixtures/approvals.ts'
import { eventually } from '../../../server/test/fixtures/eventually.ts'
import { serviceProcess } from '../../../server/test/fixtures/process.ts'
import { readSchedule } from '../../../server/test/fixtures/schedules.ts'
import { callerOf, type TestService } from '../../../server/test/fixtures/service.ts'
import { aRegistration } from '../../../server/test/fixtures/webhooks.ts'
import { FIRM, WORKSPACES } from '../../../server/test/fixtures/workspaces.ts'
import { NO_BROWSER, openBrowser, openPage } from './browser.ts'
import type { Page } from './playwright.ts'
import { signInAs } from './world.ts'

// `npm run pictures [-- name …]`: the pictures of docs/console.md, from the sandbox and its sample matters.

const FOLDER = resolve(import.meta.dirname, '../../../docs/pictures')
const BYTES_MAX = 1_100_000
const SIZE = { width: 1120, height: 760 }
const RUN_MS_MAX = 120_000

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
  approve: async (page) => {
    await open(page, 'NBS-1015')
    const id = page.url().split('/').at(-1) ?? ''
    await unapprove(caller, id)
    await patchDeed(caller, id, { transactionValue: 236_500 })
    await signInAs(page.context(), 'Jo Marsh')
    await page.goto(`/console/matters/${id}/approve`)
    await page.evaluate("document.querySelector('#case h3').scrollIntoView({ block: 'center' })")
  },
  completions: async (page) => {
    await play(caller)
    await page.goto('/console/completions')
  },
  deliveries: async (page) => {
    await play(caller)
    await signInAs(page.context(), 'Robin Vale')
    await page.goto('/console/deliveries')
  },
  admin: async (page) => {
    await signInAs(page.context(), 'Toni Grant')
    await page.goto('/console/admin')
  },
}

const SCENARIOS = [
  ['straight-through', 'money'],
  ['names-differ', 'approve'],
  ['transfer', 'authorise'],
  ['payment-refused', 'authorise'],
  ['straight-through', 'authorise'],
] as const
const TYPES = [
  'WORKSPACE_PARTICIPANT_ADDED',
  'LODGEMENT_CASE_PREPARED',
  'WORKSPACE_PREPARED',
  'WORKSPACE_FUNDS_EXCHANGED',
]
const FAILING = 'WORKSPACE_FUNDS_EXCHANGED'
let isPlayed = false

/** A completion day just after nine, with something in each column, and a receiver that refuses some of the events. */
async function play(service: TestService): Promise<void> {
  if (isPlayed) return
  isPlayed = true
  const receiver = await startReceiver(({ payload: { type } }) => ({ status: type === FAILING ? 500 : 204 }))
  await aRegistration(service, receiver.url, TYPES, FIRM)
  let workspaceId = ''
  for (const [name, until] of SCENARIOS) {
    const { body } = await service.call('POST', `/sandbox/v1/scenarios/${name}`, { json: { until } })
    await eventually(async () => {
      const run = await service.call('GET', `/sandbox/v1/scenarios/runs/${body['runId']}`)
      workspaceId = String(run.body['workspaceId'])
      return run.body['status'] === 'DONE'
    }, RUN_MS_MAX)
  }
  const { completionDate } = await readSchedule(service, workspaceId)
  await service.call('POST', '/sandbox/v1/clock', { json: { set: `${completionDate}T09:10:00Z` } })
  await receiver.stop()
}

async function open(page: Page, reference: string): Promise<void> {
  await page.goto(`/console/matters?q=${reference}`)
  await page.getByRole('link', { name: reference, exact: true }).click()
}

const browser = await openBrowser()
if (!browser) throw new Error(NO_BROWSER)
const service = await serviceProcess()
const caller = callerOf(service.url) as TestService // of which the fixtures use no more
try {
  await service.start()
  await mkdir(FOLDER, { recursive: true })
  const { page, context } = await openPage(browser, service.url, { viewport: SIZE, locale: 'en-GB' })
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
