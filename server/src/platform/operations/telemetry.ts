import type { Logger } from 'pino'
import type { App } from '../http/http.ts'
import type { Job } from '../jobs/queue.ts'

/** Traces of requests, as part of the caller's trace, and of jobs. When it is off, these functions do nothing. */
export type Telemetry = {
  /** Must be added before any hook that may be slow. */
  addRequestSpans(app: App): void
  /** The same job with a span around each run. */
  watchJob(job: Job): Job
  /** Sends the remaining traces. */
  stop(): Promise<void>
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
  if (endpoint === undefined) return OFF
  const { startTracing } = await import('./telemetry-otlp.ts')
  return startTracing({ endpoint, ratio, log })
}

const OFF: Telemetry = {
  addRequestSpans() {},
  watchJob: (job) => job,
  stop: async () => {},
}
