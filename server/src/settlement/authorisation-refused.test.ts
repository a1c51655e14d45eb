import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import {
  anAuthorisedMatter,
  aPreparedMatter,
  approveFinance,
  authorisationOf,
  authorise,
  businessDay,
  setClock,
  setDate,
  statusesOf,
  unapproveFinance,
} from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aWorkspace,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_LENDER,
  put,
  setStatus,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/fixtures/workspaces.ts'
import { addDays, londonMoment } from '../jurisdiction/london.ts'
import { WORKSPACE_STATUSES } from '../workspaces/status.ts'

let service: TestService
before(async () => {
  service = await sharedService('moved')
})

const YES = { matched: true, authorised: true, mismatches: [] }
const NO = { matched: false, authorised: false }

const pathOf = (workspaceId: string) => `${WORKSPACES}/${workspaceId}/funds-authorisation`

describe('POST /workspaces/{workspace_id}/funds-authorisation: refused', () => {
  let workspaceId: string
  before(async () => {
    workspaceId = (await aWorkspace(service)).workspaceId
  })

  const GOOD = authorisationOf({ completionDate: '2026-06-01', advance: 1 })
  for (const [what, json, ...fields] of [
    ['nothing', {}, 'completionDate', 'lineItem'],
    ['no line', put(GOOD, 'lineItem', {}), 'lineItem.amount', 'lineItem.authorised', 'lineItem.category'],
    ['a date that there is not', put(GOOD, 'completionDate', '2026-02-31'), 'completionDate'],
    ['yes in words', put(GOOD, 'lineItem.authorised', 'true'), 'lineItem.authorised'],
    ['another category', put(GOOD, 'lineItem.category', 'Redemption'), 'lineItem.category'],
    ['what the borrower pays', put(GOOD, 'lineItem.category', 'Borrower Contribution'), 'lineItem.category'],
    ['nothing of a sum', put(GOOD, 'lineItem.amount', 0), 'lineItem.amount'],
    ['three decimals', put(GOOD, 'lineItem.amount', 1.005), 'lineItem.amount'],
    ['an unknown property', put(GOOD, 'lineItem.reference', 'x'), 'lineItem.reference'],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const answer = await service.call('POST', pathOf(workspaceId), { ...LENDER, json })
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
    })
  }

  it('answers 401 without a token, 403 without the scope and to a law firm, before it looks at the body', async () => {
    assert.equal((await service.call('POST', pathOf(workspaceId), { json: {} })).status, 401)
    const headers = await narrowToken(service, 'sandbox-lender', 'view:financial_settlement_schedules')
    assert.equal((await service.call('POST', pathOf(workspaceId), { json: {}, headers })).status, 403)
    assert.equal((await service.call('POST', pathOf(workspaceId), { json: {}, ...FIRM })).status, 403)
  })

  it('answers 404 to a workspace that was never there, and to every other lender, with the same words', async () => {
    const asked = { completionDate: '2026-06-01', advance: 1 }
    const never = await authorise(service, UNKNOWN_ID, asked)
    assert.deepEqual([never.status, fieldsOf(never)], [404, ['workspace_id']])
    assert.equal((await authorise(service, workspaceId, asked, OTHER_LENDER)).text, never.text)
  })

  for (const status of WORKSPACE_STATUSES.filter((one) => one !== 'PREPARED' && one !== 'FUNDS_AUTHORISED')) {
    it(`answers 409 to either in a workspace that is ${status}`, async () => {
      const created = await aWorkspace(service)
      await setStatus(service, created.workspaceId, status)
      for (const authorised of [true, false]) {
        const asked = { completionDate: '2026-06-01', advance: 1, authorised }
        const answer = await authorise(service, created.workspaceId, asked)
        assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
      }
    })
  }

  it('answers 409 at completionDate once completion day has ended in London, and not a moment before', async () => {
    const [early, late] = [await aPreparedMatter(service), await aPreparedMatter(service)]
    const end = londonMoment(addDays(late.completionDate, 1), '00:00:00')
    await setClock(service, new Date(end.getTime() - 60_000))
    assert.deepEqual((await authorise(service, early.workspaceId, early)).body, YES)
    await setClock(service, end)
    for (const asked of [late, { ...late, advance: 1 }]) {
      const answer = await authorise(service, late.workspaceId, asked)
      assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['completionDate']])
    }
    assert.deepEqual(await statusesOf(service, late.workspaceId), ['PREPARED', 'PREPARED'])
  })

  it('lets it be taken back until completion day begins in London, and answers 409 after', async () => {
    const completionDate = businessDay(service, 4)
    const [early, late] = [
      await anAuthorisedMatter(service, { completionDate }),
      await anAuthorisedMatter(service, { completionDate }),
    ]
    const begin = londonMoment(completionDate, '00:00:00')
    await setClock(service, new Date(begin.getTime() - 60_000))
    assert.deepEqual((await authorise(service, early.workspaceId, { ...early, authorised: false })).body, NO)
    await setClock(service, begin)
    const answer = await authorise(service, late.workspaceId, { ...late, authorised: false })
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['lineItem.authorised']])
    assert.deepEqual(await statusesOf(service, late.workspaceId), ['FUNDS_AUTHORISED', 'AUTHORISED'])
  })

  it('leaves a workspace as it is whose completion day passes without: another day, another approval, and it goes on', async () => {
    const matter = await aPreparedMatter(service)
    const { workspaceId, scheduleId } = matter
    await setClock(service, londonMoment(addDays(matter.completionDate, 1), '12:00:00'))
    assert.deepEqual(await statusesOf(service, workspaceId), ['PREPARED', 'PREPARED'])
    const completionDate = businessDay(service, 2)
    await unapproveFinance(service, workspaceId)
    assert.equal((await setDate(service, scheduleId, completionDate)).status, 200)
    assert.equal((await approveFinance(service, workspaceId)).status, 200)
    assert.deepEqual((await authorise(service, workspaceId, { ...matter, completionDate })).body, YES)
  })
})
