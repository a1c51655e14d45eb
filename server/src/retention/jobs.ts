import type { Deps } from '../platform/deps.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { type Erased, eraseDue } from './nightly.ts'
import { ERASE_JOB } from './rules.ts'
import type { RetentionSettings } from './settings.ts'

const RUN_MS_MAX = 600_000 // well below the time after which the queue considers a job lost
const PROGRESS_MS = 60_000

/** Every night: erases what is no longer kept. What one run does not finish, the next continues. */
export const eraseJob = ({ db, queue, log }: Pick<Deps, 'db' | 'queue' | 'log'>, settings: RetentionSettings): Job =>
  job({
    name: ERASE_JOB,
    cron: '17 1 * * *',
    transactional: false,
    async run({ now, signal, correlationId }) {
      let reportedAt = performance.now()
      const onBatch = (soFar: Erased) => {
        if (performance.now() < reportedAt + PROGRESS_MS) return
        reportedAt = performance.now()
        log.info({ ...soFar, ended: undefined, correlationId }, 'Erasing continues.')
      }
      const erased = await eraseDue(db, {
        settings,
        actor: { correlationId, at: now },
        signal: AbortSignal.any([signal, AbortSignal.timeout(RUN_MS_MAX)]),
        onBatch,
      })
      log.info({ ...erased, correlationId }, 'What is no longer kept was erased.')
      if (erased.ended !== 'stopped' || signal.aborted) return
      await db.transaction((tx) => queue.enqueue(tx, ERASE_JOB, {}, { correlationId }))
    },
  })
