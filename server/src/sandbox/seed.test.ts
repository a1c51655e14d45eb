import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import { ALL_SCOPES } from '../auth/scopes.ts'
import { CASE_STATUSES, WORKSPACE_STATUSES } from '../workspaces/status.ts'
import { MATTERS } from './fixtures.ts'
import { seed, type World } from './seed.ts'

const DAY_MS = 86_400_000
let service: TestService
before(async () => {
  service = await testService({ matters: true })
})

type Summary = { reference: string; status: string; borrowersValidationStatus: string; createdAt: string }

const worldOf = async (as: string) => {
  const { body } = await service.call<{ records: Summary[] }>('GET', `${PARTNER}/workspaces?limit=100`, { as })
  return body.records
}

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
