import { createHash } from 'node:crypto'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { readConfig } from '../../src/config.ts'
import { addDays, londonDate } from '../../src/jurisdiction/london.ts'
import type { Db } from '../../src/platform/database/db.ts'
import { boundsOf, REPORT_NAMES } from '../../src/reports/rules.ts'
import { pepperOf } from '../../src/secrets.ts'
import { startService } from '../../src/service.ts'
import { eventually } from '../fixtures/eventually.ts'
import { endProcess, startWorker } from '../fixtures/process.ts'
import { reportPath } from '../fixtures/reports.ts'
import { callerOf } from '../fixtures/service.ts'
import { FIRM, FIRM_ID, LENDER, LENDER_ID } from '../fixtures/workspaces.ts'
import { proofSandbox } from './proof-database.ts'

export type ReportFigures = {
  workspaces: number
  kills: number
  /** Responses to a client that asked for the reports all the time: the whole report, and 404. */
  servedWhole: number
  notYetThere: number
  servedInPart: number
  /** After each kill: reports that are missing or there twice, and events that are. */
  withoutOneReport: number
  withoutOneEvent: number
  secondsUntilThere: number[]
}

const SIMULATED = { REGISTRY: 'simulator', PAYMENTS: 'simulator' }
const AT_ONCE = 4 // jobs for the same reports: each of two nodes runs two of them
const ROUND_MS_MAX = 90_000
const PAUSE_MS_MAX = 400
const WATCH_MS = 100

/** Two nodes make the same reports at once, and one of them is killed while it does. */
export async function proveReports({
  workspaces,
  kills,
}: {
  workspaces: number
  kills: number
}): Promise<ReportFigures> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lodgeway-proof-'))
  const postgres = await proofSandbox(dataDir, { reports: true })
  const env = {
    DATA_DIR: dataDir,
    PORT: '0',
    ADMIN_PORT: '0',
    LOG_LEVEL: 'silent',
    ...SIMULATED,
  }
  const settings = { ...env, DATABASE_URL: postgres.url, RATE_LIMIT_PER_MINUTE: '0' }
  const config = readConfig({ ...settings, DATABASE_OWNER_URL: postgres.ownerUrl }, { sandbox: true, part: 'serve' })
  const service = await startService(config, { http: true, worker: false, matters: false })
  const workerSettings = { ...settings, SECRET_PEPPER: await pepperOf(config) }
  const nodes = [startWorker(workerSettings), startWorker(workerSettings)]
  try {
    const { db } = service.deps
    const date = addDays(londonDate(new Date()), -1)
    await seed(db, workspaces, date)
    const figures = { workspaces, kills, servedWhole: 0, notYetThere: 0, servedInPart: 0 }
    const lacking = { withoutOneReport: 0, withoutOneEvent: 0 }
    const secondsUntilThere: number[] = []
    for (let kill = 0; kill < kills; kill++) {
      const spool = join(dataDir, 'blobs', 'spool')
      const left = await readdir(spool) // of a node that was killed before
      const mark = await begin(db, date)
      const ended = new AbortController()
      const watching = watch(service.url, date, workspaces, figures, ended.signal)
      await eventually(async () => (await readdir(spool)).some((file) => !left.includes(file)), ROUND_MS_MAX)
      await delay(Math.random() * PAUSE_MS_MAX)
      const victim = kill % 2
      await endProcess(nodes[victim])
      const killedAt = performance.now()
      await eventually(async () => (await countReports(db, date)) === EXPECTED, ROUND_MS_MAX)
      secondsUntilThere.push(Math.round((performance.now() - killedAt) / 100) / 10)
      await eventually(async () => (await service.deps.queue.unfinished()) === 0, ROUND_MS_MAX)
      ended.abort()
      await watching
      lacking.withoutOneReport += Math.abs((await countReports(db, date)) - EXPECTED)
      lacking.withoutOneEvent += await countWrongEvents(db, date, mark)
      if (kill + 1 < kills) nodes[victim] = startWorker(workerSettings)
    }
    return { ...figures, ...lacking, secondsUntilThere }
  } finally {
    await Promise.all(nodes.map((node) => endProcess(node)))
    await service.stop()
    await postgres.stop()
    await rm(dataDir, { recursive: true, force: true })
  }
}

const SUBSCRIBERS = [LENDER_ID, FIRM_ID]
const EXPECTED = SUBSCRIBERS.length * REPORT_NAMES.length

/** Workspaces of the first lender and the first firm, each with a payment of two lines that settled on the day. */
async function seed(db: Db, count: number, date: string): Promise<void> {
  const at = boundsOf(date).since
  for (const text of SEED) await db.query(text, text.includes('$3') ? [count, at, LENDER_ID, FIRM_ID] : [at])
}

const AUDITED = `created_at, created_by, last_modified_at, last_modified_by`
const SEED = [
  `insert into workspaces (workspace_id, workspace_reference_id, reference, status, security_address, postcode, lender_id,
     law_firm_id, borrowers_validation_status, status_since, ${AUDITED})
   select gen_random_uuid(), 'LW26' || lpad(n::text, 7, '0'), 'REM-' || n, 'CREATED',
     '{"number":"83","street":"Fore Street","town":"Exeter"}', 'EX4 3AN', $3, $4, 'VALID', $2, $2, 'proof', $2, 'proof'
     from generate_series(1, $1::int) n`,
  `insert into lodgement_cases (lodgement_case_id, workspace_id, status, ${AUDITED})
   select gen_random_uuid(), workspace_id, 'CREATED', $1, 'proof', $1, 'proof' from workspaces`,
  `insert into settlement_schedules (schedule_id, workspace_id, status, ${AUDITED})
   select gen_random_uuid(), workspace_id, 'SETTLED', $1, 'proof', $1, 'proof' from workspaces`,
  `insert into settlements (settlement_id, schedule_id, workspace_id, status, lines, initiated_at, settled_at)
   select gen_random_uuid(), schedule_id, workspace_id, 'SETTLED',
     '[{"type":"SOURCE","amountPence":1},{"type":"DESTINATION","amountPence":1}]', $1, $1 from settlement_schedules`,
]

/** Deletes the reports of the date and has them made several times at once. Returns the last event's number before. */
async function begin(db: Db, date: string): Promise<number> {
  await db.query('delete from reports where report_date = $1 and subscriber_id = any ($2)', [date, SUBSCRIBERS])
  const [last] = await db.query<{ seq: number }>('select coalesce(max(seq), 0) as seq from events')
  await db.query(
    `insert into due (due_at, job, payload)
     select now(), 'reports.make', jsonb_build_object('correlationId', 'proof', 'payload',
              jsonb_build_object('date', $1::text, 'subscriberIds', $2::uuid[]))
       from generate_series(1, $3::int)`,
    [date, SUBSCRIBERS, AT_ONCE],
  )
  return last?.seq ?? 0
}

/** Asks for the reports again and again, as partners may, and checks each one. */
async function watch(
  url: string,
  date: string,
  workspaces: number,
  figures: Pick<ReportFigures, 'servedWhole' | 'notYetThere' | 'servedInPart'>,
  ended: AbortSignal,
): Promise<void> {
  const { call } = callerOf(url)
  while (!ended.aborted) {
    for (const as of [LENDER, FIRM]) {
      for (const name of REPORT_NAMES) {
        const { status, headers, text } = await call('GET', reportPath(name, `?date=${date}`), as)
        const rows = name.includes('history') ? workspaces * 2 : workspaces
        const isWhole =
          createHash('sha256').update(text).digest('hex') === headers.get('x-report-sha256') &&
          headers.get('x-report-row-count') === String(rows) &&
          text.split('\r\n').length === rows + 2
        if (status === 404) figures.notYetThere += 1
        else if (status === 200 && isWhole) figures.servedWhole += 1
        else figures.servedInPart += 1
      }
    }
    await delay(WATCH_MS)
  }
}

const countReports = async (db: Db, date: string): Promise<number> =>
  (
    await db.query(
      'select distinct subscriber_id, report_name from reports where report_date = $1 and subscriber_id = any ($2)',
      [date, SUBSCRIBERS],
    )
  ).length

async function countWrongEvents(db: Db, date: string, mark: number): Promise<number> {
  const counts = await db.query<{ count: number }>(
    `select count(*) from events where seq > $1 and type = 'REPORT_GENERATED' and data ->> 'reportDate' = $2
        and told && $3::uuid[] group by told, data ->> 'reportName'`,
    [mark, date, SUBSCRIBERS],
  )
  return counts.filter(({ count }) => count !== 1).length + Math.abs(counts.length - EXPECTED)
}
