import { Readable } from 'node:stream'
import type { Actor } from '../audit/record.ts'
import { addClient, addSubscriber } from '../auth/manage.ts'
import { ALL_SCOPES } from '../auth/scopes.ts'
import type { Db } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import type { MovableClock } from '../platform/jobs/clock.ts'
import { addDays, londonDate } from '../platform/london.ts'
import { COLUMNS } from '../reports/columns.ts'
import { REPORT_NAMES } from '../reports/rules.ts'
import { insertRun } from '../reports/store.ts'
import { emptyDatabase, isSeeded, markSeeded } from './store.ts'
import { tellStories } from './tell.ts'
import { INHABITANTS, REPORT_DAYS_SEEDED } from './world.ts'

export type World = Deps & { clock: MovableClock; pepper: string; ownerUrl: string; stories: boolean }

/**
 * Fills the database with the sandbox's world, unless it is there already; what an interrupted filling left is removed
 * first. Needs the worker where stories are told.
 */
export async function seed(app: App, world: World): Promise<void> {
  const { db, clock } = world
  if (await isSeeded(db)) return
  await emptyDatabase(world.ownerUrl)
  clock.setOffsetMs(0)
  const actor: Actor = { actingUser: 'sandbox', correlationId: 'sandbox-seed', at: clock.now() }
  await seedInhabitants(db, world.pepper, actor)
  await seedReports(world)
  if (world.stories) await tellStories(app, world)
  await markSeeded(db)
}

const seedInhabitants = (db: Db, pepper: string, actor: Actor) =>
  db.transaction(async (tx) => {
    for (const { clientId, secret, subscriberId, name, kind, reports } of INHABITANTS) {
      addSubscriber(tx, { subscriberId, name, kind, reports, fourEyes: true }, actor)
      addClient(tx, pepper, { subscriberId, clientId, secret, scopes: ALL_SCOPES }, actor)
    }
  })

async function seedReports({ db, clock, blobs }: Deps): Promise<void> {
  const generatedAt = clock.now()
  const today = londonDate(generatedAt)
  const days = Array.from({ length: REPORT_DAYS_SEEDED }, (_, index) => addDays(today, -1 - index))
  for (const name of REPORT_NAMES) {
    const staged = await blobs.stage(Readable.from([`${COLUMNS[name].join(',')}\r\n`]), { bytesMax: 10_000 })
    const kept = await blobs.keep(db, staged)
    const runs = INHABITANTS.filter(({ reports }) => reports).flatMap(({ subscriberId }) =>
      days.map((reportDate) => ({ ...kept, subscriberId, name, reportDate, rowCount: 0, generatedAt })),
    )
    await Promise.all(runs.map((run) => insertRun(db, run)))
  }
}
