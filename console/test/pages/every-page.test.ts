import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { PEOPLE } from '../../../server/src/sandbox/accounts.ts'
import { aWorkspace, FIRM_ID, UNKNOWN_ID } from '../../../server/test/fixtures/workspaces.ts'
import { createLive } from '../../src/live.ts'
import { testConsole } from '../console.fixture.ts'

const console = await testConsole()
const { get, post } = console

/** At the service's own console, over HTTP. */
async function signIn(): Promise<string> {
  const person = PEOPLE.find(({ name }) => name === 'Sam Reid')?.id ?? ''
  const signedIn = await fetch(`${console.service.url}/console/sign-in`, {
    method: 'POST',
    body: new URLSearchParams({ person }),
    headers: { 'sec-fetch-site': 'same-origin' },
    redirect: 'manual',
  })
  return signedIn.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

describe('a page', () => {
  it('leads who is not signed in to the sign-in, and back', async () => {
    const response = await console.answer(new Request(`${console.service.url}/console/matters?q=a%20b`))
    assert.equal(response.status, 303)
    assert.equal(response.headers.get('location'), '/console/sign-in?returnTo=%2Fconsole%2Fmatters%3Fq%3Da%2520b')
  })

  it('loads nothing from elsewhere, runs no other script and is not kept', async () => {
    const { headers, text } = await get('/console/help')
    assert.match(headers.get('content-security-policy') ?? '', /^default-src 'none'; script-src 'self';/)
    assert.equal(headers.get('cache-control'), 'no-store')
    for (const [, address = ''] of text.matchAll(/(?:src|href)="([^"]*)"/g)) {
      assert.match(address, /^(\/|#|data:,$)/, address)
    }
  })

  it('has one heading, a title, a way past the navigation and its person', async () => {
    const { text, words } = await get('/console/help')
    assert.equal(text.match(/<h1/g)?.length, 1)
    assert.match(text, /<title>Help – Lodgeway<\/title>/)
    assert.match(text, /<a class="skip" href="#main">/)
    assert.match(words, /Sam · Harbour Conveyancing LLP/)
    assert.match(words, /Sandbox · clock/)
  })

  it('shows the calls that it is made of, to copy', async () => {
    const { words } = await get('/console/matters')
    assert.match(words, /The \d calls? behind this page/)
    assert.match(words, /curl 'http:\S+workspaces[^']*' \\ -H &quot;Authorization: Bearer \$TOKEN&quot;/)
    assert.match(words, /await lodgeway\.listWorkspaces\(/)
  })

  it('is refused to who has another role, and not linked', async () => {
    for (const [name, start] of [
      ['Dev', '/console/me'],
      ['Ola', '/console/admin'],
    ] as const) {
      const { status, words, text } = await get('/console/matters', name)
      assert.equal(status, 403)
      assert.match(words, /It is for people who may read matters/)
      assert.doesNotMatch(text, /<nav aria-label="Main">.*href="\/console\/matters"/)
      assert.equal((await get('/console/', name)).headers.get('location'), start)
    }
  })

  it('is the same where there is nothing and where there is somebody else’s', async () => {
    const unknown = await get(`/console/matters/${UNKNOWN_ID}`)
    assert.equal(unknown.status, 404)
    const { workspaceId } = await aWorkspace(console.service)
    assert.equal((await get('/console/matters/no-id')).text, unknown.text)
    const elses = await get(`/console/matters/${workspaceId}`, 'Kit')
    assert.equal(elses.text, (await get(`/console/matters/${UNKNOWN_ID}`, 'Kit')).text)
    assert.equal(elses.status, 404)
  })

  it('takes a form only from its own pages', async () => {
    for (const site of ['same-site', 'cross-site', 'none']) {
      const { status, words } = await post('/console/help', {}, 'Sam', { 'sec-fetch-site': site })
      assert.equal(status, 403)
      assert.match(words, /Nothing was done/)
    }
  })

  it('says what is wrong with the service, and tries again where that helps', async () => {
    console.failing(/workspaces/, 503)
    const busy = await get('/console/matters')
    assert.deepEqual([busy.status, busy.headers.get('refresh')], [503, '7'])
    console.failing(/workspaces/, 500)
    const broken = await get('/console/matters')
    assert.equal(broken.status, 500)
    assert.match(broken.words, /quote this number when you ask for help: test-correlation-id/)
    assert.equal(console.reported.length, 1)
    console.failing(/workspaces/, 401)
    assert.equal((await get('/console/matters')).headers.get('location'), '/console/sign-in')
    console.failing(/workspaces/, 0)
  })
})

describe('maintenance', () => {
  const maintain = (enabled: boolean) => console.service.call('POST', '/sandbox/v1/maintenance', { json: { enabled } })

  it('is said; everything can be read, and a form says when to send it again', async () => {
    const { workspaceId } = await aWorkspace(console.service)
    const headers = { cookie: await signIn(), 'sec-fetch-site': 'same-origin' }
    const cancelling = `${console.service.url}/console/matters/${workspaceId}/cancel`
    const body = () => new URLSearchParams({ cancellationReason: 'TITLE_COMPLICATIONS' })
    await maintain(true)
    const read = await fetch(`${console.service.url}/console/`, { headers })
    const changed = await fetch(cancelling, { method: 'POST', body: body(), headers })
    await maintain(false)
    assert.deepEqual([read.status, changed.status], [200, 503])
    assert.match(await read.text(), /Maintenance\.<\/strong> You can read everything/)
    assert.match(
      await changed.text(),
      /down for maintenance.*Try again in 60 s\..*<option value="TITLE_COMPLICATIONS" selected/s,
    )
    assert.doesNotMatch(await (await fetch(`${console.service.url}/console/`, { headers })).text(), /Maintenance/)
  })

  it('lets a page that cannot be read try again', async () => {
    console.failing(/workspaces/, 503, 'The service is down for maintenance.')
    const { status, words, headers } = await get('/console/')
    console.failing(/workspaces/, 0)
    assert.deepEqual([status, headers.get('refresh')], [503, '7'])
    assert.match(words, /down for maintenance.* This page tries again in 7 seconds/)
  })
})

describe('style and scripts', () => {
  it('are compressed, kept for ever and within their budgets', async () => {
    const { text } = await get('/console/help')
    const addresses = [...text.matchAll(/(?:src|href)="(\/console\/a\/[^"]+)"/g)].map(([, address = '']) => address)
    const sizes = { js: 0, css: 0 }
    const morph = (await get('/console/matters')).text.match(/data-idiomorph="([^"]+)"/)?.[1] ?? ''
    for (const address of [...addresses, morph]) {
      const asset = await console.answer(
        new Request(console.service.url + address, { headers: { 'accept-encoding': 'gzip' } }),
      )
      assert.deepEqual([asset.status, asset.headers.get('content-encoding')], [200, 'gzip'], address)
      assert.match(asset.headers.get('cache-control') ?? '', /immutable/)
      sizes[address.endsWith('css') ? 'css' : 'js'] += (await asset.arrayBuffer()).byteLength
    }
    assert.ok(sizes.js <= 20_000 && sizes.css <= 15_000, JSON.stringify(sizes))
  })
})

describe('the stream', () => {
  const open = (as = 'Sam') =>
    console.answer(
      new Request(`${console.service.url}/console/live?topic=matters`, { headers: { cookie: `person=${as}` } }),
    )

  it('is limited for each person, and is free again when one has left', async () => {
    const streams = await Promise.all(Array.from({ length: 20 }, () => open()))
    assert.deepEqual([...new Set(streams.map(({ status }) => status))], [200])
    const refused = await open()
    assert.deepEqual([refused.status, refused.headers.get('retry-after')], [429, '5'])
    const other = await open('Jo')
    assert.equal(other.status, 200)
    await Promise.all([...streams, other].map(({ body }) => body?.cancel()))
    const again = await open()
    assert.equal(again.status, 200)
    await again.body?.cancel()
  })

  it('keeps little for a reader that does not read', async () => {
    const { body } = await open()
    for (let count = 0; count < 1_000; count += 1) console.announce(FIRM_ID, { workspaceId: 'one' })
    const reader = body?.getReader()
    let received = 0
    for (; received < 100; received += 1) {
      const next = await Promise.race([
        reader?.read(),
        new Promise<undefined>((done) => setImmediate(() => done(undefined))),
      ])
      if (!next) break
    }
    assert.ok(received > 1 && received <= 8, `${received} chunks`)
    await reader?.cancel()
  })

  it('is left in peace by a session that turns out to have ended after its reader left', async (context) => {
    context.mock.timers.enable({ apis: ['setInterval'] })
    const checked = Promise.withResolvers<undefined>()
    const watch = () => () => {}
    const live = createLive({ watch, watchRequests: watch, signedIn: () => checked.promise })
    const url = new URL('http://console.example/console/live?topic=matters')
    const session = { id: 'one', person: { id: 'sam', subscriber: { id: FIRM_ID } } }
    const shown = await live.page.show?.({ url, request: new Request(url), session } as never)
    context.mock.timers.tick(4_000)
    await (shown as Response).body?.cancel()
    checked.resolve(undefined)
    await nextTurn() // an error here would end the process
  })

  it('says that a matter has changed, to those who watch it, until the node stops', async () => {
    const request = new Request(`${console.service.url}/console/live?topic=matter:one`, {
      headers: { cookie: 'person=Sam' },
    })
    const response = await console.answer(request)
    assert.equal(response.headers.get('content-type'), 'text/event-stream')
    console.announce('another subscriber', { workspaceId: 'one' })
    console.announce(FIRM_ID, { workspaceId: 'two' })
    console.announce(FIRM_ID, { workspaceId: 'one' })
    console.stop()
    assert.equal(await response.text(), 'retry: 2000\n\nevent: changed\ndata:\n\n')
    assert.equal((await console.answer(request)).status, 503)
  })

  it('does not keep a node from stopping', async () => {
    const { url, stop } = console.service
    const cookie = await signIn()
    const response = await fetch(`${url}/console/live?topic=matters`, { headers: { cookie } })
    const [whole] = await Promise.all([response.text(), stop()])
    assert.match(whole, /^retry: 2000\n\n/)
  })
})
