import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { A_DEED, aLodgement, aPerson, aRegister, named } from '../../test/fixtures/registry.ts'
import type { Charge, Party, Restriction } from '../registry/register.ts'
import { registerAfter } from './registration.ts'

const OLD_CHARGE: Charge = {
  chargeId: 'CB100200-1',
  dated: '2012-05-22',
  enteredOn: '2012-06-11',
  chargees: [{ type: 'ORGANISATION', organisationName: 'Eastmoor Bank plc', addresses: [] }],
}
const RESTRICTION: Restriction = { type: 'JOINT_PROPRIETOR', enteredOn: '2005-03-04', text: 'No disposition …' }
const ON = '2026-05-07'

const ANN = aPerson({ forenames: 'Ann' })
const BO = aPerson({ forenames: 'Bo' })

const nameOf = (party: Party) =>
  party.type === 'INDIVIDUAL' ? `${party.forenames} ${party.surname}` : party.organisationName

const after = (facts: Parameters<typeof aRegister>[0], lodged: Parameters<typeof aLodgement>[0]) =>
  registerAfter(aRegister(facts), aLodgement(lodged), ON, 'in full')

describe('registerAfter', () => {
  it('enters the new charge in favour of the lender, dated by its deed, and begins a new edition', () => {
    const { charges, editionDate, ...rest } = after({}, { applications: [A_DEED], completedOn: '2026-05-01' })
    assert.equal(editionDate, ON)
    const chargees = [{ type: 'ORGANISATION', organisationName: 'Northgate Building Society', addresses: [] }]
    assert.deepEqual(charges, [{ chargeId: 'CB100200-1', dated: '2026-05-01', enteredOn: ON, chargees }])
    const { charges: _, editionDate: __, ...before } = aRegister()
    assert.deepEqual(rest, before, 'and leaves all else as it was')
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
    const early = registerAfter(register, aLodgement({ applications: [{ type: 'DISCHARGE' }, A_DEED] }), ON, 'early')
    const undischarged = registerAfter(register, aLodgement(), ON, 'in full')
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
    assert.equal(proprietorsSince, ON)
    assert.ok(!('pricePaid' in rest), 'the price was that of the proprietors before')
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
})
