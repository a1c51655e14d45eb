import type { Logger } from 'pino'
import type { App } from '../http/http.ts'
import type { Job } from '../jobs/queue.ts'

/**
 * Traces: a span for each request, each run of a job, each call of a port and each delivery, all that one request caused in
 * its caller's trace. When it is off, these functions do nothing.
 */
export type Telemetry = {
  /** Must be added before any hook that may be slow. */
  addRequestSpans(app: App): void
  /** The same job with a span around each run. */
  watchJob(job: Job): Job
  /** The same port with a span around each call. */
  watchPort<Port extends object>(name: string, port: Port): Port
  watchCall<T>(call: Call<T>, work: () => Promise<T>): Promise<T>
  /** Sends the remaining traces. */
  stop(): Promise<void>
}

/** A call to a system of somebody else. It never gets the trace: that would link what different subscribers do. */
export type Call<T> = {
  name: string
  /** The span that caused it, if not the present one. */
  parent?: string
  attributes?: Readonly<Record<string, string>>
  resultOf?(result: T): { status?: number | undefined; isFailed: boolean }
}

export type TelemetryOptions = {
  /** The OTLP endpoint over HTTP, such as `http://127.0.0.1:4318`. Headers and other options are `OTEL_*` settings. */
  endpoint: string | undefined
  /** The share of traces that are recorded if the caller has not decided, from 0 to 1. */
  ratio?: number
  log: Pick<Logger, 'warn'>
}

/** OpenTelemetry is loaded only if an endpoint is set. */
export async function startTelemetry({ endpoint, ratio = 1, log }: TelemetryOptions): Promise<Telemetry> {
  if (endpoint === undefined) return NO_TELEMETRY
  const { startTracing } = await import('./telemetry-otlp.ts')
  return startTracing({ endpoint, ratio, log })
}

export const NO_TELEMETRY: Telemetry = {
  addRequestSpans() {},
  watchJob: (job) => job,
  watchPort: (_, port) => port,
  watchCall: (_, work) => work(),
  stop: async () => {},
}
