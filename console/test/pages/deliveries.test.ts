import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { computeFigures } from '../../../server/src/figures/compute.ts'
import { eventually } from '../../../server/test/fixtures/eventually.ts'
import {
  aReceiver,
  aRegistration,
  deliveriesOf,
  REGISTRATIONS,
  type ShownRegistration,
} from '../../../server/test/fixtures/webhooks.ts'
import { aWorkspace, drain, FIRM, UNKNOWN_ID } from '../../../server/test/fixtures/workspaces.ts'
import { fieldOf, type Shown, testConsole } from '../console.fixture.ts'

const console = await testConsole()
const { service } = console
const get = (path: string) => console.get(path, 'Dev')
const post = (path: string, form: Record<string, string>) => console.post(path, form, 'Dev')

const LIST = '/console/deliveries'
const REGISTRATIONS_PAGE = `${LIST}/registrations`
const BENCH = `${LIST}/signature`
const LISTENERS = `${LIST}/listeners`
const EVENTS = ['WORKSPACE_PARTICIPANT_ADDED', 'TITLE_NOT_FOUND']

let status = 503
let receiver: Awaited<ReturnType<typeof aReceiver>>
let registration: ShownRegistration
let workspaceId: string

function assertWhole({ text, words, status }: Shown, expected = 200): void {
  assert.equal(status, expected, words)
  assert.equal(text.match(/<h1/g)?.length, 1)
  assert.ok(Number(/The (\d+) calls? behind this page/.exec(words)?.[1] ?? 0) <= 7)
  const found = [...text.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id)
  assert.equal(new Set(found).size, found.length, 'each id once')
}

describe('before anything is registered', () => {
  it('says so, and what to do', async () => {
    assert.match((await get(LIST)).words, /no address is registered\. Register one/)
    assert.match((await get(REGISTRATIONS_PAGE)).words, /No address is registered\./)
  })
})

describe('registrations', () => {
  it('registers an address, and shows its secret once, however often the form is sent', async () => {
    receiver = await aReceiver(() => ({ status, body: '<b>later</b>' }))
    const shown = await get(REGISTRATIONS_PAGE)
    assertWhole(shown)
    const refused = await post(REGISTRATIONS_PAGE, {
      key: fieldOf(shown, 'key'),
      webhookURI: 'http://partner.example/',
    })
    assertWhole(refused, 400)
    assert.match(refused.text, /<a href="#webhookURI">/)
    assert.match(refused.text, /value="http:\/\/partner.example\/"/)
    const body = new URLSearchParams({ key: fieldOf(shown, 'key'), webhookURI: receiver.url })
    for (const type of EVENTS) body.append('eventTypes', type)
    const send = async () => {
      const headers = { cookie: 'person=Dev', 'sec-fetch-site': 'same-origin' }
      const request = new Request(service.url + REGISTRATIONS_PAGE, { method: 'POST', body, headers })
      return /whsec_[^<]+/.exec(await (await console.answer(request)).text())?.[0]
    }
    const sharedSecret = await send()
    assert.equal(await send(), sharedSecret)
    const { body: listed } = await service.call<{ records: ShownRegistration[] }>('GET', REGISTRATIONS, FIRM)
    assert.equal(listed.records.length, 1)
    registration = { ...(listed.records[0] ?? assert.fail()), sharedSecret: sharedSecret ?? '' }
    const after = await get(REGISTRATIONS_PAGE)
    assert.match(after.words, /127\.0\.0\.1:\d+\/hooks .* 2 of 45 types/)
    assert.doesNotMatch(after.text, /whsec_/)
  })

  it('asks with the consequence, then rotates or deletes; a test leads to its delivery', async () => {
    const other = await aRegistration(service, 'http://127.0.0.1:1/other', ['SECRET_EXPIRY'], FIRM)
    const { registrationId: id } = other
    const rotate = await get(`${REGISTRATIONS_PAGE}?rotate=${id}`)
    assert.match(rotate.words, /Rotate the secret\? .* Make a new secret and show it/)
    const rotated = await post(REGISTRATIONS_PAGE, { do: 'rotate', id, key: fieldOf(rotate, 'key') })
    assertWhole(rotated)
    assert.match(rotated.words, /It is not shown again\. whsec_/)
    assert.ok(!rotated.text.includes(other.sharedSecret))
    const test = await post(REGISTRATIONS_PAGE, { do: 'test', id, key: 'a test' })
    assert.match(test.headers.get('location') ?? '', /^\/console\/deliveries\/[0-9a-f-]{36}$/)
    const remove = await get(`${REGISTRATIONS_PAGE}?delete=${id}`)
    assert.match(remove.words, /Delete http:\/\/127\.0\.0\.1:1\/other and its deliveries/)
    assert.equal((await post(REGISTRATIONS_PAGE, { do: 'delete', id })).headers.get('location'), REGISTRATIONS_PAGE)
    assert.equal((await get(`${REGISTRATIONS_PAGE}?delete=${id}`)).status, 404)
    assertWhole(await post(REGISTRATIONS_PAGE, { do: 'delete', id }), 404)
  })
})

describe('deliveries', () => {
  before(async () => {
    const made = await aWorkspace(service, { titleNumber: 'NF100001' })
    workspaceId = made.workspaceId
    await drain(service)
  })

  it('lists them with the last answer, and finds those that match', async () => {
    const shown = await get(LIST)
    assertWhole(shown)
    assert.match(shown.words, /0 % were delivered at the first try/)
    assert.match(shown.words, /WORKSPACE_PARTICIPANT_ADDED .*? Failed next .*? 503 in \d+ ms/)
    assert.match(shown.words, /TITLE_NOT_FOUND .*? On its way/)
    const rows = async (query: string) => (await get(`${LIST}?${query}`)).text.match(/id="delivery-/g)?.length ?? 0
    const today = new Date().toISOString().slice(0, 10)
    assert.equal(await rows(`workspace_id=${workspaceId}&created_since=2020-06-01&created_before=${today}`), 2)
    assert.equal(await rows('type=TITLE_NOT_FOUND'), 1)
    assert.equal(await rows('status=DEAD'), 0)
    const refused = await get(`${LIST}?workspace_id=x&created_since=never`)
    assertWhole(refused, 400)
    assert.match(refused.text, /<a href="#workspace_id">.*<a href="#created_since">/s)
    assert.match((await get(`${LIST}?type=SECRET_EXPIRY`)).words, /No delivery fits/)
  })

  it('shows one with its bytes and its attempts, and what waits behind it', async () => {
    const [first, second] = await deliveriesOf(service, registration, FIRM)
    const one = await get(`${LIST}/${first?.notificationId}`)
    assertWhole(one)
    assert.match(one.words, /1 delivery waits behind this one, because order is kept within a matter/)
    const [received] = receiver.received
    assert.ok(one.text.includes((received?.body ?? '?').replaceAll('"', '&quot;')))
    assert.ok(one.text.includes(`webhook-signature: ${received?.headers['webhook-signature']}`))
    assert.ok(one.text.includes('&lt;b&gt;later&lt;/b&gt;'), 'an answer is text, never markup')
    const two = await get(`${LIST}/${second?.notificationId}`)
    assert.match(two.text, new RegExp(`waits for <a href="${LIST}/${first?.notificationId}">`))
    assert.match(two.words, /It was not attempted yet/)
    for (const id of [UNKNOWN_ID, 'x']) assert.equal((await get(`${LIST}/${id}`)).status, 404)
  })

  it('sends again all that failed and match, counted first', async () => {
    const asked = await get(`${LIST}?registration_id=${registration.registrationId}&retry=yes`)
    assertWhole(asked)
    assert.match(asked.words, /1 delivery that failed matches the filter\. .* Send 1 delivery again now/)
    status = 204
    const form = { registration_id: registration.registrationId, key: fieldOf(asked, 'key') }
    const location = (await post(LIST, form)).headers.get('location') ?? ''
    assert.equal(location, `${LIST}?registration_id=${registration.registrationId}&sent=1`)
    await drain(service)
    const after = await get(location)
    assert.match(after.words, /1 delivery sent again/)
    assert.match(after.words, /50 % were delivered at the first try/)
    assert.match((await get(`${LIST}?retry=yes`)).words, /Nothing that matches has failed/)
    const [first] = await deliveriesOf(service, registration, FIRM)
    const refused = await post(`${LIST}/${first?.notificationId}`, { key: 'again' })
    assertWhole(refused, 409)
    assert.match(refused.words, /already delivered/)
  })
})

describe('the check of a signature', () => {
  it('starts with what was sent, and names each mistake', async () => {
    const [first] = await deliveriesOf(service, registration, FIRM)
    const prefilled = await get(`${BENCH}?delivery=${first?.notificationId}`)
    assertWhole(prefilled)
    const [received] = receiver.received
    assert.ok(prefilled.text.includes((received?.body ?? '?').replaceAll('"', '&quot;')))
    const { body = '', headers: seen = {} } = received ?? {}
    const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature']
    const headers = names.map((name) => `${name}: ${seen[name]}`).join('\r\n')
    const secret = registration.sharedSecret
    const late = new Date((Number(seen['webhook-timestamp']) + 420) * 1_000).toISOString()
    const good = { secret, headers, body }
    for (const [change, expected] of [
      [{}, /The signature is right This is a delivery of the type WORKSPACE_PARTICIPANT_ADDED/],
      [{ headers: JSON.stringify(seen, null, 2) }, /The signature is right/],
      [{ seenAt: late }, /It is too old .* 420 s, .* too-old/],
      [{ secret: secret.slice(6) }, /secret-without-prefix/],
      [{ secret: `whsec_${secret}` }, /secret-prefix-doubled/],
      [{ headers: '' }, /A header is missing/],
      [{ body: JSON.stringify(JSON.parse(body), null, 2) }, /body-changed/],
      [{ body: body.replace('WORKSPACE', 'MATTER') }, /signature-mismatch/],
      [{ seenAt: 'noon' }, /The time must be written like/],
    ] as const) {
      const shown = await post(BENCH, { ...good, ...change })
      assert.match(shown.words, expected)
      assert.equal(shown.text.match(/<h1/g)?.length, 1)
    }
  })
})

describe('listeners', () => {
  const FEED = '/partner/api/notification/v1/events'

  it('are shown with what to do if there is none, and get an event again', async () => {
    assert.match((await get(LISTENERS)).words, /Nobody listens\. Try npx lodgeway listen/)
    const listening = await service.call<{ nextCursor: string }>('GET', `${FEED}?after=now&listener=<laptop>`, FIRM)
    const [one] = await deliveriesOf(service, registration, FIRM)
    assert.ok(one)
    const { eventId } = one
    assert.match((await get(`${LIST}/${one.notificationId}`)).text, new RegExp(`${LISTENERS}\\?event_id=${eventId}`))
    const shown = await get(`${LISTENERS}?event_id=${eventId}`)
    assertWhole(shown)
    assert.match(shown.words, /&lt;laptop&gt; connected/)
    assert.match(shown.text, new RegExp(`value="${eventId}"`))
    const form = { event_id: eventId, listener: '<laptop>', key: fieldOf(shown, 'key') }
    const refused = await post(LISTENERS, { ...form, event_id: UNKNOWN_ID })
    assertWhole(refused, 404)
    assert.match(refused.text, /<a href="#event_id">There is no such event/)
    const location = (await post(LISTENERS, form)).headers.get('location') ?? ''
    assert.match((await get(location)).words, /&lt;laptop&gt; gets the event again/)
    await eventually(async () => {
      const path = `${FEED}?after=${listening.body.nextCursor}&listener=<laptop>`
      const { body } = await service.call<{ records: { id: string }[] }>('GET', path, FIRM)
      return body.records.some(({ id }) => id === eventId)
    })
  })
})

describe('figures', () => {
  const FIGURES = '/console/figures'

  it('are not there before the first night, and then each is a plot with a table and a file', async () => {
    assert.match((await console.get(FIGURES)).words, /Nothing was counted yet/)
    const { db, clock } = service.deps
    await computeFigures(db, new Date(clock.now().getTime() + 86_400_000))
    const shown = await console.get(FIGURES)
    assertWhole(shown)
    assert.match(shown.words, /Open matters by status 1 matter is open at the end of .*, 1 of them being prepared\./)
    assert.match(shown.words, /Who was waited for The law firm took 100 % of all waiting/)
    assert.match(shown.words, /How fast receivers answered 2 deliveries, 50 % delivered at the first try/)
    assert.match(shown.words, /No matter was registered in this time\..* The registry asked nothing\./)
    for (const name of ['matters-by-status', 'waiting', 'deliveries']) {
      assert.match(shown.text, new RegExp(`href="${FIGURES}/${name}" download`))
    }
    const file = await console.get(`${FIGURES}/waiting`)
    assert.match(file.text, /^who,days,share\r\nLAW_FIRM,/)
    assert.match(file.headers.get('content-disposition') ?? '', /filename="waiting.csv"/)
    assert.equal((await console.get(`${FIGURES}/weather`)).status, 404)
    assert.equal((await console.get(FIGURES, 'Dev')).status, 403)
  })
})

describe('the pages about webhooks', () => {
  it('are for developers, and show when the service fails', async () => {
    for (const path of [LIST, REGISTRATIONS_PAGE, LISTENERS, BENCH, `${LIST}/${UNKNOWN_ID}`]) {
      const refused = await console.get(path, 'Sam')
      assert.equal(refused.status, 403)
      assert.match(refused.words, /It is for developers/)
    }
    console.failing(/notification/, 503)
    assert.equal((await get(LIST)).status, 503)
    console.failing(/notification/, 0)
  })
})
