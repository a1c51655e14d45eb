import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { A_DEED, aLodgement, aPerson, aRegister, named } from '../../test/fixtures/registry.ts'
import type { Charge, Party, Restriction } from '../registry/register.ts'
import { registerAfter } from './registration.ts'
import { chargeeOf } from './world-parties.ts'

const OLD_CHARGE: Charge = {
  chargeId: 'CB100200-1',
  dated: '2012-05-22',
  enteredOn: '2012-06-11',
  chargees: [{ type: 'ORGANISATION', organisationName: 'Eastmoor Bank plc', addresses: [] }],
}
const RESTRICTION: Restriction = { type: 'JOINT_PROPRIETOR', enteredOn: '2005-03-04', text: 'No disposition …' }
const LENDERS_RESTRICTION: Restriction = { ...RESTRICTION, type: 'CHARGE', text: 'Not without consent.' }
const DATES = { appliedOn: '2026-05-02', registeredOn: '2026-05-07' }

const ANN = aPerson({ forenames: 'Ann' })
const BO = aPerson({ forenames: 'Bo' })

const nameOf = (party: Party) =>
  party.type === 'INDIVIDUAL' ? `${party.forenames} ${party.surname}` : party.organisationName

const after = (facts: Parameters<typeof aRegister>[0], lodged: Parameters<typeof aLodgement>[0]) =>
  registerAfter(aRegister(facts), aLodgement(lodged), DATES, 'in full')

describe('registerAfter', () => {
  it('enters the new charge on the day of the application, and begins a new edition on that of the registration', () => {
    const { charges, editionDate, ...rest } = after({}, { applications: [A_DEED], completedOn: '2026-05-01' })
    assert.equal(editionDate, DATES.registeredOn)
    const chargees = [chargeeOf('Northgate Building Society')]
    const enteredOn = DATES.appliedOn
    assert.deepEqual(charges, [{ chargeId: 'CB100200-1', dated: '2026-05-01', enteredOn, chargees }])
    const { charges: _, editionDate: __, ...before } = aRegister()
    assert.deepEqual(rest, before, 'and leaves all else as it was')
  })

  it('gives every chargee an address for service', () => {
    for (const lender of ['Northgate Building Society', 'Fenwick Mutual', 'A lender that was added']) {
      const [charge] = after({}, { lender }).charges
      assert.equal(charge?.chargees[0]?.addresses.length, 1, lender)
    }
  })

  it('removes the old charges with a discharge, and gives the new one an unused id', () => {
    const { charges } = after({ charges: [OLD_CHARGE] }, { applications: [{ type: 'DISCHARGE' }, A_DEED] })
    assert.deepEqual(
      charges.map(({ chargeId }) => chargeId),
      ['CB100200-2'],
    )
  })

  it('keeps the old charge before the new one after early completion, or without an application for discharge', () => {
    const register = aRegister({ charges: [OLD_CHARGE] })
    const early = registerAfter(register, aLodgement({ applications: [{ type: 'DISCHARGE' }, A_DEED] }), DATES, 'early')
    const undischarged = registerAfter(register, aLodgement(), DATES, 'in full')
    for (const { charges } of [early, undischarged]) {
      assert.deepEqual(
        charges.map(({ chargeId }) => chargeId),
        ['CB100200-1', 'CB100200-2'],
      )
    }
  })

  it('removes outgoing proprietors and adds incoming ones, at the property’s address', () => {
    const incoming = [named('Oliver', 'Hart')]
    const outgoing = [{ position: 1, name: named('Ann', 'Lee') }]
    const pricePaid = { pence: 1, paidOn: '2005-02-02' }
    const applications = [{ type: 'TRANSFER_OF_WHOLE' as const, outgoing, incoming }, A_DEED]
    const { proprietors, proprietorsSince, property, ...rest } = after(
      { proprietors: [ANN, BO], pricePaid },
      { applications },
    )
    assert.deepEqual(proprietors.map(nameOf), ['Bo Lee', 'Oliver Hart'])
    assert.deepEqual(proprietors[1]?.addresses, [property.address])
    assert.equal(proprietorsSince, DATES.appliedOn)
    assert.ok(!('pricePaid' in rest), 'the price was that of the proprietors before')
  })

  it('enters the addresses for service that a transfer gives', () => {
    const given = (number: string) => ({ number, street: 'Fore Street', town: 'Ely', postcode: 'CB7 9QZ' })
    const parties = [
      { role: 'BORROWER' as const, name: named('Bo', 'Lee'), position: 2, addressForService: given('2') },
      { role: 'INCOMING_PROPRIETOR' as const, name: named('Oliver', 'Hart'), addressForService: given('3') },
    ]
    const outgoing = [{ position: 1, name: named('Ann', 'Lee') }]
    const applications = [{ type: 'TRANSFER_OF_WHOLE' as const, outgoing, incoming: [named('Oliver', 'Hart')] }]
    const { proprietors } = after({ proprietors: [ANN, BO] }, { parties, applications })
    assert.deepEqual(
      proprietors.map(({ addresses }) => addresses),
      ['2', '3'].map((number) => [{ lines: [`${number} Fore Street`, 'Ely'], postcode: 'CB7 9QZ' }]),
    )
    const [, unchanged] = after({ proprietors: [ANN, BO] }, { parties, applications: [A_DEED] }).proprietors
    assert.deepEqual(unchanged?.addresses, BO.addresses)
  })

  it('replaces the old name by the new one, and keeps the address', () => {
    const proprietor = { position: 2, name: named('Bo', 'Lee') }
    const applications = [{ type: 'CHANGE_OF_NAME' as const, proprietor, newName: named('Bo', 'Marsh') }, A_DEED]
    const { proprietors, proprietorsSince } = after({ proprietors: [ANN, BO] }, { applications })
    assert.deepEqual(proprietors.map(nameOf), ['Ann Lee', 'Bo Marsh'])
    assert.deepEqual(proprietors[1]?.addresses, BO.addresses)
    assert.equal(proprietorsSince, '2005-03-04', 'they are the same proprietors')
  })

  it('distinguishes two proprietors with the same name by their position', () => {
    const name = named('Ann', 'Lee')
    const applications = [
      { type: 'CHANGE_OF_NAME' as const, proprietor: { position: 1, name }, newName: named('Ann', 'Marsh') },
      { type: 'TRANSFER_OF_WHOLE' as const, outgoing: [{ position: 2, name }], incoming: [] },
    ]
    assert.deepEqual(after({ proprietors: [ANN, ANN] }, { applications }).proprietors.map(nameOf), ['Ann Marsh'])
  })

  it('keeps a restriction until its cancellation is applied for', () => {
    const facts = { restrictions: [RESTRICTION] }
    assert.deepEqual(after(facts, {}).restrictions, [RESTRICTION])
    assert.deepEqual(after(facts, { applications: [{ type: 'CANCEL_A_RESTRICTION' }, A_DEED] }).restrictions, [])
  })

  it('keeps a lender’s restriction until its charge is discharged', () => {
    const facts = { restrictions: [RESTRICTION, LENDERS_RESTRICTION], charges: [OLD_CHARGE] }
    const discharge = { applications: [{ type: 'DISCHARGE' as const }, A_DEED] }
    assert.deepEqual(after(facts, discharge).restrictions, [RESTRICTION])
    const cancelled = after(facts, { applications: [{ type: 'CANCEL_A_RESTRICTION' }, A_DEED] })
    assert.deepEqual(cancelled.restrictions, [LENDERS_RESTRICTION])
    const early = registerAfter(aRegister(facts), aLodgement(discharge), DATES, 'early')
    assert.deepEqual(early.restrictions, facts.restrictions)
  })
})
