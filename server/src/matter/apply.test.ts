import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { renameParty, renameProprietor } from '../../test/fixtures/matters.ts'
import { ready } from '../../test/fixtures/standings.ts'
import type { Actor } from '../audit/record.ts'
import { decideReconciliation } from '../title-reconciliation/rules.ts'
import { cancelWorkspace } from '../workspaces/rules.ts'
import { stepsOf } from './apply.ts'
import type { Change } from './changes.ts'
import { eventsOf } from './events.ts'
import { type Matter, ownershipOf } from './matter.ts'

const AT = new Date('2026-06-01T09:00:00Z')
const ACTOR: Actor = { clientId: 'firm', actingUser: 'Ann@Harbour.example', correlationId: 'c', at: AT }

/** A case that is ready, in a new workspace; its applications are READY. */
function aMatter(facts: Partial<Matter> = {}): Matter {
  const { parties, proprietors, applications, representations } = ready()
  const made = { createdAt: AT, createdBy: 'firm', lastModifiedAt: AT, lastModifiedBy: 'firm' }
  return {
    workspace: {
      workspaceId: 'w',
      reference: 'REM-1',
      lenderId: 'lender',
      lawFirmId: 'firm',
      status: 'CREATED',
      completionDate: null,
      validationStatus: 'VALID',
      transferOfEquity: false,
    },
    lodgementCase: { lodgementCaseId: 'c', status: 'CREATED', ready: true, changedBy: ['sam@harbour.example'] },
    schedule: { scheduleId: 's', status: 'DRAFT', changedBy: [], lines: [], approvals: [] },
    title: { titleId: 't', titleNumber: 'ST500678', searchStatus: 'SUCCESS', hasCharge: true, hasRestriction: false },
    titleDocuments: [],
    parties,
    proprietors,
    representations: representations.map((one, i) => ({
      ...one,
      representationId: `representation ${i + 1}`,
      status: 'ACTIVE',
      correlationId: 'asked',
      firmSuspended: false,
    })),
    firms: [],
    applications: applications.map((one) => ({
      ...one,
      ...made,
      status: 'READY',
      documents: [...one.documents] as never,
    })),
    files: [],
    submissions: [],
    settlements: [],
    fourEyes: true,
    ...facts,
  }
}

/** Case and schedule approved, and the workspace with them, or further. */
function aPreparedMatter(status: 'PREPARED' | 'FUNDS_AUTHORISED' = 'PREPARED'): Matter {
  const { workspace, lodgementCase, schedule, applications } = aMatter()
  return aMatter({
    workspace: { ...workspace, status },
    lodgementCase: { ...lodgementCase, status: 'PREPARED' },
    schedule: { ...schedule, status: status === 'PREPARED' ? 'PREPARED' : 'AUTHORISED' },
    applications: applications.map((one) => ({ ...one, status: 'APPROVED' })),
  })
}

function lives(matter: Matter, ...decided: Change[]) {
  let count = 0
  const steps = stepsOf(matter, decided, ACTOR, () => `new ${++count}`)
  const left = steps.at(-1)?.after ?? matter
  return {
    kinds: steps.map(({ change }) => change.kind),
    types: steps.flatMap(({ change, before }) => eventsOf(change, before).map(({ type }) => type)),
    left,
    statuses: [left.workspace.status, left.lodgementCase.status, left.schedule.status],
    applications: left.applications.map(({ applicationType, status }) => `${applicationType} ${status}`),
  }
}

const reconciling = (matter: Matter, action: Parameters<typeof decideReconciliation>[1]) =>
  decideReconciliation(ownershipOf(matter), action, { partyId: 'new party', proprietorId: 'new proprietor' })

describe('stepsOf', () => {
  it('has nothing follow from a decision of nothing', () => {
    const matter = aMatter()
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
    const matter = aMatter()
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
    const settled = aMatter({ schedule: { ...aMatter().schedule, status: 'SETTLED' } })
    const cancelled: Change = { kind: 'workspace cancelled', reason: 'X' }
    assert.throws(() => lives(settled, cancelled), { reason: 'conflict', message: /SETTLED/ })
  })
})
