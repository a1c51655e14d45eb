import { nameParties } from '../matter/save.ts'
import type { Deps } from '../platform/deps.ts'
import { type Job, job } from '../platform/jobs/queue.ts'

const PARTIES_AT_ONCE = 1_000

/** Makes parties findable that version 1.0 wrote: all of them after an upgrade, then those of nodes that still run it. */
export const namePartiesJob = ({ db }: Pick<Deps, 'db'>): Job =>
  job({
    name: 'title-reconciliation.name-parties',
    cron: '*/5 * * * *',
    transactional: false,
    async run({ signal }) {
      let found = PARTIES_AT_ONCE
      while (found === PARTIES_AT_ONCE && !signal.aborted) {
        found = await db.transaction((tx) => nameParties(tx, PARTIES_AT_ONCE))
      }
    },
  })
