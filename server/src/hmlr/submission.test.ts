// Long because every trap of the mapping is a line of a table here.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { A_DEED, aLodgement, named } from '../../test/fixtures/registry.ts'
import type { LodgedDocument, LodgedParty, Lodgement, TransferTerms } from '../registry/lodgement.ts'
import { documentCode } from './documents.ts'
import { problemsOf } from './rules.ts'
import type { Lender } from './shapes.ts'
import { submissionOf } from './submission.ts'

const LENDER: Lender = { kind: 'UK_COMPANY', companyNumber: '00445566' }
const ANN = named('Ann', 'Lee')
const BO = named('Bo', 'Lee')
const CY = named('Cy', 'Hart')
const HOME = { number: '1', street: 'High Street', town: 'Ely', postcode: 'CB7 9QZ' }
const BY_US: LodgedParty['representation'] = {
  representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM',
  firm: 'Harbour Conveyancing LLP',
}

const borrower = (name: LodgedParty['name'], facts: Partial<LodgedParty> = {}): LodgedParty => ({
  role: 'BORROWER',
  name,
  representation: BY_US,
  ...facts,
})

let files = 0
const document = (documentType: string, facts: Partial<LodgedDocument> = {}): LodgedDocument => ({
  fileId: `file-${++files}`,
  fileName: 'a.pdf',
  documentType,
  documentCategory: 'APPLICATION_DOCUMENT',
  certificationType: 'ORIGINAL',
  sha256: 'ab',
  size: 3,
  ...facts,
})

type Facts = Parameters<typeof aLodgement>[0]

/** Ready to be sent, but for what a test is about. */
function lodgement({ applications = [A_DEED], ...facts }: Facts = {}): Lodgement {
  const all = aLodgement({ parties: [borrower(ANN)], disclosableOverridingInterests: false, applications, ...facts })
  return { ...all, applications: all.applications.map((one) => ({ ...one, feePence: 0 })) }
}

const bodyOf = (facts?: Facts) =>
  submissionOf(lodgement(facts), {
    account: { telephone: '01632 960000' },
    lender: LENDER,
    documentId: (sha256, code) => `${sha256} ${code}`,
  }).data

const transactionIn = (facts: Facts) => Object.values(bodyOf(facts).transactions)[0] ?? assert.fail('no transaction')

describe('a submission', () => {
  it('of a charge has the lender, the borrower and the deed', () => {
    const deed = document('MORTGAGE_DEED', { fileId: 'deed-1' })
    assert.deepEqual(bodyOf({ applications: [{ ...A_DEED, documents: [deed] }] }), {
      type: 'REGISTER_UPDATE',
      submission_warning_understood: true,
      customer_reference: 'LW260000001',
      application_lodger: { email: 'jo.marsh@harbour.example', telephone: '01632 960000', type: 'CONVEYANCER' },
      applicants: ['party-1'],
      titles: {
        title: {
          title_number: 'ST500678',
          title_type: 'REGISTER_TITLE',
          disclosable_overriding_interests: false,
          scope_details: { scope: 'WHOLE' },
        },
      },
      parties: {
        'party-1': {
          details: { type: 'PRIVATE_INDIVIDUAL', forenames: 'Ann', surname: 'Lee' },
          address_for_service_option: 'NOT_REQUIRED',
          representation_type: 'LODGING_CONVEYANCER',
        },
        lender: {
          details: {
            type: 'UK_COMPANY',
            organisation_name: 'Northgate Building Society',
            company_number: '00445566',
          },
          address_for_service_option: 'NOT_REQUIRED',
          representation_type: 'LODGING_CONVEYANCER',
        },
      },
      documents: {
        'deed-1': {
          document_id: 'ab MRTG_DEED',
          type: 'MRTG_DEED',
          document_metadata: { certification_statement_type: 'CERTIFIED', document_filename: 'a.pdf' },
        },
      },
      transactions: {
        'application 1': {
          type: 'C',
          priority: 1,
          fee_in_pence: 0,
          title_references: ['title'],
          documents: ['deed-1'],
          details: { type: 'CHARGE', date: '2026-05-01', mdref: 'MD431C', value: 206_000 },
          party_roles: [
            { party_reference: 'party-1', role: 'BORROWER' },
            { party_reference: 'lender', role: 'LENDER' },
          ],
        },
      },
    })
  })

  for (const [documents, expected] of [
    [[document('EVIDENCE')], 'ATTACHED'],
    [[document('EVIDENCE', { documentCategory: 'SUPPORTING_DOCUMENT' })], 'LENDER'],
    [[], 'LENDER'],
  ] as const) {
    it(`says ${expected} of a discharge with ${documents.length} documents`, () => {
      const { details } = transactionIn({ applications: [{ type: 'DISCHARGE', documents: [...documents] }] }) as {
        details?: Record<string, unknown>
      }
      assert.equal(details?.['discharge_submission_type'], expected)
    })
  }

  const transfer = (facts: { outgoing?: boolean; considerationPence?: number }) => {
    const leaves = [{ position: 1, name: ANN }]
    const terms: TransferTerms = {
      titleGuarantee: 'FULL',
      heldAs: 'JOINT_TENANTS',
      ...(facts.considerationPence !== undefined && { considerationPence: facts.considerationPence }),
    }
    const remaining = facts.outgoing ? [] : [{ position: 2, name: BO }]
    return { type: 'TRANSFER_OF_WHOLE' as const, outgoing: leaves, incoming: [CY], remaining, terms }
  }

  for (const [type, facts, roles] of [
    ['TOSV', { considerationPence: 50_000_00 }, 'TRANSFEROR TRANSFEROR TRANSFEREE TRANSFEREE'],
    ['TOSNV', {}, 'TRANSFEROR TRANSFEROR TRANSFEREE TRANSFEREE'],
    ['T', { outgoing: true, considerationPence: 50_000_00 }, 'TRANSFEROR TRANSFEREE'],
    ['TNV', { outgoing: true }, 'TRANSFEROR TRANSFEREE'],
  ] as const) {
    it(`of a transfer is ${type}, in which ${facts && 'outgoing' in facts ? 'nobody' : 'one'} stays`, () => {
      const parties = [borrower(BO, { addressForService: HOME }), borrower(CY, { role: 'INCOMING_PROPRIETOR' })]
      const { party_roles, ...transaction } = transactionIn({ parties, applications: [transfer(facts)] })
      assert.equal(transaction.type, type)
      assert.equal(party_roles.map(({ role }) => role).join(' '), roles)
      assert.partialDeepStrictEqual(transaction, {
        details: {
          type: 'TRANSFER',
          additional_provisions_code: 'MANUAL_TR1_FORM',
          consideration_type: 'considerationPence' in facts ? 'MONETARY_VALUE' : 'NO_MONETARY_VALUE',
        },
      })
    })
  }

  it('names each person once, under the new name where that changes, with the address for service', () => {
    const change = {
      type: 'CHANGE_OF_NAME' as const,
      proprietor: { position: 2, name: BO },
      newName: named('Bo', 'Ash'),
    }
    const parties = [
      borrower(named('Bo', 'Ash'), { addressForService: HOME }),
      borrower(CY, { role: 'INCOMING_PROPRIETOR', addressForService: HOME }),
    ]
    const body = bodyOf({ parties, applications: [change, transfer({})] })
    const names = Object.values(body.parties).map(({ details }) => ('surname' in details ? details.surname : 'company'))
    assert.deepEqual(names, ['Ash', 'Hart', 'Lee'])
    assert.deepEqual(body.addresses, {
      'party-1-address': { details: ADDRESS },
      'party-2-address': { details: ADDRESS },
    })
  })
  const ADDRESS = {
    type: 'UK',
    building_description: '1',
    street: 'High Street',
    post_town: 'Ely',
    postcode: 'CB7 9QZ',
  }

  for (const [what, representation, expected] of [
    [
      'another firm',
      { representedBy: 'EXTERNAL_LAW_FIRM', firm: 'Hill & Co', address: HOME, referenceNumber: 'H/1' },
      {
        representation_type: 'OTHER_CONVEYANCER',
        other_conveyancer: { full_name: 'Hill & Co', conveyancer_reference: 'H/1', address_reference: 'party-1-firm' },
      },
    ],
    [
      'nobody, certified by us',
      { representedBy: 'NOT_REPRESENTED', verificationOfIdentity: 'LAW_FIRM_CERTIFIED' },
      { representation_type: 'NOT_REPRESENTED', identity_evidence_type: 'VERIFIED' },
    ],
    [
      'nobody, with evidence',
      { representedBy: 'NOT_REPRESENTED', verificationOfIdentity: 'IDENTITY_EVIDENCE' },
      { representation_type: 'NOT_REPRESENTED', identity_evidence_type: 'EVIDENCE' },
    ],
  ] as const) {
    it(`names who represents a party: ${what}`, () => {
      const { parties } = bodyOf({ parties: [borrower(ANN, { representation })] })
      assert.partialDeepStrictEqual(parties, { 'party-1': expected })
    })
  }
})

describe('the registry’s code of a document', () => {
  for (const [documentType, of, code] of [
    ['EVIDENCE', 'DISCHARGE', 'DS1'],
    ['EVIDENCE', 'TRANSFER_OF_WHOLE', 'TR1'],
    ['EVIDENCE', 'CANCEL_A_RESTRICTION', 'RX3'],
    ['EVIDENCE', 'CHANGE_OF_NAME', 'EVIDENCE'],
    ['EVIDENCE', undefined, 'EVIDENCE'],
    ['MARRIAGE_CERTIFICATE', 'CHANGE_OF_NAME', 'CIVIL_CERT'],
    ['COMPANIES_HOUSE_CERTIFICATE', 'CHANGE_OF_NAME', 'EVIDENCE'],
    ['COMPANIES_HOUSE_CERTIFICATE', 'MORTGAGE_DEED', 'CERT_REG_CH'],
    ['STATEMENT_OF_TRUTH', 'CANCEL_A_RESTRICTION', 'SOT'],
  ] as const) {
    it(`of ${documentType} with ${of ?? 'an answer'} is ${code}`, () => {
      assert.equal(documentCode(document(documentType), of), code)
    })
  }

  for (const [certificationType, statement] of [
    ['ORIGINAL', 'CERTIFIED'],
    ['CERTIFIED', 'CERTIFIED_BY_ANOTHER'],
    ['SCANNED', 'NOT_CERTIFIED'],
  ] as const) {
    it(`says ${statement} where we say ${certificationType}`, () => {
      const documents = [document('MORTGAGE_DEED', { fileId: 'f', certificationType })]
      const { documents: sent } = bodyOf({ applications: [{ ...A_DEED, documents }] })
      assert.equal(sent['f']?.document_metadata.certification_statement_type, statement)
    })
  }

  it('confirms that a charge was filed where a certificate says so', () => {
    const documents = [document('COMPANIES_HOUSE_CERTIFICATE', { fileId: 'f' })]
    const { documents: sent } = bodyOf({ applications: [{ ...A_DEED, documents }] })
    assert.equal(sent['f']?.companies_house_certification, true)
  })
})

describe('what keeps a lodgement from being sent', () => {
  const fieldsOf = (facts: Facts, lender: Lender | undefined = LENDER) =>
    problemsOf(lodgement(facts), lender).map(({ pointer }) => pointer)
  const named2 = { position: 1, name: ANN }
  const change = { type: 'CHANGE_OF_NAME' as const, proprietor: named2, newName: BO }
  const transfer = { type: 'TRANSFER_OF_WHOLE' as const, outgoing: [named2], incoming: [CY], remaining: [] }
  const company = { type: 'ORGANISATION', organisationName: 'Far Ltd', registrationNumber: 'FC012345' } as const

  it('is nothing where all is there', () => assert.deepEqual(fieldsOf({}), []))

  for (const [what, facts, fields] of [
    [
      'interests that nobody spoke of',
      { disclosableOverridingInterests: undefined },
      ['disclosableOverridingInterests'],
    ],
    ['interests that need form DI', { disclosableOverridingInterests: true }, ['disclosableOverridingInterests']],
    ['a person who approved without an e-mail address', { submittedBy: 'Jo' }, ['approvedBy']],
    ['a digital deed', { applications: [{ ...A_DEED, deedReferenceType: 'DIGITAL' }] }, ['mortgageDeedReferenceType']],
    ['pence', { applications: [{ ...A_DEED, transactionValuePence: 206_000_01 }] }, ['transactionValue']],
    [
      'more than the field holds',
      { applications: [{ ...A_DEED, transactionValuePence: 2 ** 31 * 100 }] },
      ['transactionValue'],
    ],
    ['a party whom nobody is said to represent', { parties: [{ role: 'BORROWER', name: ANN }] }, ['representations']],
    [
      'a firm without an address',
      { parties: [borrower(ANN, { representation: { representedBy: 'PLATFORM_SUBSCRIBER_LAW_FIRM', firm: 'Hill' } })] },
      ['representations'],
    ],
    ['an overseas company', { parties: [borrower(company)] }, ['parties']],
    ['a change of name without documents', { applications: [change] }, ['documents', 'documents']],
    [
      'a change of name without correspondence',
      { applications: [{ ...change, documents: [document('MARRIAGE_CERTIFICATE')] }] },
      ['documents'],
    ],
    [
      'a statement of truth alone, to cancel a restriction',
      { applications: [{ type: 'CANCEL_A_RESTRICTION', documents: [document('STATEMENT_OF_TRUTH')] }] },
      ['documents'],
    ],
    ['a transfer without terms and addresses', { applications: [transfer] }, ['terms', 'addressForService']],
    [
      'two new proprietors who do not say how they hold',
      {
        parties: [ANN, CY].map((name) => borrower(name, { addressForService: HOME })),
        applications: [{ ...transfer, incoming: [ANN, CY], terms: { titleGuarantee: 'FULL' } }],
      },
      ['terms'],
    ],
  ] as [string, Facts & object, string[]][]) {
    it(`is ${what}`, () => assert.deepEqual(fieldsOf(facts), fields))
  }

  it('is a lender of whom nothing is set, and a fee that is not known', () => {
    const unknown = { ...aLodgement({ parties: [borrower(ANN)], disclosableOverridingInterests: false }) }
    assert.deepEqual(
      problemsOf(unknown, undefined).map(({ pointer }) => pointer),
      ['lender', 'fee'],
    )
  })
})
