import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aPerson, aRegister } from '../../test/fixtures/registry.ts'
import { WORLD } from '../simulated-registry/world.ts'
import type { Register, Restriction } from './register.ts'
import { registerExtract } from './register-extract.ts'

const AT = new Date('2026-05-01T10:04:09.120Z')
const extractOf = (register: Register) => registerExtract({ register, officialCopyAt: AT })
const summaryOf = (register: Register) => extractOf(register).ocSummaryData

const ADDRESS = { postcodeZone: { postcode: 'CB7 9QZ' }, addressLine: { line: ['1 High Street', 'Ely'] } }

const SUMMARY_KEYS = [
  'officialCopyDateTime',
  'editionDate',
  'propertyAddress',
  'title',
  'registerEntryIndicators',
  'proprietorship',
]

describe('registerExtract', () => {
  for (const holding of WORLD.values()) {
    if (holding.kind !== 'registered') continue
    const { register } = holding
    it(`gives ${register.titleNumber} every key that the schema requires`, () => {
      const { ocSummaryData, ocRegisterData } = extractOf(register)
      assertKeys(ocSummaryData, SUMMARY_KEYS)
      assertKeys(ocSummaryData.title, [
        'titleNumber',
        'classOfTitleCode',
        'commonholdIndicator',
        'titleRegistrationDetails',
      ])
      assertKeys(ocSummaryData.title.titleRegistrationDetails, [
        'districtName',
        'administrativeArea',
        'landRegistryOfficeName',
        'latestEditionDate',
      ])
      assert.equal(Object.keys(ocSummaryData.registerEntryIndicators).length, 30)
      for (const flag of Object.values(ocSummaryData.registerEntryIndicators)) assert.equal(typeof flag, 'boolean')
      for (const register of Object.values(ocRegisterData)) {
        register.registerEntry.forEach((entry, index) => {
          assertKeys(entry, ['entryNumber', 'entryDate', 'entryType', 'entryText'])
          assert.equal(entry.entryNumber, String(index + 1))
        })
      }
    })
  }

  it('is the same after a round trip through JSON', () => {
    const extract = extractOf(aRegister())
    assert.deepEqual(JSON.parse(JSON.stringify(extract)), extract)
  })

  it('states when the copy was made, and its edition', () => {
    const { officialCopyDateTime, editionDate } = summaryOf(aRegister({ editionDate: '2020-06-30' }))
    assert.deepEqual([officialCopyDateTime, editionDate], ['2026-05-01T10:04:09.120Z', '2020-06-30'])
  })

  it('has upper-case names in the entries and the original names in the fields', () => {
    const { ocSummaryData, ocRegisterData } = extractOf(
      aRegister({
        proprietors: [
          aPerson({ forenames: 'Siân', surname: 'O’Neill', aliases: [{ forenames: 'Siân', surname: 'Price' }] }),
          aPerson({ forenames: '', surname: 'Madhav' }),
          { type: 'ORGANISATION', organisationName: 'Lee Ltd', registrationNumber: '01234567', addresses: [] },
        ],
      }),
    )
    assert.deepEqual(ocSummaryData.proprietorship.registeredProprietorParty, [
      {
        privateIndividual: {
          name: { forenamesName: 'Siân', surnameName: 'O’Neill' },
          alias: [{ forenamesName: 'Siân', surnameName: 'Price' }],
        },
        address: [ADDRESS],
      },
      { privateIndividual: { name: { surnameName: 'Madhav' }, alias: [] }, address: [ADDRESS] },
      { organization: { name: 'Lee Ltd', companyRegistrationNumber: '01234567' }, address: [] },
    ])
    assert.deepEqual(ocRegisterData.proprietorshipRegister.registerEntry[0]?.entryText, [
      'PROPRIETOR: SIÂN O’NEILL also known as SIÂN PRICE and MADHAV of 1 High Street, Ely CB7 9QZ and LEE LTD (company number 01234567).',
    ])
  })

  it('has a list wherever there could be several', () => {
    const { propertyAddress, proprietorship, title } = summaryOf(aRegister())
    assert.deepEqual(propertyAddress, [ADDRESS])
    assert.deepEqual(proprietorship.registeredProprietorParty[0]?.address, [ADDRESS])
    assert.deepEqual(title.titleRegistrationDetails.postcodeZone, [{ postcode: 'CB7 9QZ' }])
  })

  it('leaves out what the register does not have', () => {
    const { ocSummaryData, ocRegisterData } = extractOf(aRegister())
    assert.deepEqual(Object.keys(ocSummaryData).toSorted(), SUMMARY_KEYS.toSorted())
    assert.deepEqual(Object.keys(ocRegisterData), ['propertyRegister', 'proprietorshipRegister'])
    assert.ok(Object.values(ocSummaryData.registerEntryIndicators).every((flag) => !flag))
  })

  it('summarises a charge and refers to its entries', () => {
    const charge = (chargeId: string) => ({
      chargeId,
      dated: '2005-03-01',
      enteredOn: '2005-03-04',
      chargees: [aPerson()],
    })
    const burdens = [{ enteredOn: '1990-01-02', text: 'A covenant.' }]
    const summary = summaryOf(aRegister({ burdens, charges: [charge('first'), charge('second')] }))
    const entries = summary.charge?.chargeEntry.map(({ chargeId, chargeDate, registeredCharge, chargeProprietor }) => [
      chargeId,
      chargeDate,
      registeredCharge.entryDetails.entryNumber,
      chargeProprietor.entryDetails.entryNumber,
    ])
    assert.deepEqual(entries, [
      ['first', '2005-03-01', '2', '3'],
      ['second', '2005-03-01', '4', '5'],
    ])
    assert.deepEqual(summary.charge?.chargeEntry[0]?.registeredCharge.entryDetails, {
      entryNumber: '2',
      entryText: 'REGISTERED CHARGE dated 1 March 2005.',
      registrationDate: '2005-03-04',
      subRegisterCode: 'C',
      infills: { chargeDate: '2005-03-01' },
    })
    const { chargeIndicator, chargeeIndicator, multipleChargeIndicator } = summary.registerEntryIndicators
    assert.deepEqual([chargeIndicator, chargeeIndicator, multipleChargeIndicator], [true, true, true])
  })

  for (const [type, key, code, indicator] of [
    ['OTHER', 'nonChargeRestriction', '0', 'nonChargeRestrictionIndicator'],
    ['JOINT_PROPRIETOR', 'nonChargeRestriction', '10', 'nonChargeRestrictionIndicator'],
    ['CHARGE_RELATED', 'chargeRelatedRestriction', '20', 'chargeRelatedRestrictionIndicator'],
    ['CHARGE', 'chargeRestriction', '30', 'chargeRestrictionIndicator'],
  ] as const) {
    it(`puts a restriction of type ${type} under ${key}`, () => {
      const restriction: Restriction = { type, enteredOn: '2005-03-04', text: 'Nothing without consent.' }
      const summary = summaryOf(aRegister({ restrictions: [restriction] }))
      const [entry] = summary.restrictionDetails?.restrictionEntry ?? []
      assert.equal(entry?.[key]?.restrictionTypeCode, code)
      assert.equal(entry?.[key]?.entryDetails.entryText, 'RESTRICTION: Nothing without consent.')
      assert.equal(summary.registerEntryIndicators[indicator], true)
    })
  }

  it('states the price paid, in words and in figures', () => {
    const summary = summaryOf(aRegister({ pricePaid: { pence: 185_000_50, paidOn: '2005-02-01' } }))
    assert.equal(
      summary.pricePaidEntry?.entryDetails.entryText,
      'Price stated to have been paid on 1 February 2005: £185,000.50.',
    )
    assert.deepEqual(summary.pricePaidEntry?.entryDetails.infills, { amount: '£185,000.50', date: '2005-02-01' })
  })

  it('contains the lease of a leasehold', () => {
    const lease = { dated: '2006-03-31', term: '125 years', parties: [aPerson(), aPerson({ forenames: 'Bo' })] }
    const summary = summaryOf(aRegister({ tenure: 'LEASEHOLD', classOfTitleCode: '60', lease }))
    const [entry] = summary.lease?.leaseEntry ?? []
    assert.ok(entry)
    assertKeys(entry, ['leaseTerm', 'leaseDate', 'leaseParty', 'entryDetails'])
    assert.equal(entry.leaseParty.length, 2)
    assert.equal(summary.registerEntryIndicators.leaseHoldTitleIndicator, true)
  })
})

function assertKeys(value: object, keys: readonly string[]): void {
  for (const key of keys) assert.ok(key in value, `${key} is missing`)
}

describe('the registry’s own entries', () => {
  const own = aRegister({
    charges: [{ chargeId: '1', dated: '2005-03-01', enteredOn: '2005-03-04', chargees: [aPerson()] }],
    entries: {
      A: [{ number: '1', text: ['The land, in the registry’s words.'], of: { kind: 'Property Description' } }],
      B: [{ number: '1', text: ['PROPRIETOR: Ann Lee'], of: { kind: 'Proprietor' } }],
      C: [
        { number: '3', type: 'Deed', text: ['The deed.'], of: { kind: 'Registered Charges', index: 0 } },
        { number: '4', enteredOn: '2005-03-04', text: ['The lender.'], of: { kind: 'Chargee', index: 0 } },
        { number: '5', text: ['Something else.'] },
      ],
    },
  })

  it('are shown as they are, and none is generated', () => {
    assert.deepEqual(extractOf(own).ocRegisterData.chargesRegister?.registerEntry, [
      { entryNumber: '3', entryType: 'Deed', entryText: ['The deed.'] },
      { entryNumber: '4', entryDate: '2005-03-04', entryType: 'Chargee', entryText: ['The lender.'] },
      { entryNumber: '5', entryText: ['Something else.'] },
    ])
  })

  it('are referred to by the summary', () => {
    const [charge] = summaryOf(own).charge?.chargeEntry ?? []
    assert.equal(charge?.registeredCharge.entryDetails.entryText, 'The deed.')
    assert.equal(charge?.chargeProprietor.entryDetails.entryNumber, '4')
  })
})
