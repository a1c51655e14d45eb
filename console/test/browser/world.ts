import { setTimeout as delay } from 'node:timers/promises'
import { PEOPLE } from '../../../server/src/sandbox/accounts.ts'
import { type IdentityProvider, identityProvider } from '../../../server/test/fakes/identity-provider.ts'
import { freePort } from '../../../server/test/fixtures/ports.ts'
import { type TestService, testService } from '../../../server/test/fixtures/service.ts'
import { aBorrower, aSearchedWorkspace } from '../../../server/test/fixtures/workspaces.ts'
import type { Browser, BrowserContext } from './playwright.ts'

export type World = { browser: Browser; service: TestService; provider: IdentityProvider }

/** The sandbox with an identity provider: people can be picked, and people can be invited. */
export async function startWorld(browser: Browser): Promise<World> {
  const PORT = String(await freePort())
  const PUBLIC_URL = `http://127.0.0.1:${PORT}`
  const provider = await identityProvider(PUBLIC_URL)
  const service = await testService({
    env: {
      PORT,
      PUBLIC_URL,
      CONSOLE_ISSUER: provider.issuer,
      CONSOLE_CLIENT_ID: provider.clientId,
      CONSOLE_CLIENT_SECRET: provider.clientSecret,
    },
  })
  return { browser, service, provider }
}

/** Without the page for it, which has tests of its own. */
export async function signInAs(context: BrowserContext, name: string): Promise<void> {
  const { id } = PEOPLE.find((one) => one.name === name) ?? {}
  const form = { person: id ?? '', returnTo: '/console/me' }
  const response = await context.request.post('/console/sign-in', {
    form,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  // A fast machine can reach the limit of attempts.
  if (response.status() === 429) {
    await delay(Number(response.headers()['retry-after']) * 1_000)
    return signInAs(context, name)
  }
  if (!response.ok()) throw new Error(`${name} could not sign in: ${response.status()}`)
}

/** William and Tracey Prynne's title, and an order in which Tracey is misspelt. */
export const aMisspelling = ({ service }: World) =>
  aSearchedWorkspace(service, 'ST500678', [aBorrower('William'), aBorrower('Tracey', 'Prinne')])
