import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { after, aMatter, beforeSearch, setIncoming, setOutgoing } from '../../test/fixtures/ownership.ts'
import { anApplication, CERTIFIED, EXTERNAL, ready, represented, rule } from '../../test/fixtures/readiness.ts'
import { failuresOf, fourEyesErrors, RULES, reviewReadiness } from './rules.ts'

rule('title-must-be-valid', [
  ['a title that the registry has', ready(), [], ['titles[0]']],
  ['a workspace without a title', ready({ searchStatus: null }), ['titles'], []],
  ['a search that was not begun', ready({ searchStatus: 'INITIATED' }), ['titles[0]'], []],
  ['a search that waits', ready({ searchStatus: 'PENDING' }), ['titles[0]'], []],
  ['a search that failed', ready({ searchStatus: 'FAILED' }), ['titles[0]'], []],
])

const STRANGERS = aMatter(['William Prynne', 'Grace Okafor'], ['William Prynne', 'Tracey Prynne'])

rule('all-proprietors-matched-to-borrowers', [
  ['borrowers who own the title', ready(), [], ['parties[0]', 'parties[1]']],
  ['nobody before a search has succeeded', ready(beforeSearch(aMatter(['William Prynne']))), ['parties[0]'], []],
  [
    'a borrower and a proprietor who are nobody',
    ready(STRANGERS),
    ['parties[1]', 'unmatchedProprietors[0]'],
    ['parties[0]'],
  ],
  [
    'a borrower who comes, but not the proprietor who should leave',
    ready(after(STRANGERS, setIncoming('party 2'))),
    ['unmatchedProprietors[0]'],
    ['parties[0]', 'parties[1]'],
  ],
  [
    'who comes and who leaves, the latter as a party of its own',
    ready(after(STRANGERS, setIncoming('party 2'), setOutgoing('proprietor 2'))),
    [],
    ['parties[0]', 'parties[1]', 'parties[2]'],
  ],
  [
    'proprietors whom nobody is, by their places in the reconciliation',
    ready(aMatter(['Tracey Prynne'], ['William Prynne', 'Tracey Prynne', 'Ivy Marsh'])),
    ['unmatchedProprietors[0]', 'unmatchedProprietors[1]'],
    ['parties[0]'],
  ],
])

const nobodyLeft = after(aMatter(['Grace Okafor'], ['William Prynne']), setOutgoing('proprietor 1'))

rule('proprietor-count', [
  ['one', ready(aMatter(['A A'], ['A A'])), [], ['parties']],
  ['four', ready(aMatter(['A A'], ['A A', 'B B', 'C C', 'D D'])), [], ['parties']],
  ['five', ready(aMatter(['A A'], ['A A', 'B B', 'C C', 'D D', 'E E'])), ['parties'], []],
  ['none', ready(nobodyLeft), ['parties'], []],
  ['one who comes where the only one leaves', ready(after(nobodyLeft, setIncoming('party 1'))), [], ['parties']],
  ['nobody before a search has succeeded', ready(beforeSearch(aMatter(['A A']))), ['parties'], []],
])

rule('party-representation-type-is-valid', [
  ['parties who are all represented', ready(), [], ['parties[0].representation', 'parties[1].representation']],
  [
    'one who is not',
    ready({ representations: [represented('party 1')] }),
    ['parties[1].representation'],
    ['parties[0].representation'],
  ],
  [
    'one who says so: not represented is a representation',
    ready({ representations: [represented('party 1', CERTIFIED), represented('party 2', EXTERNAL)] }),
    [],
    ['parties[0].representation', 'parties[1].representation'],
  ],
  [
    'who comes and who leaves, as everybody',
    ready(after(STRANGERS, setIncoming('party 2'), setOutgoing('proprietor 2'))),
    ['parties[2].representation'],
    ['parties[0].representation', 'parties[1].representation'],
  ],
])

describe('reviewReadiness', () => {
  it('finds nothing wrong with a matter that is ready for both approvals', () => {
    assert.deepEqual(
      reviewReadiness(ready()).filter(({ passed }) => !passed),
      [],
    )
  })

  it('says something about every rule that there is something to check for', () => {
    const transfer = anApplication('TRANSFER_OF_WHOLE')
    const applications = [...ready().applications, transfer]
    const results = reviewReadiness(ready({ registry: 'hmlr', caseStatus: 'REGISTRATION_REJECTED', applications }))
    assert.deepEqual(new Set(results.map(({ ruleId }) => ruleId)), new Set(Object.keys(RULES)))
  })

  for (const status of ['SETTLED', 'CANCELLED'] as const) {
    it(`leaves out the financial rules of a schedule that is ${status}`, () => {
      const results = reviewReadiness(ready({ schedule: { ...ready().schedule, status } }))
      assert.deepEqual(new Set(results.map(({ approval }) => approval)), new Set(['LODGEMENT']))
    })
  }
})

describe('failuresOf', () => {
  const wanting = ready({
    searchStatus: null,
    representations: [],
    applications: [anApplication('MORTGAGE_DEED', { mortgageDeedReferenceType: 'DIGITAL' })],
    schedule: { status: 'DRAFT', completionDate: null, lines: [] },
  })
  const fieldsOf = (approval: 'LODGEMENT' | 'FINANCIAL') =>
    failuresOf(reviewReadiness(wanting), approval).map(({ field }) => field)

  it('gives all failures of one approval, but those that only block the submission', () => {
    assert.deepEqual(fieldsOf('LODGEMENT'), [
      'titles',
      'parties[0].representation',
      'parties[1].representation',
      'applications[0].file',
      'applications[0].transactionValue',
      'applications[0].mortgageDeedReference',
    ])
    assert.deepEqual(fieldsOf('FINANCIAL'), ['lineItems', 'lineItems', 'completionDate', 'lineItems'])
  })
})

describe('fourEyesErrors', () => {
  for (const [what, fourEyes, changedBy, faults] of [
    ['another person', true, ['sam@example.com'], 0],
    ['a person who changed it, in capitals', true, ['ann@example.com'], 1],
    ['one of several who changed it', true, ['ann@example.com', 'sam@example.com'], 1],
    ['nobody named', true, [], 0],
    ['the same person, where four eyes are not wanted', false, ['ann@example.com'], 0],
  ] as const) {
    it(`has ${faults ? 'something' : 'nothing'} against ${what}`, () => {
      const found = fourEyesErrors({ fourEyes, changedBy }, 'Ann@example.com', 'the case')
      assert.deepEqual(
        found.map(({ field }) => field),
        faults ? ['approvedBy'] : [],
      )
    })
  }
})
