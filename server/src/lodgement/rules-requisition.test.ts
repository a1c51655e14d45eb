import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { refusalOf } from '../../test/fixtures/refusals.ts'
import type { CaseStatus, WorkspaceStatus } from '../workspaces/status.ts'
import {
  answerRequisition,
  closeRequisition,
  deadlinesOf,
  meetDeadline,
  type Requisition,
  receiveNotice,
  repeatErrors,
} from './rules-registry.ts'

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
    for (const status of ['ANSWERED', 'LAPSED', 'NO_ANSWER_NEEDED'] as const)
      assert.deepEqual(meet(0, { ...OPEN, status }), [])
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

describe('closeRequisition', () => {
  const LETTER = { ...OPEN, requisitionId: 'r-2', registryId: 'LT-1', points: [] }
  const close = (...requisitions: Requisition[]) =>
    closeRequisition(asked(...requisitions), { reason: 'It only informs.', confirmedBy: 'ann@harbour.example' })

  const before = (status: Requisition['status']) => ({ ...OPEN, status })
  for (const [what, requisitions, answeredId] of [
    ['alone', [LETTER], undefined],
    ['after an answer that the registry accepted', [before('ACCEPTED'), LETTER], undefined],
    ['after an answer that the registry still has', [before('ANSWERED'), LETTER], 'r-1'],
    ['after another letter that needed none', [before('ANSWERED'), before('NO_ANSWER_NEEDED'), LETTER], 'r-1'],
    ['after an answer of an earlier submission', [{ ...before('ANSWERED'), submissionId: 'old' }, LETTER], undefined],
  ] as const) {
    it(`closes a letter ${what}`, () => {
      assert.partialDeepStrictEqual(close(...requisitions), [
        { kind: 'requisition closed', requisitionId: 'r-2', answeredId },
      ])
    })
  }

  for (const [what, requisitions] of [
    ['none', []],
    ['one that was answered', [{ ...LETTER, status: 'ANSWERED' }]],
    ['one that was closed before', [{ ...LETTER, status: 'NO_ANSWER_NEEDED' }]],
    ['one that asks for something', [{ ...LETTER, points: ['Who?'] }]],
  ] as [string, Requisition[]][]) {
    it(`refuses ${what}`, () =>
      assert.equal(
        refusalOf(() => close(...requisitions)),
        'conflict',
      ))
  }

  it('is done by the registry itself where it goes on without an answer', () => {
    const submission = { kind: 'CASE', approvedBy: 'a', content: null, sentAt: null, seen: [] } as const
    const eventOf = (registryId: string, ...requisitions: Requisition[]) => {
      const matter = { ...asked(...requisitions), submissions: [{ ...submission, submissionId: 's' }] }
      const notice = { kind: 'answer accepted', noticeId: 'n', at: DUE, registryId } as const
      const [change] = receiveNotice(matter, 's', notice, { requisitionId: 'r', documents: [] })
      return change && 'event' in change ? change.event : undefined
    }
    assert.equal(eventOf('LT-1', LETTER), 'no answer needed')
    assert.equal(eventOf('LT-1', before('ANSWERED'), LETTER), 'no further answer needed')
    assert.equal(eventOf('RQ-1', before('ANSWERED'), LETTER), undefined, 'the letter comes first')
  })
})
