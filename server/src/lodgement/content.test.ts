import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { named } from '../../test/fixtures/registry.ts'
import { type ApplicationToLodge, type CaseToLodge, lodgementOf } from './content.ts'

const DEED: ApplicationToLodge = {
  applicationId: 'deed',
  applicationType: 'MORTGAGE_DEED',
  status: 'APPROVED',
  transactionValuePence: 206_000_00,
  mortgageDeedReference: 'MD431C',
  mortgageDeedReferenceType: 'PAPER',
  documents: [],
}

const application = (applicationType: ApplicationToLodge['applicationType'], facts = {}): ApplicationToLodge => ({
  applicationId: applicationType,
  applicationType,
  status: 'APPROVED',
  documents: [],
  ...facts,
})

const aCase = (facts: Partial<CaseToLodge> = {}): CaseToLodge => ({
  customerReference: 'LW260000001',
  titleNumber: 'ST500678',
  completedOn: '2026-05-01',
  lender: 'Northgate Building Society',
  lodgedBy: 'Harbour Conveyancing LLP',
  parties: [],
  proprietors: [],
  links: new Map(),
  applications: [DEED],
  ...facts,
})

const lodge = (facts: Partial<CaseToLodge> = {}) => lodgementOf(aCase(facts), 'jo.marsh@harbour.example')

describe('lodgementOf', () => {
  it('tells whose title it is, who lends, who lodges and who approved', () => {
    const { applications: _, ...matter } = lodge()
    assert.deepEqual(matter, {
      customerReference: 'LW260000001',
      titleNumber: 'ST500678',
      completedOn: '2026-05-01',
      lender: 'Northgate Building Society',
      lodgedBy: 'Harbour Conveyancing LLP',
      submittedBy: 'jo.marsh@harbour.example',
      parties: [],
    })
  })

  it('puts the applications in order of priority, from 1 on', () => {
    const types = ['CANCEL_A_RESTRICTION', 'DISCHARGE', 'TRANSFER_OF_WHOLE'] as const
    const { applications } = lodge({ applications: [DEED, ...types.map((type) => application(type))] })
    assert.deepEqual(
      applications.map(({ type, priority }) => `${priority} ${type}`),
      ['1 DISCHARGE', '2 TRANSFER_OF_WHOLE', '3 CANCEL_A_RESTRICTION', '4 MORTGAGE_DEED'],
    )
  })

  it('states what the registry charges: none for the charge beside a transfer, which has the fee', () => {
    const feeOf = (facts: Partial<CaseToLodge>) =>
      lodge(facts).applications.map(({ type, feePence }) => [type, feePence])
    assert.deepEqual(feeOf({}), [['MORTGAGE_DEED', 45_00]])
    const transfer = application('TRANSFER_OF_WHOLE', { transactionValuePence: 50_000_00 })
    assert.deepEqual(feeOf({ applications: [DEED, transfer] }), [
      ['TRANSFER_OF_WHOLE', 20_00],
      ['MORTGAGE_DEED', 0],
    ])
    assert.deepEqual(feeOf({ applications: [application('TRANSFER_OF_WHOLE')] }), [['TRANSFER_OF_WHOLE', undefined]])
  })

  for (const stated of [true, false, null]) {
    it(`says of interests that must be disclosed what the approval stated: ${stated}`, () => {
      const lodged = lodge({ disclosableOverridingInterests: stated })
      assert.equal(lodged.disclosableOverridingInterests, stated ?? undefined)
      assert.equal('disclosableOverridingInterests' in lodged, stated !== null)
    })
  }

  it('names who leaves and whose name changes by their place in the register, and who comes', () => {
    const proprietors = [
      {
        proprietorId: 'p-1',
        name: named('William', 'Prynne'),
        registeredName: named('William', 'Prynne'),
        outgoing: true,
      },
      {
        proprietorId: 'p-2',
        name: named('Tracey', 'Marsh'),
        registeredName: named('Tracey', 'Prynne'),
        outgoing: false,
      },
    ]
    const parties = [
      { partyId: 'a', role: 'BORROWER' as const, name: named('Tracy', 'Marsh') },
      { partyId: 'b', role: 'INCOMING_PROPRIETOR' as const, name: named('Oliver', 'Hart'), proprietorId: 'new' },
      { partyId: 'c', role: 'OUTGOING_PROPRIETOR' as const, name: named('William', 'Prynne'), proprietorId: 'p-1' },
    ]
    const applications = [
      application('CHANGE_OF_NAME', { proprietorId: 'p-2' }),
      application('TRANSFER_OF_WHOLE', { transactionValuePence: 0, titleGuarantee: 'FULL' }),
    ]
    const lodged = lodge({ proprietors, parties, links: new Map([['a', 'p-2']]), applications })
    assert.deepEqual(
      lodged.parties.map(({ position }) => position),
      [2, undefined, 1],
    )
    assert.ok(lodged.parties.every((one) => !('partyId' in one)))
    const [change, transfer] = lodged.applications
    assert.partialDeepStrictEqual(change, {
      proprietor: { position: 2, name: named('Tracey', 'Prynne') },
      newName: named('Tracey', 'Marsh'),
    })
    assert.partialDeepStrictEqual(transfer, {
      outgoing: [{ position: 1, name: named('William', 'Prynne') }],
      incoming: [named('Oliver', 'Hart')],
      remaining: [{ position: 2, name: named('Tracey', 'Prynne') }],
      transactionValuePence: 0,
      terms: { titleGuarantee: 'FULL' },
    })
  })

  it('will not make up what an approved deed must have had', () => {
    for (const missing of ['transactionValuePence', 'mortgageDeedReference', 'mortgageDeedReferenceType'] as const) {
      const { [missing]: _, ...deed } = DEED
      assert.throws(() => lodge({ applications: [deed] }), /was approved without its/)
    }
  })
})
