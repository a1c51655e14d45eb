import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { putClock } from '../../test/fixtures/lodging.ts'
import { cancel } from '../../test/fixtures/payments.ts'
import {
  anAuthorisedMatter,
  authorise,
  businessDay,
  type Facts,
  setClock,
  settlementsOf,
  statusesOf,
} from '../../test/fixtures/schedules.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { drain, eventsOf, move, readCase, readWorkspace } from '../../test/fixtures/workspaces.ts'
import { addBusinessDays } from '../jurisdiction/business-days.ts'
import { londonMoment } from '../jurisdiction/london.ts'
import { REFUSED_ACCOUNT, SLOW_ACCOUNT } from './simulator.ts'

// The whole service on its own clock, the simulator behind it.

let service: TestService
before(async () => {
  service = await testService()
})

const SLACK_MS = 10_000 // the clock runs on while jobs start

/** When the money moved, as the timeline tells it. */
async function exchangedAt(workspaceId: string): Promise<Date> {
  const [row] = await service.deps.db.query<{ at: Date }>(
    `select at from events where workspace_id = $1 and type = 'WORKSPACE_FUNDS_EXCHANGED'`,
    [workspaceId],
  )
  return row?.at ?? assert.fail('the money has not moved')
}

/** The next business day of a season, three business days from today at the least. */
function nextDayOf(months: readonly string[]): string {
  let date = businessDay(service, 3)
  while (!months.includes(date.slice(5, 7))) date = addBusinessDays(date, 1)
  return date
}

const settle = async (facts: Facts) => {
  const matter = await anAuthorisedMatter(service, facts)
  const nine = londonMoment(matter.completionDate, '09:00:00')
  return { ...matter, nine }
}

describe('completion day', () => {
  for (const [season, months, offset] of [
    ['summer', ['06', '07', '08'], 'T08:00:00.000Z'],
    ['winter', ['12', '01', '02'], 'T09:00:00.000Z'],
  ] as const) {
    it(`settles at nine in London in ${season}, and not a minute before`, async () => {
      const completionDate = nextDayOf(months)
      await putClock(service, londonMoment(addBusinessDays(completionDate, -2), '12:00:00').toISOString())
      const { workspaceId, nine } = await settle({ completionDate })
      assert.equal(nine.toISOString(), completionDate + offset)
      await setClock(service, new Date(nine.getTime() - 60_000))
      assert.deepEqual(await statusesOf(service, workspaceId), ['FUNDS_AUTHORISED', 'AUTHORISED'])
      await setClock(service, new Date(nine.getTime() + 60_000))
      const at = await exchangedAt(workspaceId)
      assert.ok(at >= nine && at.getTime() < nine.getTime() + SLACK_MS, at.toISOString())
      const [settlement] = await settlementsOf(service, workspaceId)
      assert.equal(settlement?.status, 'SETTLED')
      assert.notEqual((await readCase(service, workspaceId)).lodgementCaseStatus, 'PREPARED', 'the case was sent')
    })
  }

  it('is one for all of its workspaces', async () => {
    const completionDate = businessDay(service, 3)
    const matters = [await settle({ completionDate }), await settle({ completionDate, advance: 0.01 })]
    await setClock(service, matters[0]?.nine ?? assert.fail())
    for (const { workspaceId } of matters) {
      assert.equal((await settlementsOf(service, workspaceId))[0]?.status, 'SETTLED')
    }
  })

  it('settles each of its workspaces once, though two nodes work on them', async () => {
    const { DATABASE_URL = '', DATABASE_OWNER_URL = '', DATA_DIR = '' } = service.env
    const other = await testService({ env: { DATABASE_URL, DATABASE_OWNER_URL, DATA_DIR }, http: false })
    const completionDate = businessDay(service, 3)
    const matters = []
    for (let turn = 0; turn < 6; turn++) matters.push(await settle({ completionDate }))
    await setClock(service, matters[0]?.nine ?? assert.fail())
    await other.stop()
    for (const { workspaceId } of matters) {
      const attempts = await settlementsOf(service, workspaceId)
      assert.deepEqual(
        attempts.map(({ status }) => status),
        ['SETTLED'],
      )
      const published = (await eventsOf(service, workspaceId)).filter(
        ({ type }) => type === 'WORKSPACE_FUNDS_EXCHANGED',
      )
      assert.equal(published.length, 1)
    }
  })

  it('ends with the authorisation taken back where the bank refuses; given again, it is tried again at once', async () => {
    const matter = await settle({ accountNumber: REFUSED_ACCOUNT })
    const { workspaceId } = matter
    await setClock(service, matter.nine)
    assert.deepEqual(await statusesOf(service, workspaceId), ['PREPARED', 'PREPARED'])
    assert.equal(
      (await eventsOf(service, workspaceId)).at(-1)?.message,
      'The bank refused the payment: an account is closed. Payee: Redemption.',
    )
    await authorise(service, workspaceId, matter)
    await drain(service)
    const attempts = await settlementsOf(service, workspaceId)
    assert.deepEqual(
      attempts.map(({ status }) => status),
      ['REFUSED', 'REFUSED'],
    )
    assert.equal(new Set(attempts.map(({ settlementId }) => settlementId)).size, 2)
  })

  it('lasts two hours longer where the bank errs twice', async () => {
    const matter = await settle({ accountNumber: SLOW_ACCOUNT })
    const { workspaceId, nine } = matter
    await setClock(service, nine)
    assert.equal((await settlementsOf(service, workspaceId))[0]?.status, 'INITIATED')
    assert.equal((await cancel(service, matter)).status, 409, 'money may have moved')
    await move(service, 'PT1H')
    assert.deepEqual(await statusesOf(service, workspaceId), ['FUNDS_AUTHORISED', 'AUTHORISED'])
    await move(service, 'PT1H1M')
    const [settlement, ...more] = await settlementsOf(service, workspaceId)
    assert.deepEqual([settlement?.status, more], ['SETTLED', []])
    const took = (settlement?.settledAt?.getTime() ?? 0) - nine.getTime()
    assert.ok(took >= 7_200_000 && took < 7_200_000 + SLACK_MS, `${took} ms`)
  })

  it('finds nothing to pay in a workspace that was cancelled before', async () => {
    const matter = await settle({})
    const { workspaceId, nine } = matter
    assert.equal((await cancel(service, matter)).status, 200)
    await setClock(service, new Date(nine.getTime() + 3_600_000))
    assert.deepEqual(await settlementsOf(service, workspaceId), [])
    assert.equal((await readWorkspace(service, workspaceId)).status, 'CANCELLED')
  })
})
