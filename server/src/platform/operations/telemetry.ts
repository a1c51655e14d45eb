import type { Logger } from 'pino'
import type { App } from '../http/http.ts'
import type { Job } from '../jobs/queue.ts'

/** Traces of requests, in the trace of their caller, and of jobs. Off, it is this same shape doing nothing, so that nobody has to ask. */
export type Telemetry = {
  /** Added before any other hook that may be slow. */
  addRequestSpans(app: App): void
  /** The same job, a span around each of its runs. */
  watchJob(job: Job): Job
  /** Sends what is still to be sent. */
  stop(): Promise<void>
}

export type TelemetryOptions = {
  /** Where OTLP over HTTP is taken, such as `http://127.0.0.1:4318`. Its headers and the like are `OTEL_*` settings. */
  endpoint: string | undefined
  /** The share of traces that are kept where the caller has not decided, from 0 to 1. */
  ratio?: number
  log: Pick<Logger, 'warn'>
}

/** OpenTelemetry is loaded only where it is asked for. */
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
