import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { A_DEED, aLodgement } from '../../test/fixtures/registry.ts'
import type { Lodgement, Notice } from '../registry/lodgement.ts'
import { courseOf, type Received, registryReferenceOf } from './course.ts'
import { WORLD } from './world.ts'

const RECEIVED_AT = new Date('2026-05-01T08:00:00Z')
const DAY_MS = 86_400_000
const WITH_DISCHARGE = [{ type: 'DISCHARGE' as const }, A_DEED]

function received(titleNumber: string, facts: Partial<Received> = {}): Received {
  const lodgement = aLodgement({ titleNumber, applications: WITH_DISCHARGE })
  const asFirst = { first: lodgement, isFirst: true, firstReceivedAt: RECEIVED_AT }
  return { lodgement, ...asFirst, number: 1, receivedAt: RECEIVED_AT, replies: {}, ...facts }
}

/** Each notice with the days since the lodgement was received. */
const summaryOf = (notices: Notice[]) =>
  notices.map((notice) => {
    const { kind, at } = notice
    const early = kind === 'completed' && notice.early ? ' early' : ''
    return `${(at.getTime() - RECEIVED_AT.getTime()) / DAY_MS}: ${kind}${early}`
  })

const USUAL = ['1: accepted', '6: completed']

describe('courseOf', () => {
  for (const [titleNumber, expected] of Object.entries({
    ST500678: USUAL,
    ST500679: ['1: accepted', '6: completed early', '20: discharged'],
    ST500681: USUAL,
    DN514817: USUAL,
    AB1208: USUAL,
    CO100001: USUAL,
    RQ100001: ['1: accepted', '3: requisitioned'],
    LT100001: ['1: accepted', '3: requisitioned', '6: answer accepted', '6: completed'],
    CX100001: ['1: accepted', '3: cancelled'],
    VF100001: ['1: validation failed'],
    SE100001: USUAL,
    SL100001: USUAL,
    LR100001: USUAL,
    TC100001: USUAL,
    LH100001: USUAL,
    AD100001: USUAL,
    RC100001: USUAL,
    DD100001: USUAL,
    NF100001: ['1: validation failed'],
  })) {
    it(`gives for ${titleNumber}: ${expected.join(', ')}`, () => {
      assert.deepEqual(summaryOf(courseOf(received(titleNumber))), expected)
    })
  }

  it('registers a discharge that is lodged by itself after five days, on the register of the early completion', () => {
    const early = courseOf(received('ST500679'))[1]
    const receivedAt = new Date(RECEIVED_AT.getTime() + 7 * DAY_MS)
    const own = aLodgement({ titleNumber: 'ST500679', applications: [{ type: 'DISCHARGE' }] })
    const [notice, ...more] = courseOf(received('ST500679', { lodgement: own, isFirst: false, receivedAt }))
    assert.deepEqual([...summaryOf(notice ? [notice] : []), ...more], ['12: discharged'])
    assert.ok(notice?.kind === 'discharged' && early?.kind === 'completed')
    const { charges, editionDate, ...rest } = notice.copy.register
    const { charges: before, editionDate: _, ...same } = early.copy.register
    assert.deepEqual([charges, editionDate, rest], [before.slice(1), '2026-05-13', same])
  })

  it('decides an answer a day after it was given, and registers five days later', () => {
    const replies = { 'RQ-1': new Date(RECEIVED_AT.getTime() + 10 * DAY_MS).toISOString() }
    const course = summaryOf(courseOf(received('RQ100001', { replies })))
    assert.deepEqual(course, ['1: accepted', '3: requisitioned', '11: answer accepted', '16: completed'])
  })

  for (const [day, receivedAt, registeredAt] of [
    ['a Sunday', '2026-05-04T08:00:00Z', '2026-05-11T08:00:00.000Z'],
    ['Christmas', '2026-12-19T09:00:00Z', '2026-12-29T09:00:00.000Z'],
    ['a Sunday in summer just after midnight', '2026-05-31T23:30:00Z', '2026-06-07T23:30:00.000Z'],
  ] as const) {
    it(`registers on the next business day at the same time of day, instead of on ${day}`, () => {
      const course = courseOf(received('ST500678', { receivedAt: new Date(receivedAt) }))
      assert.equal(course.at(-1)?.at.toISOString(), registeredAt)
    })
  }

  it('moves no other time to a business day', () => {
    // Accepted on a Saturday, requisitioned on a bank holiday, registered on a Sunday.
    const replies = { 'RQ-1': '2026-05-04T08:00:00.000Z' }
    const times = courseOf(received('RQ100001', { replies })).map(({ at }) => at.toISOString().slice(0, 10))
    assert.deepEqual(times, ['2026-05-02', '2026-05-04', '2026-05-05', '2026-05-10'])
  })

  it('completes every later submission of a workspace', () => {
    for (const titleNumber of ['ST500679', 'RQ100001', 'CX100001']) {
      assert.deepEqual(summaryOf(courseOf(received(titleNumber, { isFirst: false }))), USUAL, titleNumber)
    }
  })

  it('refuses VF100001 as long as its deed has the reference of the first submission, and no longer', () => {
    const deed = (deedReference: string): Lodgement =>
      aLodgement({ titleNumber: 'VF100001', applications: [{ ...A_DEED, deedReference } as typeof A_DEED] })
    const again = { isFirst: false, first: deed('MD431C') }
    const [refusal] = courseOf(received('VF100001', { ...again, lodgement: deed('MD431C') }))
    assert.ok(refusal?.kind === 'validation failed')
    assert.deepEqual(
      refusal.faults.map(({ field }) => field),
      ['mortgageDeedReference'],
    )
    assert.match(refusal.faults[0]?.reason ?? '', /MD431C/)
    assert.deepEqual(summaryOf(courseOf(received('VF100001', { ...again, lodgement: deed('MD999Z') }))), USUAL)
  })

  it('completes with the register that the lodgement leaves: an edition of that day, with entries of the application’s', () => {
    const course = courseOf(received('ST500679'))
    const copies = course.flatMap((one) => (one.kind === 'completed' || one.kind === 'discharged' ? [one.copy] : []))
    assert.deepEqual(
      copies.map(({ register, officialCopyAt }) => [
        register.editionDate,
        officialCopyAt.toISOString(),
        register.charges.map(({ chargeId, enteredOn }) => `${chargeId} ${enteredOn}`),
      ]),
      [
        ['2026-05-07', '2026-05-07T08:00:00.000Z', ['ST500679-1 2016-02-19', 'ST500679-2 2026-05-02']],
        ['2026-05-21', '2026-05-21T08:00:00.000Z', ['ST500679-2 2026-05-02']],
      ],
    )
  })

  it('does not change the stored register: every workspace finds it again', () => {
    const before = structuredClone(WORLD.get('ST500678'))
    courseOf(received('ST500678'))
    assert.deepEqual(WORLD.get('ST500678'), before)
  })

  it('gives the same notices again, and only adds to them after an answer', () => {
    for (const titleNumber of WORLD.keys()) {
      assert.deepEqual(courseOf(received(titleNumber)), courseOf(received(titleNumber)))
    }
    const replies = { 'RQ-1': new Date(RECEIVED_AT.getTime() + 4 * DAY_MS).toISOString() }
    assert.deepEqual(
      courseOf(received('RQ100001', { replies })).slice(0, 2),
      courseOf(received('RQ100001')),
      'ids and all',
    )
  })

  it('gives each notice its own id, in the order of their times', () => {
    for (const titleNumber of WORLD.keys()) {
      const course = courseOf(received(titleNumber, { replies: { 'RQ-1': '2026-05-20T00:00:00Z' } }))
      assert.equal(new Set(course.map(({ noticeId }) => noticeId)).size, course.length)
      assert.deepEqual(
        course.map(({ at }) => at),
        course.map(({ at }) => at).toSorted((a, b) => a.getTime() - b.getTime()),
      )
    }
  })
})

describe('registryReferenceOf', () => {
  it('has the form of the registry’s own references', () => {
    fc.assert(
      fc.property(fc.nat(), (number) => {
        assert.match(registryReferenceOf(number), /^([A-Z][0-9]{3}[A-Z]{3}|[A-Z]{2}[0-9A-F]{5})$/)
      }),
    )
  })

  it('never gives two lodgements the same reference', () => {
    const numbers = Array.from({ length: 20_000 }, (_, index) => index + 1)
    assert.equal(new Set(numbers.map(registryReferenceOf)).size, numbers.length)
  })
})
