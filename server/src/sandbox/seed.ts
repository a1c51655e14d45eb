import type { Actor } from '../audit/record.ts'
import { addClient, addSubscriber } from '../auth/manage.ts'
import { ALL_SCOPES } from '../auth/scopes.ts'
import type { Db } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import type { MovableClock } from '../platform/jobs/clock.ts'
import { holdClock } from '../platform/jobs/due.ts'
import { openReporter } from '../reports/generate.ts'
import { endedDates } from '../reports/rules.ts'
import { listMissing } from '../reports/store.ts'
import { ACCOUNTS } from './accounts.ts'
import { playMatters } from './play.ts'
import { emptyDatabase, isSeeded, markSeeded } from './store.ts'

const INHABITED_DAYS = 60 // before the first story, and before the oldest report
const DAY_MS = 86_400_000

export type World = Deps & { clock: MovableClock; pepper: string; ownerUrl: string; stories: boolean }

/** Fills the database with the sandbox's world, unless that is there already, and whole. */
export async function seed(app: App, world: World): Promise<void> {
  if (!(await isSeeded(world.db))) await seedAnew(app, world)
}

/** The same whatever is there, which is removed first. Needs the worker where stories are told. */
export async function seedAnew(app: App, world: World): Promise<void> {
  const { db, clock } = world
  await holdClock(db, () => emptyDatabase(world.ownerUrl))
  clock.setOffsetMs(0)
  const founded = new Date(clock.now().getTime() - INHABITED_DAYS * DAY_MS)
  const actor: Actor = { actingUser: 'sandbox', correlationId: 'sandbox-seed', at: founded }
  await seedInhabitants(db, world.pepper, actor)
  if (world.stories) await playMatters(app, world)
  await seedReports(world, actor)
  await markSeeded(db)
}

const seedInhabitants = (db: Db, pepper: string, actor: Actor) =>
  db.transaction(async (tx) => {
    for (const { clientId, secret, subscriberId, name, kind, reports } of ACCOUNTS) {
      addSubscriber(tx, { subscriberId, name, kind, reports, fourEyes: true }, actor)
      addClient(tx, pepper, { subscriberId, clientId, secret, scopes: ALL_SCOPES }, actor)
    }
  })

// After the stories: a report that is made late shows the present.
async function seedReports(world: World, { correlationId }: Actor): Promise<void> {
  const now = world.clock.now()
  const reporter = openReporter(world)
  try {
    for (const missing of await listMissing(world.db, endedDates(now))) {
      await reporter.make(missing, { correlationId, at: now })
    }
  } finally {
    await reporter.close()
  }
}
