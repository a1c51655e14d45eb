import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { it } from 'node:test'
import { aBorrower, aWorkspace, drain, FIRM, readWorkspace } from '../../../server/test/fixtures/workspaces.ts'
import { openPage } from './browser.ts'
import { aMisspelling, signInAs, type World } from './world.ts'

/** A form that another page sends in the name of somebody who is signed in. */
export function originTests(world: () => World): void {
  it('a form that another origin, another port or another site sends is refused, whatever the browser adds to it', async () => {
    const { browser, service } = world()
    const { workspaceId } = await aMisspelling(world())
    const { page, context } = await openPage(browser, service.url)
    await signInAs(context, 'Sam Reid')
    const address = `${service.url}/console/matters/${workspaceId}/names`
    const fields = await formOf(page, address)
    const server = createServer((request, response) => {
      // Such a page has an origin that is like no other.
      if (request.url === '/opaque') response.setHeader('content-security-policy', 'sandbox allow-forms allow-scripts')
      response.setHeader('content-type', 'text/html').end(forged(address, fields))
    }).listen(0)
    const { port } = server.address() as AddressInfo
    const seen: unknown[] = []
    for (const from of [`http://127.0.0.1:${port}/`, `http://localhost:${port}/`, `http://127.0.0.1:${port}/opaque`]) {
      const answered = page.waitForResponse((one) => one.url() === address && one.request().method() === 'POST')
      await page.goto(from)
      const response = await answered
      const { 'sec-fetch-site': site, cookie } = await response.request().allHeaders()
      seen.push([response.status(), site, cookie !== undefined])
    }
    // From another port of the same host the cookie comes along: that is why it is not enough.
    assert.deepEqual(seen, [
      [403, 'same-site', true],
      [403, 'cross-site', false],
      [403, 'cross-site', false],
    ])
    const { parties } = await readWorkspace(service, workspaceId, FIRM)
    assert.deepEqual(parties[1]?.partyDetails, { forenames: 'Tracey', surname: 'Prinne' })
    await context.close()
    server.close()
  })

  it('markup in the texts of a matter does nothing but look odd', async () => {
    const { browser, service } = world()
    const marked = (text: string) => aBorrower(`<img src=x onerror=alert('${text}')>`, `"><script>alert(2)</script>`)
    const facts = { titleNumber: 'ST500678', reference: '<img src=x onerror=a()>', parties: [marked('a'), marked('b')] }
    const { workspaceId } = await aWorkspace(service, facts)
    await drain(service)
    const { page, context, outside, problems } = await openPage(browser, service.url)
    page.on('dialog', (dialog) => {
      problems.push(dialog.message())
      void dialog.dismiss()
    })
    await signInAs(context, 'Sam Reid')
    for (const path of [
      '',
      'matters',
      `matters/${workspaceId}`,
      ...PARTS.map((part) => `matters/${workspaceId}/${part}`),
    ]) {
      assert.equal((await page.goto(`/console/${path}`))?.status(), 200, path)
      assert.deepEqual(
        await page.evaluate(`[document.images.length, document.querySelectorAll('main script').length]`),
        [0, 0],
      )
    }
    assert.match((await page.textContent('main')) ?? '', /<img src=x onerror=alert/)
    assert.deepEqual([outside, problems], [[], []])
    await context.close()
  })
}

const PARTS = ['title', 'representation', 'cancel', 'names']

type Page = Awaited<ReturnType<typeof openPage>>['page']

/** What the page itself would send. */
async function formOf(page: Page, address: string): Promise<[string, string][]> {
  await page.goto(address)
  const answer = await page.locator('input[value^="order-wrong."]').getAttribute('value')
  await page.goto(`${address}?answer=${answer}`)
  return page.evaluate<[string, string][]>(`[...new FormData(document.querySelector('main form'))]`)
}

const quoted = (text: string) => text.replaceAll('&', '&amp;').replaceAll('"', '&quot;')

const forged = (address: string, fields: [string, string][]) => `<!doctype html><title>Win a prize</title>
<form method="post" action="${address}">${fields.map(([name, value]) => `<input type="hidden" name="${quoted(name)}" value="${quoted(value)}">`).join('')}</form>
<script>document.forms[0].submit()</script>`
