import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import { DOCUMENT_CATEGORIES, DOCUMENT_TYPES } from '../lodgement/attachments.ts'
import { APPLICATION_TYPES, type ApplicationType } from '../lodgement/rules.ts'
import { CASE_STATUSES, WORKSPACE_STATUSES } from '../workspaces/status.ts'
import { type Asked, checkUpload, type Place } from './rules.ts'

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

describe('checkUpload', () => {
  it('takes every type as every category, of the workspace and of every application', () => {
    for (const applicationType of APPLICATION_TYPES) {
      for (const documentType of DOCUMENT_TYPES) {
        for (const documentCategory of DOCUMENT_CATEGORIES) {
          const place = aPlace({ application: anApplication(applicationType) })
          for (const applicationId of [undefined, APPLICATION_ID]) {
            const asked = ask({ applicationId, documentType, documentCategory })
            assert.equal(
              refusalOf(() => checkUpload(place, asked)),
              undefined,
              `${documentType} as ${documentCategory} of ${applicationId ? applicationType : 'the workspace'}`,
            )
          }
        }
      }
    }
  })

  for (const status of WORKSPACE_STATUSES) {
    for (const caseStatus of CASE_STATUSES) {
      const ofWorkspace = status !== 'CLOSED' && status !== 'CANCELLED'
      const hardLocked = ['FUNDS_AUTHORISED', 'FUNDS_EXCHANGED', 'LODGED', 'REQUISITIONED'].includes(status)
      const ofApplication = status === 'CREATED' || (hardLocked && caseStatus === 'REGISTRATION_REJECTED')
      it(`keeps to what is open in ${status} with the case ${caseStatus}`, () => {
        const place = aPlace({ status, caseStatus, application: anApplication('MORTGAGE_DEED') })
        assert.equal(
          refusalOf(() => checkUpload(place, ask())),
          ofWorkspace ? undefined : 'conflict',
        )
        const attached = ask({ applicationId: APPLICATION_ID })
        assert.equal(
          refusalOf(() => checkUpload(place, attached)),
          ofApplication ? undefined : 'conflict',
        )
        const discharge = { ...place, application: anApplication('DISCHARGE') }
        const isOpen = ofApplication || (hardLocked && caseStatus === 'PARTIALLY_REGISTERED')
        assert.equal(
          refusalOf(() => checkUpload(discharge, attached)),
          isOpen ? undefined : 'conflict',
        )
      })
    }
  }

  for (const [what, deed, expected] of [
    ['of which nothing is known', {}, undefined],
    ['whose reference alone is known', { mortgageDeedReference: 'MD1234A' }, undefined],
    ['on paper', PAPER, undefined],
    ['that is electronic', { mortgageDeedReferenceType: 'DIGITAL' }, 'conflict mortgageDeedReference'],
    [
      'that is electronic with its reference',
      { mortgageDeedReferenceType: 'DIGITAL', mortgageDeedReference: 'e-MD1234A' },
      undefined,
    ],
  ] as const) {
    it(`${expected ? 'refuses' : 'takes'} a deed ${what}, attached or not`, () => {
      const place = aPlace({ deed, application: anApplication('MORTGAGE_DEED') })
      for (const applicationId of [undefined, APPLICATION_ID]) {
        const asked = ask({ applicationId, documentType: 'MORTGAGE_DEED', documentCategory: 'APPLICATION_DOCUMENT' })
        assert.equal(
          refusalOf(() => checkUpload(place, asked)),
          expected,
        )
        assert.equal(
          refusalOf(() => checkUpload(place, ask({ applicationId }))),
          undefined,
          'evidence',
        )
      }
    })
  }

  it('refuses an application that is withdrawn, and reports the deed with it', () => {
    const deed = { mortgageDeedReferenceType: 'DIGITAL' } as const
    const place = aPlace({ application: anApplication('MORTGAGE_DEED', 'WITHDRAWN'), deed })
    const asked = ask({ applicationId: APPLICATION_ID, documentType: 'MORTGAGE_DEED' })
    assert.equal(
      refusalOf(() => checkUpload(place, asked)),
      'conflict  mortgageDeedReference',
    )
  })

  it('checks in order: the workspace, the application, then what else is in the way', () => {
    const asked = ask({ applicationId: APPLICATION_ID })
    const withdrawn = anApplication('MORTGAGE_DEED', 'WITHDRAWN')
    for (const [place, expected] of [
      [{ status: 'PREPARED' }, 'conflict'],
      [{}, 'not_found applicationId'],
      [{ application: withdrawn }, 'conflict'],
    ] as const) {
      assert.equal(
        refusalOf(() => checkUpload(aPlace(place), asked)),
        expected,
      )
    }
  })
})
