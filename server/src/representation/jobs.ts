import { changeMatterInJob } from '../matter/change.ts'
import type { Deps } from '../platform/deps.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { PROCESS_JOB, type ProcessPayload, processQueued } from './rules.ts'

/** Decides what becomes of a representation that was accepted. */
export const processJob = ({ queue }: Pick<Deps, 'queue'>): Job<ProcessPayload> =>
  job<ProcessPayload>({
    name: PROCESS_JOB,
    concurrency: 4,
    retries: RETRIES,
    async run({ tx, now, correlationId }, { workspaceId, representationId }) {
      const actor = { correlationId, at: now }
      await changeMatterInJob(tx, queue, { workspaceId, actor }, ({ workspace, lodgementCase, parties, ...matter }) => {
        const partyIds = parties.map(({ partyId }) => partyId)
        const { representations } = matter
        const { status } = workspace
        return processQueued({ status, caseStatus: lodgementCase.status, partyIds, representations }, representationId)
      })
    },
  })

const RETRIES = 20 // what was accepted must end, however often its worker is killed under it
