import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Attributes,
  defaultTextMapGetter,
  defaultTextMapSetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace as spans,
  type Tracer,
} from '@opentelemetry/api'
import { setGlobalErrorHandler, W3CTraceContextPropagator } from '@opentelemetry/core'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { FastifyRequest } from 'fastify'
import server from '../../../package.json' with { type: 'json' }
import type { App } from '../http/http.ts'
import type { Job, JobContext } from '../jobs/queue.ts'
import type { Call, Telemetry, TelemetryOptions } from './telemetry.ts'
import { inTrace, presentTrace, type Trace } from './trace.ts'

const STOP_MS_MAX = 3_000

const propagator = new W3CTraceContextPropagator()

/** Used only by `startTelemetry`, so that the packages above are loaded only when they are needed. */
export function startTracing({ endpoint, ratio, log }: Required<TelemetryOptions> & { endpoint: string }): Telemetry {
  setGlobalErrorHandler((error) => log.warn({ err: error }, 'Traces could not be sent.'))
  const exporter = new OTLPTraceExporter({ url: `${endpoint.replace(/\/$/, '')}/v1/traces` })
  const provider = new TracerProvider({
    resource: describeService(),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    spanProcessors: [new BatchSpanProcessor({ exporter })],
  })
  const tracer = provider.getTracer('lodgeway', server.version)

  const watchCall: Telemetry['watchCall'] = (call, work) => watched(call, work, tracer)
  return {
    addRequestSpans: (app) => addRequestSpans(app, tracer),
    watchJob: (job) => traced(job, tracer),
    watchPort: (name, port) =>
      new Proxy(port, {
        get(target, key) {
          const value = Reflect.get(target, key)
          if (typeof value !== 'function') return value
          return (...given: unknown[]) =>
            watchCall({ name: `${name} ${String(key)}` }, async () => value.apply(target, given))
        },
      }),
    watchCall,
    async stop() {
      await Promise.race([provider.shutdown(), delay(STOP_MS_MAX, undefined, { ref: false })])
    },
  }
}

/** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` override these values. */
function describeService() {
  const own = { 'service.name': 'lodgeway', 'service.version': server.version, 'service.instance.id': randomUUID() }
  return resourceFromAttributes(own).merge(detectResources({ detectors: [envDetector] }))
}

function addRequestSpans(app: App, tracer: Tracer): void {
  const traces = new WeakMap<FastifyRequest, Trace>()
  app.addHook('onRequest', (request, reply, done) => {
    const span = startRequestSpan(request, tracer)
    reply.raw.once('close', () => endRequestSpan(span, reply.raw))
    const trace = { parent: traceparentOf(span), beganAt: Date.now() }
    traces.set(request, trace)
    inTrace(trace, done)
  })
  // Again, because what follows a body is called by the events of its connection.
  app.addHook('preValidation', (request, _, done) => {
    const trace = traces.get(request)
    if (trace) inTrace(trace, done)
    else done()
  })
}

// Without query and headers, which may name people.
function startRequestSpan(request: FastifyRequest, tracer: Tracer): Span {
  const { url: route } = request.routeOptions
  const attributes: Attributes = {
    'http.request.method': request.method,
    'url.path': request.url.split('?', 1)[0],
    'url.scheme': request.protocol,
    'lodgeway.correlation_id': request.id,
    ...(route === undefined ? {} : { 'http.route': route }),
  }
  const name = route === undefined ? request.method : `${request.method} ${route}`
  // The console calls this process itself.
  const parent = propagator.extract(contextOf(presentTrace()?.parent), request.headers, defaultTextMapGetter)
  return tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
}

function endRequestSpan(
  span: Span,
  { statusCode, writableFinished }: { statusCode: number; writableFinished: boolean },
) {
  if (writableFinished) span.setAttribute('http.response.status_code', statusCode)
  else span.setAttribute('error.type', 'aborted') // by the client, so it is not our error
  if (writableFinished && statusCode >= 500) markFailed(span, String(statusCode))
  span.end()
}

/** After this time a job that was planned long ahead, or plans itself again and again, begins a trace of its own. */
const TRACE_MS_MAX = 86_400_000

function traced(job: Job, tracer: Tracer): Job {
  const run: Job['run'] = (context: Parameters<Job['run']>[0], payload: object) => {
    const now = Date.now()
    const { trace } = context
    const isContinued = trace !== undefined && now - trace.beganAt < TRACE_MS_MAX
    const span = startJobSpan(job.name, context, isContinued, tracer)
    const beganAt = isContinued ? trace.beganAt : now
    return within(span, beganAt, () => job.run(context as never, payload))
  }
  return { ...job, run }
}

function startJobSpan(
  name: string,
  { correlationId, trace }: Pick<JobContext, 'correlationId' | 'trace'>,
  isContinued: boolean,
  tracer: Tracer,
): Span {
  const attributes: Attributes = {
    'messaging.system': 'pg-boss',
    'messaging.operation.type': 'process',
    'messaging.destination.name': name,
    'lodgeway.correlation_id': correlationId,
  }
  const options = { kind: SpanKind.CONSUMER, attributes, links: isContinued ? [] : linksTo(trace?.parent) }
  return tracer.startSpan(`process ${name}`, options, contextOf(isContinued ? trace?.parent : undefined))
}

/** Where it belongs to another trace than the present work, it links to this. */
function watched<T>(call: Call<T>, work: () => Promise<T>, tracer: Tracer): Promise<T> {
  const { name, attributes = {}, parent, resultOf } = call
  const present = presentTrace()
  const links = parent === undefined ? [] : linksTo(present?.parent)
  const span = tracer.startSpan(
    name,
    { kind: SpanKind.CLIENT, attributes, links },
    contextOf(parent ?? present?.parent),
  )
  return within(span, present?.beganAt ?? Date.now(), async () => {
    const result = await work()
    const { status, isFailed } = resultOf?.(result) ?? { isFailed: false }
    if (status !== undefined) span.setAttribute('http.response.status_code', status)
    if (isFailed) markFailed(span, String(status ?? 'unreachable'))
    return result
  })
}

async function within<T>(span: Span, beganAt: number, work: () => Promise<T>): Promise<T> {
  try {
    return await inTrace({ parent: traceparentOf(span), beganAt }, work)
  } catch (error) {
    markFailed(span, error instanceof Error ? error.name : 'unknown')
    throw error
  } finally {
    span.end()
  }
}

function traceparentOf(span: Span): string {
  const carrier: { traceparent?: string } = {}
  propagator.inject(spans.setSpan(ROOT_CONTEXT, span), carrier, defaultTextMapSetter)
  return carrier.traceparent ?? ''
}

const contextOf = (traceparent: string | undefined) =>
  propagator.extract(ROOT_CONTEXT, { traceparent }, defaultTextMapGetter)

const linksTo = (traceparent: string | undefined) => {
  const context = spans.getSpanContext(contextOf(traceparent))
  return context ? [{ context }] : []
}

// Only the kind of the error: its message may quote data.
function markFailed(span: Span, kind: string): void {
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
