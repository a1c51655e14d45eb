import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aPreparedMatter, aReadyMatter, lives } from '../../test/fixtures/matter.ts'
import { renameParty, renameProprietor } from '../../test/fixtures/ownership.ts'
import { decideReconciliation } from '../title-reconciliation/rules.ts'
import { cancelWorkspace } from '../workspaces/rules.ts'
import { type Change, type Matter, ownershipOf } from './matter.ts'

const reconciling = (matter: Matter, action: Parameters<typeof decideReconciliation>[1]) =>
  decideReconciliation(ownershipOf(matter), action, { partyId: 'new party', proprietorId: 'new proprietor' })

describe('stepsOf', () => {
  it('has nothing follow from a decision of nothing', () => {
    const matter = aReadyMatter()
    assert.deepEqual(reconciling(matter, renameParty('party 1', 'William Prynne')), [])
    assert.equal(lives(matter).left, matter)
  })

  it('plans the applications, withdraws the approval, reviews the case and reverts the workspace, in this order', () => {
    const matter = aPreparedMatter()
    const { kinds, types, statuses, applications, left } = lives(
      matter,
      ...reconciling(matter, renameProprietor('proprietor 2', 'Tracey Hart')),
    )
    assert.deepEqual(kinds, [
      'title reconciled',
      'applications planned',
      'case unapproved',
      'case reviewed',
      'workspace reverted',
    ])
    assert.deepEqual(types, [
      'TITLE_RECONCILIATION_UPDATED',
      'LODGEMENT_APPLICATION_UPDATED',
      'LODGEMENT_CASE_UNAPPROVED',
      'WORKSPACE_REVERTED_TO_CREATED',
    ])
    assert.deepEqual(statuses, ['CREATED', 'CREATED', 'PREPARED'])
    assert.deepEqual(applications, ['MORTGAGE_DEED READY', 'DISCHARGE READY', 'CHANGE_OF_NAME DRAFT'])
    assert.deepEqual([left.lodgementCase.ready, left.workspace.validationStatus], [false, 'INVALID'])
  })

  it('remembers who changed the applications, once and in lower case, beside everybody before', () => {
    const matter = aReadyMatter()
    const renamed = reconciling(matter, renameProprietor('proprietor 2', 'Tracey Hart'))
    const once = lives(matter, ...renamed).left
    assert.deepEqual(once.lodgementCase.changedBy, ['sam@harbour.example', 'ann@harbour.example'])
    const back = lives(once, ...reconciling(once, renameProprietor('proprietor 2', 'Tracey Prynne'))).left
    assert.equal(back.lodgementCase.changedBy, once.lodgementCase.changedBy)
    assert.deepEqual(
      back.applications.map(({ status }) => status),
      ['READY', 'READY', 'WITHDRAWN'],
    )
  })

  it('leaves an approval that the change does not touch', () => {
    const queued: Change = {
      kind: 'representation queued',
      representationId: 'r',
      partyId: 'party 1',
      acting: { representedBy: 'NOT_REPRESENTED', verificationOfIdentity: 'IDENTITY_EVIDENCE' },
    }
    assert.deepEqual(lives(aPreparedMatter(), queued).kinds, ['representation queued'])
    const failed: Change = {
      kind: 'representation processed',
      representationId: 'r',
      partyId: 'party 1',
      outcome: { status: 'FAILED', reason: 'FIRM_SUSPENDED' },
    }
    assert.deepEqual(lives(aPreparedMatter(), failed).kinds, ['representation processed'])
  })

  it('ends all three machines with a workspace that is cancelled, and releases its funds first', () => {
    const cancelled = cancelWorkspace(
      { status: 'FUNDS_AUTHORISED', paymentUnderWay: false },
      { cancellationReason: 'X' },
    )
    const { types, statuses, applications, left } = lives(aPreparedMatter('FUNDS_AUTHORISED'), cancelled)
    assert.deepEqual(types, ['WORKSPACE_FUNDS_UNAUTHORISED', 'WORKSPACE_CANCELLED'])
    assert.deepEqual(statuses, ['CANCELLED', 'CANCELLED', 'CANCELLED'])
    assert.deepEqual(applications, ['MORTGAGE_DEED WITHDRAWN', 'DISCHARGE WITHDRAWN'])
    assert.deepEqual([left.schedule.authorisedAt, left.schedule.authorisedBy], [null, null])
    assert.deepEqual(lives(aPreparedMatter(), cancelled).types, ['WORKSPACE_CANCELLED'])
  })

  it('refuses what cannot happen', () => {
    const settled = aReadyMatter({ schedule: { ...aReadyMatter().schedule, status: 'SETTLED' } })
    const cancelled: Change = { kind: 'workspace cancelled', reason: 'X' }
    assert.throws(() => lives(settled, cancelled), { reason: 'conflict', message: /SETTLED/ })
  })
})
