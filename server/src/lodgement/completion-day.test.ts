import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { progressOf } from '../../test/fixtures/lodging.ts'
import { anAuthorisedMatter, setClock } from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import { readCase } from '../../test/fixtures/workspaces.ts'
import { onBusinessDay } from '../jurisdiction/business-days.ts'
import { londonMoment } from '../jurisdiction/london.ts'

let service: TestService
before(async () => {
  service = await sharedService('moved')
})

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS

describe('from completion day to the end', () => {
  it('keeps the hours to the minute: settled and sent at nine in London, and each answer whole days after', async () => {
    const { workspaceId, completionDate } = await anAuthorisedMatter(service, {}, 'ST500679')
    const nine = londonMoment(completionDate, '09:00:00').getTime()
    const registered = onBusinessDay(new Date(nine + 6 * DAY_MS)).getTime()
    for (const [at, progress] of [
      [nine - MINUTE_MS, 'FUNDS_AUTHORISED PREPARED'],
      [nine, 'FUNDS_EXCHANGED INITIATED'],
      [nine + DAY_MS - MINUTE_MS, 'FUNDS_EXCHANGED INITIATED'],
      [nine + DAY_MS, 'LODGED LODGED'],
      [registered - MINUTE_MS, 'LODGED LODGED'],
      [registered, 'LODGED PARTIALLY_REGISTERED'],
      [registered + 14 * DAY_MS - MINUTE_MS, 'LODGED PARTIALLY_REGISTERED'],
      [registered + 14 * DAY_MS, 'CLOSED REGISTERED'],
    ] as const) {
      await setClock(service, new Date(at))
      assert.equal(await progressOf(service, workspaceId), progress, new Date(at).toISOString())
    }
    const { priorityAt } = await readCase(service, workspaceId)
    assert.equal(priorityAt, new Date(nine + DAY_MS).toISOString())
  })
})
