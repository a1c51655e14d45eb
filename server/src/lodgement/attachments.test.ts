import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ATTACHMENT_TYPES,
  type Attachment,
  counts,
  MAIN_DOCUMENT_TYPES,
  mainDocument,
  type UploadStatus,
} from './attachments.ts'
import { APPLICATION_TYPES } from './rules.ts'

const anAttachment = (fileId: string, status: UploadStatus, facts: Partial<Attachment> = {}) => ({
  fileId,
  documentType: 'MORTGAGE_DEED' as const,
  documentCategory: 'APPLICATION_DOCUMENT' as const,
  status,
  ...facts,
})

describe('counts', () => {
  for (const [status, supersededBy, expected] of [
    ['SUCCESS', undefined, true],
    ['SUCCESS', 'another', false],
    ['PENDING', undefined, false],
    ['FAILED', undefined, false],
    ['WITHDRAWN', undefined, false],
  ] as const) {
    it(`is ${expected} of one that is ${status}${supersededBy ? ' and was superseded' : ''}`, () => {
      assert.equal(counts(anAttachment('a', status, supersededBy ? { supersededBy } : {})), expected)
    })
  }

  it('is false of one that is only kept with the application', () => {
    assert.equal(counts(anAttachment('a', 'SUCCESS', { documentCategory: 'WORKSPACE_SUPPORTING_DOCUMENT' })), false)
  })
})

describe('mainDocument', () => {
  for (const [what, attachments, expected] of [
    ['nothing, where nothing is attached', [], undefined],
    ['the one that passed its checks', [anAttachment('a', 'SUCCESS')], 'a'],
    ['the one that waits, where none has passed', [anAttachment('a', 'FAILED'), anAttachment('b', 'PENDING')], 'b'],
    ['the newest of those that wait', [anAttachment('a', 'PENDING'), anAttachment('b', 'PENDING')], 'b'],
    ['the one that passed before one that waits', [anAttachment('a', 'SUCCESS'), anAttachment('b', 'PENDING')], 'a'],
    [
      'the one that superseded the other',
      [anAttachment('a', 'SUCCESS', { supersededBy: 'b' }), anAttachment('b', 'SUCCESS')],
      'b',
    ],
    [
      'nothing, where all failed or were withdrawn',
      [anAttachment('a', 'FAILED'), anAttachment('b', 'WITHDRAWN')],
      undefined,
    ],
    [
      'none that only supports it',
      [anAttachment('a', 'SUCCESS', { documentCategory: 'SUPPORTING_DOCUMENT' })],
      undefined,
    ],
    ['none of another type', [anAttachment('a', 'SUCCESS', { documentType: 'EVIDENCE' })], undefined],
  ] as const) {
    it(`is ${what}`, () => {
      assert.equal(mainDocument({ applicationType: 'MORTGAGE_DEED', documents: attachments })?.fileId, expected)
    })
  }
})

describe('MAIN_DOCUMENT_TYPES', () => {
  it('names types of the interface for every application', () => {
    for (const type of APPLICATION_TYPES) {
      assert.ok(MAIN_DOCUMENT_TYPES[type].length > 0, type)
      for (const one of MAIN_DOCUMENT_TYPES[type]) assert.ok((ATTACHMENT_TYPES as readonly string[]).includes(one), one)
    }
  })
})
