import { reviewCase } from '../approvals/review.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { lockAnyWorkspace } from '../workspaces/store.ts'
import { endUpload } from './end.ts'
import { PROCESS_JOB, type ProcessPayload } from './receive.ts'
import { outcomeOf } from './rules.ts'
import { scanFile } from './scan.ts'
import { findWaiting } from './store.ts'

/**
 * Decides what becomes of an upload. The scan stands before the transaction, not in it. One that has its outcome, or was
 * withdrawn, is found no more, so running twice changes nothing.
 */
export const processFileJob = (deps: Pick<Deps, 'db' | 'blobs' | 'scanner' | 'log'>): Job<ProcessPayload> =>
  job<ProcessPayload>({
    name: PROCESS_JOB,
    transactional: false,
    concurrency: 4,
    retries: RETRIES,
    async run({ now }, payload) {
      const { workspaceId, fileId, failures = 0 } = payload
      const waiting = await findWaiting(deps.db.read, fileId)
      if (!waiting) return
      const actor = { correlationId: waiting.correlationId, at: now }
      const verdict = await scanFile(deps, waiting, { failures, now })
      await deps.db.transaction(async (tx) => {
        if ('againAt' in verdict) {
          const next: ProcessPayload = { ...payload, failures: failures + 1 }
          return schedule(tx, verdict.againAt, PROCESS_JOB, next, actor, `${PROCESS_JOB}:${fileId}`)
        }
        const [workspace, file] = await Promise.all([lockAnyWorkspace(tx, workspaceId), findWaiting(tx, fileId)])
        if (!workspace || !file) return
        const outcome = outcomeOf(workspace, file, verdict)
        endUpload(tx, workspace, file, outcome, actor)
        if (outcome.status === 'SUCCESS' && file.applicationId !== null) {
          await reviewCase(tx, workspace, actor, [file.applicationId])
        }
      })
    },
  })

const RETRIES = 20 // what was accepted must end, however often its worker is killed under it
