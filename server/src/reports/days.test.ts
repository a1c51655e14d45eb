import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { putClock } from '../../test/fixtures/lodging.ts'
import { reportPath, SUMMARY } from '../../test/fixtures/reports.ts'
import { setClock } from '../../test/fixtures/schedules.ts'
import { type TestService, testService } from '../../test/fixtures/service.ts'
import { drain, fieldsOf, LENDER } from '../../test/fixtures/workspaces.ts'
import { addDays } from '../jurisdiction/london.ts'
import { planReports } from './jobs.ts'

// Which days can be retrieved, on nights where date errors are likely. The sandbox's clock is set to them.

/** A service whose clock shows this time, with all reports made that are due by then. */
async function serviceAt(at: string): Promise<TestService> {
  const service = await testService({ reports: true })
  await putClock(service, at)
  await planReports(service.deps.db, service.deps.clock.now(), 'test')
  await drain(service)
  return service
}

async function newestOf(service: TestService): Promise<string> {
  const { headers } = await service.call('GET', reportPath(SUMMARY), LENDER)
  return /_(\d{4}-\d\d-\d\d)\.csv/.exec(headers.get('content-disposition') ?? '')?.[1] ?? ''
}

const responseFor = async (service: TestService, date: string) => {
  const answer = await service.call('GET', reportPath(SUMMARY, `?date=${date}`), LENDER)
  return answer.status === 200 ? 200 : `${answer.status} ${fieldsOf(answer)}`
}

const NIGHTS: [what: string, before: string, after: string, date: string][] = [
  ['the clocks go forward', '2027-03-28T00:20:00Z', '2027-03-28T00:30:00Z', '2027-03-27'],
  ['the day of 23 hours ends, on another date in UTC', '2027-03-28T23:20:00Z', '2027-03-28T23:30:00Z', '2027-03-28'],
  ['the clocks go back', '2027-10-30T23:20:00Z', '2027-10-30T23:30:00Z', '2027-10-30'],
  ['the day of 25 hours ends', '2027-11-01T00:20:00Z', '2027-11-01T00:30:00Z', '2027-10-31'],
  ['the leap day ends', '2028-03-01T00:20:00Z', '2028-03-01T00:30:00Z', '2028-02-29'],
  ['a day in summer ends, on another date in UTC', '2027-06-15T23:20:00Z', '2027-06-15T23:30:00Z', '2027-06-15'],
]

describe('GET /reports/{report_name}/content', { concurrency: 2 }, () => {
  for (const [what, before, after, date] of NIGHTS) {
    it(`serves the fourteen days before, on the night on which ${what}`, async () => {
      const service = await serviceAt(before)
      const oldest = addDays(date, -13)
      assert.equal(await newestOf(service), addDays(date, -1), 'yesterday is made at half past midnight')
      assert.equal(await responseFor(service, date), '404 requestedDate')
      await setClock(service, new Date(after))
      assert.equal(await newestOf(service), date)
      for (let day = oldest; day <= date; day = addDays(day, 1)) assert.equal(await responseFor(service, day), 200, day)
      assert.equal(await responseFor(service, addDays(oldest, -1)), '404 requestedDate')
      assert.equal(await responseFor(service, addDays(date, 1)), '404 requestedDate')
    })
  }

  it('serves a report to the end of its fourteenth day, whether or not the nightly job has removed it', async () => {
    const service = await serviceAt('2027-06-15T22:59:00Z')
    assert.equal(await responseFor(service, '2027-06-01'), 200)
    await setClock(service, new Date('2027-06-15T23:00:10Z'))
    assert.equal(await responseFor(service, '2027-06-01'), '404 requestedDate')
    assert.equal(await responseFor(service, '2027-06-02'), 200)
  })
})
