import { changeMatterInJob } from '../matter/change.ts'
import { fileIn } from '../matter/matter.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { PROCESS_JOB, type ProcessPayload, processUpload } from './rules.ts'
import { scanFile } from './scan.ts'
import { findWaiting } from './store.ts'

/**
 * Decides the outcome of an upload. The scan comes before the transaction, not in it. One that has its outcome, or was
 * withdrawn, is found no more, so running twice changes nothing.
 */
export const processFileJob = (deps: Pick<Deps, 'db' | 'queue' | 'blobs' | 'scanner' | 'log'>): Job<ProcessPayload> =>
  job<ProcessPayload>({
    name: PROCESS_JOB,
    transactional: false,
    concurrency: 4,
    retries: RETRIES,
    async run({ now }, payload) {
      const { workspaceId, fileId, failures = 0 } = payload
      const waiting = await findWaiting(deps.db.read, payload)
      if (!waiting) return
      const { correlationId } = waiting
      const actor = { correlationId, at: now }
      const result = await scanFile(deps, waiting, { failures, now })
      await deps.db.transaction(async (tx) => {
        if ('againAt' in result) {
          const next: ProcessPayload = { ...payload, failures: failures + 1 }
          return schedule(tx, result.againAt, PROCESS_JOB, next, actor, `${PROCESS_JOB}:${fileId}`)
        }
        await changeMatterInJob(tx, deps.queue, { workspaceId, actor }, (matter) => {
          const { file, application } = fileIn(matter, fileId)
          if (file?.status !== 'PENDING') return []
          const at = { status: matter.workspace.status, caseStatus: matter.lodgementCase.status }
          return [processUpload(at, { ...file, correlationId }, application, result)]
        })
      })
    },
  })

const RETRIES = 20 // what was accepted must end, however often its worker is killed under it
