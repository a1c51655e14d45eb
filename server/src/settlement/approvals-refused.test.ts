import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { APPROVER } from '../../test/fixtures/approvals.ts'
import {
  ADVANCE,
  addLine,
  anAuthorisedMatter,
  approveFinance,
  aScheduleToApprove,
  REDEMPTION,
  readSchedule,
  setClock,
  statusesOf,
  unapproveFinance,
} from '../../test/fixtures/schedules.ts'
import { sharedService, type TestService } from '../../test/fixtures/service.ts'
import {
  aWorkspace,
  errorsOf,
  FIRM,
  fieldsOf,
  LENDER,
  narrowToken,
  OTHER_FIRM,
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

const pathOf = (workspaceId: string) => `${WORKSPACES}/${workspaceId}/financial-approvals`

describe('POST /workspaces/{workspace_id}/financial-approvals: refused', () => {
  let workspaceId: string
  before(async () => {
    workspaceId = (await aScheduleToApprove(service)).workspaceId
  })

  for (const [what, json, ...fields] of [
    ['nothing', {}, 'action', 'approvedBy'],
    ['an unknown action', { action: 'REJECT', approvedBy: APPROVER }, 'action'],
    ['a word that every object knows', { action: 'constructor', approvedBy: APPROVER }, 'action'],
    ['somebody without an address', { action: 'APPROVE', approvedBy: 'Jo Marsh' }, 'approvedBy'],
    ['null', { action: 'APPROVE', approvedBy: null }, 'approvedBy'],
    ['an unknown property', { action: 'APPROVE', approvedBy: APPROVER, workspaceId: UNKNOWN_ID }, 'workspaceId'],
  ] as const) {
    it(`answers 400 to ${what}`, async () => {
      const answer = await service.call('POST', pathOf(workspaceId), { ...FIRM, json })
      assert.deepEqual([answer.status, fieldsOf(answer)], [400, fields])
    })
  }

  it('answers 401 without a token, and 403 to a lender before it looks at the body', async () => {
    assert.equal((await service.call('POST', pathOf(workspaceId), { json: {} })).status, 401)
    assert.equal((await service.call('POST', pathOf(workspaceId), { json: {}, ...LENDER })).status, 403)
  })

  for (const [action, scope, other] of [
    ['APPROVE', 'x-api:approve:financial_settlement_schedules', 'UNAPPROVE'],
    ['UNAPPROVE', 'x-api:unapprove:financial_settlement_schedules', 'APPROVE'],
  ] as const) {
    it(`needs ${scope} for ${action}, and is 403 without it whatever else is wrong`, async () => {
      const headers = await narrowToken(service, 'sandbox-law-firm', scope)
      const post = (json: object) => service.call('POST', pathOf(workspaceId), { headers, json })
      const refused = await post({ action: other, approvedBy: 'x' })
      assert.equal(refused.status, 403)
      assert.match(refused.headers.get('www-authenticate') ?? '', /insufficient_scope/)
      assert.equal((await post({ action, approvedBy: 'x' })).status, 400)
      assert.equal((await post({ action: 'REJECT' })).status, 400, 'either of the two will do for none of them')
    })
  }

  it('answers 403 to a token with neither scope', async () => {
    const headers = await narrowToken(service, 'sandbox-law-firm', 'view:financial_settlement_schedules')
    assert.equal((await service.call('POST', pathOf(workspaceId), { headers, json: {} })).status, 403)
  })

  it('answers 404 to a workspace that was never there, and to every other firm, with the same words', async () => {
    const never = await approveFinance(service, UNKNOWN_ID)
    assert.deepEqual([never.status, fieldsOf(never)], [404, ['workspace_id']])
    assert.equal((await approveFinance(service, workspaceId, OTHER_FIRM)).text, never.text)
  })

  it('answers 409 with one error for each fault of an empty schedule', async () => {
    const created = await aWorkspace(service)
    const answer = await approveFinance(service, created.workspaceId)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['completionDate', 'lineItems', 'lineItems']])
    assert.equal((await readSchedule(service, created.workspaceId)).status, 'DRAFT')
  })

  it('answers 409 where the sums differ by a penny, and says what they are', async () => {
    const { workspaceId: id, scheduleId } = await aScheduleToApprove(service)
    await addLine(service, scheduleId, { ...ADVANCE, amount: 0.01 })
    const answer = await approveFinance(service, id)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['lineItems']])
    assert.match(errorsOf(answer)[0]?.message ?? '', /206000\.01, destinations to 206000\.00/)
    await addLine(service, scheduleId, { ...REDEMPTION, category: 'Conveyancing Fees', amount: 0.01 })
    assert.equal((await approveFinance(service, id)).status, 200)
  })

  it('answers 409 where the completion day has passed; on the day itself, to its end, it may be approved', async () => {
    const [late, due] = [await aScheduleToApprove(service), await aScheduleToApprove(service)]
    const day = late.completionDate
    await setClock(service, new Date(londonMoment(addDays(day, 1), '00:00:00').getTime() - 60_000))
    assert.equal((await approveFinance(service, due.workspaceId)).status, 200)
    await setClock(service, londonMoment(addDays(day, 1), '00:00:00'))
    const answer = await approveFinance(service, late.workspaceId)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['completionDate']])
  })

  it('answers 409 to the same again, and to taking back what is not there', async () => {
    const { workspaceId: id } = await aScheduleToApprove(service)
    assert.equal((await unapproveFinance(service, id)).status, 409)
    await approveFinance(service, id)
    assert.equal((await approveFinance(service, id)).status, 409)
    await unapproveFinance(service, id)
    assert.equal((await unapproveFinance(service, id)).status, 409)
  })

  it('answers 409 to taking back once funds are authorised', async () => {
    const { workspaceId: id } = await anAuthorisedMatter(service)
    const answer = await unapproveFinance(service, id)
    assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
    assert.deepEqual(await statusesOf(service, id), ['FUNDS_AUTHORISED', 'AUTHORISED'])
  })

  for (const status of WORKSPACE_STATUSES.slice(2)) {
    it(`answers 409 to either in a workspace that is ${status}`, async () => {
      const { workspaceId: id } = await aScheduleToApprove(service)
      await setStatus(service, id, status)
      for (const action of ['APPROVE', 'UNAPPROVE']) {
        const answer = await approveFinance(service, id, { action })
        assert.deepEqual([answer.status, fieldsOf(answer)], [409, ['']])
      }
    })
  }

  it('lets one of two at the same time through', async () => {
    const { workspaceId: id } = await aScheduleToApprove(service)
    const both = await Promise.all([approveFinance(service, id), approveFinance(service, id)])
    assert.deepEqual(both.map(({ status }) => status).sort(), [200, 409])
    assert.equal((await readSchedule(service, id)).approvals.length, 1)
  })
})
