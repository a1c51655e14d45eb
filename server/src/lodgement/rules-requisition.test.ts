import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import { checkAnswer, checkNotEnded, repeatErrors } from './rules-requisition.ts'

const OPEN = { requisitionId: 'r-1' }

describe('repeatErrors', () => {
  it('finds a file that is named twice, in either case', () => {
    assert.deepEqual(repeatErrors({ fileIds: ['a', 'b'] }), [])
    assert.deepEqual(repeatErrors({ fileIds: ['a', 'A'] })[0]?.field, 'fileIds')
  })

  it('has nothing to say of what is no list, or no body', () => {
    for (const body of [undefined, null, {}, { fileIds: 'a' }, []]) assert.deepEqual(repeatErrors(body), [])
  })

  it('leaves what is no text to the schema', () => {
    assert.deepEqual(repeatErrors({ fileIds: [null, 7, { toString: 1 }] }), [])
  })
})

describe('checkNotEnded', () => {
  it('refuses where the workspace has ended, and only there', () => {
    for (const status of ['CLOSED', 'CANCELLED'] as const) {
      assert.equal(
        refusalOf(() => checkNotEnded(status, 'REGISTERED')),
        'conflict',
      )
    }
    checkNotEnded('REQUISITIONED', 'REQUISITIONED')
    checkNotEnded('CREATED', 'CREATED')
  })
})

describe('checkAnswer', () => {
  it('finds the open requisition, with or without files', () => {
    assert.equal(checkAnswer([], new Map(), OPEN), OPEN)
    assert.equal(checkAnswer(['a'], new Map([['a', 'SUCCESS']]), OPEN), OPEN)
  })

  it('tells all files that are not there before anything else', () => {
    const statuses = new Map([['b', 'FAILED']])
    assert.equal(
      refusalOf(() => checkAnswer(['a', 'b', 'c'], statuses, undefined)),
      'not_found fileIds[0] fileIds[2]',
    )
  })

  it('tells what else stands against it together: nothing open, and files that are not sound', () => {
    const statuses = new Map([
      ['a', 'PENDING'],
      ['b', 'SUCCESS'],
      ['c', 'FAILED'],
      ['d', 'WITHDRAWN'],
    ])
    const unsound = 'fileIds[0] fileIds[2] fileIds[3]'
    assert.equal(
      refusalOf(() => checkAnswer(['a', 'b', 'c', 'd'], statuses, OPEN)),
      `conflict ${unsound}`,
    )
    assert.equal(
      refusalOf(() => checkAnswer(['a', 'b', 'c', 'd'], statuses, undefined)),
      `conflict  ${unsound}`,
      'an empty field stands for the requisition',
    )
    assert.equal(
      refusalOf(() => checkAnswer([], new Map(), undefined)),
      'conflict',
    )
  })
})
