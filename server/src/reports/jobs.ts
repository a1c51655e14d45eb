import { computeFigures } from '../figures/compute.ts'
import type { Db } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { plainError } from '../platform/jobs/workers.ts'
import { openReporter } from './generate.ts'
import { dueDates, nextNight, oldestServed } from './rules.ts'
import { deleteRunsBefore, listMissing } from './store.ts'

const GENERATE = 'reports.generate'
const MAKE = 'reports.make'

/** Small, so that nodes share the work; more than one, because most subscribers' reports take no time. */
const BATCH_SUBSCRIBERS_MAX = 16
/** Well below the time after which the queue considers a job lost. */
const BATCH_MS_MAX = 240_000
const RETRIES = 20 // a blob store that is down for some seconds must not cost a night

/**
 * Each night, on the business clock: removes reports that are no longer served, enqueues the missing ones, of yesterday
 * and of nights that were missed, and counts the figures.
 */
export const generateReportsJob = ({ db, queue }: Pick<Deps, 'db' | 'queue'>): Job =>
  job({
    name: GENERATE,
    transactional: false,
    async run({ now, correlationId }) {
      await scheduleGeneration(db, nextNight(now), correlationId) // first, so that a failure tonight does not stop the nights after it
      await db.transaction(async (tx) => {
        deleteRunsBefore(tx, oldestServed(now))
        for (const batch of batchesOf(await listMissing(tx, dueDates(now)))) {
          await queue.enqueue(tx, MAKE, batch, { correlationId: `reports-${batch.date}` })
        }
      })
      await computeFigures(db, now)
    },
  })

type Batch = { date: string; subscriberIds: string[] }

function batchesOf(missing: readonly { date: string; subscriberId: string }[]): Batch[] {
  const batches: Batch[] = []
  for (const { date, subscriberId } of missing) {
    const last = batches.at(-1)
    if (last?.date === date && last.subscriberIds.length < BATCH_SUBSCRIBERS_MAX) last.subscriberIds.push(subscriberId)
    else batches.push({ date, subscriberIds: [subscriberId] })
  }
  return batches
}

export const makeReportsJob = ({ db, blobs, queue, log }: Deps): Job<Batch> =>
  job<Batch>({
    name: MAKE,
    transactional: false,
    concurrency: 2,
    retries: RETRIES,
    async run({ now, correlationId, signal }, { date, subscriberIds }) {
      if (date < oldestServed(now)) return
      const waiting = await listMissing(db, [date], subscriberIds)
      const endsAt = performance.now() + BATCH_MS_MAX
      const rest: Batch = { date, subscriberIds: [] }
      const failures: unknown[] = []
      const reporter = openReporter({ db, blobs }, signal)
      for (const missing of waiting) {
        const { subscriberId } = missing
        if (performance.now() > endsAt) {
          rest.subscriberIds.push(subscriberId)
          continue
        }
        try {
          const made = await reporter.make(missing, { correlationId, at: now })
          const rows = Object.fromEntries(made.map(({ name, rowCount }) => [name, rowCount]))
          log.info({ subscriberId, date, rows, correlationId }, 'Reports were made.')
        } catch (error) {
          log.warn({ subscriberId, date, correlationId, err: plainError(error) }, 'Reports could not be made.')
          failures.push(error) // the other subscribers still get theirs
        }
      }
      await reporter.close()
      if (rest.subscriberIds.length > 0) await db.transaction((tx) => queue.enqueue(tx, MAKE, rest, { correlationId }))
      if (failures.length > 0) throw failures[0]
    },
  })

/** At the start of a worker: plans the missed nights for now, or else the next night. */
export async function planReports(db: Db, now: Date, correlationId: string): Promise<void> {
  const missing = await listMissing(db, dueDates(now))
  await scheduleGeneration(db, missing.length > 0 ? now : nextNight(now), correlationId)
}

const scheduleGeneration = (db: Db, dueAt: Date, correlationId: string) =>
  db.transaction(async (tx) => schedule(tx, dueAt, GENERATE, {}, { correlationId }, GENERATE))
