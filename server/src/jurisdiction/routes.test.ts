import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { scheduleIdOf, setDate } from '../../test/fixtures/schedules.ts'
import { PARTNER, sharedService, type TestService } from '../../test/fixtures/service.ts'
import { aWorkspace, FIRM, fieldsOf, LENDER, narrowToken } from '../../test/fixtures/workspaces.ts'
import { addDays, londonDate } from './london.ts'

type Days = { records: { date: string }[]; latestCompletionDate: string }

let service: TestService
before(async () => {
  service = await sharedService('idle')
})

const days = (query = '', as = FIRM) => service.call<Days>('GET', `${PARTNER}/business-days${query}`, as)

describe('GET /business-days', () => {
  it('lists the days from a date on, without weekends and bank holidays', async () => {
    const { body } = await days('?from=2026-12-24&limit=5', LENDER)
    const dates = body.records.map(({ date }) => date)
    assert.deepEqual(dates, ['2026-12-24', '2026-12-29', '2026-12-30', '2026-12-31', '2027-01-04'])
  })

  it('begins today in London and has 50 records, where nothing else is asked for', async () => {
    const today = londonDate(service.deps.clock.now())
    const { body } = await days()
    assert.equal(body.records.length, 50)
    assert.deepEqual(body.records, (await days(`?from=${today}`)).body.records)
  })

  it('gives dates that the schedule accepts, up to the latest', async () => {
    const { workspaceId } = await aWorkspace(service)
    const scheduleId = await scheduleIdOf(service, workspaceId)
    const { records, latestCompletionDate } = (await days('?limit=1')).body
    assert.equal((await setDate(service, scheduleId, records[0]?.date ?? '')).status, 200)
    assert.equal((await setDate(service, scheduleId, latestCompletionDate)).status, 200)
    const [next] = (await days(`?from=${addDays(latestCompletionDate, 1)}`)).body.records
    assert.equal((await setDate(service, scheduleId, next?.date ?? '')).status, 400)
  })

  for (const [query, field] of [
    ['from=', 'from'],
    ['from=2026-02-30', 'from'],
    ['from=1999-12-31', 'from'],
    ['limit=0', 'limit'],
    ['limit=101', 'limit'],
  ]) {
    it(`answers 400 to ${query}`, async () => {
      const answer = await days(`?${query}`)
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, [field]])
    })
  }

  it('needs the scope', async () => {
    const headers = await narrowToken(service, 'sandbox-law-firm')
    assert.equal((await service.call('GET', `${PARTNER}/business-days`, { headers })).status, 403)
  })
})
