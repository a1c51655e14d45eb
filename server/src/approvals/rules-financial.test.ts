import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aDestination, anAdvance } from '../../test/fixtures/line-items.ts'
import { ready, rule } from '../../test/fixtures/readiness.ts'
import { fieldsAt, refused } from '../../test/fixtures/refusals.ts'
import type { LineItem } from '../settlement/rules.ts'
import { approveSchedule, unapproveSchedule } from './rules.ts'
import type { ReadinessFacts } from './rules-facts.ts'

const scheduleIs = (facts: Partial<ReadinessFacts['schedule']>) =>
  ready({ schedule: { ...ready().schedule, ...facts } })
const linesAre = (...lines: LineItem[]) => scheduleIs({ lines })

rule('schedule-has-source', [
  ['one', ready(), [], ['lineItems']],
  ['none', linesAre(aDestination(1)), ['lineItems'], []],
])

rule('schedule-has-destination', [
  ['one', ready(), [], ['lineItems']],
  ['none', linesAre(anAdvance(1)), ['lineItems'], []],
])

rule('schedule-balances', [
  ['equal sums', ready(), [], ['lineItems']],
  ['sums that differ by a penny', linesAre(anAdvance(100_01), aDestination(100_00)), ['lineItems'], []],
  ['no lines at all: other rules ask for them', linesAre(), [], ['lineItems']],
])

rule('completion-date-is-valid', [
  ['today', ready(), [], ['completionDate']],
  ['none', scheduleIs({ completionDate: null }), ['completionDate'], []],
  ['a date past', scheduleIs({ completionDate: '2026-05-29' }), ['completionDate'], []],
  ['a day that is no business day', scheduleIs({ completionDate: '2026-06-06' }), ['completionDate'], []],
])

const NOBODY = { fourEyes: true, changedBy: [] }
const APPROVER = 'ann@example.com'

describe('approveSchedule', () => {
  it('approves one that is ready', () => {
    assert.deepEqual(approveSchedule(ready(), NOBODY, APPROVER), { kind: 'schedule approved', approvedBy: APPROVER })
  })

  it('is refused with one error for each failure and for four eyes, and names both sums where they differ', () => {
    const facts = scheduleIs({ completionDate: null, lines: [anAdvance(100_01), aDestination(9)] })
    const { reason, fieldErrors } = refused(() =>
      approveSchedule(facts, { ...NOBODY, changedBy: [APPROVER] }, APPROVER),
    )
    assert.deepEqual(
      [reason, fieldsAt(fieldErrors)],
      ['conflict', ['lineItems', 'completionDate', 'lineItems', 'approvedBy']],
    )
    assert.match(fieldErrors[0]?.message ?? '', /sources come to 100\.01, destinations to 0\.09/)
  })

  it('does not look at the lodgement case', () => {
    assert.ok(approveSchedule(ready({ searchStatus: null, applications: [] }), NOBODY, APPROVER))
  })
})

describe('the approval of a schedule', () => {
  it('can be taken back until funds are authorised', () => {
    for (const status of ['CREATED', 'PREPARED'] as const) {
      const change = unapproveSchedule(status, 'PREPARED', APPROVER)
      assert.deepEqual(change, { kind: 'schedule unapproved', unapprovedBy: APPROVER })
    }
  })

  for (const [what, status, schedule, action, says] of [
    ['a second approval', 'CREATED', 'PREPARED', 'APPROVE', /approved already/],
    ['the same in a prepared workspace', 'PREPARED', 'PREPARED', 'APPROVE', /approved already/],
    ['taking back what is not there', 'CREATED', 'DRAFT', 'UNAPPROVE', /not approved/],
    ['taking back once funds are authorised', 'FUNDS_AUTHORISED', 'AUTHORISED', 'UNAPPROVE', /FUNDS_AUTHORISED/],
    ['either of a settled one', 'FUNDS_EXCHANGED', 'SETTLED', 'UNAPPROVE', /FUNDS_EXCHANGED/],
    ['either in a workspace that ended', 'CANCELLED', 'DRAFT', 'APPROVE', /CANCELLED/],
  ] as const) {
    it(`refuses ${what}`, () => {
      const facts = ready({ status, schedule: { ...ready().schedule, status: schedule } })
      const refusal = refused(() =>
        action === 'APPROVE' ? approveSchedule(facts, NOBODY, APPROVER) : unapproveSchedule(status, schedule, APPROVER),
      )
      assert.equal(refusal.reason, 'conflict')
      assert.match(refusal.message, says)
    })
  }
})
