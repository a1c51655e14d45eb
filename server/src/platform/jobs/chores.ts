import type { Deps } from '../deps.ts'
import { deleteOldKeys } from '../http/idempotency.ts'
import { type Job, job } from './queue.ts'

/** Every night: deletes blobs that no row refers to, and expired idempotency keys. */
export const tidyJob = ({ db, blobs, clock, log }: Deps): Job =>
  job({
    name: 'platform.tidy',
    cron: '17 3 * * *',
    transactional: false,
    async run() {
      const swept = await blobs.sweep(db)
      await deleteOldKeys(db, clock.now())
      log.info({ swept }, 'tidied')
    },
  })
