import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { TASKS_OF } from '../workspaces/status.ts'
import { lacksOf, type TurnFacts, turnsOf } from './rules.ts'

/** A new workspace with nothing in it; its law firm must do everything. */
const NEW: TurnFacts = {
  status: 'CREATED',
  caseStatus: 'CREATED',
  scheduleStatus: 'DRAFT',
  searchStatus: null,
  completionDate: null,
  today: '2026-06-01',
  caseLacks: ['TITLE', 'NAMES', 'REPRESENTATION', 'CONTENT', 'CONFIRMATION'],
  isProcessing: false,
  moneyLacks: ['CONTENT', 'CONFIRMATION'],
  isPaymentUnderWay: false,
  isPaymentRefused: false,
  awaitsEffect: false,
  isDischargeOpen: false,
}
const MONEY_DONE = { scheduleStatus: 'PREPARED' } as const
const CASE_DONE = { caseStatus: 'PREPARED' } as const
const SEARCHED = { searchStatus: 'SUCCESS', ...MONEY_DONE } as const
const PREPARED = { status: 'PREPARED', ...CASE_DONE, ...MONEY_DONE, completionDate: '2026-06-08' } as const
const AUTHORISED = { ...PREPARED, status: 'FUNDS_AUTHORISED', scheduleStatus: 'AUTHORISED' } as const
const PAID = { ...AUTHORISED, status: 'FUNDS_EXCHANGED', scheduleStatus: 'SETTLED' } as const
const LODGED = { ...PAID, status: 'LODGED', caseStatus: 'LODGED' } as const
const DUE = new Date('2026-06-20T11:00:00Z')

/** What is known, and the turns that follow: the turn itself with its date, and what can be done meanwhile. */
const TABLE: [string, Partial<TurnFacts>, ...string[]][] = [
  ['ended well', { ...LODGED, status: 'CLOSED', caseStatus: 'REGISTERED' }],
  ['cancelled', { status: 'CANCELLED', caseStatus: 'CANCELLED', scheduleStatus: 'CANCELLED' }],
  [
    'a requisition is open',
    { ...LODGED, status: 'REQUISITIONED', caseStatus: 'REQUISITIONED', requisitionDueAt: DUE },
    'LAW_FIRM ANSWER_REQUISITION 2026-06-20T11:00:00.000Z',
  ],
  ['rejected', { ...PAID, caseStatus: 'REGISTRATION_REJECTED' }, 'LAW_FIRM FIX_AND_APPROVE'],
  ['paid, and the digital deed is not effective', { ...PAID, awaitsEffect: true }, 'LAW_FIRM MAKE_EFFECTIVE'],
  [
    'approved again, and the digital deed is not effective',
    { ...PAID, caseStatus: 'RESUBMISSION_PREPARED', awaitsEffect: true },
    'LAW_FIRM MAKE_EFFECTIVE',
  ],
  ['paid and about to be sent', PAID, 'REGISTRY WAIT'],
  ['sent', { ...PAID, caseStatus: 'INITIATED' }, 'REGISTRY WAIT'],
  ['accepted', LODGED, 'REGISTRY WAIT'],
  ['answered', { ...LODGED, status: 'REQUISITIONED', caseStatus: 'REQUISITION_SUBMITTED' }, 'REGISTRY WAIT'],
  [
    'registered in part, and the discharge was rejected',
    { ...LODGED, caseStatus: 'PARTIALLY_REGISTERED', isDischargeOpen: true },
    'LAW_FIRM LODGE_DISCHARGE',
    'REGISTRY WAIT',
  ],
  ['registered in part', { ...LODGED, caseStatus: 'PARTIALLY_REGISTERED' }, 'REGISTRY WAIT'],
  ['the discharge was sent', { ...LODGED, caseStatus: 'DISCHARGE_SUBMITTED' }, 'REGISTRY WAIT'],
  [
    'the law firm pays',
    { ...AUTHORISED, scheduleStatus: 'PAYING', isPaymentUnderWay: true },
    'LAW_FIRM PAY 2026-06-08T16:00:00.000Z',
  ],
  ['the bank was asked', { ...AUTHORISED, isPaymentUnderWay: true }, 'BANK WAIT'],
  ['authorised', AUTHORISED, 'CLOCK COMPLETION 2026-06-08T08:00:00.000Z'],
  ['the bank refused', { ...PREPARED, isPaymentRefused: true }, 'LAW_FIRM FIX_ACCOUNT'],
  [
    'the bank refused, and the day is over',
    { ...PREPARED, isPaymentRefused: true, today: '2026-06-09' },
    'LAW_FIRM FIX_ACCOUNT',
    'LAW_FIRM NEW_DATE',
  ],
  ['approved, and the day is over', { ...PREPARED, today: '2026-06-09' }, 'LAW_FIRM NEW_DATE'],
  ['approved, due on the Friday before', PREPARED, 'LENDER AUTHORISE 2026-06-05T16:00:00.000Z'],
  ['approved, on the day', { ...PREPARED, today: '2026-06-08' }, 'LENDER AUTHORISE 2026-06-05T16:00:00.000Z'],
  ['new', {}, 'LAW_FIRM GIVE_TITLE', 'LAW_FIRM REPRESENT', 'LAW_FIRM COMPLETE_CASE', 'LAW_FIRM DRAW_UP_MONEY'],
  [
    'new, with a date',
    { caseLacks: ['TITLE'], ...MONEY_DONE, completionDate: '2026-06-08' },
    'LAW_FIRM GIVE_TITLE 2026-06-05T16:00:00.000Z',
  ],
  ['the search failed', { caseLacks: ['TITLE'], searchStatus: 'FAILED', ...MONEY_DONE }, 'LAW_FIRM GIVE_TITLE'],
  ['the search is queued', { caseLacks: ['TITLE'], searchStatus: 'INITIATED', ...MONEY_DONE }, 'REGISTRY WAIT'],
  ['the search is running', { caseLacks: ['TITLE', 'NAMES'], searchStatus: 'PENDING', ...MONEY_DONE }, 'REGISTRY WAIT'],
  ['names differ', { ...SEARCHED, caseLacks: ['NAMES'] }, 'LAW_FIRM RECONCILE'],
  ['nobody acts for a party', { ...SEARCHED, caseLacks: ['REPRESENTATION'] }, 'LAW_FIRM REPRESENT'],
  ['the last file is being scanned', { ...SEARCHED, caseLacks: [], isProcessing: true }, 'SERVICE WAIT'],
  ['the deed is incomplete', { ...SEARCHED, caseLacks: ['CONTENT', 'CONFIRMATION'] }, 'LAW_FIRM COMPLETE_CASE'],
  ['only a confirmation is missing', { ...SEARCHED, caseLacks: ['CONFIRMATION'] }, 'LAW_FIRM CONFIRM'],
  ['ready', { ...SEARCHED, caseLacks: [] }, 'LAW_FIRM APPROVE_CASE'],
  ['the money does not balance', { ...CASE_DONE, moneyLacks: ['CONTENT'] }, 'LAW_FIRM DRAW_UP_MONEY'],
  ['only a confirmation of the money is missing', { ...CASE_DONE, moneyLacks: ['CONFIRMATION'] }, 'LAW_FIRM CONFIRM'],
  ['the money is ready', { ...CASE_DONE, moneyLacks: [] }, 'LAW_FIRM APPROVE_MONEY'],
  [
    'confirmations are missing on both sides',
    { searchStatus: 'SUCCESS', caseLacks: ['CONFIRMATION'], moneyLacks: ['CONFIRMATION'] },
    'LAW_FIRM CONFIRM',
  ],
  [
    'the day of an approved schedule is over',
    { ...SEARCHED, caseLacks: ['NAMES'], completionDate: '2026-05-29' },
    'LAW_FIRM RECONCILE 2026-05-28T16:00:00.000Z',
    'LAW_FIRM NEW_DATE',
  ],
]

describe('whose turn it is', () => {
  for (const [when, facts, ...expected] of TABLE) {
    it(`${when}: ${expected.join(', ') || 'nobody’s'}`, () => {
      const [turn, ...others] = turnsOf({ ...NEW, ...facts })
      const first = turn && [turn.who, turn.task, turn.dueAt?.toISOString()].filter(Boolean).join(' ')
      assert.deepEqual([...(first ? [first] : []), ...others.map(({ who, task }) => `${who} ${task}`)], expected)
    })
  }

  it('has a line in this table for every task of everybody', () => {
    const shown = new Set(TABLE.flatMap(([, , ...turns]) => turns.map((one) => one.split(' ').slice(0, 2).join(' '))))
    const all = Object.entries(TASKS_OF).flatMap(([who, tasks]) => tasks.map((task) => `${who} ${task}`))
    assert.deepEqual([...shown].sort(), all.sort())
  })

  it('follows from the rules of readiness that fail', () => {
    const failures = [
      ['title-must-be-valid', 'BLOCKING'],
      ['proprietor-count', 'BLOCKING'],
      ['all-proprietors-matched-to-borrowers', 'BLOCKING'],
      ['mdref-on-record', 'BLOCKING'],
      ['deed-is-certified', 'CONFIRMABLE'],
    ] as const
    const lacks = lacksOf(failures.map(([ruleId, kind]) => ({ ruleId, kind })))
    assert.deepEqual(lacks, ['TITLE', 'NAMES', 'CONTENT', 'CONFIRMATION'])
  })
})
