import assert from 'node:assert/strict'
import { it } from 'node:test'
import { attributesOf, startCollector } from './fakes/collector.ts'
import { nineOn } from './fixtures/payments.ts'
import { aPreparedMatter, authorise, setClock } from './fixtures/schedules.ts'
import { testService } from './fixtures/service.ts'
import { aReceiver, aRegistration } from './fixtures/webhooks.ts'

const TRACE_ID = '4bf92f3577b34da6a3ce929d0e0e4736'
const CALLER = '00f067aa0ba902b7'

it('one trace leads from a request over its jobs, the bank and the registry to the webhooks', async () => {
  const collector = await startCollector()
  const service = await testService({ env: { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url } })
  const receiver = await aReceiver()
  await aRegistration(service, receiver.url, ['WORKSPACE_FUNDS_EXCHANGED', 'LODGEMENT_SUBMITTED'])
  const matter = await aPreparedMatter(service)
  const headers = { traceparent: `00-${TRACE_ID}-${CALLER}-01`, 'x-request-correlation-id': 'corr-1' }
  await authorise(service, matter.workspaceId, matter, { headers })
  await setClock(service, nineOn(matter)) // another request, which is not part of it
  await receiver.until(2, 30_000)
  await service.stop()
  await collector.stop()

  const spans = collector.spans()
  const nameOf = (spanId: string | undefined) =>
    spanId === CALLER ? 'the caller' : spans.find((one) => one.spanId === spanId)?.name
  const steps = spans
    .filter(({ traceId }) => traceId === TRACE_ID)
    .map(({ name, parentSpanId }) => `${nameOf(parentSpanId)} → ${name}`)
  const authorisation = 'POST /partner/api/platformconnect/v1/workspaces/:workspace_id/funds-authorisation'
  for (const step of [
    `the caller → ${authorisation}`,
    `${authorisation} → process settlement.pay`,
    'process settlement.pay → payments pay',
    'process settlement.pay → deliver WORKSPACE_FUNDS_EXCHANGED',
    'process settlement.pay → process lodgement.submit',
    'process lodgement.submit → registry lodge',
    'process lodgement.submit → deliver LODGEMENT_SUBMITTED',
    'process lodgement.submit → process lodgement.watch',
    'process lodgement.watch → registry notices',
  ])
    assert.ok(steps.includes(step), `${step} is not among\n${steps.join('\n')}`)

  const delivered = spans.find(({ name }) => name === 'deliver LODGEMENT_SUBMITTED')
  assert.deepEqual(
    delivered?.links.map(({ spanId }) => nameOf(spanId)),
    ['process notifications.deliver'],
  )
  assert.partialDeepStrictEqual(attributesOf(delivered), {
    'http.response.status_code': 204,
    'lodgeway.correlation_id': 'corr-1',
  })
  assert.ok(
    receiver.received.every((one) => one.headers['traceparent'] === undefined),
    'it stays within the service',
  )
})
