import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { batchOf } from '../src/auth/limit.ts'
import { eventually } from './fixtures/eventually.ts'
import { PARTNER, type TestService, testService } from './fixtures/service.ts'

// Several nodes on one database, and how one leaves.

const REPORT = `${PARTNER}/reports/report-workspacesummary-todate/content`
const PER_MINUTE = 900
let first: TestService
let second: TestService
before(async () => {
  const limit = { RATE_LIMIT_PER_MINUTE: String(PER_MINUTE) }
  first = await testService({ env: limit })
  const { DATABASE_URL = '', DATABASE_OWNER_URL = '', DATA_DIR = '', PORT = '' } = first.env
  const shared = { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR, PUBLIC_URL: `http://127.0.0.1:${PORT}` }
  second = await testService({ env: { ...shared, ...limit }, worker: false })
})

describe('two nodes', () => {
  it('accept each other’s tokens', async () => {
    const authorization = `Bearer ${await first.tokenOf('sandbox-lender')}`
    assert.equal((await second.call('GET', REPORT, { headers: { authorization } })).status, 200)
  })

  it('both follow maintenance within 2 seconds', async () => {
    const headers = { authorization: `Bearer ${await first.tokenOf('sandbox-lender')}` }
    for (const [enabled, status] of [
      [true, 503],
      [false, 200],
    ] as const) {
      await first.call('POST', '/sandbox/v1/maintenance', { json: { enabled } })
      const follows = async (node: TestService) => (await node.call('GET', REPORT, { headers })).status === status
      await Promise.all([first, second].map((node) => eventually(() => follows(node), 2_000)))
    }
  })

  it('both inject faults within 2 seconds', async () => {
    const json = { faults: [{ kind: 'TOO_MANY' }], seconds: 10 }
    await first.call('PUT', '/sandbox/v1/faults/sandbox-lender', { json })
    const headers = { authorization: `Bearer ${await first.tokenOf('sandbox-lender')}` }
    await eventually(async () => (await second.call('GET', REPORT, { headers })).status === 429, 2_000)
    await second.call('DELETE', '/sandbox/v1/faults/sandbox-lender')
    await eventually(async () => (await first.call('GET', REPORT, { headers })).status === 200, 2_000)
  })

  it('share the rate limit of a client, give or take a batch each', async (t) => {
    const headers = { authorization: `Bearer ${await first.tokenOf('sandbox-other-firm')}` }
    const began = performance.now()
    let admitted = 0
    const send = async (node: TestService) => {
      for (let sent = 0; sent < 300; sent++) {
        const answer = await fetch(node.url + REPORT, { headers })
        await answer.body?.cancel()
        if (answer.headers.has('ratelimit') && answer.status !== 429) admitted++
      }
    }
    await Promise.all([first, second, first, second].map(send))
    if (performance.now() - began > 59_000) return t.skip('The machine is too busy: the minute is over.')
    const batch = batchOf(PER_MINUTE)
    const [least, most] = [PER_MINUTE - batch, PER_MINUTE + 2 * batch]
    assert.ok(admitted >= least && admitted <= most, `${admitted} were admitted, not ${least} to ${most}`)
  })

  it('keep one idempotency key between them', async () => {
    const sent = { json: { kind: 'LENDER', name: 'Two Nodes Bank' }, headers: { 'idempotency-key': 'both' } }
    const here = await first.call('POST', '/sandbox/v1/subscribers', sent)
    const there = await second.call('POST', '/sandbox/v1/subscribers', sent)
    assert.deepEqual(there.body, here.body)
  })
})

describe('an overloaded node, which then gets the signal to stop', () => {
  const begun = Promise.withResolvers<void>()
  let node: TestService
  before(async () => {
    node = await testService({
      worker: false,
      extra: (app) => {
        const open = { method: 'GET', config: { scope: 'none', undocumented: true } } as const
        app.route({
          ...open,
          url: '/hog',
          handler: async () => {
            const until = performance.now() + 1_600
            while (performance.now() < until);
            return {}
          },
        })
        app.route({
          ...open,
          url: '/slow',
          handler: async () => {
            begun.resolve()
            await delay(1_000)
            return { done: true }
          },
        })
      },
    })
  })

  it('answers 503 with Retry-After, and still reports that it is alive', async () => {
    const token = await node.tokenOf('sandbox-lender')
    await delay(5_000) // the start itself does not count
    await Promise.all(Array.from({ length: 3 }, () => fetch(`${node.url}/hog`)))
    const answer = await fetch(node.url + REPORT, { headers: { authorization: `Bearer ${token}` } })
    assert.equal(answer.status, 503)
    assert.ok(Number(answer.headers.get('retry-after')) > 0)
    assert.equal((await node.call('GET', '/livez')).status, 200)
    await eventually(async () => (await node.call('GET', REPORT, { as: 'sandbox-lender' })).status === 200)
  })

  it('finishes the requests that it has begun and accepts no new ones', async () => {
    const running = fetch(`${node.url}/slow`)
    await begun.promise
    const stopped = node.stop()
    const answer = await running
    assert.deepEqual([answer.status, await answer.json()], [200, { done: true }])
    await stopped
    await assert.rejects(fetch(`${node.url}/livez`))
  })
})

describe('a node behind a proxy that gets the signal to stop', () => {
  it('first says that it is not ready, and answers until its proxy has noticed', async () => {
    const { DATABASE_URL = '', DATABASE_OWNER_URL = '', DATA_DIR = '' } = first.env
    const env = { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR, LEAVE_SECONDS: '3' }
    const node = await testService({ env, worker: false })
    const headers = { authorization: `Bearer ${await node.tokenOf('sandbox-lender')}` }
    const stopped = node.stop()
    assert.equal((await node.call('GET', '/readyz')).status, 503)
    const answer = await node.call('GET', REPORT, { headers })
    assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close'])
    await stopped
    await assert.rejects(fetch(`${node.url}/livez`))
  })
})

describe('a service', () => {
  it('does not start with a route that declares no scope', async () => {
    const extra: NonNullable<Parameters<typeof testService>[0]>['extra'] = (app) => {
      app.route({ method: 'GET', url: '/open-to-all', handler: () => ({}) })
    }
    await assert.rejects(testService({ worker: false, extra }), /open-to-all declares no scope/)
  })

  it('serves its own description and a page that loads nothing from elsewhere', async () => {
    const document = (await (await fetch(`${first.url}/openapi.json`)).json()) as { openapi: string }
    assert.match(document.openapi, /^3\.1/)
    const page = await fetch(`${first.url}/docs`)
    const html = await page.text()
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.doesNotMatch(html, /<(script|link|img)[^>]+(src|href)="http/)
    assert.match(html, /getReportContent|Retrieve a report/)
  })
})
