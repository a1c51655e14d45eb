import assert from 'node:assert/strict'
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createClient, type Lodgeway } from '../../../../client/src/index.ts'
import { startEmbeddedPostgres } from '../../../src/platform/embedded-postgres/embedded-postgres.ts'
import { ROOT } from '../../cluster/cluster.ts'
import { runSql } from '../../fixtures/database.ts'
import { eventually } from '../../fixtures/eventually.ts'
import { checkOut, VERSION_1 } from '../../fixtures/history.ts'
import { UNTIL_REGISTERED } from '../../fixtures/lodging.ts'
import { endProcess, isReady } from '../../fixtures/process.ts'
import type { TestService } from '../../fixtures/service.ts'
import { move } from '../../fixtures/workspaces.ts'
import type { Journey } from '../../journeys/journey.ts'
import { payAndSend } from '../../journeys/money.ts'
import { approveCase, completeCase, type Matter, order, prepareCase, progressOf } from '../../journeys/steps.ts'
import { say } from '../failover/failover.ts'
import { fill } from './fill.ts'

// Version 1.0.0 is stopped, the database is migrated, and this version goes on with its matters. Both run as the sandbox,
// whose clock can be moved, on a PostgreSQL of their own.

const run = promisify(execFile)
const READY_MS_MAX = 180_000
const TURNS_MS_MAX = 480_000
const HOUSES = ['sandbox-lender', 'sandbox-law-firm'] as const

export async function proveUpgradeFromFirst({ matters }: { matters: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-first-'))
  const code = join(folder, 'code')
  let child: ChildProcess | undefined
  const postgres = await startEmbeddedPostgres({ folder: join(folder, 'postgres'), mode: 'own' })
  const end = async () => {
    await endProcess(child)
    await postgres.stop()
    await rm(folder, { recursive: true, force: true })
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => end().finally(() => process.exit(1)))
  try {
    say('installing 1.0.0')
    await checkOut(VERSION_1, code)
    const port = 20_000 + (process.pid % 10_000) // no other program is given it while nothing listens there
    const url = `http://127.0.0.1:${port}`
    const env = {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: postgres.url,
      DATABASE_OWNER_URL: postgres.ownerUrl,
      DATA_DIR: join(folder, 'data'),
      PORT: String(port),
      ADMIN_PORT: '0',
      LOG_LEVEL: 'error',
      RATE_LIMIT_PER_MINUTE: '0',
    }
    const start = async (checkout: string) => {
      const stdio = ['ignore', 'ignore', 'inherit'] as const
      child = spawn(process.execPath, [join(checkout, 'server/src/main.ts'), 'dev'], { env, stdio: [...stdio] })
      await untilReady(url, child)
    }

    say('starting 1.0.0')
    await start(code)
    const before = await journeyAt(url)
    const [ordered, prepared] = [await order(before, 'ST500678'), await order(before, 'ST500678')]
    await prepareCase(prepared)
    const shown = await readAll(before)
    await fill(postgres.ownerUrl, matters)

    say('stopping 1.0.0')
    const seconds = stopwatch()
    await endProcess(child, 'SIGTERM')
    const stop = seconds()
    await run(process.execPath, [join(ROOT, 'server/src/main.ts'), 'migrate'], { env })
    const migrate = seconds()
    await start(ROOT)
    await before.lender.getWorkspace({ path: { workspace_id: ordered.workspaceId } }) // with a token of 1.0.0
    const first = seconds()
    say(`stopped for ${first} s, of which ${round(migrate - stop)} s for migrate`)

    say('going on')
    const journey = await journeyAt(url)
    const now = await readAll(journey)
    const lost = [...shown].filter(([id, { status }]) => now.get(id)?.status !== status).map(([id]) => id)
    const corrected = differences(shown, now)
    await approveCase({ ...prepared, ...journey })
    await completeCase({ ...ordered, ...journey })
    for (const matter of [prepared, ordered]) await finish({ ...matter, ...journey })
    say('waiting until it is decided whose turn each matter is')
    await eventually(async () => (await countOf(postgres.ownerUrl, UNDECIDED)) === 0, TURNS_MS_MAX)
    const turns = round(seconds() - first)
    const dead = await countOf(postgres.ownerUrl, DEAD)
    const audit = await run(process.execPath, [join(ROOT, 'server/src/main.ts'), 'audit', 'verify'], { env })
    if (lost.length + dead > 0) process.exitCode = 1
    return {
      from: '1.0.0',
      matters: await countOf(postgres.ownerUrl, 'workspaces'),
      statuses: statusesOf(shown),
      stopSeconds: {
        untilEnded: stop,
        migrate: round(migrate - stop),
        untilAnswered: round(first - migrate),
        all: first,
      },
      secondsUntilTurnsWereDecided: turns,
      dead,
      lost,
      correctedByMigrations: corrected.length,
      finished: 2,
      audit: audit.stdout.trim().split('\n').at(-1),
    }
  } finally {
    await end()
  }
}

async function untilReady(url: string, child: ChildProcess): Promise<void> {
  const deadline = performance.now() + READY_MS_MAX
  while (!(await isReady(url))) {
    if (child.exitCode !== null || performance.now() > deadline) throw new Error('It did not start: see above.')
    await delay(25)
  }
}

const round = (seconds: number) => Math.round(seconds * 10) / 10

function stopwatch(): () => number {
  const startedAt = performance.now()
  return () => round((performance.now() - startedAt) / 1000)
}

/** What the steps of a journey use of a service, for one in another process. */
async function journeyAt(url: string): Promise<Journey> {
  let offsetMs = 0
  // Of the sandbox, only its clock is used. It cannot be moved while jobs run, as those of the upgrade do.
  async function call(method: string, path: string, { json }: { json?: unknown } = {}, attempts = 5) {
    const headers = { 'content-type': 'application/json' }
    const body = json === undefined ? {} : { headers, body: JSON.stringify(json) }
    const response = await fetch(url + path, { method, ...body })
    const text = await response.text()
    if (response.status === 503 && attempts > 1) return call(method, path, { json }, attempts - 1)
    if (response.ok) offsetMs = Date.parse((JSON.parse(text) as { now: string }).now) - Date.now()
    return { status: response.status, text }
  }
  await call('POST', '/sandbox/v1/clock', { json: { advance: 'PT0S' } }) // once nothing is left to do
  const clock = { now: () => new Date(Date.now() + offsetMs) }
  const service = { url, call, deps: { clock } } as unknown as TestService
  const [lender, firm] = HOUSES.map((clientId) =>
    createClient({ baseUrl: url, clientId, clientSecret: `${clientId}-secret` }),
  )
  assert.ok(lender && firm)
  return { service, lender, firm, proxy: undefined as never }
}

async function finish(matter: Matter): Promise<void> {
  await payAndSend(matter)
  await move(matter.service, UNTIL_REGISTERED)
  assert.equal(await progressOf(matter), 'CLOSED REGISTERED')
}

/** Everything that can be read of the matters of a lender: each with its case and its schedule. */
type Shown = Map<string, { status: string; lodgementCase: unknown; schedule: unknown; workspace: object }>

async function readAll({ lender, firm }: { lender: Lodgeway; firm: Lodgeway }): Promise<Shown> {
  const shown: Shown = new Map()
  for await (const { workspaceId } of lender.records('listWorkspaces')) {
    const query = { workspace_id: workspaceId }
    const workspace = await lender.getWorkspace({ path: query })
    const [cases, schedules] = await Promise.all([
      firm.getLodgementCases({ query }),
      firm.getFinancialSettlementSchedules({ query }),
    ])
    const { status } = workspace
    shown.set(workspaceId, { status, workspace, lodgementCase: cases.records, schedule: schedules.records })
  }
  return shown
}

/** What is shown otherwise: the migrations correct what 1.0.0 left wrong, such as the schedule of a cancelled matter. */
function differences(before: Shown, after: Shown): string[] {
  return [...before].flatMap(([workspaceId, was]) => {
    try {
      assert.partialDeepStrictEqual(after.get(workspaceId), was)
      return []
    } catch (error) {
      return [`${workspaceId}: ${(error as Error).message}`]
    }
  })
}

const statusesOf = (shown: Shown) =>
  Object.fromEntries(
    [...Map.groupBy(shown.values(), ({ status }) => status)].map(([status, all]) => [status, all.length]),
  )

const UNDECIDED = `workspaces where turn_stale and status not in ('CLOSED', 'CANCELLED')`
const DEAD = `pgboss.job where name = 'dead'`

const countOf = async (ownerUrl: string, from: string): Promise<number> =>
  Number((await runSql<{ count: string }>(ownerUrl, `select count(*) from ${from}`))[0]?.count)
