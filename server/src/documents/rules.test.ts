import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import { ATTACHMENT_TYPES } from '../lodgement/attachments.ts'
import { APPLICATION_TYPES, type ApplicationType } from '../lodgement/rules.ts'
import { CASE_STATUSES, WORKSPACE_STATUSES } from '../workspaces/status.ts'
import {
  type Asked,
  checkUpload,
  combinationErrors,
  DOCUMENT_CATEGORIES,
  DOCUMENT_TYPES,
  type DocumentType,
  type Place,
} from './rules.ts'

const CREATED = { status: 'CREATED', caseStatus: 'CREATED' } as const
const PAPER = { mortgageDeedReferenceType: 'PAPER' } as const
const APPLICATION_ID = '00000000-0000-4000-8000-00000000000a'

const aPlace = (place: Partial<Place> = {}): Place => ({ ...CREATED, application: undefined, deed: PAPER, ...place })
const anApplication = (applicationType: ApplicationType, status = 'DRAFT') => ({ applicationType, status })
const ask = (asked: Partial<Asked> = {}): Asked => ({
  applicationId: undefined,
  documentType: 'EVIDENCE',
  documentCategory: 'SUPPORTING_DOCUMENT',
  certificationType: 'SCANNED',
  ...asked,
})

describe('combinationErrors', () => {
  const fieldsOf = (body: object) => combinationErrors(body).map(({ field }) => field)

  for (const documentType of DOCUMENT_TYPES) {
    for (const documentCategory of DOCUMENT_CATEGORIES) {
      const expected = [
        ...(['MORTGAGE_OFFER', 'REDEMPTION_STATEMENT'].includes(documentType) ? ['documentType'] : []),
        ...(documentCategory === 'WORKSPACE_SUPPORTING_DOCUMENT' ? ['documentCategory'] : []),
      ]
      it(`${expected.length ? 'refuses' : 'allows'} ${documentType} as ${documentCategory} of an application`, () => {
        assert.deepEqual(fieldsOf({ applicationId: APPLICATION_ID, documentType, documentCategory }), expected)
        assert.deepEqual(fieldsOf({ documentType, documentCategory }), [], 'of the workspace everything goes')
      })
    }
  }

  it('finds nothing in what is no form', () => {
    for (const body of [undefined, null, {}]) assert.deepEqual(combinationErrors(body), [])
  })
})

describe('checkUpload', () => {
  const MAIN: Record<ApplicationType, readonly DocumentType[]> = {
    MORTGAGE_DEED: ['MORTGAGE_DEED'],
    DISCHARGE: ['EVIDENCE'],
    CHANGE_OF_NAME: [
      'MARRIAGE_CERTIFICATE',
      'BIRTH_CERTIFICATE',
      'STATEMENT_OF_TRUTH',
      'STATUTORY_DECLARATION',
      'EVIDENCE',
      'COMPANIES_HOUSE_CERTIFICATE',
    ],
    TRANSFER_OF_WHOLE: ['EVIDENCE'],
    CANCEL_A_RESTRICTION: ['STATEMENT_OF_TRUTH', 'EVIDENCE'],
  }
  for (const applicationType of APPLICATION_TYPES) {
    for (const documentType of ATTACHMENT_TYPES) {
      const isMain = MAIN[applicationType].includes(documentType)
      const place = aPlace({ application: anApplication(applicationType) })
      const asked = { applicationId: APPLICATION_ID, documentType }
      it(`${isMain ? 'takes' : 'refuses'} ${documentType} as the main document of ${applicationType}`, () => {
        const main = ask({ ...asked, documentCategory: 'APPLICATION_DOCUMENT' })
        assert.equal(
          refusalOf(() => checkUpload(place, main)),
          isMain ? undefined : 'invalid documentType',
        )
      })
      it(`takes ${documentType} as a supporting document of ${applicationType}`, () => {
        assert.equal(
          refusalOf(() => checkUpload(place, ask(asked))),
          undefined,
        )
      })
    }
  }

  for (const documentType of DOCUMENT_TYPES) {
    for (const documentCategory of DOCUMENT_CATEGORIES) {
      it(`takes ${documentType} as ${documentCategory} of the workspace`, () => {
        assert.equal(
          refusalOf(() => checkUpload(aPlace(), ask({ documentType, documentCategory }))),
          undefined,
        )
      })
    }
  }

  for (const status of WORKSPACE_STATUSES) {
    for (const caseStatus of CASE_STATUSES) {
      const ofWorkspace = status !== 'CLOSED' && status !== 'CANCELLED'
      const hardLocked = ['FUNDS_AUTHORISED', 'FUNDS_EXCHANGED', 'LODGED', 'REQUISITIONED'].includes(status)
      const ofApplication = status === 'CREATED' || (hardLocked && caseStatus === 'REGISTRATION_REJECTED')
      it(`keeps to what is open in ${status} with the case ${caseStatus}`, () => {
        const place = aPlace({ status, caseStatus, application: anApplication('DISCHARGE') })
        assert.equal(
          refusalOf(() => checkUpload(place, ask())),
          ofWorkspace ? undefined : 'conflict',
        )
        const attached = ask({ applicationId: APPLICATION_ID })
        assert.equal(
          refusalOf(() => checkUpload(place, attached)),
          ofApplication ? undefined : 'conflict',
        )
      })
    }
  }

  const DEEDS: [what: string, deed: Place['deed'], attached: string | undefined, alone: string | undefined][] = [
    ['of which nothing is known', {}, 'conflict mortgageDeedReferenceType', undefined],
    [
      'whose reference alone is known',
      { mortgageDeedReference: 'MD1234A' },
      'conflict mortgageDeedReferenceType',
      undefined,
    ],
    ['on paper', PAPER, undefined, undefined],
    ['on paper with its reference', { ...PAPER, mortgageDeedReference: 'MD1234A' }, undefined, undefined],
    [
      'that is electronic',
      { mortgageDeedReferenceType: 'DIGITAL' },
      'conflict mortgageDeedReference',
      'conflict mortgageDeedReference',
    ],
    [
      'that is electronic with its reference',
      { mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD1234A' },
      undefined,
      undefined,
    ],
  ]
  for (const [what, deed, attached, alone] of DEEDS) {
    it(`judges a deed ${what}`, () => {
      const place = aPlace({ deed, application: anApplication('MORTGAGE_DEED') })
      const asked = ask({ documentType: 'MORTGAGE_DEED', documentCategory: 'APPLICATION_DOCUMENT' })
      assert.equal(
        refusalOf(() => checkUpload(place, { ...asked, applicationId: APPLICATION_ID })),
        attached,
      )
      assert.equal(
        refusalOf(() => checkUpload(place, asked)),
        alone,
      )
      assert.equal(
        refusalOf(() => checkUpload(place, ask({ applicationId: APPLICATION_ID }))),
        undefined,
        'evidence',
      )
    })
  }

  it('refuses an application that is withdrawn, and tells of the deed beside it', () => {
    const place = aPlace({ application: anApplication('MORTGAGE_DEED', 'WITHDRAWN'), deed: {} })
    const asked = ask({ applicationId: APPLICATION_ID, documentType: 'MORTGAGE_DEED' })
    assert.equal(
      refusalOf(() => checkUpload(place, asked)),
      'conflict  mortgageDeedReferenceType',
    )
  })

  it('judges in order: the workspace, the application, the type, then what else is in the way', () => {
    const wrong = ask({ applicationId: APPLICATION_ID, documentCategory: 'APPLICATION_DOCUMENT' })
    const withdrawn = anApplication('MORTGAGE_DEED', 'WITHDRAWN')
    assert.equal(
      refusalOf(() => checkUpload(aPlace({ status: 'PREPARED' }), wrong)),
      'conflict',
    )
    assert.equal(
      refusalOf(() => checkUpload(aPlace(), wrong)),
      'not_found applicationId',
    )
    assert.equal(
      refusalOf(() => checkUpload(aPlace({ application: withdrawn }), wrong)),
      'invalid documentType',
    )
    const right = { ...wrong, documentType: 'MORTGAGE_DEED' } as const
    assert.equal(
      refusalOf(() => checkUpload(aPlace({ application: withdrawn }), right)),
      'conflict',
    )
  })
})
