import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import {
  APPLICATION_TYPES,
  type ApplicationType,
  concernedParties,
  type Particulars,
  particularsOf,
  updateApplication,
} from './rules.ts'

const DEED = { applicationType: 'MORTGAGE_DEED', status: 'DRAFT', documents: [] } as const
const others = APPLICATION_TYPES.filter((type) => type !== 'MORTGAGE_DEED')

describe('updateApplication', () => {
  it('changes what is given and leaves the rest', () => {
    const before: Particulars = { transactionValuePence: 1, mortgageDeedReference: 'MD431C' }
    const asked: Particulars = {
      mortgageDeedReference: 'MD1234X',
      mortgageDeedReferenceType: 'PAPER',
      isEffective: false,
    }
    assert.deepEqual(updateApplication(DEED, before, asked), { transactionValuePence: 1, ...asked })
  })

  it('gives back the very same where nothing changes', () => {
    const before: Particulars = { transactionValuePence: 0, isEffective: false }
    for (const asked of [{}, { transactionValuePence: 0 }, { isEffective: false }, { ...before }]) {
      assert.equal(updateApplication(DEED, before, asked), before)
    }
  })

  for (const applicationType of others) {
    it(`takes no facts of a deed for ${applicationType}`, () => {
      const application = { applicationType, status: 'DRAFT', documents: [] }
      assert.deepEqual(updateApplication(application, {}, { transactionValuePence: 5 }), { transactionValuePence: 5 })
      const asked: Particulars = {
        transactionValuePence: 5,
        mortgageDeedReference: 'MD431C',
        mortgageDeedReferenceType: 'PAPER',
        isEffective: false,
      }
      assert.equal(
        refusalOf(() => updateApplication(application, {}, asked)),
        'invalid mortgageDeedReference mortgageDeedReferenceType isEffective',
      )
    })
  }

  for (const applicationType of APPLICATION_TYPES) {
    const isTransfer = applicationType === 'TRANSFER_OF_WHOLE'
    it(`${isTransfer ? 'takes' : 'refuses'} the terms of a transfer for ${applicationType}`, () => {
      const application = { applicationType, status: 'DRAFT', documents: [] }
      const asked: Particulars = { titleGuarantee: 'FULL', outstandingChargePence: 0 }
      if (isTransfer) assert.deepEqual(updateApplication(application, {}, asked), asked)
      else {
        const refused = refusalOf(() => updateApplication(application, {}, asked))
        assert.equal(refused, 'invalid titleGuarantee outstandingCharge')
      }
    })
  }

  const DIGITAL = { mortgageDeedReferenceType: 'DIGITAL' } as const
  const REFERENCE = { mortgageDeedReference: 'e-MD431C' }
  const EFFECTIVE = { isEffective: true }
  for (const [what, before, asked] of [
    ['all three at once', {}, { ...DIGITAL, ...REFERENCE, ...EFFECTIVE }],
    ['with a reference that was there before', { ...DIGITAL, ...REFERENCE }, EFFECTIVE],
    ['with the reference that comes with it', DIGITAL, { ...REFERENCE, ...EFFECTIVE }],
    ['on paper, without a reference', { mortgageDeedReferenceType: 'PAPER' }, EFFECTIVE],
    ['of no type yet', {}, EFFECTIVE],
    ['not effective, without a reference', DIGITAL, { isEffective: false }],
  ] as const) {
    it(`lets a deed be effective or not: ${what}`, () => {
      assert.deepEqual(updateApplication(DEED, before, asked), { ...before, ...asked })
    })
  }

  for (const [what, before, asked] of [
    ['it is made effective', DIGITAL, EFFECTIVE],
    ['both come at once', {}, { ...DIGITAL, ...EFFECTIVE }],
    ['one that is effective becomes digital', EFFECTIVE, DIGITAL],
  ] as const) {
    it(`refuses a digital deed that is effective without a reference: ${what}`, () => {
      assert.equal(
        refusalOf(() => updateApplication(DEED, before, asked)),
        'conflict mortgageDeedReference',
      )
    })
  }

  for (const [documentType, status, expected] of [
    ['MORTGAGE_DEED', 'PENDING', 'conflict mortgageDeedReference'],
    ['MORTGAGE_DEED', 'SUCCESS', 'conflict mortgageDeedReference'],
    ['MORTGAGE_DEED', 'FAILED', undefined],
    ['MORTGAGE_DEED', 'WITHDRAWN', undefined],
    ['EVIDENCE', 'SUCCESS', undefined],
  ] as const) {
    it(`${expected ? 'refuses' : 'accepts'} DIGITAL without a reference next to a ${documentType} that is ${status}`, () => {
      const deed = { ...DEED, documents: [{ documentType, status }] }
      assert.equal(
        refusalOf(() => updateApplication(deed, {}, DIGITAL)),
        expected,
      )
      assert.deepEqual(updateApplication(deed, {}, { ...DIGITAL, ...REFERENCE }), { ...DIGITAL, ...REFERENCE })
      assert.deepEqual(updateApplication(deed, REFERENCE, DIGITAL), { ...DIGITAL, ...REFERENCE })
    })
  }

  it('refuses any change to what is withdrawn, and names what does not belong there first', () => {
    const application = { applicationType: 'TRANSFER_OF_WHOLE', status: 'WITHDRAWN', documents: [] } as const
    assert.equal(
      refusalOf(() => updateApplication(application, {}, {})),
      'conflict',
    )
    assert.equal(
      refusalOf(() => updateApplication(application, {}, { isEffective: true })),
      'invalid isEffective',
    )
  })
})

describe('particularsOf', () => {
  it('takes from a row what a law firm may say of it, and only that', () => {
    const row = { applicationId: 'a', status: 'DRAFT', transactionValuePence: 0, isEffective: false }
    assert.deepEqual(particularsOf(row), { transactionValuePence: 0, isEffective: false })
  })
})

describe('concernedParties', () => {
  const parties = [
    { partyId: 'stays', role: 'BORROWER', proprietorId: 'p1' },
    { partyId: 'unmatched', role: 'BORROWER' },
    { partyId: 'comes', role: 'INCOMING_PROPRIETOR', proprietorId: 'new' },
    { partyId: 'leaves', role: 'OUTGOING_PROPRIETOR', proprietorId: 'p2' },
  ] as const

  for (const [applicationType, proprietorId, expected, why] of [
    ['MORTGAGE_DEED', undefined, ['stays', 'unmatched', 'comes'], 'all who borrow'],
    ['DISCHARGE', undefined, ['stays', 'leaves'], 'those who own the title'],
    ['CHANGE_OF_NAME', 'p1', ['stays'], 'whose name it is'],
    ['CHANGE_OF_NAME', 'p2', ['leaves'], 'whose name it is, who leaves'],
    ['CHANGE_OF_NAME', 'p3', [], 'nobody yet, for no party is that proprietor'],
    ['TRANSFER_OF_WHOLE', undefined, ['stays', 'unmatched', 'comes', 'leaves'], 'all who give and all who take'],
    ['CANCEL_A_RESTRICTION', undefined, ['stays', 'unmatched', 'comes', 'leaves'], 'those of the transfer'],
  ] as const satisfies [ApplicationType, string | undefined, string[], string][]) {
    it(`are in ${applicationType}: ${why}`, () => {
      const application = { applicationType, ...(proprietorId && { proprietorId }) }
      assert.deepEqual(
        concernedParties(application, parties).map(({ partyId }) => partyId),
        expected,
      )
    })
  }
})
