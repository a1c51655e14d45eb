import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { SCHEDULE_STATUSES, type ScheduleStatus } from '../workspaces/status.ts'
import { SCHEDULE_TRANSITIONS, type ScheduleEvent, scheduleAfter } from './status.ts'

/** The ways that there may be, written down once more by hand. */
const LEGAL: [ScheduleStatus, ScheduleEvent, ScheduleStatus][] = [
  ['DRAFT', 'approved', 'PREPARED'],
  ['PREPARED', 'approval taken back', 'DRAFT'],
  ['PREPARED', 'funds authorised', 'AUTHORISED'],
  ['AUTHORISED', 'funds no longer authorised', 'PREPARED'],
  ['AUTHORISED', 'settled', 'SETTLED'],
  ['AUTHORISED', 'settlement due', 'PAYING'],
  ['PAYING', 'funds no longer authorised', 'PREPARED'],
  ['PAYING', 'settled', 'SETTLED'],
  ['DRAFT', 'workspace cancelled', 'CANCELLED'],
  ['PREPARED', 'workspace cancelled', 'CANCELLED'],
  ['AUTHORISED', 'workspace cancelled', 'CANCELLED'],
]

const EVENTS = [...new Set(LEGAL.map(([, event]) => event))]

describe('scheduleAfter', () => {
  for (const [from, event, to] of LEGAL) {
    it(`leads from ${from} to ${to} when "${event}"`, () => assert.equal(scheduleAfter(from, event), to))
  }

  for (const from of SCHEDULE_STATUSES) {
    it(`refuses every other event in ${from}, and says in which state the schedule is`, () => {
      const illegal = EVENTS.filter((event) => !LEGAL.some(([state, legal]) => state === from && legal === event))
      assert.ok(illegal.length > 0)
      for (const event of illegal) {
        assert.throws(() => scheduleAfter(from, event), { reason: 'conflict', message: new RegExp(from) }, event)
      }
    })
  }

  it('knows no event and no way beyond that table', () => {
    const drawn = Object.entries(SCHEDULE_TRANSITIONS).flatMap(([from, ways]) =>
      Object.entries(ways).map(([event, to]) => [from, event, to]),
    )
    assert.deepEqual(drawn.sort(), LEGAL.map((way) => [...way]).sort())
  })

  it('settles only what was authorised, and never again', () => {
    const before = SCHEDULE_STATUSES.filter((status) => 'settled' in SCHEDULE_TRANSITIONS[status])
    assert.deepEqual([before, SCHEDULE_TRANSITIONS.SETTLED], [['AUTHORISED', 'PAYING'], {}])
  })
})
