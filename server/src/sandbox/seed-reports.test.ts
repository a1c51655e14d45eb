import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { FINANCIAL, HISTORY, reportOf, runsOf, SUMMARY } from '../../test/fixtures/reports.ts'
import { setClock } from '../../test/fixtures/schedules.ts'
import { PARTNER, type TestService, testService } from '../../test/fixtures/service.ts'
import { addDays, londonDate, londonMoment } from '../jurisdiction/london.ts'
import { ACCOUNTS } from './accounts.ts'

let service: TestService
before(async () => {
  service = await testService({ matters: true })
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
    const { body } = await service.call<{ records: { createdAt: string }[] }>(
      'GET',
      `${PARTNER}/workspaces?limit=100`,
      {
        as: 'sandbox-lender',
      },
    )
    for (const date of lastDays(14)) {
      const existed = body.records.filter(({ createdAt }) => londonDate(new Date(createdAt)) <= date)
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

  it('are there again after a reset', async () => {
    assert.equal((await service.call('POST', '/sandbox/v1/reset')).status, 200)
    await assertFortnight()
    await noonAfter(2)
    await assertFortnight()
  })
})
