import { reviewCase } from '../approvals/review.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { lockAnyWorkspace } from '../workspaces/store.ts'
import { endRepresentation } from './end.ts'
import { settle } from './rules.ts'
import { PROCESS_JOB, type ProcessPayload } from './start.ts'
import { listQueued } from './store.ts'

/**
 * Decides what becomes of a representation, and of those of its workspace that were asked for before it: jobs run side
 * by side and need not start in order. One that was settled already is not among them, so running twice changes nothing.
 */
export const processJob = (): Job<ProcessPayload> =>
  job<ProcessPayload>({
    name: PROCESS_JOB,
    concurrency: 4,
    retries: RETRIES,
    async run({ tx, now, correlationId }, { workspaceId, representationId }) {
      const [workspace, waiting] = await Promise.all([
        lockAnyWorkspace(tx, workspaceId),
        listQueued(tx, workspaceId, representationId),
      ])
      if (!workspace) return
      const settled = settle(workspace.status, workspace.caseStatus, waiting)
      for (const { queued, outcome } of settled) {
        endRepresentation(tx, workspace, queued, outcome, { correlationId: queued.correlationId, at: now })
      }
      if (settled.some(({ outcome }) => outcome.status === 'ACTIVE')) {
        await reviewCase(tx, workspace, { correlationId, at: now })
      }
    },
  })

const RETRIES = 20 // what was accepted must end, however often its worker is killed under it
