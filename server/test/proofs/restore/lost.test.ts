import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Asked } from '../failover/history.ts'
import { compareWithRestored } from './lost.ts'

// The pure part of `npm run proof -- restore`.

const asked = (id: string, startedAt: number, endedAt: number, status = 200): Asked => ({
  id,
  kind: 'update',
  end: 'done',
  attempts: [{ startedAt, endedAt, answer: { status } }],
})
const audited = (...ids: string[]) => ids.map((id) => ({ id, action: 'workspace updated', count: 1 }))
const history = [
  asked('1', 0, 1_000),
  asked('2', 2_000, 3_000),
  asked('3', 4_000, 5_000),
  asked('4', 5_000, 6_000, 503),
]

describe('compareWithRestored', () => {
  it('counts what is lost, and how old it is', () => {
    assert.deepEqual(compareWithRestored(history, audited('1', '2'), { disaster: 7_500, point: 3_500 }), {
      acknowledged: 3,
      found: 2,
      lost: 1,
      lostSeconds: 2.5,
      lostBefore: [],
      foundAfter: [],
      lostOutOfOrder: [],
    })
    assert.equal(compareWithRestored(history, audited('1', '2', '3'), { disaster: 7_500 }).lostSeconds, 0)
  })

  it('names what should be there, what should not, and gaps', () => {
    const found = compareWithRestored(history, audited('1', '3'), { disaster: 7_500, point: 3_500 })
    assert.deepEqual(
      [found.lostBefore, found.foundAfter, found.lostOutOfOrder],
      [['update 2'], ['update 3'], ['update 2']],
    )
  })
})
