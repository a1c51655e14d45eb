import { randomUUID } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import {
  type Attributes,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
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
import type { Job } from '../jobs/queue.ts'
import type { Telemetry, TelemetryOptions } from './telemetry.ts'

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

  return {
    addRequestSpans: (app) => addRequestSpans(app, tracer),
    watchJob: (job) => traced(job, tracer),
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
  app.addHook('onRequest', (request, reply, done) => {
    const span = startRequestSpan(request, tracer)
    reply.raw.once('close', () => endRequestSpan(span, reply.raw))
    done()
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
  const parent = propagator.extract(ROOT_CONTEXT, request.headers, defaultTextMapGetter)
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

function traced(job: Job, tracer: Tracer): Job {
  const run: Job['run'] = async (context: Parameters<Job['run']>[0], payload: object) => {
    const span = startJobSpan(job.name, context, tracer)
    try {
      await job.run(context as never, payload)
    } catch (error) {
      markFailed(span, error instanceof Error ? error.name : 'unknown')
      throw error
    } finally {
      span.end()
    }
  }
  return { ...job, run }
}

function startJobSpan(name: string, { correlationId }: { correlationId: string }, tracer: Tracer): Span {
  const attributes: Attributes = {
    'messaging.system': 'pg-boss',
    'messaging.operation.type': 'process',
    'messaging.destination.name': name,
    'lodgeway.correlation_id': correlationId,
  }
  return tracer.startSpan(`process ${name}`, { kind: SpanKind.CONSUMER, attributes }, ROOT_CONTEXT)
}

// Only the kind of the error: its message may quote data.
function markFailed(span: Span, kind: string): void {
  span.setAttribute('error.type', kind)
  span.setStatus({ code: SpanStatusCode.ERROR })
}
