import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { type Db, openDb } from '../../src/platform/database/db.ts'
import { eventually } from '../fixtures/eventually.ts'
import { freePort } from '../fixtures/ports.ts'
import { endProcess, startWorker } from '../fixtures/process.ts'

export type ClockFigures = {
  /** What a worker whose clock was three days ahead did in this time, at its start and again when it was put forward. */
  secondsWatched: number
  dueRowsTaken: number
  reportsMade: number
  auditsSealed: number
  readyAfterSeconds: number[]
  notReadyAfterSeconds: number
  /** What it did when its clock was right, to show that it does work. */
  reportsMadeThen: number
  auditsSealedThen: number
}

const WRONG_CLOCK = resolve(import.meta.dirname, '../fakes/wrong-clock.ts')
const DAY_MS = 86_400_000
const AHEAD_MS = 3 * DAY_MS
const CHANGE_MS_MAX = 120_000

/** A worker whose clock is three days ahead, right, three days ahead and right again, on a database that is migrated. */
export async function proveClock({ url, watchMs }: { url: string; watchMs: number }): Promise<ClockFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lodgeway-clock-'))
  const clockFile = join(dataDir, 'ahead')
  const port = await freePort()
  const db = openDb({ url, poolSize: 2 })
  const setClock = (aheadMs: number) => writeFile(clockFile, String(aheadMs))
  await setClock(AHEAD_MS)
  await prepare(db)
  const before = await countWork(db)
  const settings = { DATABASE_URL: url, DATA_DIR: dataDir, CLOCK_FILE: clockFile, ADMIN_PORT: String(port) }
  const worker = startWorker({ ...SETTINGS, ...settings }, [WRONG_CLOCK])
  try {
    await eventually(async () => (await statusOf(port)) === 503, CHANGE_MS_MAX)
    await delay(watchMs)
    const first = await countWork(db)

    await setClock(0)
    const firstReady = await secondsUntil(async () => (await statusOf(port)) === 200)
    await eventually(async () => (await countWork(db)).reports > first.reports, CHANGE_MS_MAX)
    await eventually(async () => (await countWork(db)).anchors > first.anchors, CHANGE_MS_MAX)
    await eventually(async () => (await countUnfinished(db)) === 0, CHANGE_MS_MAX)
    const then = await countWork(db)

    await setClock(AHEAD_MS)
    const notReadyAfterSeconds = await secondsUntil(async () => (await statusOf(port)) === 503)
    await delay(watchMs)
    const last = await countWork(db)
    await setClock(0)
    const lastReady = await secondsUntil(async () => (await statusOf(port)) === 200)
    return {
      secondsWatched: (2 * watchMs) / 1000,
      dueRowsTaken: before.due - first.due + (then.due - last.due),
      reportsMade: first.reports - before.reports + (last.reports - then.reports),
      auditsSealed: first.anchors - before.anchors + (last.anchors - then.anchors),
      readyAfterSeconds: [firstReady, lastReady],
      notReadyAfterSeconds,
      reportsMadeThen: then.reports - first.reports,
      auditsSealedThen: then.anchors - first.anchors,
    }
  } finally {
    await endProcess(worker)
    await db.close()
    await rm(dataDir, { recursive: true, force: true })
  }
}

/** A subscriber whose reports of the last days are missing, and what falls due in the next days: seals and a payment. */
async function prepare(db: Db): Promise<void> {
  await db.query(
    `insert into subscribers (subscriber_id, name, kind, created_at) values ($1, 'A', 'LENDER', now() - interval '3 days')`,
    [randomUUID()],
  )
  await db.query(
    `insert into due (due_at, job, payload) select now() + interval '1 day', job,
       jsonb_build_object('correlationId', 'proof', 'payload', jsonb_build_object('workspaceId', gen_random_uuid()))
       from unnest(array['settlement.pay', 'audit.seal', 'reports.generate']) job`,
  )
}

async function countWork(db: Db): Promise<{ due: number; reports: number; anchors: number }> {
  const [row] = await db.query<{ due: number; reports: number; anchors: number }>(
    `select (select count(*) from due where due_at > now() + interval '1 hour' and key is null) as due,
            (select count(*) from reports) as reports, (select count(*) from audit_anchors) as anchors`,
  )
  return row ?? { due: 0, reports: 0, anchors: 0 }
}

async function countUnfinished(db: Db): Promise<number> {
  const [row] = await db.query<{ count: number }>(
    `select count(*) from pgboss.job where state < 'completed' and data ? 'correlationId'`,
  )
  return row?.count ?? 0
}

const SETTINGS = {
  SECRET_PEPPER: 'p'.repeat(32),
  REGISTRY: 'simulator',
  PAYMENTS: 'simulator',
  LOG_LEVEL: 'silent',
}

const statusOf = (port: number): Promise<number> =>
  fetch(`http://127.0.0.1:${port}/readyz`).then(
    async (response) => {
      await response.arrayBuffer()
      return response.status
    },
    () => 0,
  )

async function secondsUntil(holds: () => Promise<boolean>): Promise<number> {
  const began = performance.now()
  await eventually(holds, CHANGE_MS_MAX)
  return Math.round((performance.now() - began) / 100) / 10
}
