import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { eventually } from '../../../test/fixtures/eventually.ts'
import { PERSONAL_KEYS } from '../../personal-data.ts'
import { type App, createApp } from '../http/http.ts'
import { job } from '../jobs/queue.ts'
import { createLogger } from './log.ts'
import { addRequestMetrics, createMetrics, type Metrics } from './metrics.ts'

const lines: Record<string, unknown>[] = []
const log = createLogger({
  level: 'info',
  personalKeys: PERSONAL_KEYS,
  destination: { write: (line) => void lines.push(JSON.parse(line)) },
})

describe('addRequestMetrics', () => {
  let app: App
  let metrics: Metrics
  let url: string
  let draining = false
  const asked = Promise.withResolvers<void>()
  const mayAnswer = Promise.withResolvers<void>()

  before(async () => {
    metrics = createMetrics()
    app = await createApp({ log, trustProxy: false, isDraining: () => draining })
    addRequestMetrics(app, metrics)
    app.get('/things/:id', { config: { scope: 'view:workspaces' } }, async () => ({ ok: true }))
    app.get('/slow', { config: { scope: 'none' } }, async () => {
      asked.resolve()
      await mayAnswer.promise
      return {}
    })
    const open = { config: { scope: 'none' } }
    const large = 'x'.repeat(32 * 1024 * 1024)
    app.post('/things', open, async ({ body }) => body)
    app.post('/large', open, async () => large)
    app.post('/stream', open, async () => Readable.from(Array.from({ length: 512 }, () => large.slice(0, 65_536))))
    app.post('/broken', open, async () =>
      Readable.from(
        (async function* () {
          yield 'x'
          await delay(10)
          throw new Error('the store is gone')
        })(),
      ),
    )
    app.register(async (scoped) => {
      scoped.addContentTypeParser('text/plain', { parseAs: 'string' }, async (_: unknown, body: string) => body)
      scoped.post('/token', open, async ({ body }) => body)
    })
    url = await app.listen({ port: 0, host: '127.0.0.1' })
  })
  after(() => app.close())

  const send = (text: string) => {
    const socket = connect(Number(new URL(url).port), '127.0.0.1', () => socket.write(text))
    return socket.on('error', () => {})
  }

  it('counts and times requests by method, route pattern and status', async () => {
    for (const id of [1, 2, 3]) await fetch(`${url}/things/${id}?postcode=BS1`)
    const labels = 'method="GET",route="/things/:id",status="200"'
    await shown(metrics, `http_request_duration_seconds_count{${labels}} 3`)
    await shown(metrics, `http_request_duration_seconds_bucket{le="30",${labels}} 3`)
    assert.ok(!(await metrics.registry.metrics()).includes('BS1'))
  })

  it('has one route for all paths that do not exist', async () => {
    for (const path of ['/wp-admin', '/.env']) await fetch(url + path)
    await shown(metrics, 'http_request_duration_seconds_count{method="GET",route="unmatched",status="404"} 2')
  })

  it('measures the refusals of a draining node', async () => {
    draining = true
    await fetch(`${url}/things/1`)
    draining = false
    await shown(metrics, 'http_request_duration_seconds_count{method="GET",route="/things/:id",status="503"} 1')
  })

  it('shows requests in flight', async () => {
    const socket = send('GET /slow HTTP/1.1\r\nHost: x\r\n\r\n')
    await asked.promise
    await shown(metrics, 'http_requests_in_flight 1')
    socket.destroy()
    await shown(metrics, 'http_requests_in_flight 0')
    mayAnswer.resolve()
    await delay(20)
    await shown(metrics, 'http_requests_in_flight 0')
    await shown(metrics, 'http_requests_aborted_total{method="GET",route="/slow"} 1')
  })

  for (const [when, path, request] of [
    ['while it sends', '/things', 'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"a":'],
    ['while it asks for a token', '/token', 'Content-Type: text/plain\r\nContent-Length: 100\r\n\r\nclient_id='],
    ['while a stored answer is read', '/large', 'Content-Length: 0\r\n\r\n'],
    ['while a streamed answer is read', '/stream', 'Content-Length: 0\r\n\r\n'],
  ] as const) {
    it(`counts a client that hangs up ${when}, logs it at info, and gives it no status`, async () => {
      lines.length = 0
      const socket = send(`POST ${path} HTTP/1.1\r\nHost: x\r\n${request}`)
      await once(app.server, 'request')
      await delay(20)
      socket.destroy()
      await shown(metrics, `http_requests_aborted_total{method="POST",route="${path}"} 1`)
      assert.deepEqual(
        lines.map(({ level, msg }) => `${level}: ${msg}`),
        ['info: the connection was closed before the answer was complete'],
      )
      assert.ok(
        !(await metrics.registry.metrics()).includes(
          `http_request_duration_seconds_count{method="POST",route="${path}"`,
        ),
      )
    })
  }

  it('logs a response that we could not complete as an error', async () => {
    lines.length = 0
    await assert.rejects(fetch(`${url}/broken`, { method: 'POST' }).then((answer) => answer.text()))
    await eventually(() => lines.some(({ level }) => level === 'error'))
  })
})

describe('createMetrics', () => {
  it('shows the process, the event loop and the version', async () => {
    const text = await createMetrics().registry.metrics()
    for (const name of [
      'process_cpu_seconds_total',
      'process_resident_memory_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ]) {
      assert.match(text, new RegExp(`^${name} `, 'm'))
    }
    assert.match(text, /^lodgeway_build_info\{version="\d+\.\d+\.\d+",node="v\d+/m)
  })

  it('shows the pool and the jobs', async () => {
    const db = { poolStats: () => ({ total: 5, idle: 2, waiting: 7 }) }
    const queue = { unfinished: async () => 4, dead: async () => 2 }
    const text = await createMetrics({ db, queue, machineClock: { aheadMs: () => 7_500 } } as never).registry.metrics()
    assert.match(text, /^db_client_connection_count\{state="idle"\} 2$/m)
    assert.match(text, /^db_client_connection_count\{state="used"\} 3$/m)
    assert.match(text, /^db_client_connection_pending_requests 7$/m)
    assert.match(text, /^jobs_unfinished 4$/m)
    assert.match(text, /^jobs_dead 2$/m)
    assert.match(text, /^clock_ahead_seconds 7\.5$/m)
  })

  it('keeps working while the database is down', async () => {
    const lost = async () => Promise.reject(new Error('lost'))
    const deps = {
      db: { poolStats: () => ({ total: 0, idle: 0, waiting: 0 }) },
      queue: { unfinished: lost, dead: lost },
    }
    const text = await createMetrics(deps as never).registry.metrics()
    assert.match(text, /^jobs_unfinished nan$/im)
  })

  it('times jobs by their outcome, and passes their errors on', async () => {
    const metrics = createMetrics()
    const context = { correlationId: 'c', now: new Date(), signal: new AbortController().signal }
    const seen: object[] = []
    const good = metrics.watchJob(
      job({ name: 'test.good', transactional: false, run: async (_, payload) => void seen.push(payload) }),
    )
    const bad = metrics.watchJob(
      job({ name: 'test.bad', transactional: false, run: () => Promise.reject(new Error('no')) }),
    )
    await good.run(context as never, { n: 1 })
    await assert.rejects(bad.run(context as never, {}), /no/)
    assert.deepEqual(seen, [{ n: 1 }])
    assert.equal(good.transactional, false)
    const text = await metrics.registry.metrics()
    assert.match(text, /job_duration_seconds_count\{job="test.good",outcome="done"\} 1/)
    assert.match(text, /job_duration_seconds_count\{job="test.bad",outcome="failed"\} 1/)
  })
})

// A response is measured when it was sent, which may be a moment after its reader has it.
async function shown(metrics: Metrics, line: string): Promise<void> {
  let lines: string[] = []
  for (let tries = 0; tries < 100 && !lines.includes(line); tries++) {
    if (tries > 0) await delay(10)
    lines = (await metrics.registry.metrics()).split('\n')
  }
  assert.ok(lines.includes(line), `${line}, but: ${lines.filter((one) => one.startsWith('http')).join('\n')}`)
}
