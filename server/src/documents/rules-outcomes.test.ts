import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import type { Attachment } from '../lodgement/attachments.ts'
import { checkWithdrawal, outcomeOf, processUpload, supersede } from './rules.ts'

const CREATED = { status: 'CREATED', caseStatus: 'CREATED' } as const
const FIRM = { subscriberId: 'firm' }
const REGISTERED_IN_PART = { status: 'LODGED', caseStatus: 'PARTIALLY_REGISTERED' } as const

describe('outcomeOf', () => {
  const OWN = undefined
  const ATTACHED = { applicationType: 'MORTGAGE_DEED', status: 'READY' } as const
  const DISCHARGE = { ...ATTACHED, applicationType: 'DISCHARGE' } as const
  const CLEAN = { clean: true }
  const told = (...args: Parameters<typeof outcomeOf>) => Object.values(outcomeOf(...args)).join(' ')

  it('is SUCCESS where the workspace is open for it', () => {
    assert.equal(told(CREATED, OWN, CLEAN), 'SUCCESS')
    assert.equal(told(CREATED, ATTACHED, CLEAN), 'SUCCESS')
    assert.equal(told({ status: 'LODGED', caseStatus: 'LODGED' }, OWN, CLEAN), 'SUCCESS')
    assert.equal(told({ status: 'FUNDS_EXCHANGED', caseStatus: 'REGISTRATION_REJECTED' }, ATTACHED, CLEAN), 'SUCCESS')
    assert.equal(told(REGISTERED_IN_PART, DISCHARGE, CLEAN), 'SUCCESS')
  })

  it('is FAILED where a virus was found, whatever else', () => {
    assert.equal(told(CREATED, OWN, { clean: false }), 'FAILED INFECTED')
    assert.equal(told({ status: 'CANCELLED', caseStatus: 'CANCELLED' }, OWN, { clean: false }), 'FAILED INFECTED')
  })

  it('is FAILED where the workspace is not open for it any more', () => {
    assert.equal(told({ status: 'PREPARED', caseStatus: 'PREPARED' }, ATTACHED, CLEAN), 'FAILED WORKSPACE_LOCKED')
    assert.equal(told({ status: 'LODGED', caseStatus: 'LODGED' }, ATTACHED, CLEAN), 'FAILED WORKSPACE_LOCKED')
    assert.equal(told(REGISTERED_IN_PART, ATTACHED, CLEAN), 'FAILED WORKSPACE_LOCKED')
    assert.equal(
      told({ ...REGISTERED_IN_PART, caseStatus: 'DISCHARGE_SUBMITTED' }, DISCHARGE, CLEAN),
      'FAILED WORKSPACE_LOCKED',
    )
    assert.equal(told({ status: 'CLOSED', caseStatus: 'REGISTERED' }, OWN, CLEAN), 'FAILED WORKSPACE_LOCKED')
    assert.equal(told({ status: 'CANCELLED', caseStatus: 'CANCELLED' }, OWN, CLEAN), 'FAILED WORKSPACE_CANCELLED')
  })

  it('is FAILED where its application was withdrawn', () => {
    const gone = { ...ATTACHED, status: 'WITHDRAWN' }
    assert.equal(told(CREATED, gone, CLEAN), 'FAILED APPLICATION_WITHDRAWN')
  })
})

describe('supersede', () => {
  it('has the one before give way, or the document itself where a later one was quicker', () => {
    assert.deepEqual(supersede({ fileId: 'b', seq: 2 }, []), [])
    assert.deepEqual(supersede({ fileId: 'b', seq: 2 }, [{ fileId: 'a', seq: 1 }]), [{ fileId: 'a', by: 'b' }])
    assert.deepEqual(supersede({ fileId: 'b', seq: 2 }, [{ fileId: 'c', seq: 3 }]), [{ fileId: 'b', by: 'c' }])
  })

  it('leaves the newest that passed, in whatever order they pass', () => {
    const orders = fc.shuffledSubarray([1, 2, 3, 4, 5], { minLength: 1 })
    fc.assert(
      fc.property(orders, (order) => {
        const standing = new Map<string, number>()
        for (const seq of order) {
          const gone = supersede(
            { fileId: `${seq}`, seq },
            [...standing].map(([fileId, seq]) => ({ fileId, seq })),
          )
          standing.set(`${seq}`, seq)
          for (const { fileId } of gone) standing.delete(fileId)
        }
        assert.deepEqual([...standing.values()], [Math.max(...order)])
      }),
    )
  })
})

describe('processUpload', () => {
  const aFile = (fileId: string, facts: Partial<Attachment> = {}) => ({
    fileId,
    documentType: 'MORTGAGE_DEED' as const,
    documentCategory: 'APPLICATION_DOCUMENT' as const,
    status: 'SUCCESS' as const,
    ...facts,
  })
  for (const [what, before, uploaded, superseded] of [
    ['a main document takes the place of the one before it', {}, {}, [{ fileId: 'old', by: 'new' }]],
    ['a document of another type supersedes nothing', {}, { documentType: 'EVIDENCE' }, []],
    ['and is not superseded', { documentType: 'EVIDENCE' }, {}, []],
    ['nor by another of its type', { documentType: 'EVIDENCE' }, { documentType: 'EVIDENCE' }, []],
    ['a deed that only supports supersedes nothing', {}, { documentCategory: 'SUPPORTING_DOCUMENT' }, []],
    ['nor one of the workspace', {}, { documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' }, []],
  ] as const) {
    it(what, () => {
      const file = aFile('new', { ...uploaded, status: 'PENDING' })
      const application = {
        applicationId: 'a',
        applicationType: 'MORTGAGE_DEED' as const,
        status: 'DRAFT',
        documents: [aFile('old', before), file],
      }
      const change = processUpload(CREATED, { ...file, correlationId: 'c' }, application, { clean: true })
      assert.partialDeepStrictEqual(change, { kind: 'file processed', superseded })
      assert.deepEqual('superseded' in change && change.superseded, superseded)
    })
  }
})

describe('checkWithdrawal', () => {
  const own = { ...FIRM, fileUploadStatus: 'SUCCESS', applicationId: null, wasSent: false } as const

  it('says whether there is anything to withdraw', () => {
    assert.equal(checkWithdrawal(CREATED, own, FIRM), true)
    assert.equal(checkWithdrawal(CREATED, { ...own, fileUploadStatus: 'PENDING' }, FIRM), true)
    assert.equal(checkWithdrawal(CREATED, { ...own, fileUploadStatus: 'WITHDRAWN' }, FIRM), false)
  })

  it('refuses one of another subscriber, and one that failed', () => {
    assert.equal(
      refusalOf(() => checkWithdrawal(CREATED, own, { subscriberId: 'lender' })),
      'conflict',
    )
    assert.equal(
      refusalOf(() => checkWithdrawal(CREATED, { ...own, fileUploadStatus: 'FAILED' }, FIRM)),
      'conflict',
    )
  })

  it('refuses what was sent with an answer, and not what an application may leave out of its next submission', () => {
    const rejected = { status: 'FUNDS_EXCHANGED', caseStatus: 'REGISTRATION_REJECTED' } as const
    const sent = { ...own, wasSent: true }
    assert.equal(
      refusalOf(() => checkWithdrawal(rejected, sent, FIRM)),
      'conflict',
    )
    assert.equal(checkWithdrawal(rejected, { ...sent, applicationId: 'a' }, FIRM), true)
    assert.equal(checkWithdrawal(rejected, { ...sent, fileUploadStatus: 'WITHDRAWN' }, FIRM), false)
  })

  it('keeps to what is open: for a document of an application other than for one of the workspace', () => {
    const locked = { status: 'PREPARED', caseStatus: 'PREPARED' } as const
    assert.equal(
      refusalOf(() => checkWithdrawal(locked, { ...own, applicationId: 'a' }, FIRM)),
      'conflict',
    )
    assert.equal(
      refusalOf(() => checkWithdrawal(locked, own, FIRM)),
      undefined,
    )
    assert.equal(
      refusalOf(() => checkWithdrawal({ ...locked, status: 'CLOSED' }, own, FIRM)),
      'conflict',
    )
  })
})
