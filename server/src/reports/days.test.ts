import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { putClock } from '../../test/fixtures/lodging.ts'
import { reportPath, SUMMARY } from '../../test/fixtures/reports.ts'
import { setClock } from '../../test/fixtures/schedules.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { drain, fieldsOf, LENDER } from '../../test/fixtures/workspaces.ts'
import { addDays } from '../jurisdiction/london.ts'
import { planReports } from './jobs.ts'

// Which days can be retrieved, on nights where date errors are likely. The sandbox's clock is set to one after the other.

let service: TestService
before(async () => {
  service = await testService({ reports: true })
})

/** The clock shows this time, and all reports are made that are due by then. */
async function wakeAt(at: string): Promise<void> {
  await putClock(service, at)
  await planReports(service.deps.db, service.deps.clock.now(), 'test')
  await drain(service)
}

async function newestOf(): Promise<string> {
  const { headers } = await service.call('GET', reportPath(SUMMARY), LENDER)
  return /_(\d{4}-\d\d-\d\d)\.csv/.exec(headers.get('content-disposition') ?? '')?.[1] ?? ''
}

const responseFor = async (date: string) => {
  const answer = await service.call('GET', reportPath(SUMMARY, `?date=${date}`), LENDER)
  return answer.status === 200 ? 200 : `${answer.status} ${fieldsOf(answer)}`
}

const NIGHTS: [what: string, early: string, late: string, date: string][] = [
  ['the clocks go forward', '2027-03-28T00:20:00Z', '2027-03-28T00:30:00Z', '2027-03-27'],
  ['the day of 23 hours ends, on another date in UTC', '2027-03-28T23:20:00Z', '2027-03-28T23:30:00Z', '2027-03-28'],
  ['a day in summer ends, on another date in UTC', '2027-06-15T23:20:00Z', '2027-06-15T23:30:00Z', '2027-06-15'],
  ['the clocks go back', '2027-10-30T23:20:00Z', '2027-10-30T23:30:00Z', '2027-10-30'],
  ['the day of 25 hours ends', '2027-11-01T00:20:00Z', '2027-11-01T00:30:00Z', '2027-10-31'],
  ['the leap day ends', '2028-03-01T00:20:00Z', '2028-03-01T00:30:00Z', '2028-02-29'],
]

describe('GET /reports/{report_name}/content', () => {
  for (const [what, early, late, date] of NIGHTS) {
    it(`serves the fourteen days before, on the night on which ${what}`, async () => {
      await wakeAt(early)
      const oldest = addDays(date, -13)
      assert.equal(await newestOf(), addDays(date, -1), 'yesterday is made at half past midnight')
      assert.equal(await responseFor(date), '404 requestedDate')
      await setClock(service, new Date(late))
      assert.equal(await newestOf(), date)
      for (let day = oldest; day <= date; day = addDays(day, 1)) assert.equal(await responseFor(day), 200, day)
      assert.equal(await responseFor(addDays(oldest, -1)), '404 requestedDate')
      assert.equal(await responseFor(addDays(date, 1)), '404 requestedDate')
    })
  }

  it('serves a report to the end of its fourteenth day, whether or not the nightly job has removed it', async () => {
    await wakeAt('2028-06-15T22:59:00Z')
    assert.equal(await responseFor('2028-06-01'), 200)
    await setClock(service, new Date('2028-06-15T23:00:10Z'))
    assert.equal(await responseFor('2028-06-01'), '404 requestedDate')
    assert.equal(await responseFor('2028-06-02'), 200)
  })
})
