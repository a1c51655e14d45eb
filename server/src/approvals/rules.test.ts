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

rule('lodging-conveyancer-represents-a-party', [
  [
    'one of two',
    ready({ representations: [represented('party 1', EXTERNAL), represented('party 2')] }),
    [],
    ['parties'],
  ],
  ['nobody at all', ready({ representations: [] }), ['parties'], []],
  [
    'others only',
    ready({ representations: [represented('party 1', EXTERNAL), represented('party 2', CERTIFIED)] }),
    ['parties'],
    [],
  ],
  ['one of a party that is gone', ready({ representations: [represented('party 9')] }), ['parties'], []],
])

describe('reviewReadiness', () => {
  it('finds nothing wrong with a case that is ready', () => {
    assert.deepEqual(failuresOf(reviewReadiness(ready())), [])
  })

  it('says something of every rule', () => {
    assert.deepEqual(new Set(reviewReadiness(ready()).map(({ ruleId }) => ruleId)), new Set(Object.keys(RULES)))
  })

  it('tells all failures at once, each with the field and the words of its result', () => {
    const results = reviewReadiness(
      ready({ searchStatus: null, representations: [], applications: [anApplication('MORTGAGE_DEED')] }),
    )
    assert.deepEqual(
      failuresOf(results),
      results.filter(({ passed }) => !passed).map(({ field, message }) => ({ field, message })),
    )
    assert.deepEqual(
      failuresOf(results).map(({ field }) => field),
      [
        'titles',
        'parties[0].representation',
        'parties[1].representation',
        'parties',
        'applications[0].file',
        'applications[0].transactionValue',
        'applications[0].mortgageDeedReferenceType',
      ],
    )
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
