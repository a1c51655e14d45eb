import { setTimeout as delay } from 'node:timers/promises'
import { backlogOf, countOf } from './measure.ts'
import type { Stage } from './stage.ts'

const OPEN = `select count(*) from workspaces where status <> 'CLOSED'`
const GIVEN_UP = `select count(*) from notifications where status = 'DEAD'`
const DEAD = `select count(*) from pgboss.job where name = 'dead' and state = 'created'`
const MS_MAX = 600_000

/** No new work comes: days pass at this pace until nothing is open. Returns what still is. */
export async function settled({ owner, clock }: Stage, dayMs: number): Promise<Record<string, number>> {
  clock.run(dayMs)
  const giveUpAt = performance.now() + MS_MAX
  for (;;) {
    const [matters, waiting] = [await countOf(owner, OPEN), await backlogOf(owner)]
    if (matters + waiting === 0 || performance.now() > giveUpAt) {
      clock.stop()
      return {
        'matters that are not registered and closed': matters,
        'jobs, events and deliveries that never ended': waiting,
        'deliveries that were given up': await countOf(owner, GIVEN_UP),
        'dead jobs': await countOf(owner, DEAD),
      }
    }
    await delay(250)
  }
}
