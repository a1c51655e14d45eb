import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aDeed, anApplication, ready } from '../../test/fixtures/readiness.ts'
import { approveCase, reviewReadiness } from './rules.ts'
import type { ReviewedApplication } from './rules-facts.ts'

const failuresOf = (application: ReviewedApplication, registry = 'hmlr') =>
  reviewReadiness(ready({ registry, applications: [application] }))
    .filter((one) => one.ruleId === 'registry-takes-application' && !one.passed)
    .map(({ field, message }) => `${field} ${message}`)

describe('what HM Land Registry takes', () => {
  for (const [what, application, expected] of [
    ['a deed in whole pounds', aDeed(), []],
    ['a discharge', anApplication('DISCHARGE'), []],
    [
      'pence',
      { ...aDeed(), transactionValuePence: 206_000_10 },
      ['applications[0].transactionValue HM Land Registry takes whole pounds. Set transactionValue to whole pounds.'],
    ],
    [
      'a digital deed',
      { ...aDeed(), mortgageDeedReferenceType: 'DIGITAL' },
      ['applications[0].mortgageDeedReferenceType A digital deed cannot be sent to HM Land Registry from here.'],
    ],
    [
      'a transfer',
      anApplication('TRANSFER_OF_WHOLE'),
      ['applications[0] A transfer cannot be sent to HM Land Registry from here yet.'],
    ],
    [
      'a change of name without a letter',
      { ...anApplication('CHANGE_OF_NAME'), documents: [] },
      ['applications[0].documents HM Land Registry wants a letter with a change of name. Attach it as CORRESPONDENCE.'],
    ],
    [
      'a restriction without form RX3',
      { ...anApplication('CANCEL_A_RESTRICTION'), documents: [] },
      ['applications[0].file HM Land Registry wants form RX3. Attach it as EVIDENCE.'],
    ],
  ] as [string, ReviewedApplication, string[]][]) {
    it(`is checked: ${what}`, () => {
      assert.deepEqual(failuresOf(application), expected)
      assert.deepEqual(failuresOf(application, 'simulator'), [])
    })
  }

  const approve = (registry: string, disclosableOverridingInterests?: boolean) =>
    approveCase(
      ready({ registry }),
      { fourEyes: false, changedBy: [] },
      {
        approvedBy: 'jo@a.example',
        ...(disclosableOverridingInterests !== undefined && { disclosableOverridingInterests }),
      },
    )

  it('needs an approval that says that there are no disclosable overriding interests', () => {
    assert.equal(approve('hmlr', false).kind, 'case approved')
    for (const stated of [undefined, true])
      assert.throws(() => approve('hmlr', stated), /disclosableOverridingInterests/)
    assert.equal(approve('simulator').kind, 'case approved')
  })
})
