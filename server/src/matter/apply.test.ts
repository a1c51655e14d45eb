import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { AT, aPreparedMatter, aReadyMatter, lives } from '../../test/fixtures/matter.ts'
import { renameParty, renameProprietor } from '../../test/fixtures/ownership.ts'
import type { CaseToLodge } from '../lodgement/content.ts'
import { sendCase } from '../lodgement/rules-registry.ts'
import { derivedId } from '../platform/derived-id.ts'
import { decideReconciliation } from '../title-reconciliation/rules.ts'
import { cancelWorkspace } from '../workspaces/rules.ts'
import { type Change, type Matter, ownershipOf } from './matter.ts'

const TO_LODGE = { parties: [], proprietors: [], applications: [] } as unknown as CaseToLodge

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

  const effect = (isEffective: boolean): Change => ({
    kind: 'deed effect updated',
    applicationId: 'MORTGAGE_DEED',
    before: { isEffective: !isEffective },
    after: { isEffective },
  })

  /** Approved with a digital deed, funds authorised, the bank instructed. */
  function aDigitalMatter(isEffective: boolean): Matter {
    const { applications, lodgementCase, ...matter } = aPreparedMatter('FUNDS_AUTHORISED')
    const digital = { mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD431C', isEffective } as const
    return {
      ...matter,
      lodgementCase: { ...lodgementCase, approvedBy: 'sam@harbour.example' },
      applications: applications.map((one) => ({ ...one, ...digital })),
    }
  }

  const outcome = { kind: 'settled', at: AT, scheme: 'FPS', paymentReference: 'BANK-1' } as const
  const settled: Change = { kind: 'payment settled', settlementId: 's', outcome }

  it('sends a case when the money has moved and its digital deed is effective, whichever comes last', () => {
    assert.deepEqual(lives(aDigitalMatter(true), settled).kinds, ['payment settled', 'submission started'])
    const waiting = lives(aDigitalMatter(false), settled)
    assert.deepEqual(waiting.kinds, ['payment settled', 'case waits for its deed'])
    assert.deepEqual(waiting.types, ['WORKSPACE_FUNDS_EXCHANGED', 'LODGEMENT_WAITING'])
    assert.deepEqual(waiting.statuses, ['FUNDS_EXCHANGED', 'PREPARED', 'SETTLED'])
    assert.deepEqual(lives(waiting.left, effect(false)).kinds, ['deed effect updated'], 'it is announced once')
    const sent = lives(waiting.left, effect(true))
    assert.deepEqual(sent.kinds, ['deed effect updated', 'submission started'])
    assert.deepEqual(sent.types, ['LODGEMENT_APPLICATION_UPDATED'])
    const [{ submissionId = '' } = {}] = sent.left.submissions
    const { lodgementCaseId } = sent.left.lodgementCase
    assert.equal(submissionId, derivedId('submission', lodgementCaseId, 1), 'the same after the database was restored')
    assert.equal(sendCase(lives(sent.left, effect(false)).left, submissionId, TO_LODGE).length, 0, 'taken back in time')
    assert.equal(sendCase(sent.left, submissionId, TO_LODGE).length, 1)
  })

  it('has a resubmission wait in the same way', () => {
    const { workspace, lodgementCase, ...matter } = aDigitalMatter(false)
    const rejected = {
      ...matter,
      workspace: { ...workspace, status: 'FUNDS_EXCHANGED' },
      lodgementCase: { ...lodgementCase, status: 'REGISTRATION_REJECTED' },
    } as const
    const waiting = lives(rejected, { kind: 'case approved', approvedBy: 'sam@harbour.example' })
    assert.deepEqual(waiting.types, ['LODGEMENT_CASE_PREPARED', 'LODGEMENT_WAITING'])
    assert.deepEqual(lives(waiting.left, effect(true)).kinds, ['deed effect updated', 'submission started'])
  })

  it('leaves the approval and those who may approve when a deed becomes effective', () => {
    for (const before of [aReadyMatter(), aPreparedMatter(), aPreparedMatter('FUNDS_AUTHORISED')]) {
      const { kinds, left } = lives(before, effect(true))
      assert.deepEqual(kinds, ['deed effect updated'])
      assert.equal(left.lodgementCase.changedBy, before.lodgementCase.changedBy)
    }
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
