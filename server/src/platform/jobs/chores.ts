import type { Deps } from '../deps.ts'
import { deleteOldKeys } from '../http/idempotency.ts'
import { deleteOldNodes } from '../operations/nodes.ts'
import { type Job, job } from './queue.ts'

/** Every night: deletes blobs that no row refers to, expired idempotency keys, and nodes that were killed. */
export const tidyJob = ({ db, blobs, clock, log }: Deps): Job =>
  job({
    name: 'platform.tidy',
    cron: '17 3 * * *',
    transactional: false,
    async run() {
      const swept = await blobs.sweep(db)
      await deleteOldKeys(db, clock.now())
      await deleteOldNodes(db)
      log.info({ swept }, 'tidied')
    },
  })
