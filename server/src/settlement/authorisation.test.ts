import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { confirm } from '../../test/fixtures/approvals.ts'
import { dueOf } from '../../test/fixtures/payments.ts'
import {
  ADVANCE,
  addLine,
  anAuthorisedMatter,
  aPreparedMatter,
  approveFinance,
  authorise,
  businessDay,
  linePath,
  OTHER_ADVANCE,
  readSchedule,
  setClock,
  settlementsOf,
  statusesOf,
  unapproveFinance,
} from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  auditOf,
  drain,
  eventsOf,
  eventTypesOf,
  FIRM,
  FIRM_ID,
  LENDER_ID,
  readWorkspace,
} from '../../test/fixtures/workspaces.ts'
import { londonMoment } from '../jurisdiction/london.ts'

let service: TestService
before(async () => {
  service = await sharedService('moved')
})

const YES = { matched: true, authorised: true, mismatches: [] }
const NO = { matched: false, authorised: false }

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
    assert.deepEqual(await statusesOf(service, workspaceId), ['FUNDS_AUTHORISED', 'AUTHORISED'])
    assert.deepEqual(await dueOf(service, matter), [{ due_at: londonMoment(completionDate, '09:00:00') }])
    assert.partialDeepStrictEqual((await eventsOf(service, workspaceId)).at(-1), {
      type: 'WORKSPACE_FUNDS_AUTHORISED',
      recipients: [LENDER_ID, FIRM_ID],
      actor: 'pat.lowe@northgate.example',
      correlationId: 'funds-1',
    })
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'funds authorised',
      actingUser: 'pat.lowe@northgate.example',
      before: { status: 'PREPARED' },
      after: { status: 'FUNDS_AUTHORISED', completionDate, amount: 206_000 },
    })
    const authorised = await authorisedOf(workspaceId)
    assert.equal(authorised?.by, 'pat.lowe@northgate.example')
    assert.ok(authorised?.at)
    const shown = await readWorkspace(service, workspaceId)
    assert.deepEqual([shown.isLocked, shown.hardLocked, shown.canBeCancelled], [true, true, true])
  })

  it('is the same when it is said again: nothing new is published or planned', async () => {
    const matter = await anAuthorisedMatter(service)
    const before = [await eventTypesOf(service, matter.workspaceId), await dueOf(service, matter)]
    assert.deepEqual((await authorise(service, matter.workspaceId, matter)).body, YES)
    assert.deepEqual([await eventTypesOf(service, matter.workspaceId), await dueOf(service, matter)], before)
  })

  it('adds up all lines of the advance', async () => {
    const matter = await aPreparedMatter(service)
    const { workspaceId, scheduleId } = matter
    await unapproveFinance(service, workspaceId)
    await addLine(service, scheduleId, { ...ADVANCE, amount: 0.1 })
    await addLine(service, scheduleId, { ...ADVANCE, amount: 0.2 })
    const [, redemption] = (await readSchedule(service, workspaceId)).lineItems
    const { lineItemId = '', ...line } = redemption ?? {}
    const json = { ...line, amount: 206_000.3 }
    assert.equal((await service.call('PATCH', linePath(scheduleId, lineItemId), { ...FIRM, json })).status, 200)
    await confirm(service, workspaceId, OTHER_ADVANCE)
    await approveFinance(service, workspaceId)
    assert.deepEqual((await authorise(service, workspaceId, matter)).body, { ...NO, mismatches: ['AMOUNT'] })
    assert.deepEqual((await authorise(service, workspaceId, { ...matter, advance: 206_000.3 })).body, YES)
  })

  for (const [what, other, mismatches] of [
    ['a penny more', { advance: 206_000.01 }, ['AMOUNT']],
    ['a penny less', { advance: 205_999.99 }, ['AMOUNT']],
    ['another date and sum', { completionDate: '2026-01-05', advance: 1 }, ['COMPLETION_DATE', 'AMOUNT']],
  ] as const) {
    it(`says what does not match in ${what}, changes nothing, and says whether funds are authorised`, async () => {
      const matter = await aPreparedMatter(service)
      const { workspaceId } = matter
      const answered = async () => (await authorise(service, workspaceId, { ...matter, ...other })).body
      assert.deepEqual(await answered(), { ...NO, mismatches })
      assert.deepEqual(await statusesOf(service, workspaceId), ['PREPARED', 'PREPARED'])
      await authorise(service, workspaceId, matter)
      const before = await eventTypesOf(service, workspaceId)
      assert.deepEqual(await answered(), { matched: false, authorised: true, mismatches })
      assert.deepEqual(await statusesOf(service, workspaceId), ['FUNDS_AUTHORISED', 'AUTHORISED'])
      assert.deepEqual(await eventTypesOf(service, workspaceId), before)
    })
  }

  it('takes it back, compares nothing, and plans no payment any more', async () => {
    const matter = await anAuthorisedMatter(service)
    const { workspaceId } = matter
    const asked = { completionDate: '2020-01-01', advance: 1, authorised: false }
    assert.deepEqual((await authorise(service, workspaceId, asked)).body, NO)
    assert.deepEqual(await statusesOf(service, workspaceId), ['PREPARED', 'PREPARED'])
    assert.deepEqual([await dueOf(service, matter), await authorisedOf(workspaceId)], [[], { at: null, by: null }])
    assert.partialDeepStrictEqual((await eventsOf(service, workspaceId)).at(-1), {
      type: 'WORKSPACE_FUNDS_UNAUTHORISED',
      message: 'The lender took back the authorisation of the funds.',
    })
    assert.partialDeepStrictEqual((await auditOf(service, workspaceId)).at(-1), {
      action: 'funds authorisation taken back',
      before: { status: 'FUNDS_AUTHORISED' },
      after: { status: 'PREPARED' },
    })
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
