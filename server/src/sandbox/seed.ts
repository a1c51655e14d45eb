import { Readable } from 'node:stream'
import type { Actor } from '../audit/record.ts'
import { addClient, addSubscriber } from '../auth/manage.ts'
import { ALL_SCOPES } from '../auth/scopes.ts'
import type { Db } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { addDays, londonDate } from '../platform/london.ts'
import { COLUMNS } from '../reports/columns.ts'
import { REPORT_NAMES } from '../reports/rules.ts'
import { insertRun } from '../reports/store.ts'
import { INHABITANTS, REPORT_DAYS_SEEDED } from './world.ts'

/** Fills an empty database with the sandbox's world; one that is inhabited already is left as it is. */
export async function seed(deps: Deps, pepper: string): Promise<void> {
  const { db, clock } = deps
  const [inhabited] = await db.query('select from subscribers limit 1')
  if (inhabited) return
  const actor: Actor = { actingUser: 'sandbox', correlationId: 'sandbox-seed', at: clock.now() }
  await seedInhabitants(db, pepper, actor)
  await seedReports(deps)
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
