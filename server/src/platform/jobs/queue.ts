import { setTimeout as delay } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Db, Transaction } from '../database/db.ts'
import { presentTrace, type Trace } from '../operations/trace.ts'
import type { Clock } from './clock.ts'
import { refuseNewerQueue } from './installed.ts'
import { JOBS_CHANNEL, plainError, startWorkers, type Workers } from './workers.ts'

/** The few operations of pg-boss that are used here. They follow real time, not the business clock. */
export type Queue = {
  /** In the caller's transaction: the job exists if that commits. Costs no round trip. */
  enqueue(tx: Transaction, name: string, payload: object, context: Cause): Promise<void>
  /** Starts consuming, and sets the retries and cron times of these jobs. */
  work(jobs: readonly Job[]): Promise<void>
  /** Stops consuming until `work` is called again. Running jobs may finish, as in `stop`. */
  pause(): Promise<void>
  /** How many jobs wait, run or will be retried, plus the other work. Dead letters and chores do not count. */
  unfinished(): Promise<number>
  /** Resolves when a job of this process has ended or other work was done, and at the latest after this time. */
  nextEnd(msMax: number): Promise<void>
  /** Other work was done. */
  noteEnd(): void
  /** How many jobs ended, completed or dead, since that time on the database's clock. Chores do not count. */
  endedSince(time: Date): Promise<number>
  /** How many jobs failed for the last time. */
  dead(): Promise<number>
  listDead(): Promise<DeadJob[]>
  /** The jobs that wait, run or will be retried, by name, and since when the oldest of them does. Chores do not count. */
  listUnfinished(): Promise<UnfinishedJobs[]>
  /** Runs dead jobs again, and returns how many. */
  retryDead(ids: readonly string[] | 'all'): Promise<number>
  /** Running jobs may finish within the grace; those that still run then are handed back and will run again. */
  stop(graceMs?: number): Promise<void>
}

/** Unless it says `transactional: false`, a job's effect and its completion are one transaction: both or neither. */
export type Job<Payload extends object = object> = {
  /** Dotted: `representation.process`. */
  name: string
  retries?: number
  /** How many of this job one process runs at a time. */
  concurrency?: number
  /** For technical chores, which follow real time (UTC) and need no payload: run once over all nodes. */
  cron?: string
} & (
  | { transactional?: true; run(context: JobContext & { tx: Transaction }, payload: Payload): Promise<void> }
  | { transactional: false; run(context: JobContext, payload: Payload): Promise<void> }
)

export type JobContext = {
  correlationId: string
  trace?: Trace
  /** When the attempt began, on the business clock. */
  now: Date
  /** Aborted when the job was handed to another worker or the process gave up waiting for it. */
  signal: AbortSignal
}

/** What asked for a job: by default in the trace of the present work. */
export type Cause = { correlationId: string; trace?: Trace }

/** What the queue stores with a job. A chore has none. */
export type Envelope = Cause & { payload: object }

export const envelopeOf = (payload: object, { correlationId, trace = presentTrace() }: Cause): Envelope => ({
  correlationId,
  payload,
  ...(trace && { trace }),
})

/** A job that failed for the last time. Its payload may hold personal data and is not shown. */
export type DeadJob = {
  id: string
  job: string
  correlationId: string | null
  attempts: number
  error: string | null
  diedAt: Date
}

export type UnfinishedJobs = { job: string; count: number; oldest: Date }

export type QueueLog = Pick<Logger, 'info' | 'warn' | 'error'>

export type QueueOptions = {
  db: Db
  url: string
  clock: Clock
  log: QueueLog
  /** A query with a row for each piece of work other than jobs that is still to do. */
  otherWork?: string
}

const RETRIES_DEFAULT = 3
const RETRY_DELAY_SECONDS = 1
const HEARTBEAT_SECONDS = 10 // the least that pg-boss takes
const JOB_SECONDS_MAX = 900
const UNFINISHED_DAYS_MAX = 365
const ENDED_DAYS_MAX = 1
const DEAD_MAX = 10_000
const STOP_GRACE_MS = 20_000
const DAY_SECONDS = 86_400
const INDEX_BUILD_POLL_SECONDS = 10 // the least that pg-boss takes

const DEAD_LETTERS = 'dead'

const SETTINGS = {
  notify: false, // in the transaction it would make commits wait for each other; see `enqueue`
  heartbeatSeconds: HEARTBEAT_SECONDS,
  retryDelay: RETRY_DELAY_SECONDS,
  expireInSeconds: JOB_SECONDS_MAX,
  retentionSeconds: UNFINISHED_DAYS_MAX * DAY_SECONDS,
  deleteAfterSeconds: ENDED_DAYS_MAX * DAY_SECONDS,
  deadLetter: DEAD_LETTERS,
}

/** Lets TypeScript infer a job's payload from its `run`. */
export const job = <Payload extends object>(definition: Job<Payload>): Job<Payload> => definition

export async function openQueue({ db, url, clock, log, otherWork = NOTHING }: QueueOptions): Promise<Queue> {
  const boss = new PgBoss({ db: { executeSql: onDb(db) }, migrate: false, supervise: false, schedule: false })
  boss.on('error', (error) => log.error({ err: plainError(error) }, 'The job queue met an error.'))
  await boss.start()
  let workers: Workers | undefined
  let end = Promise.withResolvers<void>()
  const noteEnd = () => {
    end.resolve()
    end = Promise.withResolvers()
  }

  return {
    async enqueue(tx, name, payload, cause) {
      await boss.send(name, envelopeOf(payload, cause), { db: { executeSql: withoutResult(tx) } })
      tx.notify(JOBS_CHANNEL)
    },
    async work(jobs) {
      await declare(boss, jobs)
      workers = await startWorkers({ db, url, clock, log, onEnd: noteEnd }, jobs)
    },
    unfinished: () => count(db, `${UNFINISHED} union all ${otherWork}) work`),
    nextEnd: (msMax) => Promise.race([end.promise, delay(msMax)]),
    noteEnd,
    endedSince: (time) => count(db, ENDED_SINCE, [time]),
    dead: () => count(db, DEAD),
    listDead: () => db.query<DeadJob>(DEAD_JOBS, [DEAD_MAX]),
    listUnfinished: () => db.read.query<UnfinishedJobs>(UNFINISHED_JOBS),
    retryDead: (ids) => retryDead(boss, ids),
    async pause() {
      await workers?.stop(STOP_GRACE_MS)
      workers = undefined
    },
    async stop(graceMs = STOP_GRACE_MS) {
      await workers?.stop(graceMs)
      await boss.stop({ graceful: false })
    },
  }
}

/** Run by `migrate` as the owner: installs or upgrades pg-boss's tables, and creates or updates a queue for each job. */
export async function installQueue(ownerUrl: string, jobs: readonly string[]): Promise<void> {
  const boss = new PgBoss({
    connectionString: ownerUrl,
    max: 2,
    supervise: false,
    schedule: false,
    bamIntervalSeconds: INDEX_BUILD_POLL_SECONDS,
  })
  const failures: Error[] = []
  boss.on('error', (error) => failures.push(error))
  await boss.start()
  try {
    refuseNewerQueue((await boss.schemaVersion()) ?? undefined)
    await indexesBuilt(boss, failures)
    const existing = new Set((await boss.getQueues()).map((queue) => queue.name))
    if (!existing.has(DEAD_LETTERS)) await boss.createQueue(DEAD_LETTERS)
    await boss.updateQueue(DEAD_LETTERS, { retentionSeconds: SETTINGS.retentionSeconds })
    for (const name of jobs) {
      if (existing.has(name)) await boss.updateQueue(name, SETTINGS)
      else await boss.createQueue(name, { ...SETTINGS, retryLimit: RETRIES_DEFAULT })
    }
    const gone = (await boss.getSchedules()).filter(({ name }) => !jobs.includes(name))
    for (const { name } of gone) await boss.unschedule(name)
    if (failures[0]) throw failures[0]
  } finally {
    await boss.stop({ graceful: false })
  }
}

// An upgrade of pg-boss builds indexes in its background task, which runs only here, as only the owner may build them.
// One that failed in an earlier run is tried again.
async function indexesBuilt(boss: PgBoss, failures: readonly Error[]): Promise<void> {
  const unfinished = async () => (await boss.getBamStatus()).some(({ status }) => status !== 'completed')
  while (failures.length === 0 && (await unfinished())) await delay(500)
}

/**
 * Writes only what differs: most starts find everything as they need it. Chores that this version does not know are those of
 * a newer one that runs next to it; `migrate` removes those that are no longer needed.
 */
async function declare(boss: PgBoss, jobs: readonly Job[]): Promise<void> {
  const installed = new Map((await boss.getQueues()).map((queue) => [queue.name, queue]))
  const missing = jobs.filter(({ name }) => !installed.has(name)).map(({ name }) => name)
  if (missing.length) throw new Error(`No queue is installed for ${missing.join(', ')}. Run migrate.`)
  const scheduled = new Map((await boss.getSchedules()).map(({ name, cron }) => [name, cron]))
  for (const { name, retries: retryLimit = RETRIES_DEFAULT, cron } of jobs) {
    if (installed.get(name)?.retryLimit !== retryLimit) await boss.updateQueue(name, { retryLimit })
    if (cron && scheduled.get(name) !== cron) await boss.schedule(name, cron, null, { missed: 'once' })
    if (!cron && scheduled.has(name)) await boss.unschedule(name)
  }
}

async function retryDead(boss: PgBoss, ids: readonly string[] | 'all'): Promise<number> {
  if (ids === 'all') return boss.redrive(DEAD_LETTERS, { limit: DEAD_MAX })
  return ids.length === 0 ? 0 : boss.redrive(DEAD_LETTERS, { limit: DEAD_MAX, ids: [...ids] })
}

// Chores have no envelope, and neither have the jobs with which pg-boss starts them.
const NOT_A_CHORE = `name <> '${DEAD_LETTERS}' and data ? 'correlationId'`
const NOTHING = 'select 1 where false'
// One statement, so that work that changes from one kind to the other meanwhile is counted.
const UNFINISHED = `select count(*) from (select 1 from pgboss.job where state < 'completed' and ${NOT_A_CHORE}`
const UNFINISHED_JOBS = `select name as job, count(*) as count, min(created_on) as oldest from pgboss.job
  where state < 'completed' and ${NOT_A_CHORE} group by name order by name`
const ENDED_SINCE = `select count(*) from pgboss.job
  where state >= 'completed' and completed_on >= $1 and ${NOT_A_CHORE}`
const DEAD = `select count(*) from pgboss.job where name = '${DEAD_LETTERS}' and state = 'created'`
const DEAD_JOBS = `
  select id, source_name as job, data ->> 'correlationId' as "correlationId", source_retry_count + 1 as attempts,
    coalesce(source_output ->> 'message', source_output -> 'value' ->> 'message') as error, created_on as "diedAt"
  from pgboss.job where name = '${DEAD_LETTERS}' and state = 'created' order by created_on, id limit $1`

async function count(db: Db, text: string, values: readonly unknown[] = []): Promise<number> {
  const [row] = await db.read.query<{ count: number }>(text, values)
  return row?.count ?? 0
}

const onDb = (db: Db) => async (text: string, values?: unknown[]) => ({ rows: await db.query(text, values) })

const withoutResult = (tx: Transaction) => async (text: string, values?: unknown[]) => {
  tx.send(text, values)
  return { rows: [{}] }
}
