import { nameBorrowers, nameParties } from '../matter/save.ts'
import type { Deps } from '../platform/deps.ts'
import { type Job, job } from '../platform/jobs/queue.ts'

const ROWS_AT_ONCE = 1_000

/**
 * Names the parties and borrowers that version 1.0 wrote, so that they are found and listed: all of them after an upgrade,
 * then those of nodes that still run it.
 */
export const namePartiesJob = ({ db }: Pick<Deps, 'db'>): Job =>
  job({
    name: 'title-reconciliation.name-parties',
    cron: '*/5 * * * *',
    transactional: false,
    async run({ signal }) {
      for (const name of [nameParties, nameBorrowers]) {
        let found = ROWS_AT_ONCE
        while (found === ROWS_AT_ONCE && !signal.aborted) found = await db.transaction((tx) => name(tx, ROWS_AT_ONCE))
      }
    },
  })
