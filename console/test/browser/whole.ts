import assert from 'node:assert/strict'
import { tracingChannel } from 'node:diagnostics_channel'
import { readFile } from 'node:fs/promises'
import { it } from 'node:test'
import { OPERATIONS } from '../../../client/src/operations.ts'
import { PEOPLE } from '../../../server/src/sandbox/accounts.ts'
import { openPage } from './browser.ts'
import { drawUpTheMoney, fillInTheDeed } from './journey.ts'
import { enter, fill, tabTo, typeDate } from './keyboard.ts'
import { loadFactor } from './load.ts'
import type { Page } from './playwright.ts'
import { signInAs, type World } from './world.ts'

const TIME_MS_MAX = 180_000

/** From the order to the registered title, in the browser alone. */
export function wholeTests(world: () => World): void {
  it('three people on two sides bring a remortgage from its order to the registered title by keyboard', async (test) => {
    const { browser, service } = world()
    // The lender's one person orders and authorises.
    const kims = PEOPLE.find(({ name }) => name === 'Kim Adair')?.id
    await service.deps.db.query(`update people set roles = '{preparer,approver}' where person_id = $1`, [kims])
    const { calls, stop } = recordCalls()
    const began = performance.now()
    const opened = async (name: string, path: string) => {
      const found = await openPage(browser, service.url, { locale: 'en-GB' })
      await signInAs(found.context, name)
      await found.page.goto(path)
      return found
    }
    const kim = await opened('Kim Adair', '/console/matters')
    await order(kim.page)
    const matter = new URL(kim.page.url()).pathname

    const sam = await opened('Sam Reid', matter)
    await sam.page.locator('.button', { hasText: 'Say who represents whom' }).waitFor()
    await enter(sam.page, 'Say who represents whom')
    await enter(sam.page, 'Harbour Conveyancing LLP represents both')
    await sam.page.locator('.good', { hasText: 'Every party is provided for.' }).waitFor()
    await enter(sam.page, 'Back to the matter')
    await fillInTheDeed(sam.page)
    await enter(sam.page, 'WHOLE-1')
    await drawUpTheMoney(sam.page)
    const day = await sam.page.locator('#completionDate').inputValue()

    const jo = await opened('Jo Marsh', matter)
    await enter(jo.page, 'Check and approve the case')
    await enter(jo.page, /^Approve the case of/)
    await enter(jo.page, /^Approve the money of/)

    await kim.page.locator('#turn .button', { hasText: 'Authorise the funds' }).waitFor()
    await enter(kim.page, 'Authorise the funds')
    await typeDate(kim.page, 'Completion day', day)
    await fill(kim.page, { 'Advance in pounds': '206,000.00' })
    await enter(kim.page, /^Authorise the funds of/)
    await kim.page.locator('.good', { hasText: 'The funds are authorised.' }).waitFor()
    await kim.page.goto(matter)

    // Both sides watch, and a third page moves the clock.
    await jo.page.goto('/console/sandbox')
    await sam.page.goto(matter)
    await typeDate(jo.page, 'To a date', day)
    await enter(jo.page, 'Go')
    for (const { page } of [sam, kim]) await isAt(page, 'Completed')
    await enter(jo.page, '+ 1 week')
    await enter(jo.page, '+ 1 week')
    for (const { page } of [sam, kim]) await isAt(page, 'Registered')
    assert.ok((await sam.page.pdf({ format: 'A4' })).length > 0)

    const took = performance.now() - began
    assert.ok(took <= TIME_MS_MAX * loadFactor(), `it took ${took} ms`)
    stop()
    test.diagnostic(`the calls behind the pages: ${[...calls].sort().join(', ')}`)
    assert.deepEqual(changesAmong(calls), changesAmong(await operationsOfTheGuide()))
    for (const { context, outside, problems } of [kim, sam, jo]) {
      assert.deepEqual([outside, problems], [[], []])
      await context.close()
    }
  })
}

async function order(page: Page): Promise<void> {
  await enter(page, 'Order a remortgage')
  await fill(page, {
    Reference: 'WHOLE-1',
    'Number (optional)': '12',
    'Street (optional)': 'Cothelstone Close',
    Town: 'Taunton',
    Postcode: 'TA1 9QH',
    'Title number (optional)': 'ST500678',
  })
  await fill(page, { Forenames: 'William', Surname: 'Prynne' })
  await fill(page, { Forenames: 'Tracey', Surname: 'Prynne' })
  await tabTo(page, 'Who acts')
  await page.keyboard.type('Harb')
  await enter(page, 'Order the remortgage')
}

const isAt = (page: Page, state: string) => page.locator('.strip [aria-current]', { hasText: state }).waitFor()

type Handled = { request: { method: string; url: string }; route: { method: string; url: string } }

/** The operations of the interface that are called from now on, by their ids. */
function recordCalls() {
  const calls = new Set<string>()
  const start = (message: unknown) => {
    const { request, route } = message as Handled
    const path = route.url.replaceAll(/:(\w+)/g, '{$1}')
    const found = Object.entries(OPERATIONS).find(([, one]) => one.method === request.method && one.path === path)
    if (found) calls.add(found[0])
  }
  const channel = tracingChannel('fastify.request.handler')
  channel.start.subscribe(start)
  return { calls, stop: () => void channel.start.unsubscribe(start) }
}

async function operationsOfTheGuide(): Promise<Set<string>> {
  const text = await readFile(new URL('../../../docs/guide/matter.ts', import.meta.url), 'utf8')
  const names = [...text.matchAll(/\b(?:lender|firm)\.(?:upload\('(\w+)'|(\w+)\()/g)].map(
    ([, upload, name]) => upload ?? name ?? '',
  )
  return new Set(names)
}

/** Reading differs: pages show more than the guide looks at. The clock is the sandbox's. */
const changesAmong = (ids: ReadonlySet<string>): string[] =>
  Object.entries(OPERATIONS)
    .filter(([id, { method, path }]) => ids.has(id) && method !== 'GET' && !path.startsWith('/sandbox/'))
    .map(([id]) => id)
    .sort()
