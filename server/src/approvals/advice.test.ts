import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Value } from 'typebox/value'
import { aLineOf } from '../../test/fixtures/line-items.ts'
import { ACTOR, AT } from '../../test/fixtures/matter.ts'
import { newIds } from '../../test/fixtures/ownership.ts'
import { checkUpload } from '../documents/rules.ts'
import { isEffectAlone, particularsOf, partOfUpdate, updateApplication } from '../lodgement/rules.ts'
import { stepsOf } from '../matter/apply.ts'
import { readinessFactsOf } from '../matter/consequences.ts'
import { type Change, type Matter, ownershipOf } from '../matter/matter.ts'
import { changeLine, checkRoom } from '../settlement/rules.ts'
import { type Action, decideReconciliation, decideRoleRemoval } from '../title-reconciliation/rules.ts'
import { addTitle } from '../titles/rules.ts'
import { updateWorkspace } from '../workspaces/rules.ts'
import { IndividualDetails, OrganisationDetails } from '../workspaces/shapes.ts'
import { checkOpen, type Part } from '../workspaces/status.ts'
import { aRandomMatter } from './random-matters.fixture.ts'
import { reviewReadiness, unapproveCase, unapproveSchedule } from './rules.ts'
import type { Fix } from './rules-advice.ts'
import { confirmRule } from './rules-confirmations.ts'

// Whatever has become of a matter, a readiness message advises only what the interface accepts now. A failure reports its
// seed and path, with which fast-check repeats it.

const MATTERS = 1_000

describe('the advice of a readiness message', () => {
  it('is accepted by the interface, and a message without it names nothing to do', () => {
    const seen: Record<string, number> = {}
    fc.assert(
      fc.property(aRandomMatter, (matter) => {
        for (const { ruleId, passed, message, advice } of reviewReadiness(readinessFactsOf(matter, AT))) {
          if (passed) continue
          if (!advice.length) assert.doesNotMatch(message, ADVISES, message)
          const [first, ...rest] = advice
          const isLocked = first?.do === 'unapprove'
          const open = isLocked ? after(matter, first) : matter
          for (const fix of isLocked ? rest : advice) {
            assert.ok(message.toLowerCase().includes(fix.says.toLowerCase()), message)
            try {
              after(open, fix)
            } catch (error) {
              assert.fail(`${ruleId} says "${message}", but "${fix.do}" is refused: ${error}`)
            }
            seen[fix.do] = (seen[fix.do] ?? 0) + 1
          }
        }
      }),
      { numRuns: MATTERS },
    )
    assert.ok(Object.keys(seen).length >= 12, JSON.stringify(seen))
  })
})

/** A sentence that tells somebody to do something. */
const ADVISES = /(^|\. )(Add|Remove|Rename|Give|Set|Attach|Upload|Change|Confirm|Undo|Have|Take back)\b/

/** The matter after somebody did what was advised, as the route of that operation does it. */
function after(matter: Matter, fix: Fix): Matter {
  const steps = stepsOf(matter, decide(matter, fix), ACTOR, () => 'new')
  return steps.at(-1)?.after ?? matter
}

function decide(matter: Matter, fix: Fix): readonly Change[] {
  const { workspace, lodgementCase, schedule, title, applications } = matter
  const status = workspace.status
  const caseStatus = lodgementCase.status
  const open = (part: Part) => checkOpen(status, part, caseStatus)
  switch (fix.do) {
    case 'correct the order': {
      const securityAddress = { number: '1', town: 'Ely', postcode: 'CB7 9QZ' }
      return updateWorkspace({ ...workspace, caseStatus, ownReference: null }, { securityAddress }, 'LENDER')
    }
    case 'add a title':
      open('parties, title and representation')
      return addTitle(title, 'ST500679', 'new')
    case 'remove the title':
      open('parties, title and representation')
      return [{ kind: 'title removed', titleId: title?.titleId ?? '' }]
    case 'reconcile':
      open('parties, title and representation')
      checkDetails(fix.action)
      return decideReconciliation(ownershipOf(matter), fix.action, newIds(9))
    case 'remove role': {
      open('parties, title and representation')
      const party = matter.parties.find(({ partyId }) => partyId === fix.partyId) ?? assert.fail()
      return decideRoleRemoval(ownershipOf(matter), party)
    }
    case 'represent':
      open('parties, title and representation')
      assert.ok(matter.parties.some(({ partyId }) => partyId === fix.partyId))
      return []
    case 'attach': {
      const application = applications.find(({ applicationId }) => applicationId === fix.applicationId)
      const deed = applications.find((one) => one.applicationType === 'MORTGAGE_DEED' && one.status !== 'WITHDRAWN')
      checkUpload({ status, caseStatus, application, deed: deed ?? {} }, { ...fix, certificationType: 'CERTIFIED' })
      return []
    }
    case 'update application': {
      const { applicationId, asked } = fix
      const application = applications.find((one) => one.applicationId === applicationId) ?? assert.fail()
      open(partOfUpdate(application, asked))
      const before = particularsOf(application)
      const kind = isEffectAlone(asked) ? 'deed effect updated' : 'application updated'
      return [{ kind, applicationId, before, after: updateApplication(application, before, asked) }]
    }
    case 'add line item':
      open('schedule')
      checkRoom(schedule.lines)
      return [{ kind: 'line item added', line: aLineOf(fix.category, 1) }]
    case 'change line item': {
      open('schedule')
      const line = schedule.lines.find(({ lineItemId }) => lineItemId === fix.lineItemId) ?? assert.fail()
      return [{ kind: 'line item changed', line: changeLine(line, { amount: 3 }) }]
    }
    case 'set completion date':
      open('schedule')
      return [{ kind: 'completion date set', completionDate: '2026-06-02' }]
    case 'confirm': {
      const asked = { ruleId: fix.ruleId, field: fix.field, reason: 'So.', confirmedBy: 'jo@a.example' }
      return [confirmRule(readinessFactsOf(matter, AT), asked, { confirmationId: 'new', confirmedAt: AT })]
    }
    case 'unapprove':
      return [
        fix.approval === 'LODGEMENT'
          ? unapproveCase(status, caseStatus, 'jo@a.example')
          : unapproveSchedule(status, schedule.status, 'jo@a.example'),
      ]
  }
}

/** As the body of a request. The register has names that no request may have. */
function checkDetails(action: Action): void {
  const details = 'partyDetails' in action ? action.partyDetails : 'type' in action && action.proprietorDetails
  if (details) assert.ok(Value.Check('surname' in details ? IndividualDetails : OrganisationDetails, details))
}
