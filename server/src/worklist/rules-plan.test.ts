import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type PlanFacts, plannedOf } from './rules-plan.ts'

const AT = new Date('2026-06-01T09:00:00Z')
const FACTS: PlanFacts = { status: 'CREATED', caseStatus: 'CREATED', soughtTitleId: null, openRequisitionId: null }
const LODGED = { status: 'LODGED', caseStatus: 'LODGED' } as const

describe('what is planned', () => {
  for (const [job, payload, facts, expected] of [
    ['settlement.pay', {}, { status: 'FUNDS_AUTHORISED' }, 'PAYMENT'],
    ['settlement.pay', {}, { status: 'PREPARED' }, undefined],
    ['worklist.day-ended', {}, {}, 'COMPLETION_DAY_ENDS'],
    ['worklist.day-ended', {}, LODGED, undefined],
    ['titles.search', { titleId: 't' }, { soughtTitleId: 't' }, 'TITLE_SEARCH'],
    ['titles.search', { titleId: 'replaced' }, { soughtTitleId: 't' }, undefined],
    ['lodgement.submit', {}, { ...LODGED, caseStatus: 'INITIATED' }, 'SUBMISSION'],
    ['lodgement.watch', {}, LODGED, 'REGISTRY_CHECK'],
    ['lodgement.watch', {}, { status: 'CLOSED', caseStatus: 'REGISTERED' }, undefined],
    ['lodgement.reply', {}, { caseStatus: 'REQUISITION_SUBMITTED' }, 'REQUISITION_REPLY'],
    [
      'lodgement.requisition-due',
      { requisitionId: 'r', businessDaysLeft: 5 },
      { openRequisitionId: 'r' },
      'REQUISITION_REMINDER',
    ],
    [
      'lodgement.requisition-due',
      { requisitionId: 'r', businessDaysLeft: 0 },
      { openRequisitionId: 'r' },
      'REQUISITION_DEADLINE',
    ],
    ['lodgement.requisition-due', { requisitionId: 'r', businessDaysLeft: 0 }, {}, undefined],
    ['documents.process', {}, {}, 'FILE_CHECK'],
    ['some.other', {}, {}, undefined],
  ] as const) {
    it(`${job} ${JSON.stringify({ ...payload, ...facts })}: ${expected ?? 'nothing'}`, () => {
      assert.equal(plannedOf({ job, payload, dueAt: AT }, { ...FACTS, ...facts })?.type, expected)
    })
  }
})
