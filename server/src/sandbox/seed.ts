import type { Actor } from '../audit/record.ts'
import { addClient, addSubscriber } from '../auth/manage.ts'
import { ALL_SCOPES } from '../auth/scopes.ts'
import { computeFigures } from '../figures/compute.ts'
import { setAccount } from '../manual-payments/account.ts'
import { addPerson } from '../people/manage.ts'
import type { Db } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import type { MovableClock } from '../platform/jobs/clock.ts'
import { holdClock } from '../platform/jobs/due.ts'
import type { OnStep } from '../platform/operations/steps.ts'
import { openReporter } from '../reports/generate.ts'
import { endedDates } from '../reports/rules.ts'
import { listMissing } from '../reports/store.ts'
import { ACCOUNTS, accountOf, PEOPLE } from './accounts.ts'
import { playMatters } from './play.ts'
import { emptyDatabase, grantScopes, hasPeople, isSeeded, markSeeded } from './store.ts'

const ACCOUNT_AGE_DAYS = 60 // older than the first matter and the oldest report
const DAY_MS = 86_400_000

export type World = Deps & {
  clock: MovableClock
  pepper: string
  ownerUrl: string
  matters: boolean
  /** Commits do not wait for the disk meanwhile. */
  whilePlaying(work: () => Promise<void>): Promise<void>
}

/** Creates the sandbox's initial data, unless it is already complete. */
export async function seed(app: App, world: World, onStep: OnStep = () => {}): Promise<void> {
  if (!(await isSeeded(world.db))) return reseed(app, world, onStep)
  await grantScopes(world.ownerUrl)
  if (!(await hasPeople(world.db))) await seedPeople(world.db, actorAt(world.clock.now()))
}

/** Removes existing data first. Needs a running worker if matters are created. */
export async function reseed(app: App, world: World, onStep: OnStep = () => {}): Promise<void> {
  const { db, clock } = world
  onStep('adding sample accounts')
  await holdClock(db, () => emptyDatabase(world.ownerUrl))
  clock.setOffsetMs(0)
  const at = new Date(clock.now().getTime() - ACCOUNT_AGE_DAYS * DAY_MS)
  const actor = actorAt(at)
  await seedAccounts(db, world.pepper, actor)
  await seedPeople(db, actor)
  if (world.matters) await world.whilePlaying(() => playMatters(app, world, onStep))
  await seedReports(world, actor, onStep)
  await computeFigures(db, clock.now())
  await markSeeded(db)
}

const seedAccounts = (db: Db, pepper: string, actor: Actor) =>
  db.transaction(async (tx) => {
    for (const { clientId, secret, subscriberId, name, kind, reports, pays } of ACCOUNTS) {
      addSubscriber(tx, { subscriberId, name, kind, reports, fourEyes: true }, actor)
      addClient(tx, pepper, { subscriberId, clientId, secret, scopes: ALL_SCOPES }, actor)
      if (pays) await setAccount(tx, subscriberId, pays, actor)
    }
  })

const seedPeople = (db: Db, actor: Actor) =>
  db.transaction(async (tx) => {
    for (const person of PEOPLE)
      await addPerson(tx, { ...person, subscriberId: accountOf(person)?.subscriberId }, actor)
  })

const actorAt = (at: Date): Actor => ({ actingUser: 'sandbox', correlationId: 'sandbox-seed', at })

// After the matters, because a report that is made late shows the present state.
async function seedReports(world: World, { correlationId }: Actor, onStep: OnStep): Promise<void> {
  const now = world.clock.now()
  const reporter = openReporter(world)
  try {
    const all = await listMissing(world.db, endedDates(now))
    for (const [done, missing] of all.entries()) {
      onStep('making reports of the last days', { done, total: all.length })
      await reporter.make(missing, { correlationId, at: now })
    }
  } finally {
    await reporter.close()
  }
}
