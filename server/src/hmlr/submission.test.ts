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

/** Bo stays, Cy comes and Ann leaves. */
const STAYS = borrower(BO, { position: 2, addressForService: HOME })
const COMES = borrower(CY, { role: 'INCOMING_PROPRIETOR', addressForService: HOME })
const LEAVES = borrower(ANN, { role: 'OUTGOING_PROPRIETOR', position: 1 })
type Transfer = { transactionValuePence?: number; terms: TransferTerms }
const TRANSFER = { type: 'TRANSFER_OF_WHOLE' as const, outgoing: [], incoming: [] }

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

  const CASES: [type: string, stays: boolean, transfer: Transfer, details: object][] = [
    [
      'TOSV',
      true,
      {
        transactionValuePence: 50_000_00,
        terms: { considerationType: 'MONETARY_VALUE', outstandingChargePence: 7_00 },
      },
      { consideration_type: 'MONETARY_VALUE', value: 50_000, outstanding_charge: 7 },
    ],
    [
      'TOSNV',
      true,
      { terms: { considerationType: 'NO_MONETARY_VALUE', transactionValueBand: 'UP_TO_200000' } },
      {
        consideration_type: 'NO_MONETARY_VALUE',
        value_band: { lower_value_band: 100_001, upper_value_band: 200_000 },
      },
    ],
    [
      'T',
      false,
      {
        transactionValuePence: 50_000_00,
        terms: { considerationType: 'MONETARY_VALUE', considerationDescription: 'Not sent.' },
      },
      { consideration_type: 'MONETARY_VALUE', value: 50_000 },
    ],
    [
      'TNV',
      false,
      {
        transactionValuePence: 0,
        terms: {
          considerationType: 'OTHER',
          considerationDescription: 'A release.',
          transactionValueBand: 'ABOVE_1000000',
          trustDeclaration: 'TRUST_DETAILS',
          trustDetails: 'In shares.',
        },
      },
      {
        consideration_type: 'OTHER',
        consideration_description: 'A release.',
        value: 0,
        trust_declaration_type: 'TRUST_DETAILS',
        trust_details: 'In shares.',
      },
    ],
  ]
  for (const [type, stays, { terms, ...value }, expected] of CASES) {
    it(`of a transfer is ${type}, in which ${stays ? 'one' : 'nobody'} stays`, () => {
      const application = { ...TRANSFER, ...value, terms: { titleGuarantee: 'FULL' as const, ...terms } }
      const { details, party_roles, ...transaction } = transactionIn({
        parties: [...(stays ? [STAYS] : []), COMES, LEAVES],
        applications: [application],
      }) as { type: string; details?: object; party_roles: { party_reference: string; role: string }[] }
      assert.equal(transaction.type, type)
      assert.deepEqual(details, {
        type: 'TRANSFER',
        date: '2026-05-01',
        additional_provisions_code: 'MANUAL_TR1_FORM',
        title_guarantee_code: 'FULL',
        ...expected,
      })
      assert.deepEqual(
        party_roles.map((one) => `${one.party_reference} ${one.role}`),
        stays
          ? ['party-1 TRANSFEROR', 'party-3 TRANSFEROR', 'party-1 TRANSFEREE', 'party-2 TRANSFEREE']
          : ['party-2 TRANSFEROR', 'party-1 TRANSFEREE'],
      )
    })
  }

  it('of a transfer names who borrows, who borrowed and whose name changes, and has an address of each who takes', () => {
    const change = {
      type: 'CHANGE_OF_NAME' as const,
      proprietor: { position: 2, name: named('Bo', 'Ash') },
      newName: BO,
    }
    const applications = [{ type: 'DISCHARGE' as const }, change, TRANSFER, A_DEED]
    const { parties, addresses, applicants, transactions } = bodyOf({ parties: [STAYS, COMES, LEAVES], applications })
    const roles = Object.values(transactions).map(({ type, party_roles }) => {
      return `${type} ${party_roles.map((one) => one.party_reference).join(' ')}`
    })
    assert.deepEqual(roles, [
      'DIS party-1 party-3',
      'CN party-1',
      'TOSNV party-1 party-3 party-1 party-2',
      'C party-1 party-2 lender',
    ])
    assert.deepEqual(applicants, ['party-1', 'party-2'])
    assert.deepEqual(addresses, {
      'party-1-address': { details: ADDRESS },
      'party-2-address': { details: ADDRESS },
    })
    assert.deepEqual(
      Object.values(parties).map((one) => one.address_for_service_option),
      ['PROVIDED_ADDRESS', 'PROVIDED_ADDRESS', 'NOT_REQUIRED', 'NOT_REQUIRED'],
    )
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
    [
      'a transfer without terms and addresses',
      { parties: [borrower(CY), LEAVES], applications: [TRANSFER] },
      ['titleGuarantee', 'considerationType', 'addressForService'],
    ],
    [
      'a transfer that says half',
      {
        parties: [STAYS, COMES, LEAVES],
        applications: [
          {
            ...TRANSFER,
            transactionValuePence: 1,
            terms: { titleGuarantee: 'FULL', considerationType: 'OTHER', outstandingChargePence: 99 },
          },
        ],
      },
      ['considerationDescription', 'trustDeclaration', 'transactionValue', 'outstandingCharge'],
    ],
    [
      'a trust without its details',
      {
        parties: [COMES, LEAVES],
        applications: [
          {
            ...TRANSFER,
            terms: { titleGuarantee: 'FULL', considerationType: 'MONETARY_VALUE', trustDeclaration: 'TRUST_DETAILS' },
          },
        ],
      },
      ['trustDetails'],
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
