import { randomUUID } from 'node:crypto'
import type { Actor } from '../audit/record.ts'
import { changeWait } from '../lodgement/rules-registry.ts'
import { changeMatterInJob } from '../matter/change.ts'
import type { Deps } from '../platform/deps.ts'
import { schedule } from '../platform/jobs/due.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { planFetch } from '../registry/documents.ts'
import { REGISTRY_JOB_RETRIES, type Registry } from '../registry/port.ts'
import { beginSearch, endSearch, isAwaited, SEARCH_JOB, type SearchPayload } from './rules.ts'

/**
 * Asks the registry for a title and writes down its answer. It asks between two transactions, not in one.
 * An answer that comes twice, late, or for a title that was replaced meanwhile changes nothing.
 */
export const searchJob = (
  { db, queue }: Pick<Deps, 'db' | 'queue'>,
  registry: Pick<Registry, 'searchTitle'>,
): Job<SearchPayload> =>
  job<SearchPayload>({
    name: SEARCH_JOB,
    transactional: false,
    concurrency: 4,
    retries: REGISTRY_JOB_RETRIES,
    async run({ correlationId, now }, payload) {
      const { workspaceId, titleId } = payload
      const actor: Actor = { correlationId, at: now }
      const matter = await db.transaction((tx) =>
        changeMatterInJob(tx, queue, { workspaceId, actor }, ({ title }) => beginSearch(title, titleId)),
      )
      if (!matter?.title || !isAwaited(matter.title, titleId)) return
      const { title } = matter
      const { lawFirmId, workspaceReferenceId: customerReference } = matter.workspace
      const firstAskedAt = title.firstAskedAt ?? now
      const asking = { now, firstAskedAt, messageId: titleId, correlationId, lawFirmId, customerReference }
      const outcome = await registry.searchTitle(title.titleNumber, asking)
      await db.transaction(async (tx) => {
        const because = outcome.kind === 'later' ? outcome.because : undefined
        const left = await changeMatterInJob(tx, queue, { workspaceId, actor }, (present) => [
          ...endSearch(present.title, titleId, outcome, randomUUID),
          ...(isAwaited(present.title, titleId) ? changeWait(present.lodgementCase.registryWait, because) : []),
        ])
        if (outcome.kind === 'found' && left?.title?.titleId === titleId) {
          const announced = { workspaceId, messageId: titleId, announcedAt: now.toISOString() }
          for (const document of outcome.documents ?? []) planFetch(tx, now, { ...announced, document }, actor)
        }
        if (outcome.kind !== 'later' || !isAwaited(left?.title, titleId)) return
        schedule(tx, outcome.askAgainAt, SEARCH_JOB, payload, actor, `${SEARCH_JOB}:${titleId}`)
      })
    },
  })
