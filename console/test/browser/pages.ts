import assert from 'node:assert/strict'
import { before, it } from 'node:test'
import type { BrowserContext } from 'playwright-core'
import {
  aBorrower,
  aSearchedWorkspace,
  aWorkspace,
  drain,
  FIRM,
  readWorkspace,
  UNKNOWN_ID,
} from '../../../server/test/fixtures/workspaces.ts'
import { violationsOf } from './axe.ts'
import { openPage } from './browser.ts'
import { overBudget } from './budget.ts'
import { aMisspelling, signInAs, type World } from './world.ts'

type Matters = { misspelt: string; several: string; waiting: string; failed: string; partyId: string }

/** Each page and each of its states that looks different: address, and who opens it. */
const PAGES: Record<string, [who: string, address: (matters: Matters) => string]> = {
  'sign in': ['', () => '/console/sign-in'],
  worklist: ['Sam Reid', () => '/console/'],
  'an empty worklist': ['Lee Hart', () => '/console/'],
  matters: ['Sam Reid', () => '/console/matters'],
  matter: ['Sam Reid', ({ misspelt }) => `/console/matters/${misspelt}`],
  'the lender’s matter': ['Pat Lowe', ({ several }) => `/console/matters/${several}`],
  names: ['Sam Reid', ({ misspelt }) => `/console/matters/${misspelt}/names`],
  'names without counterparts': ['Sam Reid', ({ several }) => `/console/matters/${several}/names`],
  title: ['Sam Reid', ({ misspelt }) => `/console/matters/${misspelt}/title`],
  'no title': ['Sam Reid', ({ waiting }) => `/console/matters/${waiting}/title`],
  'a failed title': ['Sam Reid', ({ failed }) => `/console/matters/${failed}/title`],
  'removing a title': ['Sam Reid', ({ misspelt }) => `/console/matters/${misspelt}/title?remove=yes`],
  representation: ['Sam Reid', ({ misspelt }) => `/console/matters/${misspelt}/representation`],
  'a party’s representation': [
    'Sam Reid',
    ({ misspelt, partyId }) => `/console/matters/${misspelt}/representation?party=${partyId}`,
  ],
  cancelling: ['Sam Reid', ({ misspelt }) => `/console/matters/${misspelt}/cancel`],
  'taking back an approval': ['Alex Moss', ({ misspelt }) => `/console/matters/${misspelt}/unapprove`],
  confirming: [
    'Alex Moss',
    ({ misspelt }) =>
      `/console/matters/${misspelt}/confirm?rule=redemption-provided-for-registered-charge&field=lineItems`,
  ],
  help: ['Sam Reid', () => '/console/help'],
  me: ['Sam Reid', () => '/console/me'],
  'nothing there': ['Sam Reid', () => `/console/matters/${UNKNOWN_ID}`],
  forbidden: ['Toni Grant', () => '/console/matters'],
  'signed out': ['', () => '/console/out'],
}

/** Every page is accessible, within its budget, and asks nobody else for anything. */
export function pageTests(world: () => World): void {
  const contexts = new Map<string, Promise<BrowserContext>>()
  let matters: Matters
  const outside: string[] = []
  const problems: string[] = []

  before(async () => {
    const { service } = world()
    const misspelt = (await aMisspelling(world())).workspaceId
    const several = [aBorrower('William'), aBorrower('Oliver', 'Hart'), aBorrower('Ada', 'Dove')]
    matters = {
      misspelt,
      several: (await aSearchedWorkspace(service, 'ST500681', several)).workspaceId,
      waiting: (await aWorkspace(service)).workspaceId,
      failed: (await aSearchedWorkspace(service, 'NF100001')).workspaceId,
      partyId: (await readWorkspace(service, misspelt, FIRM)).parties[0]?.partyId ?? '',
    }
    await drain(service)
  })

  const contextOf = (who: string) => {
    const known = contexts.get(who) ?? open(who)
    contexts.set(who, known)
    return known
  }
  const open = async (who: string) => {
    const { browser, service } = world()
    const opened = await openPage(
      browser,
      service.url,
      { viewport: { width: 1280, height: 860 } },
      { outside, problems },
    )
    if (who) await signInAs(opened.context, who)
    return opened.context
  }

  for (const [what, [who, address]] of Object.entries(PAGES)) {
    it(`the page "${what}" is accessible and within its budget`, async () => {
      const context = await contextOf(who)
      assert.deepEqual(await overBudget(context, address(matters)), [])
      const page = await context.newPage()
      await page.goto(address(matters))
      await page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
      assert.deepEqual(await violationsOf(page), [])
      await page.close()
    })
  }

  it('no page asked anybody else for anything, or complained', async () => {
    for (const context of contexts.values()) await (await context).close()
    assert.deepEqual([outside, problems], [[], []])
  })
}
