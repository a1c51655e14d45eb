import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  CASE_STATUSES,
  canBeApproved,
  canBeCancelled,
  canBeUnapproved,
  checkOpen,
  isHardLocked,
  isLocked,
  isOpen,
  type Part,
  transition,
  WORKSPACE_STATUSES,
  WORKSPACE_TRANSITIONS,
  type WorkspaceEvent,
  type WorkspaceStatus,
} from './status.ts'

/** The table of what each status allows, written down once more by hand. */
const LEGAL: [WorkspaceStatus, WorkspaceEvent, WorkspaceStatus][] = [
  ['CREATED', 'case and schedule approved', 'PREPARED'],
  ['PREPARED', 'an approval taken back', 'CREATED'],
  ['PREPARED', 'funds authorised', 'FUNDS_AUTHORISED'],
  ['FUNDS_AUTHORISED', 'funds no longer authorised', 'PREPARED'],
  ['FUNDS_AUTHORISED', 'funds exchanged', 'FUNDS_EXCHANGED'],
  ['FUNDS_EXCHANGED', 'case lodged', 'LODGED'],
  ['LODGED', 'case requisitioned', 'REQUISITIONED'],
  ['REQUISITIONED', 'case lodged', 'LODGED'],
  ['FUNDS_EXCHANGED', 'case rejected', 'FUNDS_EXCHANGED'],
  ['LODGED', 'case rejected', 'FUNDS_EXCHANGED'],
  ['REQUISITIONED', 'case rejected', 'FUNDS_EXCHANGED'],
  ['LODGED', 'case registered', 'CLOSED'],
  ['CREATED', 'cancelled', 'CANCELLED'],
  ['PREPARED', 'cancelled', 'CANCELLED'],
  ['FUNDS_AUTHORISED', 'cancelled', 'CANCELLED'],
]

const EVENTS: WorkspaceEvent[] = [
  'case and schedule approved',
  'an approval taken back',
  'funds authorised',
  'funds no longer authorised',
  'funds exchanged',
  'case lodged',
  'case requisitioned',
  'case rejected',
  'case registered',
  'cancelled',
]

describe('transition', () => {
  for (const [from, event, to] of LEGAL) {
    it(`leads from ${from} to ${to} when "${event}"`, () => assert.equal(transition(from, event), to))
  }

  for (const from of WORKSPACE_STATUSES) {
    it(`refuses every other event in ${from}, and says in which state the workspace is`, () => {
      const illegal = EVENTS.filter((event) => !LEGAL.some(([state, legal]) => state === from && legal === event))
      assert.ok(illegal.length > 0)
      for (const event of illegal) {
        assert.throws(() => transition(from, event), { reason: 'conflict', message: new RegExp(from) }, event)
      }
    })
  }

  it('knows no event and no way beyond that table', () => {
    const drawn = Object.entries(WORKSPACE_TRANSITIONS).flatMap(([from, ways]) =>
      Object.entries(ways).map(([event, to]) => [from, event, to]),
    )
    assert.deepEqual(drawn.sort(), LEGAL.map((way) => [...way]).sort())
    assert.deepEqual(new Set(drawn.map(([, event]) => event)), new Set(EVENTS))
  })

  it('has no way out of the end', () => {
    for (const ended of ['CLOSED', 'CANCELLED'] as const) assert.deepEqual(WORKSPACE_TRANSITIONS[ended], {})
  })

  it('reaches every status from the first', () => {
    const reached = new Set<WorkspaceStatus>(['CREATED'])
    for (const status of reached) for (const next of Object.values(WORKSPACE_TRANSITIONS[status])) reached.add(next)
    assert.deepEqual(reached, new Set(WORKSPACE_STATUSES))
  })
})

describe('canBeCancelled', () => {
  for (const status of WORKSPACE_STATUSES) {
    const may = ['CREATED', 'PREPARED', 'FUNDS_AUTHORISED'].includes(status)
    it(`is ${may} of ${status}: ${may ? 'no money has moved' : 'money has moved, or it has ended'}`, () => {
      assert.equal(canBeCancelled(status), may)
    })
  }
})

describe('canBeApproved', () => {
  for (const caseStatus of CASE_STATUSES) {
    const may = ['CREATED', 'REGISTRATION_REJECTED', 'PARTIALLY_REGISTERED'].includes(caseStatus)
    it(`is ${may} of a case that is ${caseStatus}`, () => assert.equal(canBeApproved(caseStatus), may))
  }
})

describe('canBeUnapproved', () => {
  for (const status of ['CREATED', 'PREPARED', 'FUNDS_AUTHORISED', 'FUNDS_EXCHANGED'] as const) {
    const may = status === 'CREATED' || status === 'PREPARED'
    it(`is ${may} of an approved case while the workspace is ${status}, and false of any other case`, () => {
      for (const caseStatus of CASE_STATUSES) {
        assert.equal(canBeUnapproved(status, caseStatus), may && caseStatus === 'PREPARED', caseStatus)
      }
    })
  }
})

describe('isLocked and isHardLocked', () => {
  for (const [status, locked, hardLocked] of [
    ['CREATED', false, false],
    ['PREPARED', true, false],
    ['FUNDS_AUTHORISED', true, true],
    ['FUNDS_EXCHANGED', true, true],
    ['LODGED', true, true],
    ['REQUISITIONED', true, true],
    ['CLOSED', false, false],
    ['CANCELLED', false, false],
  ] as const) {
    it(`are ${locked} and ${hardLocked} of ${status}`, () => {
      assert.deepEqual([isLocked(status), isHardLocked(status)], [locked, hardLocked])
    })
  }
})

const PARTS: Part[] = ['parties, title and representation', 'applications and their documents', 'schedule', 'files']
const REJECTED = 'REGISTRATION_REJECTED'

/** Which parts are open, in the order of the columns of that table: always, never, or while rejected. */
const OPEN: Record<WorkspaceStatus, ('yes' | 'no' | 'rejected')[]> = {
  CREATED: ['yes', 'yes', 'yes', 'yes'],
  PREPARED: ['no', 'no', 'no', 'yes'],
  FUNDS_AUTHORISED: ['no', 'rejected', 'no', 'yes'],
  FUNDS_EXCHANGED: ['no', 'rejected', 'no', 'yes'],
  LODGED: ['no', 'rejected', 'no', 'yes'],
  REQUISITIONED: ['no', 'rejected', 'no', 'yes'],
  CLOSED: ['no', 'no', 'no', 'no'],
  CANCELLED: ['no', 'no', 'no', 'no'],
}

describe('isOpen', () => {
  for (const status of WORKSPACE_STATUSES) {
    for (const [index, part] of PARTS.entries()) {
      const open = OPEN[status][index]
      it(`${status}: ${part}: ${open}`, () => {
        assert.equal(isOpen(status, part, REJECTED), open !== 'no')
        for (const caseStatus of ['CREATED', 'PREPARED', 'LODGED'] as const) {
          assert.equal(isOpen(status, part, caseStatus), open === 'yes', caseStatus)
        }
      })
    }
  }
})

describe('isOpen for the discharge', () => {
  it('is so after a rejection, and after an early completion, which opens nothing else', () => {
    const open = (part: Part) => CASE_STATUSES.filter((caseStatus) => isOpen('LODGED', part, caseStatus))
    assert.deepEqual(open('discharge and its documents'), ['REGISTRATION_REJECTED', 'PARTIALLY_REGISTERED'])
    assert.deepEqual(open('applications and their documents'), ['REGISTRATION_REJECTED'])
    assert.ok(!isOpen('CLOSED', 'discharge and its documents', 'PARTIALLY_REGISTERED'))
  })
})

describe("isOpen for the deed's effect", () => {
  const OPENED = ['PREPARED', 'RESUBMISSION_PREPARED', 'REGISTRATION_REJECTED']
  it('is so until the case is sent, whatever else is locked', () => {
    for (const status of ['PREPARED', 'FUNDS_AUTHORISED', 'FUNDS_EXCHANGED'] as const) {
      assert.ok(isOpen(status, "deed's effect", 'PREPARED'), status)
    }
    const open = CASE_STATUSES.filter((caseStatus) => isOpen('FUNDS_EXCHANGED', "deed's effect", caseStatus))
    assert.deepEqual(open.toSorted(), OPENED.toSorted())
    assert.ok(!isOpen('CANCELLED', "deed's effect", 'PREPARED'))
  })
})

describe('checkOpen', () => {
  it('lets pass what is open', () => checkOpen('CREATED', 'schedule', 'CREATED'))

  it('refuses what is not, with the status and what was to be changed', () => {
    const message = 'The workspace is LODGED: its schedule can no longer be changed.'
    assert.throws(() => checkOpen('LODGED', 'schedule', 'LODGED'), { reason: 'conflict', message })
  })

  it('says what opens a prepared workspace again', () => {
    assert.throws(() => checkOpen('PREPARED', 'schedule', 'PREPARED'), { message: /Take back an approval first\.$/ })
  })
})
