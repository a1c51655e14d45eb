import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { pino } from 'pino'
import { attributesOf, type Collector, startCollector } from '../../../test/fakes/collector.ts'
import { createApp } from '../http/http.ts'
import { job } from '../jobs/queue.ts'
import { startTelemetry, type Telemetry } from './telemetry.ts'

const log = pino({ enabled: false })
const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`

describe('startTelemetry', () => {
  let collector: Collector
  let telemetry: Telemetry

  before(async () => {
    collector = await startCollector()
    telemetry = await startTelemetry({ endpoint: collector.url, log })
  })
  after(() => collector.stop())

  it('sends a span for each request, in the trace of its caller, and for each job', async () => {
    const app = await createApp({ log, trustProxy: false })
    telemetry.addRequestSpans(app)
    app.post('/things/:id', { config: { scope: 'none' } }, async () => ({}))
    app.get('/broken', { config: { scope: 'none' } }, async () => {
      throw new Error('Ann Smith')
    })
    const url = await app.listen({ port: 0, host: '127.0.0.1' })
    const headers = {
      traceparent: TRACEPARENT,
      'content-type': 'application/json',
      'x-request-correlation-id': 'corr-1',
    }
    await fetch(`${url}/things/7?postcode=BS1`, { method: 'POST', headers, body: '{"surname":"Smith"}' })
    await fetch(`${url}/broken`)
    await fetch(`${url}/nowhere`)
    await app.close()

    const watched = telemetry.watchJob(job({ name: 'test.note', transactional: false, run: async () => {} }))
    await watched.run({ correlationId: 'corr-1', now: new Date(), signal: new AbortController().signal } as never, {})
    await telemetry.stop()

    const spans = new Map(collector.spans().map((span) => [span.name, span]))
    assert.deepEqual([...spans.keys()].sort(), ['GET', 'GET /broken', 'POST /things/:id', 'process test.note'])
    const posted = spans.get('POST /things/:id')
    assert.partialDeepStrictEqual(posted, { traceId: TRACE_ID, parentSpanId: '00f067aa0ba902b7' })
    assert.deepEqual(attributesOf(posted), {
      'http.request.method': 'POST',
      'http.route': '/things/:id',
      'http.response.status_code': 200,
      'url.path': '/things/7',
      'url.scheme': 'http',
      'lodgeway.correlation_id': 'corr-1',
    })
    assert.equal(attributesOf(spans.get('process test.note'))['lodgeway.correlation_id'], 'corr-1')
    assert.equal(attributesOf(spans.get('GET /broken'))['error.type'], '500')
    assert.notEqual(spans.get('GET /broken')?.traceId, TRACE_ID)
    assert.ok(!/Smith|BS1/.test(collector.text()))
    assert.match(collector.text(), /"service.name","value":\{"stringValue":"lodgeway"/)
  })

  it('begins another trace, with a link, for a job whose trace is more than a day old', async () => {
    const traced = await startTelemetry({ endpoint: collector.url, log })
    const watched = traced.watchJob(job({ name: 'test.late', transactional: false, run: async () => {} }))
    for (const hours of [23, 25]) {
      const trace = { parent: TRACEPARENT, beganAt: Date.now() - hours * 3_600_000 }
      const context = { correlationId: `${hours}`, now: new Date(), signal: new AbortController().signal, trace }
      await watched.run(context as never, {})
    }
    await traced.stop()
    const [recent, late] = collector.spans().filter(({ name }) => name === 'process test.late')
    assert.partialDeepStrictEqual(recent, { traceId: TRACE_ID, parentSpanId: '00f067aa0ba902b7', links: [] })
    assert.notEqual(late?.traceId, TRACE_ID)
    assert.deepEqual([late?.parentSpanId, late?.links[0]?.traceId], [undefined, TRACE_ID])
  })

  it('does not load OpenTelemetry if no endpoint is set', async () => {
    assert.deepEqual(await loadedFor(undefined), [])
    assert.ok((await loadedFor('http://127.0.0.1:1')).length > 0)
  })

  it('stops soon even if nobody receives the traces', async () => {
    const lonely = await startTelemetry({ endpoint: 'http://127.0.0.1:1', log })
    const watched = lonely.watchJob(job({ name: 'test.note', transactional: false, run: async () => {} }))
    await watched.run({ correlationId: 'c', now: new Date(), signal: new AbortController().signal } as never, {})
    const began = performance.now()
    await lonely.stop()
    assert.ok(performance.now() - began < 4_000)
  })
})

/** The modules of OpenTelemetry that a process has loaded after starting telemetry. */
async function loadedFor(endpoint: string | undefined): Promise<string[]> {
  const script = `
    const { registerHooks } = await import('node:module')
    const loaded = []
    registerHooks({ load(url, context, next) { loaded.push(url); return next(url, context) } })
    const { startTelemetry } = await import(${JSON.stringify(new URL('telemetry.ts', import.meta.url).href)})
    await startTelemetry({ endpoint: ${JSON.stringify(endpoint)}, log: { warn() {} } })
    process.stdout.write(JSON.stringify(loaded.filter((url) => url.includes('@opentelemetry'))))
    process.exit()`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script])
  return JSON.parse(stdout)
}
