import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import type { CaseStatus, WorkspaceStatus } from '../workspaces/status.ts'
import { answerRequisition, deadlinesOf, meetDeadline, type Requisition, repeatErrors } from './rules-registry.ts'

const DUE = new Date('2031-01-09T09:00:00Z')
const OPEN: Requisition = { requisitionId: 'r-1', submissionId: 's', registryId: 'RQ-1', status: 'OPEN', dueAt: DUE }

/** A case with these requisitions, oldest first. */
const asked = (...requisitions: Requisition[]) => ({
  workspace: { status: 'REQUISITIONED' as WorkspaceStatus },
  lodgementCase: { status: 'REQUISITIONED' as CaseStatus },
  submissions: [],
  requisitions,
})

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

describe('deadlinesOf', () => {
  const leftAt = (now: string) => deadlinesOf(DUE, new Date(now)).map(({ businessDaysLeft }) => businessDaysLeft)

  it('has three reminders and the end, in business days', () => {
    assert.deepEqual(
      deadlinesOf(DUE, new Date('2030-12-09T09:00:00Z')).map(({ at }) => at.toISOString().slice(0, 10)),
      ['2030-12-23', '2031-01-02', '2031-01-08', '2031-01-09'],
    )
  })

  it('leaves out reminders whose day has passed, and never the end', () => {
    assert.deepEqual(leftAt('2031-01-03T09:00:00Z'), [1, 0])
    assert.deepEqual(leftAt('2031-02-01T09:00:00Z'), [0])
  })
})

describe('meetDeadline', () => {
  const meet = (businessDaysLeft: number, requisition: Requisition = OPEN) =>
    meetDeadline(asked(requisition), { workspaceId: 'w', requisitionId: 'r-1', businessDaysLeft }).map(
      ({ kind }) => kind,
    )

  it('reminds while days are left, and then ends it', () => {
    assert.deepEqual([meet(5), meet(0)], [['requisition reminder given'], ['requisition lapsed']])
  })

  it('does neither where it has ended, or is another', () => {
    for (const status of ['ANSWERED', 'LAPSED'] as const) assert.deepEqual(meet(0, { ...OPEN, status }), [])
    assert.deepEqual(meet(0, { ...OPEN, requisitionId: 'r-2' }), [])
  })
})

describe('answerRequisition', () => {
  const answer = (fileIds: string[], files: Record<string, string>, matter = asked(OPEN)) =>
    answerRequisition(
      matter,
      { message: 'So.', fileIds },
      Object.entries(files).map(([fileId, status]) => ({ fileId, status })),
    )

  it('refuses where the workspace has ended, and only there', () => {
    for (const status of ['CLOSED', 'CANCELLED'] as const) {
      const ended = { ...asked(OPEN), workspace: { status }, lodgementCase: { status: 'REGISTERED' as const } }
      assert.equal(
        refusalOf(() => answer(['a'], {}, ended)),
        'conflict',
      )
    }
  })

  it('answers the open requisition, with or without files', () => {
    const answered = { kind: 'requisition answered', requisitionId: 'r-1', message: 'So.' }
    assert.deepEqual(answer([], {}), [{ ...answered, fileIds: [] }])
    assert.deepEqual(answer(['a'], { a: 'SUCCESS' }), [{ ...answered, fileIds: ['a'] }])
  })

  it('names all files that are not there before anything else', () => {
    assert.equal(
      refusalOf(() => answer(['a', 'b', 'c'], { b: 'FAILED' }, asked())),
      'not_found fileIds[0] fileIds[2]',
    )
  })

  it('names all other reasons together: nothing open, and files that are not sound', () => {
    const files = { a: 'PENDING', b: 'SUCCESS', c: 'FAILED', d: 'WITHDRAWN' }
    const unsound = 'fileIds[0] fileIds[2] fileIds[3]'
    const refused = (matter = asked(OPEN)) => refusalOf(() => answer(['a', 'b', 'c', 'd'], files, matter))
    assert.equal(refused(), `conflict ${unsound}`)
    assert.equal(
      refused(asked({ ...OPEN, status: 'ANSWERED' })),
      `conflict  ${unsound}`,
      'an empty field stands for the requisition',
    )
    assert.equal(
      refusalOf(() => answer([], {}, asked())),
      'conflict',
    )
  })
})
