import { refreshTurn } from '../matter/change.ts'
import type { Deps } from '../platform/deps.ts'
import { type Job, job } from '../platform/jobs/queue.ts'
import { DAY_ENDED_JOB } from './rules-plan.ts'
import { type DayEndedPayload, findStaleTurns } from './store.ts'

const AT_ONCE = 100
const FIRST = '00000000-0000-0000-0000-000000000000'

/** A completion day has ended: where nothing was paid, another date is needed. */
export const dayEndedJob = (): Job<DayEndedPayload> =>
  job<DayEndedPayload>({
    name: DAY_ENDED_JOB,
    run: ({ tx, now, correlationId }, { workspaceId }) => refreshTurn(tx, { workspaceId }, { at: now, correlationId }),
  })

/**
 * Decides the turns of workspaces that the version before wrote: all after an upgrade, then those of nodes that still run it.
 * One that cannot be decided holds up no other, and is tried again with the next run.
 */
export const staleTurnsJob = ({ db, clock, log }: Pick<Deps, 'db' | 'clock' | 'log'>): Job =>
  job({
    name: 'worklist.turns',
    cron: '* * * * *',
    transactional: false,
    async run({ signal, correlationId }) {
      let after = FIRST
      for (let found = AT_ONCE; found === AT_ONCE && !signal.aborted; ) {
        const stale = await findStaleTurns(db.read, after, AT_ONCE)
        for (const one of stale) {
          await db
            .transaction((tx) => refreshTurn(tx, one, { at: clock.now(), correlationId }))
            .catch((err) => log.error({ err, workspaceId: one.workspaceId }, 'Whose turn it is could not be decided.'))
        }
        found = stale.length
        after = stale.at(-1)?.workspaceId ?? after
      }
    },
  })
