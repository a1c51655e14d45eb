import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import type { Party, Register } from '../registry/register.ts'
import { WORLD } from './world.ts'

const registers = [...WORLD.values()].flatMap((one) => (one.kind === 'registered' ? [one.register] : []))

function registerOf(titleNumber: string): Register {
  const found = registers.find((register) => register.titleNumber === titleNumber)
  assert.ok(found, `${titleNumber} is registered`)
  return found
}

const nameOf = (party: Party) =>
  party.type === 'INDIVIDUAL'
    ? `${party.forenames} ${party.surname}`
    : `${party.organisationName} (${party.registrationNumber})`

describe('the sandbox world', () => {
  it('has the documented proprietors, in their order', () => {
    const proprietors = Object.fromEntries(registers.map((one) => [one.titleNumber, one.proprietors.map(nameOf)]))
    assert.deepEqual(proprietors, {
      ST500678: ['William Prynne', 'Tracey Prynne'],
      ST500679: ['William Prynne', 'Tracey Prynne'],
      ST500681: ['William Prynne', 'Tracey Prynne'],
      DN514817: ['Maria Santos'],
      RQ100001: ['Grace Okafor'],
      LT100001: ['Rosa Field'],
      CX100001: ['Peter Lang'],
      VF100001: ['Joan Hill'],
      SE100001: ['Omar Aziz'],
      SL100001: ['Ivy Marsh'],
      DD100001: ['Esme Boyd'],
      AB1208: ['Alan Turner', 'Turner Holdings Limited (02294747)'],
      CO100001: ['Turner Holdings Limited (02294747)'],
      RC100001: ['Saltmarsh Lettings Limited (06417238)'],
      LR100001: ['Harriet Bell', 'Simon Bell'],
      TC100001: ['Daniel Frost'],
      LH100001: ['Priya Nair'],
      AD100001: ['Lewis Carver'],
    })
  })

  it('has the documented charges and restrictions', () => {
    const charged = registers.filter(({ charges }) => charges.length > 0)
    assert.deepEqual(
      charged.map(({ titleNumber, charges }) => [titleNumber, charges.length]),
      [
        ['ST500678', 1],
        ['ST500679', 1],
        ['ST500681', 1],
        ['LR100001', 1],
        ['TC100001', 2],
        ['LH100001', 1],
        ['AD100001', 1],
      ],
    )
    const restricted = registers.filter(({ restrictions }) => restrictions.length > 0)
    assert.deepEqual(
      restricted.map(({ titleNumber, restrictions }) => [titleNumber, ...restrictions.map(({ type }) => type)]),
      [
        ['ST500681', 'JOINT_PROPRIETOR'],
        ['LR100001', 'CHARGE'],
      ],
    )
  })

  it('has every number in the documentation, and no other', () => {
    const page = readFileSync(new URL('../../../docs/registry-port.md', import.meta.url), 'utf8')
    const listed = [...page.matchAll(/^\| `([A-Z]{2}\d+)` \|/gm)].map(([, titleNumber]) => titleNumber)
    assert.deepEqual(listed.toSorted(), [...WORLD.keys()].toSorted())
  })

  for (const register of registers) {
    it(`holds a register of ${register.titleNumber} that does not contradict itself`, () => {
      const { registeredOn, proprietorsSince, editionDate, pricePaid, charges, restrictions, rights, burdens } =
        register
      assert.ok(registeredOn <= proprietorsSince && proprietorsSince <= editionDate, 'its dates are in order')
      for (const { enteredOn } of [...charges, ...restrictions, ...rights, ...burdens]) {
        assert.ok(
          registeredOn <= enteredOn && enteredOn <= editionDate,
          'every entry is between the first and the last date',
        )
      }
      for (const { dated, enteredOn } of charges) assert.ok(dated <= enteredOn, 'a deed comes before its entry')
      assert.ok(!pricePaid || pricePaid.paidOn <= proprietorsSince, 'paid before registered')
      assert.equal(register.tenure === 'LEASEHOLD', register.lease !== undefined, 'a leasehold has a lease')
      assert.equal(
        register.tenure === 'LEASEHOLD',
        Number(register.classOfTitleCode) >= 60,
        'of the class of its tenure',
      )
      assert.ok(register.proprietors.length >= 1 && register.proprietors.length <= 4, 'one to four proprietors')
      assert.deepEqual(JSON.parse(JSON.stringify(register)), register, 'it is plain data')
    })
  }

  it('gives every charge its own id', () => {
    const ids = registers.flatMap(({ charges }) => charges.map(({ chargeId }) => chargeId))
    assert.equal(new Set(ids).size, ids.length)
    assert.equal(registerOf('ST500678').charges[0]?.chargeId, ids[0])
  })
})
