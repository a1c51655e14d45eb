// Long because every page of operators is tested against one service.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { OPERATOR_PATH } from '../../../server/src/operator/parts.ts'
import { readRoutes } from '../../../server/src/route-manifest.ts'
import { offer, uploaded } from '../../../server/test/fixtures/documents.ts'
import { eventually } from '../../../server/test/fixtures/eventually.ts'
import { add, EXTERNAL } from '../../../server/test/fixtures/representations.ts'
import { ADVANCE, addLine, scheduleIdOf } from '../../../server/test/fixtures/schedules.ts'
import {
  CREATE,
  drain,
  FIRM,
  FIRM_ID,
  LENDER,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../../server/test/fixtures/workspaces.ts'
import { routesOf } from '../../src/routes.ts'
import { fieldOf, testConsole } from '../console.fixture.ts'

const console = await testConsole()
const { get, post, service } = console
const as = 'Ola'

/** Sends the form of an act of a page, with its key. */
async function act(path: string, name: string, fields: Record<string, string> = {}) {
  const page = await get(path, as)
  assert.match(page.text, new RegExp(`name="act" value="${name}"`), page.words)
  return post(path, { key: fieldOf(page, 'key'), act: name, ...fields }, as)
}

describe('the start page of operators', () => {
  it('says how the nodes, the jobs and the webhooks are, and that partners are not asked', async () => {
    await eventually(async () => (await get('/console/admin', as)).words.includes('The node is ready'), 30_000)
    const { status, words, text } = await get('/console/admin', as)
    assert.equal(status, 200)
    for (const part of ['Maintenance Off', 'No job has failed for good', 'None fails'])
      assert.match(words, new RegExp(part))
    assert.doesNotMatch(text, /behind this page/)
  })

  it('switches maintenance on and off, with who and since when', async () => {
    assert.equal((await act('/console/admin', 'maintenance-on')).headers.get('location'), '/console/admin')
    assert.match((await get('/console/admin', as)).words, /On since .*, by toni\.grant@lodgeway\.example/)
    await act('/console/admin', 'maintenance-off')
    assert.match((await get('/console/admin', as)).words, /Maintenance Off since/)
  })

  it('is live, for operators alone', async () => {
    assert.match((await get('/console/admin', as)).text, /data-live="\/console\/live\?topic=service"/)
    const watch = (who: string) =>
      console.answer(new Request(`${service.url}/console/live?topic=service`, { headers: { cookie: `person=${who}` } }))
    const [mine, theirs] = [await watch(as), await watch('Sam')]
    assert.deepEqual([mine.status, theirs.status], [200, 404])
    await mine.body?.cancel()
  })

  it('shows what can be read when a part cannot', async () => {
    console.failing(/operator\/v1\/jobs/, 500)
    const { status, words } = await get('/console/admin', as)
    console.failing(/x/, 0)
    assert.equal(status, 200)
    assert.match(words, /The jobs could not be read\. Try again.*None fails/)
  })
})

describe('the pages of operators', () => {
  const pages = routesOf({ page: { show: async () => new Response() }, stop() {} }).filter(
    ({ role }) => role === 'operator',
  )
  const addressOf = (path: string) =>
    path
      .replace('clients/:id', 'clients/sandbox-law-firm')
      .replace(/figures\/:\w+/, 'figures/waiting')
      .replace('subscribers/:id', `subscribers/${FIRM_ID}`)
      .replace('people/:id', 'people/30000000-0000-4000-8000-000000000001')

  it('are refused to everybody else, and what does not exist is said', async () => {
    for (const { path } of pages) {
      const { status, words } = await get(addressOf(path), 'Alex')
      assert.equal(status, 403)
      assert.match(words, /It is for operators of the service/)
    }
    for (const path of ['subscribers', 'people', 'clients']) {
      for (const id of [UNKNOWN_ID, 'x', '%zz'])
        assert.equal((await get(`/console/admin/${path}/${id}`, as)).status, 404)
    }
  })

  it('offer changes only after a recent sign-in, and refuse them otherwise', async () => {
    for (const [decides, says] of [
      ['again', /Your sign-in is too old for changes\. Sign in again/],
      ['never', /You came in by a link: you can look, and change nothing/],
    ] as const) {
      const headers = { cookie: `person=Ola; decides=${decides}` }
      for (const { path } of pages.filter(({ path }) => !/jobs|audit|figures/.test(path))) {
        const { text, words } = await get(addressOf(path), as, headers)
        assert.match(words, says)
        assert.doesNotMatch(text, /<form method="post">/)
      }
      const sent = { ...headers, 'sec-fetch-site': 'same-origin' }
      const refused = await post('/console/admin', { act: 'maintenance-on' }, as, sent)
      assert.equal(refused.status, 403)
      assert.match(refused.words, /Nothing was changed Sign in again to do this/)
    }
  })

  it('show no name, address or amount of a matter, and neither do the routes behind them', async () => {
    const workspaceId = await aMarkedMatter()
    const searches = [`?id=${workspaceId}`, '']
    const routes = (await readRoutes()).filter(({ url, method }) => url.startsWith(OPERATOR_PATH) && method === 'GET')
    const addresses = [
      ...pages.map(({ path }) => addressOf(path)),
      ...searches.map((query) => `/console/admin/audit${query}`),
    ]
    for (const address of addresses) {
      const { status, text } = await get(address, as)
      assert.equal(status, 200, address)
      assert.doesNotMatch(text, MARKERS, address)
    }
    assert.match((await get(`/console/admin/audit?id=${workspaceId}`, as)).words, /workspace created/)
    for (const { url } of routes) {
      const path = addressOf(url.replace(/:(subscriber|client|person)_id/, ':id'))
      const query = path.endsWith('/audit') ? `?id=${workspaceId}` : ''
      const response = await console.asOperator(service.url + path + query)
      assert.equal(response.status, 200, path)
      assert.doesNotMatch(await response.text(), MARKERS, path)
    }
  })
})

const MARKERS = /zebra|739[, ]?113|ZB9 9ZB/i

/** A matter with something to recognise in every text, and an amount. */
async function aMarkedMatter(): Promise<string> {
  const borrower = (forenames: string) => ({
    type: 'INDIVIDUAL',
    role: 'BORROWER',
    partyDetails: { forenames, surname: 'Zebrason' },
    participants: [{ id: FIRM_ID, role: 'CONVEYANCER' }],
  })
  const securityAddress = {
    number: '739',
    street: 'Zebra Street',
    town: 'Zebraton',
    county: 'Zebrashire',
    postcode: 'ZB9 9ZB',
  }
  const order = {
    reference: 'ZEBRA-1',
    property: { securityAddress, titleNumber: 'ST500678' },
    parties: [borrower('Zebra'), borrower('Zebrina')],
  }
  const { body } = await service.call<{ workspaceId: string }>('POST', CREATE, { ...LENDER, json: order })
  const { workspaceId } = body
  await drain(service)
  const done = async (answer: Promise<{ status: number; text: string }>) => {
    const { status, text } = await answer
    assert.ok(status < 300, text)
  }
  const [first] = (await readWorkspace(service, workspaceId, FIRM)).parties
  const json = { ownReference: 'Zebra/2' }
  await done(service.call('PATCH', `${WORKSPACES}/${workspaceId}`, { ...FIRM, json }))
  const externalLawFirm = { ...EXTERNAL.externalLawFirm, name: 'Zebra & Co' }
  await done(add(service, workspaceId, { ...EXTERNAL, externalLawFirm, partyId: first?.partyId }))
  await uploaded(service, workspaceId, { fields: offer(), fileName: 'zebra.pdf' })
  const scheduleId = await scheduleIdOf(service, workspaceId)
  await done(addLine(service, scheduleId, { ...ADVANCE, amount: 739_113, reference: 'ZEBRA-3' }))
  const cancel = { cancellationReason: 'OTHER', cancellationNotesForOther: 'The zebra moved.' }
  await done(service.call('DELETE', `${WORKSPACES}/${workspaceId}/cancel-workspace`, { ...LENDER, json: cancel }))
  await drain(service)
  return workspaceId
}

describe('subscribers and clients', () => {
  it('are added; a secret is shown once, in no address and in no cache', async () => {
    const list = '/console/admin/subscribers'
    const wrong = await act(list, 'add', { name: '', kind: 'LENDER' })
    assert.equal(wrong.status, 400)
    assert.match(wrong.text, /<a href="#name">/)
    const added = await act(list, 'add', { name: 'Westbrook <b>Bank</b>', kind: 'LENDER' })
    const page = added.headers.get('location') ?? ''
    assert.match((await get(page, as)).words, /Westbrook &lt;b&gt;Bank&lt;\/b&gt;.*None: its software cannot call yet/)
    const shown = await act(page, 'client', { clientId: 'west' })
    const [, secret = ''] = /class="secret">([\w-]{43})</.exec(shown.text) ?? []
    assert.deepEqual([shown.status, shown.headers.get('cache-control')], [200, 'no-store'])
    assert.ok(await service.tokenOf('west', secret))
    const again = await act(page, 'client', { clientId: 'west' })
    assert.equal(again.status, 409)
    assert.match(again.text, /value="west"/) // what was typed stays
  })

  it('are rotated, narrowed, disabled, suspended and resumed, each button saying what it does', async () => {
    const client = '/console/admin/clients/west'
    assert.match((await act(client, 'rotate')).text, /class="secret">[\w-]{43}</)
    assert.match((await get(client, as)).words, /Secrets that work 2 .*Retire the old secret of west/)
    await act(client, 'retire')
    await act(client, 'scopes', { scope: 'x-api:view:reports' })
    assert.match((await get(client, as)).words, /1 of \d+ scopes/)
    await act(client, 'log', { hours: '24' })
    assert.match((await get(client, as)).words, /Its requests are logged until .*Stop logging the requests of west/)
    await act(client, 'disable')
    assert.match((await get(client, as)).words, /State disabled .*Enable west: it may come in again/)
    await act(client, 'enable')
    const page = `/console/admin/subscribers/${FIRM_ID}`
    assert.match((await get(page, as)).words, /Its 1 client and all its people are locked out within 5 seconds/)
    await act(page, 'suspend')
    assert.match((await get(page, as)).words, /State suspended/)
    await act(page, 'resume')
    await act(page, 'people')
    assert.match((await get(page, as)).words, /Only people who signed in approve/)
    await act(page, 'any')
  })
})

describe('people', () => {
  it('are invited with a link that is shown once, get other roles, and are locked out', async () => {
    const page = `/console/admin/subscribers/${FIRM_ID}`
    const wrong = await act(page, 'invite', { name: 'Nia', email: 'nia' })
    assert.match(wrong.words, /email must be an e-mail address.*roles must be some of/)
    const invited = await act(page, 'invite', { name: 'Nia', email: 'nia@harbour.example', roles: 'viewer' })
    assert.match(invited.text, /class="secret">http:\/\/[^<]+\/console\/link\/[\w-]{43}</)
    const [, person = ''] = /href="(\/console\/admin\/people\/[\w-]+)"/.exec(invited.text) ?? []
    assert.match((await get(person, as)).words, /Nia .*invited .*Viewer .*Nowhere/)
    assert.match((await act(person, 'link')).text, /class="secret">http/)
    await act(person, 'roles', { roles: 'approver' })
    assert.match(
      (await get('/console/admin/people', as)).words,
      /Nia nia@harbour\.example Harbour Conveyancing LLP Approver/,
    )
    await act(person, 'disable')
    const { words, text } = await get(person, as)
    assert.match(words, /State disabled/)
    assert.doesNotMatch(text, /<form method="post">/)
    assert.match(
      (await act('/console/admin/people', 'invite', { name: 'Uma', email: 'uma@lodgeway.example', roles: 'operator' }))
        .words,
      /Invited uma@lodgeway\.example Shown only once/,
    )
    assert.match(
      (await get('/console/admin/people/30000000-0000-4000-8000-000000000008', as)).words,
      /Another operator can disable you/,
    )
  })
})

describe('jobs and audit', () => {
  it('say that nothing is wrong, or why, and search', async () => {
    assert.match((await get('/console/admin/jobs', as)).words, /No dead jobs .*Every job was done/)
    assert.match((await get('/console/admin/jobs?error=x', as)).words, /None matches/)
    assert.match((await get('/console/admin/audit?day=2001-01-01', as)).words, /Nothing was recorded/)
    const wrong = await get('/console/admin/audit?day=yesterday', as)
    assert.match(wrong.words, /Nothing was searched/)
    assert.match((await get('/console/admin/audit?person=toni.grant@lodgeway.example', as)).words, /person disabled/)
  })

  it('verify the audit and show the outcome', async () => {
    assert.equal((await act('/console/admin/audit', 'verify')).headers.get('location'), '/console/admin/audit#check')
    await drain(service)
    assert.match((await get('/console/admin/audit', as)).words, /whole .* entries in \d+ chains/)
  })
})
