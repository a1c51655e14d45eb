import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { company } from '../../test/fixtures/ownership.ts'
import { aDeed, anApplication, ready, represented } from '../../test/fixtures/readiness.ts'
import { approveCase, reviewReadiness } from './rules.ts'
import type { ReadinessFacts, ReviewedApplication } from './rules-facts.ts'

const messagesOf = (facts: Partial<ReadinessFacts>, rules: string) =>
  reviewReadiness(ready({ registry: 'hmlr', isLenderSet: true, lawFirmId: 'firm', ...facts }))
    .filter((one) => one.ruleId.startsWith(rules) && !one.passed)
    .map(({ field, message }) => `${field} ${message}`)

const failuresOf = (application: ReviewedApplication, registry = 'hmlr') =>
  messagesOf({ registry, applications: [application] }, 'registry-takes-application')

const TERMS = {
  titleGuarantee: 'FULL',
  considerationType: 'NO_MONETARY_VALUE',
  trustDeclaration: 'JOINT_TENANTS',
} as const
const HOME = { number: '1', street: 'High Street', town: 'Ely', postcode: 'CB7 9QZ' }

describe('what HM Land Registry takes', () => {
  for (const [what, application, expected] of [
    ['a deed in whole pounds', aDeed(), []],
    ['a discharge', anApplication('DISCHARGE'), []],
    [
      'pence',
      { ...aDeed(), transactionValuePence: 206_000_10 },
      [
        'applications[0].transactionValue HM Land Registry takes whole pounds, up to 2,147,483,647. Set transactionValue to whole pounds.',
      ],
    ],
    [
      'a digital deed',
      { ...aDeed(), mortgageDeedReferenceType: 'DIGITAL' },
      [
        'applications[0].mortgageDeedReferenceType A digital deed cannot be sent to HM Land Registry from here. ' +
          'Set mortgageDeedReferenceType to PAPER, with a paper deed.',
      ],
    ],
    [
      'a transfer without its terms',
      anApplication('TRANSFER_OF_WHOLE', { transactionValuePence: 1, outstandingChargePence: 1 }),
      [
        'applications[0].titleGuarantee HM Land Registry needs the title guarantee of a transfer. Set titleGuarantee.',
        'applications[0].considerationType HM Land Registry needs to know whether a transfer is for money. Set considerationType.',
        'applications[0].trustDeclaration HM Land Registry needs to know how two or more proprietors hold. Set trustDeclaration.',
        'applications[0].transactionValue HM Land Registry takes whole pounds, up to 2,147,483,647. Set transactionValue.',
        'applications[0].outstandingCharge HM Land Registry takes whole pounds, up to 2,147,483,647. Set outstandingCharge.',
      ],
    ],
    ['a transfer with its terms', anApplication('TRANSFER_OF_WHOLE', TERMS), []],
    [
      'a trust without its details, and a transfer for something unnamed',
      anApplication('TRANSFER_OF_WHOLE', {
        ...TERMS,
        considerationType: 'OTHER',
        trustDeclaration: 'TRUST_DETAILS',
      }),
      [
        'applications[0].considerationDescription HM Land Registry needs to know what a transfer is for. Set considerationDescription.',
        'applications[0].trustDetails HM Land Registry needs the details of the trust. Set trustDetails.',
      ],
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

  const { parties } = ready()
  const [first = assert.fail(), second = assert.fail()] = parties
  const transfer = [aDeed(), anApplication('TRANSFER_OF_WHOLE')]
  const NEEDED = 'HM Land Registry needs an address for service of each party to whom a title is transferred.'
  for (const [what, facts, expected] of [
    ['nobody in particular', {}, []],
    [
      'an overseas company',
      { parties: [{ ...first, name: company('Far Limited', 'FC012345') }] },
      [
        'parties[0].partyDetails An overseas company cannot be lodged with HM Land Registry from here. ' +
          'Lodge this matter in the registry’s own portal.',
      ],
    ],
    [
      'another firm of the platform',
      {
        representations: [
          represented('party 1', { subscriberId: 'firm' }),
          represented('party 2', { subscriberId: 'other' }),
        ],
      },
      [
        'parties[1].representation HM Land Registry needs the address of the other law firm, which the platform does not know. ' +
          'Add it as an external law firm.',
      ],
    ],
    [
      'who comes, stays and leaves without an address for service',
      {
        parties: [
          { ...first, role: 'INCOMING_PROPRIETOR', proprietorId: 'new' },
          second,
          { ...first, partyId: 'party 3', role: 'OUTGOING_PROPRIETOR', proprietorId: 'proprietor 1' },
        ],
        applications: transfer,
      },
      [
        `parties[0].addressForService ${NEEDED} Set addressForService with SET_AS_INCOMING_PROPRIETOR.`,
        `parties[1].addressForService ${NEEDED} Set addressForService with UPDATE_PARTY_NAME, under the same name.`,
      ],
    ],
    [
      'who takes with an address',
      { parties: parties.map((one) => ({ ...one, addressForService: HOME })), applications: transfer },
      [],
    ],
    [
      'a lender that is not set',
      { isLenderSet: false },
      [
        'lender It is not set how HM Land Registry knows this lender. Ask the operator: `lodgeway registry lender` sets it.',
      ],
    ],
  ] as [string, Partial<ReadinessFacts>, string[]][]) {
    it(`is checked of the parties: ${what}`, () => {
      assert.deepEqual(messagesOf(facts, 'registry-takes-parties'), expected)
      assert.deepEqual(messagesOf({ ...facts, registry: 'simulator' }, 'registry-takes-parties'), [])
    })
  }

  it('is an application whose fee is known', () => {
    const transferFails = (facts: object) =>
      messagesOf({ applications: [anApplication('TRANSFER_OF_WHOLE', { ...TERMS, ...facts })] }, 'transfer-must-have')
    assert.deepEqual(transferFails({}).length, 1)
    assert.deepEqual(transferFails({ transactionValueBand: 'UP_TO_100000' }), [])
    assert.deepEqual(
      transferFails({ transactionValueBand: 'UP_TO_100000', considerationType: 'MONETARY_VALUE' }).length,
      1,
    )
  })

  const approve = (registry: string, disclosableOverridingInterests?: boolean) =>
    approveCase(
      ready({ registry, isLenderSet: true }),
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
