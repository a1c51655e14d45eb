import { setTimeout as delay } from 'node:timers/promises'
import { migrateDatabase } from '../server/src/database.ts'
import { openDb } from '../server/src/platform/database/db.ts'
import { type Measurement, measure, type Pace } from './harness.ts'
import { type Helper, startHelper } from './helper.ts'
import { type Line, linesOf } from './lines.ts'
import { cpuMsOf } from './machine.ts'
import type { Batch, Played } from './matters-load.ts'
import { ACCOUNT } from './operations.ts'
import { findProgram, PGBENCH_MISSING, POOL_CONNECTIONS, pgbenchSide, type Script, typesOf } from './pgbench.ts'
import type { Sent } from './recorder.ts'
import { scriptOf, unitsOf } from './script.ts'
import type { Testbed } from './testbed.ts'

// Whole matters: many at once, from the order to the registered title, as the guide does it, in a sandbox of service and
// worker. The registry and the bank answer as soon as the clock is there, and the bench moves the clock. The limit is
// pgbench with the statements that one such matter sends, recorded in this run, on a copy of the database.

const COUNT = Number(process.env['BENCH_MATTERS'] ?? 160)
const AT_ONCE = 24
const ROUNDS = 2
const PACED_SECONDS = 20
const GOAL = 0.4
const P99_MS_MAX = 100
const POLL_MS = 40
const DAY_MS = 86_400_000
/** Days after the completion day: the money moves, the registry accepts the case, and registers it. */
const DAYS = [0, 1, 6, 10]
const GROUP = 'Whole matters, from the order to the registered title'

type Sandbox = Helper & { url: string }
type Databases = { url: string; ownerUrl: string }

export async function wholeMatters(testbed: Testbed, pace: Pace, ended: AbortSignal): Promise<Line[]> {
  const databases = await newDatabase(testbed, 'bench_matters')
  const db = openDb({ url: databases.ownerUrl, poolSize: 2 })
  const load = startHelper('matters-load.ts')
  try {
    process.stderr.write('  recording a matter …\n')
    const script = await recordMatter(testbed, databases, load)
    await db.close()
    const limit = await newDatabase(testbed, 'bench_limit', 'bench_matters')
    const sandbox = await testbed.start({ as: 'dev' }, databases)
    const used: Used[] = []
    const run = async (count: number) => {
      const before = await cpuOf(testbed, sandbox)
      const startedAt = performance.now()
      const played = await play(load, { url: sandbox.url, count, pace: { atOnce: AT_ONCE } })
      await finish(sandbox, databases, played.workspaceIds)
      const seconds = (performance.now() - startedAt) / 1000
      used.push({ ...difference(before, await cpuOf(testbed, sandbox), count), uploads: played.uploads })
      return { perSecond: count / seconds }
    }
    const program = await findProgram('pgbench')
    if (!program) process.stderr.write(`${PGBENCH_MISSING}\n`)
    const pgbench = { name: "pgbench, a matter's SQL", url: limit.url, script, clients: POOL_CONNECTIONS }
    const measurement: Measurement = {
      name: 'matters',
      title: `matters, ${AT_ONCE} at once`,
      unit: '/min',
      service: { name: 'service and worker', run: (seconds) => run(seconds === pace.warmUp ? AT_ONCE : COUNT) },
      limits: program ? [{ ...pgbenchSide({ ...pgbench, program }), goal: GOAL }] : [],
      roundsMax: ROUNDS,
    }
    // As long as a turn of the service takes, roughly, so that both see the same machine.
    const figure = await measure(measurement, { ...pace, seconds: pace.seconds * 4 }, testbed, ended)
    const perSecond = figure.service.perSecond / 2
    const count = Math.ceil(perSecond * PACED_SECONDS)
    const paced = await play(load, { url: sandbox.url, count, pace: { perSecond } })
    await finish(sandbox, databases, paced.workspaceIds)
    await sandbox.stop()
    return [...linesOf(figure, GROUP), ...cpuLines(used.slice(1)), ...pacedLines(paced)]
  } finally {
    await load.stop()
  }
}

type Used = { service: number; pdf: number; postgres: number; uploads: Played['uploads'] }

function cpuLines(used: readonly Used[]): Line[] {
  const line = (what: string, name: 'service' | 'pdf' | 'postgres'): Line => {
    const value = used.reduce((sum, one) => sum + one[name], 0) / used.length
    return { group: GROUP, what: `CPU for a matter: ${what}`, value, unit: 's' }
  }
  const p99Ms = Math.max(...used.map(({ uploads }) => uploads.p99Ms))
  return [
    line('service and worker', 'service'),
    line('PostgreSQL', 'postgres'),
    line('checks of its PDF', 'pdf'),
    { group: GROUP, what: `upload of its PDF, p99 of ${AT_ONCE} matters at once`, value: p99Ms, unit: 'ms' },
  ]
}

const pacedLines = ({ requests, uploads }: Played): Line[] => [
  {
    group: GROUP,
    what: `p99 of ${requests.count} requests at half of that rate`,
    value: requests.p99Ms,
    unit: 'ms',
    goal: { atMost: P99_MS_MAX },
  },
  { group: GROUP, what: 'p99 of its uploads', value: uploads.p99Ms, unit: 'ms', goal: { atMost: P99_MS_MAX } },
]

const play = (load: Helper, batch: Batch) => load.ask<Played>('play', batch)

/** Moves the clock to each day on which something happens, and waits until all of it is done. */
async function passDays(sandbox: Sandbox, completedAt: number): Promise<void> {
  for (const days of DAYS) {
    await sandbox.ask('moveClock', new Date(completedAt + days * DAY_MS).toISOString())
    while (!(await sandbox.ask<boolean>('isIdle'))) await delay(POLL_MS)
  }
}

/** Until the titles of these matters are registered. */
async function finish(sandbox: Sandbox, { ownerUrl }: Databases, workspaceIds: readonly string[]): Promise<void> {
  const db = openDb({ url: ownerUrl, poolSize: 1 })
  try {
    const [last] = await db.query<{ day: string }>(
      'select max(completion_date)::text as day from workspaces where workspace_id = any ($1)',
      [workspaceIds],
    )
    await passDays(sandbox, Date.parse(`${last?.day}T12:00:00Z`))
    const open = await db.query<{ status: string; count: number }>(
      `select w.status || ' ' || c.status as status, count(*) from workspaces w join lodgement_cases c using (workspace_id)
        where workspace_id = any ($1) and (w.status, c.status) <> ('CLOSED', 'REGISTERED') group by 1`,
      [workspaceIds],
    )
    if (open.length) throw new Error(`Some matters were not registered: ${JSON.stringify(open)}`)
  } finally {
    await db.close()
  }
}

/** Plays one matter that prepares and one that is recorded, without what the sandbox does anyway. */
async function recordMatter(testbed: Testbed, databases: Databases, load: Helper): Promise<Script> {
  const sandbox = await testbed.start({ as: 'dev', recorded: true }, databases)
  const owner = openDb({ url: databases.ownerUrl, poolSize: 2 })
  try {
    await owner.query('update subscribers set reports = false')
    const one = async () => {
      const { workspaceIds } = await play(load, { url: sandbox.url, count: 1, pace: { atOnce: 1 } })
      await finish(sandbox, databases, workspaceIds)
      return sandbox.ask<Sent[]>('recorded')
    }
    await one()
    await passDays(sandbox, Date.parse(await sandbox.ask<string>('now')) + 2 * DAY_MS)
    const idle = await sandbox.ask<Sent[]>('recorded')
    const units = unitsOf(await one(), idle)
    const types = await typesOf(
      owner,
      units.flat().map(({ text }) => text),
    )
    return scriptOf(units, { types, sqlOf: (id) => (ACCOUNT.test(id) ? 'same' : undefined), numbers: [1, 1] })
  } finally {
    await owner.close()
    await sandbox.stop()
  }
}

/** A database of the same server: migrated, or a copy of another. */
async function newDatabase({ owner, databaseUrl, ownerUrl }: Testbed, name: string, template?: string) {
  const client = await owner.dedicated()
  await client.query(`create database ${name}${template ? ` template ${template}` : ''}`).finally(() => client.end())
  const named = (url: string) => url.replace('/lodgeway?', `/${name}?`)
  const database = { url: named(databaseUrl), ownerUrl: named(ownerUrl), embedded: false, stop: async () => {} }
  if (!template) await migrateDatabase(database)
  return database
}

type Cpu = { service: number; pdf: number; postgres: number }

async function cpuOf({ owner }: Testbed, sandbox: Sandbox): Promise<Cpu> {
  const [server] = await owner.query<{ pid: string }>(
    `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1) as pid`,
  )
  const service = (await sandbox.cpuMicros()) / 1e6
  return {
    service,
    pdf: (await cpuMsOf(sandbox.pid)) / 1000 - service,
    postgres: (await cpuMsOf(Number(server?.pid))) / 1000,
  }
}

const difference = (before: Cpu, after: Cpu, count: number): Cpu => ({
  service: (after.service - before.service) / count,
  pdf: Math.max(0, after.pdf - before.pdf) / count,
  postgres: (after.postgres - before.postgres) / count,
})
