import type { FastifyRequest } from 'fastify'
import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import server from '../../../package.json' with { type: 'json' }
import type { Scanner } from '../clamd.ts'
import type { Deps } from '../deps.ts'
import type { App } from '../http/http.ts'
import type { Job } from '../jobs/queue.ts'
import type { MachineClock } from './machine-clock.ts'

export type Metrics = {
  registry: Registry
  observeRequest(method: string, route: string, status: number, seconds: number): void
  requestBegan(): void
  requestEnded(): void
  requestAborted(method: string, route: string): void
  /** The same job with its runs timed. */
  watchJob(job: Job): Job
  /** The same scanner with its results counted. */
  watchScanner(scanner: Scanner): Scanner
}

type Watched = Pick<Deps, 'db' | 'queue'> & { machineClock: Pick<MachineClock, 'aheadMs'> }

const REQUEST_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30]
const JOB_SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 5, 30, 120, 600]
const SCAN_OUTCOMES = ['clean', 'virus', 'failed'] as const

export function createMetrics(deps?: Watched): Metrics {
  const registry = new Registry()
  const registers = [registry]
  collectDefaultMetrics({ register: registry })
  new Gauge({
    name: 'lodgeway_build_info',
    help: 'The version that is running.',
    labelNames: ['version', 'node'],
    registers,
  })
    .labels(server.version, process.version)
    .set(1)
  const requests = new Histogram({
    name: 'http_request_duration_seconds',
    help: 'How long requests took, by the pattern of their route.',
    labelNames: ['method', 'route', 'status'],
    buckets: REQUEST_SECONDS,
    registers,
  })
  const jobs = new Histogram({
    name: 'job_duration_seconds',
    help: 'How long jobs took, and how they ended.',
    labelNames: ['job', 'outcome'],
    buckets: JOB_SECONDS,
    registers,
  })
  const aborted = new Counter({
    name: 'http_requests_aborted_total',
    help: 'Requests whose connection was closed before they were answered in full.',
    labelNames: ['method', 'route'],
    registers,
  })
  const scans = new Counter({
    name: 'file_scans_total',
    help: 'Files that were scanned for viruses, or could not be.',
    labelNames: ['outcome'],
    registers,
  })
  for (const outcome of SCAN_OUTCOMES) scans.inc({ outcome }, 0) // so that the first of a kind is seen as an increase
  let inFlight = 0
  addGauge(registry, 'http_requests_in_flight', 'Requests that are being answered.', () => inFlight)
  if (deps) watchDeps(registry, deps)

  return {
    registry,
    observeRequest: observerOf(requests),
    requestBegan: () => void inFlight++,
    requestEnded: () => void inFlight--,
    requestAborted: (method, route) => aborted.inc({ method, route }),
    watchJob: (job) => timed(job, jobs),
    watchScanner: (scanner) => counted(scanner, scans),
  }
}

/**
 * Must be added before any route. Refusals of an overloaded or draining node are measured, too. A client that hangs up is
 * not our error: it is counted and logged, and has no status.
 */
export function addRequestMetrics(app: App, metrics: Metrics): void {
  app.addHook('onRequest', (request, reply, done) => {
    metrics.requestBegan()
    // Comes after the response, and also without one.
    reply.raw.on('close', () => {
      metrics.requestEnded()
      if (reply.raw.writableFinished) return
      const route = routeOf(request)
      metrics.requestAborted(request.method, route)
      request.log.info({ method: request.method, route }, 'the connection was closed before the answer was complete')
    })
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    metrics.observeRequest(request.method, routeOf(request), reply.statusCode, reply.elapsedTime / 1000)
    done()
  })
}

const routeOf = ({ route }: FastifyRequest) => route?.url ?? 'unmatched' // undefined if the address could not be parsed

// There are few combinations of route, method and status: the labels of each are made once.
function observerOf(requests: Histogram<'method' | 'route' | 'status'>): Metrics['observeRequest'] {
  const observers = new Map<string, Map<string, ((seconds: number) => void)[]>>()
  const add = (method: string, route: string, status: number) => {
    const observe = requests.labels(method, route, String(status)).observe
    const ofRoute = observers.get(route) ?? new Map<string, ((seconds: number) => void)[]>()
    const ofMethod = ofRoute.get(method) ?? []
    ofMethod[status] = observe
    observers.set(route, ofRoute.set(method, ofMethod))
    return observe
  }
  return (method, route, status, seconds) => {
    const observe = observers.get(route)?.get(method)?.[status] ?? add(method, route, status)
    observe(seconds)
  }
}

function timed(job: Job, jobs: Histogram<'job' | 'outcome'>): Job {
  const run: Job['run'] = async (context: never, payload: object) => {
    const end = jobs.startTimer({ job: job.name })
    try {
      await job.run(context, payload)
      end({ outcome: 'done' })
    } catch (error) {
      end({ outcome: 'failed' })
      throw error
    }
  }
  return { ...job, run }
}

function counted(scanner: Scanner, scans: Counter<'outcome'>): Scanner {
  const note = (outcome: (typeof SCAN_OUTCOMES)[number]) => scans.inc({ outcome })
  return {
    async scan(source) {
      try {
        const result = await scanner.scan(source)
        note(result.clean ? 'clean' : 'virus')
        return result
      } catch (error) {
        note('failed')
        throw error
      }
    },
  }
}

function watchDeps(registry: Registry, { db, queue, machineClock }: Watched): void {
  new Gauge({
    name: 'db_client_connection_count',
    help: 'Connections of the pool.',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      const { total, idle } = db.poolStats()
      this.set({ state: 'idle' }, idle)
      this.set({ state: 'used' }, total - idle)
    },
  })
  const waiting = 'Requests that are waiting for a connection.'
  addGauge(registry, 'db_client_connection_pending_requests', waiting, () => db.poolStats().waiting)
  addGauge(registry, 'jobs_unfinished', 'Jobs that are waiting, running or will be retried.', () => queue.unfinished())
  const ahead = 'How far the clock of this machine is ahead of the database’s.'
  addGauge(registry, 'clock_ahead_seconds', ahead, () => machineClock.aheadMs() / 1000)
  addGauge(registry, 'jobs_dead', 'Jobs that failed for the last time.', () => queue.dead())
}

/** One value for each label. Where they cannot be read there is none. */
export function addGauges(
  registry: Registry,
  { name, help, label }: { name: string; help: string; label: string },
  read: () => Promise<readonly (readonly [label: string, value: number])[]>,
): void {
  new Gauge({
    name,
    help,
    labelNames: [label],
    registers: [registry],
    async collect() {
      const values = await read().catch(() => [])
      this.reset()
      for (const [which, value] of values) this.set({ [label]: which }, value)
    },
  })
}

// A value that cannot be read is `NaN`; the others are needed most while the database is down.
export function addGauge(registry: Registry, name: string, help: string, read: () => number | Promise<number>): void {
  new Gauge({
    name,
    help,
    registers: [registry],
    async collect() {
      this.set(
        await Promise.resolve()
          .then(read)
          .catch(() => Number.NaN),
      )
    },
  })
}
