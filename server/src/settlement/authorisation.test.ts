import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type TestService, testService } from '../../test/support/service.ts'
import {
  ADVANCE,
  addLine,
  anAuthorisedMatter,
  aPreparedMatter,
  approveFinance,
  authorisationOf,
  authorise,
  businessDay,
  readSchedule,
  setClock,
  settlementsOf,
  unapproveFinance,
} from '../../test/support/settling.ts'
import {
  auditOf,
  aWorkspace,
  drain,
  eventsOf,
  eventTypesOf,
  FIRM,
  FIRM_ID,
  fieldsOf,
  LENDER,
  LENDER_ID,
  narrowToken,
  OTHER_LENDER,
  put,
  readWorkspace,
  UNKNOWN_ID,
  WORKSPACES,
} from '../../test/support/workspaces.ts'
import { addDays, londonMoment } from '../platform/london.ts'
import { WORKSPACE_STATUSES } from '../workspaces/status.ts'

let service: TestService
before(async () => {
  service = await testService()
})

const YES = { matched: true, authorised: true }
const NO = { matched: false, authorised: false }

const pathOf = (workspaceId: string) => `${WORKSPACES}/${workspaceId}/funds-authorisation`

const statusesOf = async (workspaceId: string) => [
  (await readWorkspace(service, workspaceId)).status,
  (await readSchedule(service, workspaceId)).status,
]

const dueOf = (workspaceId: string) =>
  service.deps.db.query<{ due_at: Date }>('select due_at from due where key = $1', [`settlement.pay:${workspaceId}`])

const authorisedOf = async (workspaceId: string) => {
  const [row] = await service.deps.db.query<{ at: Date | null; by: string | null }>(
    'select authorised_at as at, authorised_by as by from settlement_schedules where workspace_id = $1',
    [workspaceId],
  )
  return row
}

describe('POST /workspaces/{workspace_id}/funds-authorisation: 200', () => {
  it('authorises what the schedule says, plans the payment for nine in London, and tells both', async () => {
    const matter = await aPreparedMatter(service)
    const { workspaceId, completionDate } = matter
    const headers = { 'x-acting-user': 'pat.lowe@northgate.example', 'x-request-correlation-id': 'funds-1' }
    const { status, body } = await authorise(service, workspaceId, matter, { headers })
    assert.deepEqual([status, body], [200, YES])
    assert.deepEqual(await statusesOf(workspaceId), ['FUNDS_AUTHORISED', 'AUTHORISED'])
    assert.deepEqual(await dueOf(workspaceId), [{ due_at: londonMoment(completionDate, '09:00:00') }])
    assert.partialDeepStrictEqual((await eventsOf(service, workspaceId)).at(-1), {
      type: 'WORKSPACE_FUNDS_AUTHORISED',
      told: [LENDER_ID, FIRM_ID],
      actor: 'pat.lowe@northgate.example',
      correlationId: 'funds-1',
    })
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'funds authorised',
      actingUser: 'pat.lowe@northgate.example',
      after: { completionDate, amount: 206_000 },
    })
    const authorised = await authorisedOf(workspaceId)
    assert.equal(authorised?.by, 'pat.lowe@northgate.example')
    assert.ok(authorised?.at)
    const shown = await readWorkspace(service, workspaceId)
    assert.deepEqual([shown.isLocked, shown.hardLocked, shown.canBeCancelled], [true, true, true])
  })

  it('is the same when it is said again: nothing new is told or planned', async () => {
    const matter = await anAuthorisedMatter(service)
    const before = [await eventTypesOf(service, matter.workspaceId), await dueOf(matter.workspaceId)]
    assert.deepEqual((await authorise(service, matter.workspaceId, matter)).body, YES)
    assert.deepEqual([await eventTypesOf(service, matter.workspaceId), await dueOf(matter.workspaceId)], before)
  })

  it('adds up all lines of the advance', async () => {
    const matter = await aPreparedMatter(service)
    const { workspaceId, scheduleId } = matter
    await unapproveFinance(service, workspaceId)
    await addLine(service, scheduleId, { ...ADVANCE, amount: 0.1 })
    await addLine(service, scheduleId, { ...ADVANCE, amount: 0.2 })
    const [, redemption] = (await readSchedule(service, workspaceId)).lineItems
    const { lineItemId = '', ...line } = redemption ?? {}
    const path = `/partner/api/platformconnect/v1/financial-settlement-schedules/${scheduleId}/line-items/${lineItemId}`
    await service.call('PATCH', path, { ...FIRM, json: { ...line, amount: 206_000.3 } })
    await approveFinance(service, workspaceId)
    assert.deepEqual((await authorise(service, workspaceId, matter)).body, NO)
    assert.deepEqual((await authorise(service, workspaceId, { ...matter, advance: 206_000.3 })).body, YES)
  })

  for (const [what, other] of [
    ['a penny more', { advance: 206_000.01 }],
    ['a penny less', { advance: 205_999.99 }],
    ['another date', { completionDate: '2026-01-05' }],
  ] as const) {
    it(`answers false twice to ${what}, and changes nothing, authorised before or not`, async () => {
      const matter = await aPreparedMatter(service)
      const { workspaceId } = matter
      assert.deepEqual((await authorise(service, workspaceId, { ...matter, ...other })).body, NO)
      assert.deepEqual(await statusesOf(workspaceId), ['PREPARED', 'PREPARED'])
      await authorise(service, workspaceId, matter)
      const before = await eventTypesOf(service, workspaceId)
      assert.deepEqual((await authorise(service, workspaceId, { ...matter, ...other })).body, NO)
      assert.deepEqual(await statusesOf(workspaceId), ['FUNDS_AUTHORISED', 'AUTHORISED'])
      assert.deepEqual(await eventTypesOf(service, workspaceId), before)
    })
  }

  it('takes it back, compares nothing, and plans no payment any more', async () => {
    const matter = await anAuthorisedMatter(service)
    const { workspaceId } = matter
    const asked = { completionDate: '2020-01-01', advance: 1, authorised: false }
    assert.deepEqual((await authorise(service, workspaceId, asked)).body, NO)
    assert.deepEqual(await statusesOf(workspaceId), ['PREPARED', 'PREPARED'])
    assert.deepEqual([await dueOf(workspaceId), await authorisedOf(workspaceId)], [[], { at: null, by: null }])
    assert.partialDeepStrictEqual((await eventsOf(service, workspaceId)).at(-1), {
      type: 'WORKSPACE_FUNDS_UNAUTHORISED',
      message: 'The lender took back the authorisation of the funds.',
    })
    assert.equal((await auditOf(service, workspaceId)).at(-1)?.action, 'funds authorisation taken back')
    const before = await eventTypesOf(service, workspaceId)
    assert.deepEqual((await authorise(service, workspaceId, asked)).body, NO, 'there is nothing left to take back')
    assert.deepEqual(await eventTypesOf(service, workspaceId), before)
    assert.deepEqual((await authorise(service, workspaceId, matter)).body, YES, 'and it may be given again')
  })

  it('settles at once on completion day after the hour of settlement', async () => {
    const matter = await aPreparedMatter(service, { completionDate: businessDay(service, 1) })
    const { workspaceId, completionDate } = matter
    await setClock(service, londonMoment(completionDate, '17:30:00'))
    assert.deepEqual((await authorise(service, workspaceId, matter)).body, YES)
    await drain(service)
    const [settlement, ...more] = await settlementsOf(service, workspaceId)
    assert.deepEqual([settlement?.status, more], ['SETTLED', []])
    assert.equal((await readSchedule(service, workspaceId)).status, 'SETTLED')
  })

  it('does it once for one idempotency key, and answers the same again', async () => {
    const matter = await aPreparedMatter(service)
    const headers = { 'idempotency-key': `funds ${matter.workspaceId}` }
    const [one, two] = [
      await authorise(service, matter.workspaceId, matter, { headers }),
      await authorise(service, matter.workspaceId, matter, { headers }),
    ]
    assert.deepEqual([one.status, two.text], [200, one.text])
  })
})

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
      await service.deps.db.query('update workspaces set status = $2 where workspace_id = $1', [
        created.workspaceId,
        status,
      ])
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
    assert.deepEqual(await statusesOf(late.workspaceId), ['PREPARED', 'PREPARED'])
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
    assert.deepEqual(await statusesOf(late.workspaceId), ['FUNDS_AUTHORISED', 'AUTHORISED'])
  })

  it('leaves a workspace as it is whose completion day passes without: another day, another approval, and it goes on', async () => {
    const matter = await aPreparedMatter(service)
    const { workspaceId, scheduleId } = matter
    await setClock(service, londonMoment(addDays(matter.completionDate, 1), '12:00:00'))
    assert.deepEqual(await statusesOf(workspaceId), ['PREPARED', 'PREPARED'])
    const completionDate = businessDay(service, 2)
    await unapproveFinance(service, workspaceId)
    const path = `/partner/api/platformconnect/v1/financial-settlement-schedules/${scheduleId}`
    assert.equal((await service.call('PATCH', path, { ...FIRM, json: { completionDate } })).status, 200)
    assert.equal((await approveFinance(service, workspaceId)).status, 200)
    assert.deepEqual((await authorise(service, workspaceId, { ...matter, completionDate })).body, YES)
  })
})
