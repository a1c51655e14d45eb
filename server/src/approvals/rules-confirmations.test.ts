import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aLineOf, anAdvance } from '../../test/fixtures/line-items.ts'
import { AT, aPreparedMatter, aReadyMatter, lives } from '../../test/fixtures/matter.ts'
import { renameParty } from '../../test/fixtures/ownership.ts'
import { ready } from '../../test/fixtures/readiness.ts'
import { fieldsAt, refused } from '../../test/fixtures/refusals.ts'
import { readinessFactsOf } from '../matter/consequences.ts'
import { type Change, type Matter, ownershipOf } from '../matter/matter.ts'
import { decideReconciliation } from '../title-reconciliation/rules.ts'
import { approveCase, approveSchedule, failuresOf, reviewReadiness } from './rules.ts'
import { confirmRule, takeBackConfirmation } from './rules-confirmations.ts'
import type { ReadinessFacts } from './rules-facts.ts'

const MADE = { confirmationId: 'confirmation', confirmedAt: AT }
const ADDRESS = { ruleId: 'security-address-matches-register', field: 'securityAddress' }
const REDEMPTION = { ruleId: 'redemption-provided-for-registered-charge', field: 'lineItems' }
const saying = (which: { ruleId: string; field: string }) => ({
  ...which,
  reason: 'It is.',
  confirmedBy: 'jo@a.example',
})

const ELSEWHERE = { number: '2', street: 'High Street', town: 'Ely', postcode: 'CB7 9QZ' }
const elsewhere = (facts: Partial<ReadinessFacts> = {}) => ready({ securityAddress: ELSEWHERE, ...facts })
const unredeemed = { completionDate: '2026-06-01', lines: [anAdvance(206_000_00), aLineOf('Surplus', 206_000_00)] }

describe('confirmRule', () => {
  for (const [what, facts, asked, reason, field] of [
    ['a rule that nobody knows', elsewhere(), { ...ADDRESS, ruleId: 'constructor' }, 'not_found', 'ruleId'],
    ['a rule that must pass', elsewhere(), { ruleId: 'proprietor-count', field: 'parties' }, 'not_found', 'ruleId'],
    ['a record that is not there', elsewhere(), { ...ADDRESS, field: 'parties' }, 'not_found', 'field'],
    ['a rule that passes', ready(), ADDRESS, 'conflict', undefined],
    ['a case that is approved', elsewhere({ caseStatus: 'PREPARED' }), ADDRESS, 'conflict', undefined],
    ['a cancelled case', elsewhere({ caseStatus: 'CANCELLED' }), ADDRESS, 'conflict', undefined],
    [
      'a schedule that is approved',
      ready({ schedule: { ...unredeemed, status: 'PREPARED' } }),
      REDEMPTION,
      'conflict',
      undefined,
    ],
  ] as const) {
    it(`refuses ${what}`, () => {
      const refusal = refused(() => confirmRule(facts, saying(asked), MADE))
      assert.deepEqual([refusal.reason, fieldsAt(refusal.fieldErrors)], [reason, [field]])
    })
  }

  it('takes a rule of the case while it can be approved, and one of the schedule after the lodgement approval', () => {
    for (const caseStatus of ['CREATED', 'REGISTRATION_REJECTED'] as const) {
      assert.ok(confirmRule(elsewhere({ caseStatus }), saying(ADDRESS), MADE))
    }
    const facts = ready({ caseStatus: 'PREPARED', schedule: { ...unredeemed, status: 'DRAFT' } })
    assert.ok(confirmRule(facts, saying(REDEMPTION), MADE))
  })
})

describe('takeBackConfirmation', () => {
  const one = { ...MADE, ...saying(ADDRESS), basis: '' }

  it('refuses one that is not there, and any once funds are authorised', () => {
    assert.equal(refused(() => takeBackConfirmation('CREATED', [], 'confirmation')).reason, 'not_found')
    for (const status of ['FUNDS_AUTHORISED', 'FUNDS_EXCHANGED', 'LODGED', 'CLOSED', 'CANCELLED'] as const) {
      assert.equal(refused(() => takeBackConfirmation(status, [one], 'confirmation')).reason, 'conflict')
    }
    assert.ok(takeBackConfirmation('PREPARED', [one], 'confirmation'))
  })
})

const atHome = aReadyMatter()
const workspace = { ...atHome.workspace, securityAddress: ELSEWHERE }
const confirm = (matter: Matter, which: { ruleId: string; field: string }) =>
  lives(matter, confirmRule(readinessFactsOf(matter, AT), saying(which), MADE))
const failing = (matter: Matter, approval: 'LODGEMENT' | 'FINANCIAL') =>
  failuresOf(reviewReadiness(readinessFactsOf(matter, AT)), approval).map(({ ruleId }) => ruleId)

describe('a confirmation', () => {
  const { left, kinds, types } = confirm(aReadyMatter({ workspace }), ADDRESS)

  it('lets the rule pass, publishes it, and counts as a change by the acting user', () => {
    assert.deepEqual([kinds, types], [['readiness confirmed'], ['READINESS_CONFIRMED']])
    assert.deepEqual(failing(left, 'LODGEMENT'), [])
    const record = reviewReadiness(readinessFactsOf(left, AT)).find(({ ruleId }) => ruleId === ADDRESS.ruleId)
    assert.deepEqual([record?.outcome, record?.passed, record?.confirmation?.reason], ['CONFIRMED', true, 'It is.'])
    assert.ok(left.lodgementCase.changedBy.includes('ann@harbour.example'))
    assert.deepEqual(left.schedule.changedBy, [])
  })

  it('is refused a second time', () => {
    assert.equal(refused(() => confirm(left, ADDRESS)).reason, 'conflict')
  })

  it('stays while its facts do', () => {
    const renamed = decideReconciliation(ownershipOf(left), renameParty('party 1', 'WILLIAM Prynne'), {
      partyId: '',
      proprietorId: '',
    })
    assert.deepEqual(lives(left, ...renamed).left.confirmations, left.confirmations)
  })

  it('stays with a workspace that is cancelled', () => {
    assert.deepEqual(lives(left, { kind: 'workspace cancelled', reason: 'X' }).left.confirmations, left.confirmations)
  })

  it('is gone with the approval that rests on it when it is taken back', () => {
    const approval = approveCase(
      readinessFactsOf(left, AT),
      { fourEyes: false, changedBy: [] },
      { approvedBy: 'kit@a.example' },
    )
    const approved = lives(left, approval).left
    const { kinds, left: after } = lives(
      approved,
      takeBackConfirmation('CREATED', approved.confirmations, 'confirmation'),
    )
    assert.deepEqual(kinds, ['confirmation taken back', 'case unapproved', 'case reviewed'])
    assert.deepEqual([after.confirmations, failing(after, 'LODGEMENT')], [[], [ADDRESS.ruleId]])
  })

  it('of the schedule is gone with its approval when the register changes, although the case changed', () => {
    const matter = aReadyMatter({
      workspace: { ...atHome.workspace, completionDate: '2026-06-01' },
      schedule: { ...atHome.schedule, lines: unredeemed.lines },
    })
    const confirmed = confirm(matter, REDEMPTION).left
    assert.deepEqual(confirmed.schedule.changedBy, ['ann@harbour.example'])
    const approval = approveSchedule(
      readinessFactsOf(confirmed, AT),
      { fourEyes: false, changedBy: [] },
      'kit@a.example',
    )
    const approved = lives(confirmed, approval).left
    const added: Change = { kind: 'title added', titleId: 'another', titleNumber: 'ST500679' }
    const { kinds } = lives(approved, added)
    assert.ok(kinds.includes('confirmation lapsed') && kinds.includes('schedule unapproved'), `${kinds}`)
  })
})

describe('an approval', () => {
  it('of the schedule is withdrawn by a value of the deed that the advance does not cover', () => {
    const prepared = aPreparedMatter()
    const matter = {
      ...prepared,
      workspace: { ...prepared.workspace, status: 'CREATED', completionDate: '2026-06-01' },
      schedule: { ...prepared.schedule, lines: ready().schedule.lines },
    } as const
    const [deed] = matter.applications
    const change = (transactionValuePence: number): Change => ({
      kind: 'application updated',
      applicationId: deed?.applicationId ?? '',
      before: {},
      after: { transactionValuePence },
    })
    assert.deepEqual(lives(matter, change(1)).statuses, ['CREATED', 'CREATED', 'DRAFT'])
    assert.deepEqual(lives(matter, change(206_000_00)).statuses, ['CREATED', 'CREATED', 'PREPARED'])
  })
})
