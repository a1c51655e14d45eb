// Long because it holds every way in, right and wrong, against one service and one identity provider.
import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type IdentityProvider, identityProvider } from '../../test/fakes/identity-provider.ts'
import { aBrowser, type Browser } from '../../test/fixtures/browser.ts'
import { freePort } from '../../test/fixtures/ports.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'

const SAM = '30000000-0000-4000-8000-000000000001'

let service: TestService
let provider: IdentityProvider
const at = (path: string, node = service) => `${node.url}/console${path}`

before(async () => {
  const PORT = String(await freePort())
  const PUBLIC_URL = `http://127.0.0.1:${PORT}`
  provider = await identityProvider(PUBLIC_URL)
  const settings = {
    PUBLIC_URL,
    CONSOLE_ISSUER: provider.issuer,
    CONSOLE_CLIENT_ID: provider.clientId,
    CONSOLE_CLIENT_SECRET: provider.clientSecret,
    CONSOLE_STEP_UP_MINUTES: '15',
  }
  service = await testService({ env: { ...settings, PORT }, worker: false })
})

const me = async (browser: Browser, node = service) => {
  const response = await browser.send(at('/me', node))
  return response.status === 200 ? await response.text() : response.status
}

describe('the sandbox', () => {
  it('shows its people, and lets one in with a click', async () => {
    const browser = aBrowser()
    const asked = await browser.send(at('/me?x=1'))
    assert.deepEqual(
      [asked.status, asked.headers.get('location')],
      [303, '/console/sign-in?returnTo=%2Fconsole%2Fme%3Fx%3D1'],
    )
    const page = await (await browser.send(at('/sign-in?returnTo=/console/me'))).text()
    for (const text of ['Sam Reid', 'Jo Marsh', 'Toni Grant', 'Northgate Building Society', `Continue with 127.0.0.1`])
      assert.match(page, new RegExp(text))
    const picked = await browser.post(at('/sign-in'), { person: SAM, returnTo: '/console/me' })
    assert.deepEqual([picked.status, picked.headers.get('location')], [303, '/console/me'])
    assert.match(picked.headers.getSetCookie()[0] ?? '', /^lodgeway=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/)
    assert.match(String(await me(browser)), /sam\.reid@harbour\.example[\s\S]*this one/)
  })

  it('lets nobody else in', async () => {
    for (const person of ['', 'x', '99999999-9999-4999-8999-999999999999']) {
      assert.equal((await aBrowser().post(at('/sign-in'), { person })).status, 403)
    }
  })

  it('leads a browser from its root to the console, and other programs nowhere', async () => {
    const response = await aBrowser().send(`${service.url}/`, { headers: { accept: 'text/html,*/*' } })
    assert.deepEqual([response.status, response.headers.get('location')], [303, '/console/'])
    assert.equal((await service.call('GET', '/')).status, 404)
  })
})
