import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Answer, type Asked, compare, interruptionOf, type Kind, medianOf } from './history.ts'

// The proof itself needs a cluster; here is what it makes of what it sees.

const REFUSED: Answer = { status: 503 }
const ACCEPTED: Answer = { status: 202 }

const asked = (id: string, kind: Kind, ...answers: Answer[]): Asked => ({
  id,
  kind,
  attempts: answers.map((answer, index) => ({ startedAt: index * 100, endedAt: index * 100 + 50, answer })),
  end: 'done',
})
const audited = (id: string, action: string, count = 1) => ({ id, action, count })

describe('compare', () => {
  const queued = audited('1', 'representation queued')
  const processed = audited('1', 'representation processed')
  const cases: [name: string, Answer[], ReturnType<typeof audited>[], object][] = [
    ['is content with what was accepted, is there, and has ended', [REFUSED, ACCEPTED], [queued, processed], {}],
    ['finds what was acknowledged and lost', [ACCEPTED], [processed], { acknowledgedAndLost: ['represent 1'] }],
    ['finds what was accepted and never ended', [ACCEPTED], [queued], { acceptedAndNotEnded: ['represent 1'] }],
    ['finds what was refused and done', [REFUSED, REFUSED], [queued, processed], { refusedAndDone: ['represent 1'] }],
    [
      'allows either where the outcome was said to be unknown',
      ['unknown', REFUSED],
      [queued, processed],
      { unknown: 1, unknownAndDone: 1 },
    ],
    [
      'finds what happened twice',
      [ACCEPTED],
      [queued, audited('1', 'representation processed', 2)],
      { twice: ['representation processed 1'] },
    ],
  ]
  for (const [name, answers, entries, expected] of cases) {
    it(name, () => {
      const { acknowledged: _, otherAnswers: __, ...found } = compare([asked('1', 'represent', ...answers)], entries)
      const none = {
        acknowledgedAndLost: [],
        acceptedAndNotEnded: [],
        refusedAndDone: [],
        twice: [],
        patchesDoneAgain: 0,
        unknown: 0,
        unknownAndDone: 0,
      }
      assert.deepEqual(found, { ...none, ...expected })
    })
  }

  it('tells a PATCH that was repeated after another change from one that promised that nothing was done', () => {
    const entries = [audited('1', 'workspace updated', 2)]
    const found = (...answers: Answer[]) => compare([asked('1', 'update', ...answers)], entries)
    assert.partialDeepStrictEqual(found('unknown', ACCEPTED), { patchesDoneAgain: 1, twice: [], refusedAndDone: [] })
    assert.deepEqual(found(REFUSED, ACCEPTED).refusedAndDone, ['update 1'])
  })

  it('counts answers, those of reads too', () => {
    const { otherAnswers } = compare([asked('1', 'read', REFUSED, 'unknown'), asked('2', 'list', REFUSED)], [])
    assert.deepEqual(otherAnswers, { 503: 2, unknown: 1 })
  })
})

describe('interruptionOf', () => {
  const at = (startedAt: number, endedAt: number, answer: Answer = ACCEPTED): Asked => ({
    ...asked('1', 'create'),
    attempts: [{ startedAt, endedAt, answer }],
  })

  it('is the time to the first write that was sent after the fault, and the longest time without one', () => {
    const history = [at(0, 10), at(90, 130), at(110, 900, 'unknown'), at(400, 700), at(800, 820), at(1_000, 9_000)]
    assert.deepEqual(interruptionOf(history, { fault: '', from: 100, to: 800 }), { firstMs: 600, gapMs: 570 })
  })

  it('has a median', () => assert.equal(medianOf([9, 1, 5]), 5))
})
