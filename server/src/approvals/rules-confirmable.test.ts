import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { aDestination, aLineOf, anAdvance } from '../../test/fixtures/line-items.ts'
import { after, aMatter, setIncoming, setOutgoing } from '../../test/fixtures/ownership.ts'
import { aDeed, aDocument, anApplication, type Case, ready, rule, without } from '../../test/fixtures/readiness.ts'
import type { LineItem } from '../settlement/rules.ts'
import { RULES } from './rules.ts'
import { isSameAddress } from './rules-confirmable.ts'

const ADDRESS = 'securityAddress'
const orderedAt = (facts: Record<string, string>) => ready({ securityAddress: { town: 'Ely', ...facts } })

rule('security-address-matches-register', [
  ['the address of the register', ready(), [], [ADDRESS]],
  ['another postcode', orderedAt({ number: '1', postcode: 'CB7 9QX' }), [ADDRESS], []],
  ['another number', orderedAt({ number: '2', postcode: 'CB7 9QZ' }), [ADDRESS], []],
  ['anything before a search has succeeded', { ...orderedAt({ postcode: 'X' }), register: undefined }, [], [ADDRESS]],
])

describe('isSameAddress', () => {
  const lines = ['Flat 21, Chandlery Wharf', '14A Rope Street', 'Tŷ Gwyn', 'St Mary’s Close']
  for (const [given, same] of [
    [{ flat: 'Flat 21', number: '14a' }, true],
    [{ flat: '21' }, true],
    [{ name: 'CHANDLERY-WHARF' }, true],
    [{ name: 'Ty Gwyn' }, true],
    [{ name: "St Mary's Close" }, true],
    [{ number: '14' }, false],
    [{ number: '1' }, false],
    [{ name: 'Wharf Chandlery' }, false],
    [{ flat: 'Flat 2' }, false],
    [{ flat: 'Flat 21', number: '15' }, false],
  ] as const) {
    it(`says ${same} to ${Object.values(given)}`, () => {
      const address = { ...given, town: 'London', postcode: 'SE16 9QW' }
      assert.equal(isSameAddress(address, { lines, postcode: 'SE169QW' }), same)
      assert.equal(isSameAddress(address, { lines }), false, 'nothing matches a register without a postcode')
    })
  }
})

const deedOf = (facts: Parameters<typeof aDocument>[1]) =>
  ready({ applications: [aDeed({ documents: [aDocument('MORTGAGE_DEED', facts)] })] })
const FILE = 'applications[0].file'

rule('deed-is-certified', [
  ...(['CERTIFIED', 'ORIGINAL'] as const).map(
    (certificationType): Case => [`one that is ${certificationType}`, deedOf({ certificationType }), [], [FILE]],
  ),
  ['a scan', deedOf({ certificationType: 'SCANNED' }), [FILE], []],
  ['a scan that still waits', deedOf({ certificationType: 'SCANNED', status: 'PENDING' }), [], [FILE]],
  ['none', ready({ applications: [aDeed({ documents: [] })] }), [], [FILE]],
])

const COUPLE = aMatter(['Grace Okafor'], ['William Prynne', 'Tracey Prynne'])
const oneLeaves = after(COUPLE, setIncoming('party 1'), setOutgoing('proprietor 1'))

rule('some-proprietor-stays', [
  ['a title that nobody leaves', ready(), [], ['parties']],
  ['one who stays', ready(oneLeaves), [], ['parties']],
  ['a sale', ready(after(oneLeaves, setOutgoing('proprietor 2'))), ['parties'], []],
])

const rejected = (deed: Parameters<typeof aDeed>[0] = {}) =>
  ready({
    caseStatus: 'REGISTRATION_REJECTED',
    applications: [
      aDeed({ status: 'REJECTED', ...deed }),
      anApplication('DISCHARGE', { status: 'REJECTED' }),
      anApplication('TRANSFER_OF_WHOLE', { status: 'WITHDRAWN' }),
    ],
  })

rule('resubmission-was-changed', [
  ['nothing before a rejection', ready(), [], []],
  ['a case of which nothing was changed', rejected(), ['applications'], []],
  ['one with a change', rejected({ status: 'READY' }), [], ['applications']],
])

const linesAre = (...lines: LineItem[]) => ready({ schedule: { ...ready().schedule, lines } })
const noCharge = { titleId: 't', address: { lines: [] }, hasCharge: false }

rule('redemption-provided-for-registered-charge', [
  ['a charge and its redemption', ready(), [], ['lineItems']],
  ['a charge and none', linesAre(anAdvance(5), aLineOf('Surplus', 5)), ['lineItems'], []],
  ['no charge', { ...linesAre(), register: noCharge }, [], ['lineItems']],
  ['a register that is not known yet', { ...linesAre(), register: undefined }, [], ['lineItems']],
])

rule('advance-covers-deed', [
  ['the value of the deed', ready(), [], ['lineItems']],
  ['the same in two lines', linesAre(anAdvance(6_000_00), anAdvance(200_000_00)), [], ['lineItems']],
  ['another sum', linesAre(anAdvance(206_000_01)), ['lineItems'], []],
  ['no advance', linesAre(aDestination(206_000_00)), ['lineItems'], []],
  [
    'a deed without a value yet',
    { ...linesAre(), applications: [without(aDeed(), 'transactionValuePence')] },
    [],
    ['lineItems'],
  ],
])

describe('the facts of a confirmation', () => {
  it('are named by every rule that can be confirmed, and by no other', () => {
    for (const [ruleId, one] of Object.entries(RULES)) {
      assert.equal('basis' in one, one.kind === 'CONFIRMABLE', ruleId)
    }
  })
})
