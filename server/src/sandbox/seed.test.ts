import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { readEverything } from '../../test/fixtures/read-everything.ts'
import { FINANCIAL, HISTORY, reportOf, runsOf, SUMMARY } from '../../test/fixtures/reports.ts'
import { setClock } from '../../test/fixtures/schedules.ts'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import { compare, recordStatements } from '../../test/fixtures/statements.ts'
import { ALL_SCOPES } from '../auth/scopes.ts'
import { addDays, londonDate, londonMoment } from '../jurisdiction/london.ts'
import { CASE_STATUSES, WORKSPACE_STATUSES } from '../workspaces/status.ts'
import { ACCOUNTS } from './accounts.ts'
import { MATTERS } from './fixtures.ts'
import { seed, type World } from './seed.ts'

// In this order, with one service: playing the sample matters takes as long as all tests. A reset plays them as a first start
// does, which the guide's test shows.

const DAY_MS = 86_400_000
let service: TestService
const recorded = recordStatements()
before(async () => {
  service = await testService({ mattersAfterReset: true })
  assert.equal((await service.call('POST', '/sandbox/v1/reset')).status, 200)
})

type Summary = { reference: string; status: string; borrowersValidationStatus: string; createdAt: string }

const worldOf = async (as: string) => {
  const { body } = await service.call<{ records: Summary[] }>('GET', `${PARTNER}/workspaces?limit=100`, { as })
  return body.records
}

// First, while only the service has sent statements: the whole life of matters in every status, then all that can be read.
describe('the statements about one matter', () => {
  it('name its workspace, or docs/capacity.md says what they would need; and it names no other', async () => {
    await readEverything(service)
    recorded.stop()
    assert.deepEqual(compare(recorded.texts), { undocumented: [], unused: [] })
  })
})

describe('the initial data of the sandbox', () => {
  it('has at least 24 workspaces of the first lender and the first firm, all created before yesterday', async () => {
    const records = await worldOf('sandbox-lender')
    assert.ok(records.length >= 24)
    assert.deepEqual(await worldOf('sandbox-law-firm'), records)
    assert.deepEqual(await worldOf('sandbox-other-lender'), [])
    assert.ok(records.every(({ createdAt }) => Date.parse(createdAt) < Date.now() - DAY_MS))
  })

  it('has workspaces in every status', async () => {
    const shown = new Set((await worldOf('sandbox-law-firm')).map(({ status }) => status))
    assert.deepEqual([...shown].sort(), [...WORKSPACE_STATUSES].sort())
  })

  it('has cases in every status', async () => {
    const rows = await service.deps.db.query<{ status: string }>('select distinct status from lodgement_cases')
    assert.deepEqual(rows.map(({ status }) => status).sort(), [...CASE_STATUSES].sort())
  })

  for (const [what, query] of [
    ['a rule that was confirmed', 'from confirmations'],
    ['a borrower for whom nobody acts', "from representations where represented_by = 'NOT_REPRESENTED'"],
    ['a requisition that was answered', "from requisitions where status = 'ACCEPTED'"],
  ] as const) {
    it(`has ${what}`, async () => {
      assert.notDeepEqual(await service.deps.db.query(`select 1 ${query}`), [])
    })
  }

  it('has every outcome of reconciliation', async () => {
    const shown = new Set((await worldOf('sandbox-lender')).map((one) => one.borrowersValidationStatus))
    for (const status of ['VALID', 'INVALID', 'COUNT_INVALID', 'PENDING']) assert.ok(shown.has(status), status)
  })

  it('leaves the clock at the present time', async () => {
    const { body } = await service.call('GET', '/sandbox/v1/clock')
    assert.ok(Math.abs(Date.parse(String(body['now'])) - Date.now()) < 5_000)
  })
})

const today = () => londonDate(service.deps.clock.now())
const lastDays = (count: number) => Array.from({ length: count }, (_, index) => addDays(today(), index - count))

/** Whatever the time is: the reports of a day are made half an hour after it. */
const noonAfter = (days: number) => setClock(service, londonMoment(addDays(today(), days), '12:00:00'))

/** How many of the three reports the subscriber has for each day. */
async function countsOf(subscriberId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  for (const { reportDate } of await runsOf(service, subscriberId)) counts[reportDate] = (counts[reportDate] ?? 0) + 1
  return counts
}

async function assertFortnight(): Promise<void> {
  const whole = Object.fromEntries(lastDays(14).map((date) => [date, 3]))
  for (const { subscriberId, reports } of ACCOUNTS) assert.deepEqual(await countsOf(subscriberId), reports ? whole : {})
}

describe('the reports of the sandbox’s initial data', () => {
  it('exist for fourteen days, for all subscribers except the new lender', assertFortnight)

  it('contain the workspaces that existed on their day, and the money that settled on it', async () => {
    const workspaces = await worldOf('sandbox-lender')
    for (const date of lastDays(14)) {
      const existed = workspaces.filter(({ createdAt }) => londonDate(new Date(createdAt)) <= date)
      for (const name of [FINANCIAL, SUMMARY] as const) {
        assert.equal((await reportOf(service, name, date)).length, existed.length, `${name} ${date}`)
      }
      for (const row of await reportOf(service, HISTORY, date)) {
        assert.equal(londonDate(new Date(row['settled_at'] ?? '')), date)
      }
    }
  })

  it('continue with the next night', async () => {
    await noonAfter(1)
    await assertFortnight()
  })
})

describe('the initial data, at a later start', () => {
  it('is kept when it is complete, and created again when its creation was interrupted', async () => {
    const { db } = service.deps
    const world = { ...service.deps, ownerUrl: service.env['DATABASE_OWNER_URL'], pepper: 'x', matters: false }
    const app = {} as Parameters<typeof seed>[0]
    await db.query(`update clients set scopes = '{view:workspaces}'`)
    await seed(app, world as unknown as World)
    const granted = await db.query<{ scopes: string[] }>('select scopes from clients')
    assert.deepEqual(granted[0]?.scopes, ALL_SCOPES, 'also what an earlier version did not have')
    assert.equal((await worldOf('sandbox-lender')).length, MATTERS.length)
    await db.query('update service_state set seeded = false')
    await seed(app, world as unknown as World)
    const [count] = await db.query<{ count: number }>('select count(*) from workspaces')
    assert.equal(count?.count, 0)
  })
})
