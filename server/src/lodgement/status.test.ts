import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { CASE_STATUSES, type CaseStatus, WORKSPACE_TRANSITIONS } from '../workspaces/status.ts'
import {
  APPLICATION_STATUSES,
  APPLICATION_TRANSITIONS,
  type ApplicationEvent,
  type ApplicationStatus,
  applicationEventOf,
  CASE_TRANSITIONS,
  type CaseEvent,
  canHappen,
  caseAfter,
  WORKSPACE_EVENT_OF,
} from './status.ts'

/** The table of the interface, written down once more by hand. */
const LEGAL: [CaseStatus, CaseEvent, CaseStatus][] = [
  ['CREATED', 'approved', 'PREPARED'],
  ['PREPARED', 'approval taken back', 'CREATED'],
  ['PREPARED', 'sent', 'INITIATED'],
  ['INITIATED', 'accepted', 'LODGED'],
  ['INITIATED', 'validation failed', 'REGISTRATION_REJECTED'],
  ['LODGED', 'requisitioned', 'REQUISITIONED'],
  ['REQUISITIONED', 'answered', 'REQUISITION_SUBMITTED'],
  ['REQUISITION_SUBMITTED', 'answer accepted', 'LODGED'],
  ['REQUISITION_SUBMITTED', 'requisitioned', 'REQUISITIONED'],
  ['REQUISITIONED', 'no answer needed', 'LODGED'],
  ['REQUISITIONED', 'no further answer needed', 'REQUISITION_SUBMITTED'],
  ['REQUISITIONED', 'deadline passed', 'REGISTRATION_REJECTED'],
  ['LODGED', 'cancelled by the registry', 'REGISTRATION_REJECTED'],
  ['REQUISITIONED', 'cancelled by the registry', 'REGISTRATION_REJECTED'],
  ['REQUISITION_SUBMITTED', 'cancelled by the registry', 'REGISTRATION_REJECTED'],
  ['REGISTRATION_REJECTED', 'approved', 'RESUBMISSION_PREPARED'],
  ['RESUBMISSION_PREPARED', 'sent', 'INITIATED'],
  ['LODGED', 'completed', 'REGISTERED'],
  ['LODGED', 'completed early', 'PARTIALLY_REGISTERED'],
  ['PARTIALLY_REGISTERED', 'discharged', 'REGISTERED'],
  ['PARTIALLY_REGISTERED', 'approved', 'DISCHARGE_SUBMITTED'],
  ['DISCHARGE_SUBMITTED', 'sent', 'DISCHARGE_SUBMITTED'],
  ['DISCHARGE_SUBMITTED', 'discharged', 'REGISTERED'],
  ['DISCHARGE_SUBMITTED', 'discharge refused', 'PARTIALLY_REGISTERED'],
  ['CREATED', 'workspace cancelled', 'CANCELLED'],
  ['PREPARED', 'workspace cancelled', 'CANCELLED'],
]

const EVENTS = [...new Set(LEGAL.map(([, event]) => event))]

describe('caseAfter', () => {
  for (const [from, event, to] of LEGAL) {
    it(`leads from ${from} to ${to} when "${event}"`, () => {
      assert.equal(caseAfter(from, event), to)
      assert.ok(canHappen(from, event))
    })
  }

  for (const from of CASE_STATUSES) {
    it(`refuses every other event in ${from}, and says in which state the case is`, () => {
      const illegal = EVENTS.filter((event) => !LEGAL.some(([state, legal]) => state === from && legal === event))
      assert.ok(illegal.length > 0)
      for (const event of illegal) {
        assert.throws(() => caseAfter(from, event), { reason: 'conflict', message: new RegExp(from) }, event)
        assert.ok(!canHappen(from, event))
      }
    })
  }

  it('knows no event and no way beyond that table', () => assert.deepEqual(drawn(CASE_TRANSITIONS), sorted(LEGAL)))

  it('has no way out of the end, and reaches every status from the first', () => {
    for (const ended of ['REGISTERED', 'CANCELLED'] as const) assert.deepEqual(CASE_TRANSITIONS[ended], {})
    assert.deepEqual(reachedFrom('CREATED', CASE_TRANSITIONS), new Set(CASE_STATUSES))
  })
})

const LEGAL_OF_APPLICATION: [ApplicationStatus, ApplicationEvent, ApplicationStatus][] = [
  ['DRAFT', 'found ready', 'READY'],
  ['READY', 'found wanting', 'DRAFT'],
  ['READY', 'case approved', 'APPROVED'],
  ['APPROVED', 'found ready', 'READY'],
  ['APPROVED', 'found wanting', 'DRAFT'],
  ['APPROVED', 'case sent', 'SUBMITTED'],
  ['SUBMITTED', 'case lodged', 'LODGED'],
  ['LODGED', 'case requisitioned', 'REQUISITIONED'],
  ['REQUISITIONED', 'case lodged', 'LODGED'],
  ['LODGED', 'registered', 'REGISTERED'],
  ['SUBMITTED', 'case rejected', 'REJECTED'],
  ['LODGED', 'case rejected', 'REJECTED'],
  ['REQUISITIONED', 'case rejected', 'REJECTED'],
  ['REJECTED', 'found ready', 'READY'],
  ['REJECTED', 'found wanting', 'DRAFT'],
  ['REJECTED', 'case approved', 'APPROVED'],
  ['DRAFT', 'discharged', 'REGISTERED'],
  ['READY', 'discharged', 'REGISTERED'],
  ['APPROVED', 'discharged', 'REGISTERED'],
  ['SUBMITTED', 'discharged', 'REGISTERED'],
  ['REJECTED', 'discharged', 'REGISTERED'],
  ['DRAFT', 'withdrawn', 'WITHDRAWN'],
  ['READY', 'withdrawn', 'WITHDRAWN'],
  ['APPROVED', 'withdrawn', 'WITHDRAWN'],
]

describe('APPLICATION_TRANSITIONS', () => {
  it('are these and no others', () => {
    assert.deepEqual(drawn(APPLICATION_TRANSITIONS), sorted(LEGAL_OF_APPLICATION))
  })

  it('have no way out of the end, and reach every status from the first', () => {
    for (const ended of ['REGISTERED', 'WITHDRAWN'] as const) assert.deepEqual(APPLICATION_TRANSITIONS[ended], {})
    assert.deepEqual(reachedFrom('DRAFT', APPLICATION_TRANSITIONS), new Set(APPLICATION_STATUSES))
  })
})

/** Which status all applications of a case share, where they do. */
const SHARED: Partial<Record<CaseStatus, ApplicationStatus>> = {
  PREPARED: 'APPROVED',
  INITIATED: 'SUBMITTED',
  LODGED: 'LODGED',
  REQUISITIONED: 'REQUISITIONED',
  REQUISITION_SUBMITTED: 'REQUISITIONED',
  REGISTRATION_REJECTED: 'REJECTED',
  RESUBMISSION_PREPARED: 'APPROVED',
  REGISTERED: 'REGISTERED',
  CANCELLED: 'WITHDRAWN',
}

describe('applicationEventOf', () => {
  for (const [from, event, to] of LEGAL.filter(([from, , to]) => SHARED[from] && SHARED[to])) {
    it(`takes the applications along when a case goes from ${from} to ${to}`, () => {
      const follows = applicationEventOf(event, 'MORTGAGE_DEED')
      const before = SHARED[from] as ApplicationStatus
      const after = (follows && APPLICATION_TRANSITIONS[before][follows]) ?? before
      assert.equal(after, SHARED[to])
    })
  }

  it('approves what is ready and what was rejected, changed or not, and leaves a draft', () => {
    const after = (status: ApplicationStatus) => APPLICATION_TRANSITIONS[status]['case approved']
    assert.deepEqual([after('READY'), after('REJECTED'), after('DRAFT')], ['APPROVED', 'APPROVED', undefined])
  })

  it('leaves it to the review where they stand when an approval is taken back', () => {
    assert.equal(applicationEventOf('approval taken back', 'MORTGAGE_DEED'), undefined)
  })

  it('registers all but the discharge when a case is completed early, and rejects that', () => {
    assert.equal(applicationEventOf('completed early', 'MORTGAGE_DEED'), 'registered')
    assert.equal(applicationEventOf('completed early', 'DISCHARGE'), 'case rejected')
    assert.equal(applicationEventOf('completed', 'DISCHARGE'), 'registered')
  })
})

describe('WORKSPACE_EVENT_OF', () => {
  it('names only events that a workspace knows', () => {
    const known = Object.values(WORKSPACE_TRANSITIONS).flatMap((ways) => Object.keys(ways))
    for (const event of Object.values(WORKSPACE_EVENT_OF)) assert.ok(known.includes(event), event)
  })

  it('leaves the workspace lodged while a case is registered in part', () => {
    assert.equal(WORKSPACE_EVENT_OF['completed early'], undefined)
  })
})

type Machine = Record<string, Partial<Record<string, string>>>

const sorted = (ways: readonly (readonly string[])[]) => ways.map((way) => [...way]).sort()

const drawn = (machine: Machine) =>
  sorted(
    Object.entries(machine).flatMap(([from, ways]) =>
      Object.entries(ways).map(([event, to = '']) => [from, event, to]),
    ),
  )

function reachedFrom(first: string, machine: Machine): Set<string> {
  const reached = new Set([first])
  for (const status of reached) for (const next of Object.values(machine[status] ?? {})) if (next) reached.add(next)
  return reached
}
