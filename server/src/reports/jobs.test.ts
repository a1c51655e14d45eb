import assert from 'node:assert/strict'
import { before, beforeEach, describe, it } from 'node:test'
import { putClock } from '../../test/fixtures/lodging.ts'
import { FINANCIAL, HISTORY, reportEventsOf, reportOf, runsOf, SUMMARY } from '../../test/fixtures/reports.ts'
import { setClock } from '../../test/fixtures/schedules.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { aWorkspace, drain, LENDER_ID, move } from '../../test/fixtures/workspaces.ts'
import { addDays, londonDate } from '../jurisdiction/london.ts'
import { makeReportsJob, planReports } from './jobs.ts'
import { madeAt, nextNight } from './rules.ts'

const OTHER_LENDER_ID = '10000000-0000-4000-8000-000000000002'
const NEW_LENDER_ID = '10000000-0000-4000-8000-000000000003'
const ALL = [FINANCIAL, HISTORY, SUMMARY]

let service: TestService
let today: string
before(async () => {
  service = await testService({ reports: true })
})
// The reports of all days before are made, whatever the tests before did to the clock.
beforeEach(() => {
  today = londonDate(service.deps.clock.now())
})

const datesOf = async (subscriberId: string) =>
  [...new Set((await runsOf(service, subscriberId)).map(({ reportDate }) => reportDate))].sort()

const lastDays = (count: number, until: string) =>
  Array.from({ length: count }, (_, index) => addDays(until, index + 1 - count))

const rowsOf = async (date: string, ...references: string[]) =>
  (await reportOf(service, SUMMARY, date)).filter((row) => references.includes(row['subscriber_reference'] ?? ''))

const dueAt = async () => {
  const [row] = await service.deps.db.query<{ dueAt: Date }>(
    `select due_at as "dueAt" from due where job = 'reports.generate'`,
  )
  return row?.dueAt
}

describe('reports.generate', () => {
  it('makes the reports of the day at half past midnight in London, not before, and publishes an event for each', async () => {
    await aWorkspace(service, { reference: 'OF TODAY' })
    const before = (await reportEventsOf(service, LENDER_ID)).length
    await setClock(service, new Date(madeAt(today).getTime() - 30_000))
    assert.equal((await datesOf(LENDER_ID)).at(-1), addDays(today, -1))
    await setClock(service, madeAt(today))
    assert.equal((await rowsOf(today, 'OF TODAY')).length, 1)
    assert.deepEqual(
      (await reportEventsOf(service, LENDER_ID)).slice(before).sort(),
      ALL.map((name) => `${name} ${today}`).sort(),
    )
    const runs = (await runsOf(service, LENDER_ID)).filter(({ reportDate }) => reportDate === today)
    assert.equal(runs.length, 3)
    for (const { generatedAt } of runs) assert.ok(generatedAt >= madeAt(today))
  })

  it('runs every night and keeps fourteen days', async () => {
    await move(service, 'P20D')
    assert.deepEqual(await datesOf(LENDER_ID), lastDays(14, addDays(today, 19)))
    assert.deepEqual(await dueAt(), nextNight(service.deps.clock.now()))
  })

  it('removes a report on the night on which it is fifteen days old', async () => {
    const oldest = addDays(today, -14)
    assert.equal((await datesOf(LENDER_ID))[0], oldest)
    await setClock(service, madeAt(today))
    assert.equal((await datesOf(LENDER_ID))[0], addDays(oldest, 1))
  })

  it('makes none where reports are off, and all for a subscriber that is suspended', async () => {
    const set = (status: string) =>
      service.deps.db.query('update subscribers set status = $2 where subscriber_id = $1', [LENDER_ID, status])
    await set('SUSPENDED')
    await move(service, 'P2D')
    await set('ACTIVE')
    assert.equal((await datesOf(LENDER_ID)).at(-1), addDays(today, 1))
    assert.deepEqual(await runsOf(service, NEW_LENDER_ID), [])
  })

  it('begins with the day on which a subscriber was added', async () => {
    const json = { kind: 'LENDER', name: 'Late Bank' }
    const { body } = await service.call<{ subscriberId: string }>('POST', '/sandbox/v1/subscribers', { json })
    await drain(service)
    await planReports(service.deps.db, service.deps.clock.now(), 'test')
    await drain(service)
    assert.deepEqual(await datesOf(body.subscriberId), [])
    await setClock(service, madeAt(today))
    assert.deepEqual(await datesOf(body.subscriberId), [today])
  })
})

describe('nights that were missed', () => {
  /** Stops the service and starts it again after some days, with a workspace created before and after. */
  async function sleep(days: number): Promise<void> {
    await service.deps.db.query(`delete from due where job = 'reports.generate'`)
    await aWorkspace(service, { reference: 'BEFORE' })
    await putClock(service, new Date(service.deps.clock.now().getTime() + days * 86_400_000).toISOString())
    await aWorkspace(service, { reference: 'AFTER' })
    await planReports(service.deps.db, service.deps.clock.now(), 'test')
    await drain(service)
  }

  it('are caught up on the next start: the present state of what existed at the end of each day', async () => {
    await sleep(5)
    assert.deepEqual(await datesOf(LENDER_ID), lastDays(14, addDays(today, 4)))
    for (const date of lastDays(5, addDays(today, 4))) {
      const rows = await rowsOf(date, 'BEFORE', 'AFTER')
      assert.deepEqual(
        rows.map((row) => [row['report_date'], row['subscriber_reference'], row['days_in_status']]),
        [[date, 'BEFORE', String((Date.parse(date) - Date.parse(today)) / 86_400_000)]],
      )
    }
    assert.deepEqual(await dueAt(), nextNight(service.deps.clock.now()))
  })

  it('are caught up as far back as reports are served', async () => {
    await sleep(40)
    assert.deepEqual(await datesOf(LENDER_ID), lastDays(14, addDays(today, 39)))
  })

  it('cost nothing where none was missed: the next night is planned', async () => {
    await planReports(service.deps.db, service.deps.clock.now(), 'test')
    assert.deepEqual(await dueAt(), nextNight(service.deps.clock.now()))
  })
})

describe('the job, run again', () => {
  it('finds nothing to do, and changes nothing', async () => {
    await aWorkspace(service)
    await setClock(service, madeAt(today))
    const [made, told] = [await runsOf(service, LENDER_ID), await reportEventsOf(service, LENDER_ID)]
    await service.deps.db.query('update due set due_at = $1', [service.deps.clock.now()])
    await drain(service)
    assert.deepEqual(await runsOf(service, LENDER_ID), made)
    assert.deepEqual(await reportEventsOf(service, LENDER_ID), told)
  })
})

describe('reports.make', () => {
  async function make(date: string, subscriberIds: string[], now: Date): Promise<void> {
    const job = makeReportsJob(service.deps)
    assert.ok(job.transactional === false, 'a report takes time, so it does not run in one transaction')
    await job.run({ now, correlationId: 'test', signal: new AbortController().signal }, { date, subscriberIds })
  }

  it('fails where one subscriber’s reports cannot be made, and makes those of the others', async () => {
    const { workspaceId } = await aWorkspace(service)
    const { db, clock } = service.deps
    await db.query(
      `insert into settlements (settlement_id, schedule_id, workspace_id, status, lines, initiated_at, settled_at)
       select gen_random_uuid(), schedule_id, workspace_id, 'SETTLED', '[{"amountPence": "much"}]', $2, $2
         from settlement_schedules where workspace_id = $1`,
      [workspaceId, clock.now()],
    )
    const ids = [LENDER_ID, OTHER_LENDER_ID]
    const run = () => make(today, ids, madeAt(today))
    await assert.rejects(run, /bigint/)
    assert.deepEqual(
      (await Promise.all(ids.map(datesOf))).map((dates) => dates.includes(today)),
      [false, true],
    )
    await db.query(`update settlements set lines = '[]'`)
    await run()
    assert.ok((await datesOf(LENDER_ID)).includes(today))
  })

  it('ignores dates that are too old to be served', async () => {
    const old = addDays(today, -15)
    await make(old, [LENDER_ID], service.deps.clock.now())
    assert.ok(!(await datesOf(LENDER_ID)).includes(old))
  })
})
