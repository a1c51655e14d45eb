import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { type JobWithMetadata, PgBoss } from 'pg-boss'
import type { Transaction } from '../database/db.ts'
import { listen } from '../database/listen.ts'
import { createNotifier } from '../database/notifier.ts'
import type { Envelope, Job, QueueOptions } from './queue.ts'

type Options = QueueOptions & { onEnd(): void }

export type Workers = { stop(graceMs: number): Promise<void> }

export const JOBS_CHANNEL = 'lodgeway_jobs'
const CONNECTIONS_MAX = 4

/** pg-boss sends its statements as text, and planning one takes longer than running it: here each is prepared once. */
class PreparingClient extends pg.Client {
  override query = ((text: unknown, values: unknown, callback: never) => {
    const name = typeof text === 'string' && !SEVERAL.test(text) ? preparedName(text) : undefined
    return name === undefined
      ? super.query(text as never, values as never, callback)
      : super.query({ name, text, values } as pg.QueryConfig, callback)
  }) as pg.Client['query']
}

const SEVERAL = /;\s*\S/ // statements, which cannot be prepared together
const PREPARED_MAX = 500 // texts of pg-boss are a few for each queue, unless they contain values

const names = new Map<string, string>()
function preparedName(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size === PREPARED_MAX) return known
  const name = `boss${names.size}`
  names.set(text, name)
  return name
}

// Passed to the driver. A statement that is not answered fails, and its connection is replaced.
const DRIVER_OPTIONS = {
  query_timeout: 15_000,
  keepAlive: true,
  options: '-c plan_cache_mode=force_generic_plan',
  Client: PreparingClient,
}
const SUPERVISE_SECONDS = 3 // with the heartbeat of 10 s, a killed worker's job is back in well under 30 s
const MAINTENANCE_SECONDS = 3600
const WAKE_MS = 1000
const POLL_SECONDS = 60 // the waker below is quicker

/** The consumers: pg-boss on separate connections, so that a heartbeat never waits for a busy pool. */
export async function startWorkers(options: Options, jobs: readonly Job[]): Promise<Workers> {
  const { url, log } = options
  const boss = new PgBoss({
    connectionString: url,
    application_name: 'lodgeway jobs',
    max: CONNECTIONS_MAX,
    ...DRIVER_OPTIONS,
    migrate: false,
    reindex: false,
    schedule: jobs.some(({ cron }) => cron),
    superviseIntervalSeconds: SUPERVISE_SECONDS,
    monitorIntervalSeconds: SUPERVISE_SECONDS,
    maintenanceIntervalSeconds: MAINTENANCE_SECONDS,
    flowIntervalSeconds: MAINTENANCE_SECONDS,
  })
  boss.on('error', (error) => log.error({ err: plainError(error) }, 'The job queue met an error.'))
  boss.on('warning', ({ message }) => log.warn(message))
  await boss.start()

  const workerIds = new Map<string, string[]>()
  for (const job of jobs) {
    const workers = Array.from({ length: job.concurrency ?? 1 }, () => startWorker(boss, options, job))
    workerIds.set(job.name, await Promise.all(workers))
  }
  const waker = startWaker(boss, options, workerIds)

  return {
    async stop(graceMs) {
      await waker.stop()
      const finished = Promise.all(jobs.map(({ name }) => boss.offWork(name)))
      await Promise.race([finished, delay(graceMs, undefined, { ref: false })])
      await boss.stop({ graceful: false }) // hands back what still runs
    },
  }
}

async function startWorker(boss: PgBoss, options: Options, job: Job): Promise<string> {
  const settings = {
    includeMetadata: true,
    pollingIntervalSeconds: POLL_SECONDS,
  } as const
  const workerId: string = await boss.work<Envelope | null, void, typeof settings>(
    job.name,
    settings,
    async (claims) => {
      boss.notifyWorker(workerId) // there may be more jobs: a transaction sends one NOTIFY for all of them
      for (const claim of claims) await attempt(boss, options, job, claim)
    },
  )
  return workerId
}

type Claim = JobWithMetadata<Envelope | null>

async function attempt(boss: PgBoss, { db, clock, log, onEnd }: Options, job: Job, claim: Claim): Promise<void> {
  const { correlationId = claim.id, payload = {}, trace } = claim.data ?? {}
  const context = { correlationId, now: clock.now(), signal: claim.signal, ...(trace && { trace }) }
  try {
    if (job.transactional === false) return await job.run(context, payload)
    await db.transaction(async (tx) => {
      await job.run({ ...context, tx }, payload)
      await complete(boss, tx, claim)
    })
  } catch (error) {
    const about = {
      job: job.name,
      jobId: claim.id,
      attempt: claim.retryCount + 1,
      correlationId,
      err: plainError(error),
    }
    if (claim.retryCount < claim.retryLimit) log.warn(about, 'A job failed and will be tried again.')
    else log.error(about, 'A job failed for the last time and is now a dead letter.')
    throw error
  } finally {
    onEnd()
  }
}

// In the job's own transaction. If there is nothing to complete, the job was handed to another worker meanwhile.
async function complete(boss: PgBoss, tx: Transaction, claim: Claim): Promise<void> {
  const executeSql = async (text: string, values?: unknown[]) => ({ rows: await tx.query(text, values) })
  const response = await boss.complete(claim.name, claim, null, { db: { executeSql } })
  if ((response as { affected?: number }).affected !== 1) throw new Error('The job was handed to another worker.')
}

// Woken by a NOTIFY after the commit that enqueued a job. There is none for a job that is retried, was handed back or was
// dead, for a chore, or if the process that enqueued it was killed, so it also looks by itself.
function startWaker(boss: PgBoss, { db, log }: QueueOptions, workerIds: Map<string, string[]>) {
  let isStopped = false
  const wake = createNotifier(async () => {
    try {
      const ready = await db.read.query<{ name: string }>(READY, [[...workerIds.keys()]])
      for (const { name } of ready) for (const id of workerIds.get(name) ?? []) boss.notifyWorker(id)
    } catch (error) {
      if (!isStopped) log.warn({ err: plainError(error) }, 'Waiting jobs could not be looked for.')
    }
  })
  const listener = listen(db, JOBS_CHANNEL, () => wake(JOBS_CHANNEL))
  const timer = setInterval(() => wake(JOBS_CHANNEL), WAKE_MS)

  return {
    async stop() {
      isStopped = true
      clearInterval(timer)
      await listener.stop()
    },
  }
}

const READY = `
  select name from unnest($1::text[]) as queues (name) where exists (
    select from pgboss.job where job.name = queues.name and state < 'active' and not blocked and start_after <= now())`

/** An error without the fields that a driver adds: the detail of a database error quotes rows. */
export function plainError(error: unknown): object {
  if (typeof error !== 'object' || error === null) return { message: String(error) }
  const { name, message, stack, code } = error as Partial<Error & { code: unknown }>
  return { type: name, message, stack, code }
}
