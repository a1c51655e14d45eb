import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { aRegister } from '../../test/fixtures/registry.ts'
import type { Notice } from '../registry/lodgement.ts'
import { CASE_STATUSES, type CaseStatus } from '../workspaces/status.ts'
import { eventOf, isAwaiting, type Turn, turnOf } from './rules-registry.ts'
import { caseAfter } from './status.ts'

const AT = new Date('2026-05-01T12:00:00Z')
const COPY = { register: aRegister(), officialCopyAt: AT }

const NOTICES = {
  accepted: { kind: 'accepted', registryReference: 'A123BCD', priorityAt: AT },
  'validation failed': { kind: 'validation failed', faults: [{ field: 'titleNumber', reason: 'No such title.' }] },
  requisitioned: { kind: 'requisitioned', registryId: 'RQ-1', points: ['Who?'] },
  'answer accepted': { kind: 'answer accepted', registryId: 'RQ-1' },
  cancelled: { kind: 'cancelled', reason: 'Too late.' },
  completed: { kind: 'completed', early: false, copy: COPY },
  'completed early': { kind: 'completed', early: true, copy: COPY },
  discharged: { kind: 'discharged', copy: COPY },
} as const

type Name = keyof typeof NOTICES

const notice = (name: Name): Notice => ({ ...(NOTICES[name] as Notice), noticeId: name, at: AT })

describe('eventOf', () => {
  it('distinguishes an early completion from a full one, and calls all else by its name', () => {
    assert.equal(eventOf(notice('completed')), 'completed')
    assert.equal(eventOf(notice('completed early')), 'completed early')
    assert.equal(eventOf(notice('cancelled')), 'cancelled by the registry')
    assert.equal(eventOf(notice('answer accepted')), 'answer accepted')
  })
})

describe('turnOf', () => {
  const turns = (status: CaseStatus, asked: string | null = null): Partial<Record<Turn, Name[]>> =>
    Object.groupBy(Object.keys(NOTICES) as Name[], (name) => turnOf(status, notice(name), asked))

  it('takes of a case that was sent what decides it, and keeps the rest for later', () => {
    const { now, never } = turns('INITIATED')
    assert.deepEqual([now, never], [['accepted', 'validation failed'], undefined])
  })

  it('takes of a lodged case anything but what decided it before', () => {
    const { now, never } = turns('LODGED')
    assert.deepEqual(now, ['requisitioned', 'cancelled', 'completed', 'completed early'])
    assert.deepEqual(never, ['accepted', 'validation failed'])
  })

  it('takes after an early completion nothing but the discharge', () => {
    const { now, 'not yet': waiting } = turns('PARTIALLY_REGISTERED')
    assert.deepEqual([now, waiting], [['discharged'], undefined])
  })

  it('takes the acceptance of an answer only for the requisition that was answered', () => {
    assert.equal(turnOf('REQUISITION_SUBMITTED', notice('answer accepted'), 'RQ-1'), 'now')
    assert.equal(turnOf('REQUISITION_SUBMITTED', notice('answer accepted'), 'RQ-2'), 'not yet')
  })

  it('knows a requisition that it had notice of before, whatever id its notice has', () => {
    assert.equal(turnOf('LODGED', notice('requisitioned'), 'RQ-1'), 'never')
    assert.equal(turnOf('LODGED', notice('requisitioned'), 'RQ-0'), 'now')
  })

  for (const status of ['REGISTERED', 'REGISTRATION_REJECTED', 'RESUBMISSION_PREPARED', 'CANCELLED'] as const) {
    it(`takes nothing more of a case that is ${status}`, () => {
      assert.deepEqual(Object.keys(turns(status)), ['never'])
      assert.equal(isAwaiting(status), false)
    })
  }

  const COURSES: Name[][] = [
    ['accepted', 'completed'],
    ['accepted', 'completed early', 'discharged'],
    ['accepted', 'requisitioned', 'answer accepted', 'completed'],
    ['accepted', 'requisitioned', 'cancelled'],
    ['accepted', 'cancelled'],
    ['validation failed'],
  ]

  for (const course of COURSES) {
    it(`brings a case to the same end whatever the order and however often it hears: ${course.join(', ')}`, () => {
      const end = hear(course)
      assert.equal(isAwaiting(end), false)
      const repeated = fc.shuffledSubarray([...course, ...course], { minLength: course.length })
      fc.assert(
        fc.property(repeated, (heard) => {
          fc.pre(course.every((name) => heard.includes(name)))
          assert.equal(hear(heard), end)
        }),
      )
    })
  }

  // As the job does it, and a firm that answers at once.
  function hear(names: readonly Name[]): CaseStatus {
    const seen = new Set<Name>()
    let status: CaseStatus = 'INITIATED'
    let asked: string | null = null
    for (let rounds = 0; rounds < names.length; rounds++) {
      for (const name of names) {
        const turn = seen.has(name) ? 'never' : turnOf(status, notice(name), asked)
        if (turn === 'not yet') continue
        seen.add(name)
        if (turn === 'never') continue
        status = caseAfter(status, eventOf(notice(name)))
        if (name !== 'requisitioned') continue
        asked = 'RQ-1'
        status = caseAfter(status, 'answered')
      }
    }
    return status
  }
})

describe('isAwaiting', () => {
  it('is so while the registry has the case', () => {
    const sent = CASE_STATUSES.filter((status) => !['CREATED', 'PREPARED'].includes(status))
    assert.deepEqual(sent.filter(isAwaiting), [
      'INITIATED',
      'LODGED',
      'REQUISITIONED',
      'REQUISITION_SUBMITTED',
      'PARTIALLY_REGISTERED',
      'DISCHARGE_SUBMITTED',
    ])
  })
})
