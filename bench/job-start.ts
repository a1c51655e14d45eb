import { PERSONAL_KEYS } from '../server/src/personal-data.ts'
import { openDb } from '../server/src/platform/database/db.ts'
import { realClock } from '../server/src/platform/jobs/clock.ts'
import { type Job, job, openQueue } from '../server/src/platform/jobs/queue.ts'
import { createLogger } from '../server/src/platform/operations/log.ts'
import { PROCESS_JOB } from '../server/src/representation/rules.ts'
import type { Measurement, Sample, Side } from './harness.ts'
import { spreadOf } from './load.ts'
import type { Testbed } from './testbed.ts'

// From the commit of a transaction that enqueues a job to the moment when the job's `run` begins, one at a time. The
// clock starts before the commit is sent, so its sync to disk is part of it. The limit is one row and
// PostgreSQL's own NOTIFY.

const CHANNEL = 'bench_started'
const INSERT = `insert into due (due_at, job, payload) values ('9999-01-01', 'bench', '{}')`

export async function jobStart(testbed: Testbed): Promise<Measurement> {
  const limits = [notifySide(testbed)]
  return { name: 'job-start', title: 'from commit to the start of the job', service: jobSide(testbed), limits }
}

// Worker and listener run only during the turn of their side, so that the other side does not wake them.
const jobSide = ({ databaseUrl }: Testbed): Side => ({
  name: 'job',
  async run(seconds) {
    const log = createLogger({ level: 'silent', personalKeys: PERSONAL_KEYS })
    const db = openDb({ url: databaseUrl, poolSize: 4 })
    const queue = await openQueue({ db, url: databaseUrl, clock: realClock, log })
    let started = () => {}
    const startJob: Job = job({ name: PROCESS_JOB, run: async () => started() })
    await queue.work([startJob])
    try {
      return await repeat(seconds, (begun) => {
        started = begun
        return db.transaction(async (tx) => {
          await queue.enqueue(tx, PROCESS_JOB, {}, { correlationId: 'bench' })
          return performance.now()
        })
      })
    } finally {
      await queue.stop()
      await db.close()
    }
  },
})

const notifySide = ({ databaseUrl }: Testbed): Side => ({
  name: 'a row and NOTIFY alone',
  async run(seconds) {
    const db = openDb({ url: databaseUrl, poolSize: 1 })
    const listener = await db.dedicated()
    await listener.query(`listen ${CHANNEL}`)
    try {
      return await repeat(seconds, (begun) => {
        listener.once('notification', begun)
        return db.transaction(async (tx) => {
          tx.send(INSERT)
          tx.send(`select pg_notify('${CHANNEL}', '')`)
          return performance.now()
        })
      })
    } finally {
      await listener.end()
      await db.close()
    }
  },
})

/** `commit` returns when the commit was sent; the job or notification that follows calls `begun`. */
async function repeat(seconds: number, commit: (begun: () => void) => Promise<number>): Promise<Sample> {
  const latencies: number[] = []
  const endsAt = performance.now() + seconds * 1000
  while (performance.now() < endsAt) {
    const { promise, resolve } = Promise.withResolvers<number>()
    const sentAt = await commit(() => resolve(performance.now()))
    latencies.push((await promise) - sentAt)
  }
  const mean = latencies.reduce((total, one) => total + one, 0) / latencies.length
  return { perSecond: 1000 / mean, ...spreadOf(latencies) }
}
