// Long because every way that a case can go at the registry is gone here.
import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ACTOR, AT, aPreparedMatter, lives } from '../../test/fixtures/matter.ts'
import { aRegister } from '../../test/fixtures/registry.ts'
import { answerRequisition, meetDeadline, receiveNotice } from '../lodgement/rules-registry.ts'
import type { Lodgement, Notice, NoticeContent } from '../registry/lodgement.ts'
import { eventsOf } from './events.ts'
import type { Change, Matter } from './matter.ts'

const COPY = { register: aRegister({ titleNumber: 'ST500678' }), officialCopyAt: AT }
const DOCUMENT = {
  ...COPY,
  titleDocumentId: 'd',
  documentType: 'TITLE_INFORMATION_DOCUMENT',
  sha256: 'aa',
  size: 1,
} as const

/** A case that was approved and whose money has moved, and which is to be sent. */
function anExchangedOne(): Matter {
  const { lodgementCase, schedule, workspace, ...matter } = aPreparedMatter('FUNDS_AUTHORISED')
  const approvedBy = 'sam@harbour.example'
  const submission = { submissionId: 'first', kind: 'CASE', approvedBy, content: null, sentAt: null, seen: [] } as const
  return {
    ...matter,
    workspace: { ...workspace, status: 'FUNDS_EXCHANGED' },
    lodgementCase: { ...lodgementCase, approvedBy: 'sam@harbour.example' },
    schedule: { ...schedule, status: 'SETTLED' },
    submissions: [submission],
  }
}

const newest = ({ submissions }: Matter) => submissions.at(-1)?.submissionId ?? ''
const noticeOf = (said: NoticeContent, matter: Matter): Notice => ({
  ...said,
  noticeId: `n-${matter.notices.length}`,
  at: AT,
})

const hearing =
  (said: NoticeContent) =>
  (matter: Matter): Change[] => {
    const made = { requisitionId: `r-${matter.requisitions.length}`, documents: 'copy' in said ? [DOCUMENT] : [] }
    return receiveNotice(matter, newest(matter), noticeOf(said, matter), made)
  }

const CONTENT = { submittedBy: 'sam@harbour.example' } as Lodgement
const STEPS = {
  sent: (matter) => [{ kind: 'case sent', submissionId: newest(matter), content: CONTENT }],
  accepted: hearing({ kind: 'accepted', registryReference: 'A123BCD', priorityAt: AT }),
  refused: hearing({
    kind: 'validation failed',
    faults: [
      { field: 'x', reason: 'y.' },
      { field: 'z', reason: 'w.' },
    ],
  }),
  asked: (matter) =>
    hearing({ kind: 'requisitioned', registryId: `${matter.requisitions.length}`, points: [] })(matter),
  answered: (matter) => answerRequisition(matter, { message: 'So.', fileIds: [] }, []),
  'answer accepted': (matter) =>
    hearing({ kind: 'answer accepted', registryId: matter.requisitions.at(-1)?.registryId ?? '' })(matter),
  lapsed: (matter) => {
    const { requisitionId = '' } = matter.requisitions.at(-1) ?? {}
    return meetDeadline(matter, { workspaceId: 'w', requisitionId, businessDaysLeft: 0 })
  },
  cancelled: hearing({ kind: 'cancelled', reason: 'Too late.' }),
  completed: hearing({ kind: 'completed', early: false, copy: COPY }),
  'completed early': hearing({ kind: 'completed', early: true, copy: COPY }),
  discharged: hearing({ kind: 'discharged', copy: COPY }),
  'discharged electronically': (matter) => {
    const notice = noticeOf({ kind: 'discharged', copy: COPY }, matter)
    return receiveNotice(matter, 'first', notice, { requisitionId: 'r', documents: [] })
  },
  approved: () => [{ kind: 'case approved', approvedBy: 'sam@harbour.example' }],
} as const satisfies Record<string, (matter: Matter) => Change[]>

type Step = [what: keyof typeof STEPS, left: string, types: string[]]

const SENT: Step = ['sent', 'FUNDS_EXCHANGED INITIATED SUBMITTED SUBMITTED', ['LODGEMENT_SUBMITTED']]
const ACCEPTED: Step = ['accepted', 'LODGED LODGED LODGED LODGED', ['WORKSPACE_LODGED']]
const ASKED: Step = ['asked', 'REQUISITIONED REQUISITIONED REQUISITIONED REQUISITIONED', ['WORKSPACE_REQUISITIONED']]
const ANSWERED: Step = [
  'answered',
  'REQUISITIONED REQUISITION_SUBMITTED REQUISITIONED REQUISITIONED',
  ['REQUISITION_ANSWERED'],
]
const REJECTED = 'FUNDS_EXCHANGED REGISTRATION_REJECTED REJECTED REJECTED'

const EARLY: Step = [
  'completed early',
  'LODGED PARTIALLY_REGISTERED REGISTERED REJECTED',
  ['LODGEMENT_PARTIALLY_REGISTERED'],
]
const DISCHARGE_APPROVED: Step = [
  'approved',
  'LODGED DISCHARGE_SUBMITTED REGISTERED APPROVED',
  ['LODGEMENT_CASE_PREPARED'],
]
const DISCHARGE_SENT: Step = ['sent', 'LODGED DISCHARGE_SUBMITTED REGISTERED SUBMITTED', ['LODGEMENT_SUBMITTED']]
const DISCHARGED = 'CLOSED REGISTERED REGISTERED REGISTERED'
const CLOSED = ['LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED']

const LIVES: Record<string, Step[]> = {
  'through an early completion, with a discharge of its own': [
    SENT,
    ACCEPTED,
    EARLY,
    DISCHARGE_APPROVED,
    DISCHARGE_SENT,
    ['discharged', DISCHARGED, CLOSED],
  ],
  'through an early completion, with a discharge that is refused and sent again, and an electronic one that is quicker':
    [
      SENT,
      ACCEPTED,
      EARLY,
      DISCHARGE_APPROVED,
      DISCHARGE_SENT,
      ['refused', 'LODGED PARTIALLY_REGISTERED REGISTERED REJECTED', ['LODGEMENT_REJECTED']],
      DISCHARGE_APPROVED,
      DISCHARGE_SENT,
      ['discharged electronically', DISCHARGED, CLOSED],
    ],
  'to its registration': [
    SENT,
    ACCEPTED,
    ['completed', 'CLOSED REGISTERED REGISTERED REGISTERED', ['LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED']],
  ],
  'through an early completion, whose discharge follows': [
    SENT,
    ACCEPTED,
    EARLY,
    ['discharged', 'CLOSED REGISTERED REGISTERED REGISTERED', ['LODGEMENT_REGISTERED', 'WORKSPACE_CLOSED']],
  ],
  'through two requisitions': [
    SENT,
    ACCEPTED,
    ASKED,
    ANSWERED,
    ASKED,
    ANSWERED,
    ['answer accepted', 'LODGED LODGED LODGED LODGED', ['WORKSPACE_LODGED']],
  ],
  'to a deadline that passed': [SENT, ACCEPTED, ASKED, ['lapsed', REJECTED, ['LODGEMENT_REJECTED']]],
  'to a cancellation while an answer is considered': [
    SENT,
    ACCEPTED,
    ASKED,
    ANSWERED,
    ['cancelled', REJECTED, ['LODGEMENT_REJECTED']],
  ],
  'through a failed validation to the next submission': [
    SENT,
    ['refused', REJECTED, ['LODGEMENT_REJECTED']],
    ['approved', 'FUNDS_EXCHANGED RESUBMISSION_PREPARED APPROVED APPROVED', ['LODGEMENT_CASE_PREPARED']],
    SENT,
  ],
}

/** The matter after these, one after the other. */
const after = (...steps: (keyof typeof STEPS)[]): Matter =>
  steps.reduce((matter, step) => lives(matter, ...STEPS[step](matter)).left, anExchangedOne())

describe('a case at the registry', () => {
  for (const [what, steps] of Object.entries(LIVES)) {
    it(`takes applications and workspace along, and publishes it: ${what}`, () => {
      let matter = anExchangedOne()
      for (const [step, expected, types] of steps) {
        const lived = lives(matter, ...STEPS[step](matter))
        matter = lived.left
        const { workspace, lodgementCase, applications } = matter
        const statuses = [workspace.status, lodgementCase.status, ...applications.map(({ status }) => status)]
        assert.equal(statuses.join(' '), expected, step)
        assert.deepEqual(lived.types, types, step)
      }
    })
  }

  it('refuses what cannot happen', () => {
    const notice = noticeOf({ kind: 'completed', early: false, copy: COPY }, anExchangedOne())
    const completed = {
      kind: 'notice received',
      submissionId: 'first',
      event: 'completed',
      notice,
      documents: [],
    } as Change
    assert.throws(() => lives(anExchangedOne(), completed), { reason: 'conflict', message: /PREPARED/ })
  })

  it('keeps what was sent, voids the reference of an earlier sending, and forgets who changed the case', () => {
    const { lodgementCase, applications, submissions } = after('sent', 'accepted', 'cancelled', 'approved', 'sent')
    const { registryReference, priorityAt, lodgedAt, changedBy, changedByUser } = lodgementCase
    assert.deepEqual([registryReference, priorityAt, lodgedAt, changedBy, changedByUser], [null, null, null, [], null])
    for (const { submittedAt, submittedBy } of applications) {
      assert.deepEqual([submittedAt, submittedBy], [AT, 'sam@harbour.example'])
    }
    assert.deepEqual(
      submissions.map(({ content, sentAt }) => [content, sentAt]),
      [
        [CONTENT, AT],
        [CONTENT, AT],
      ],
    )
  })

  it('has the day of registration, and of the discharge with it unless the completion is early', () => {
    const facts = ({ lodgementCase }: Matter) => {
      const { registryReference, lodgedAt, registeredAt, earlyCompletion, dischargeRegisteredAt } = lodgementCase
      return [registryReference, lodgedAt, registeredAt, earlyCompletion, dischargeRegisteredAt]
    }
    const completed = after('sent', 'accepted', 'completed')
    assert.deepEqual(facts(completed), ['A123BCD', AT, AT, false, AT])
    assert.partialDeepStrictEqual(completed.titleDocuments, [{ ...DOCUMENT, titleId: 't', createdAt: AT }])
    assert.deepEqual(facts(after('sent', 'accepted', 'completed early')), ['A123BCD', AT, AT, true, null])
    assert.deepEqual(facts(after('sent', 'accepted', 'completed early', 'discharged')), ['A123BCD', AT, AT, true, AT])
  })

  it('keeps the registration when a discharge is sent on its own, and says why that was refused', () => {
    const submitted = after('sent', 'accepted', 'completed early', 'approved', 'sent')
    const { registryReference, lodgedAt, registeredAt, changedBy } = submitted.lodgementCase
    assert.deepEqual([registryReference, lodgedAt, registeredAt, changedBy], ['A123BCD', AT, AT, []])
    assert.equal(submitted.submissions.at(-1)?.kind, 'DISCHARGE')
    const refused = lives(submitted, ...STEPS.cancelled(submitted)).left
    const message = 'The registry cancelled the discharge: Too late.'
    assert.deepEqual(refused.lodgementCase.rejection, { at: AT, reason: 'CANCELLED_BY_REGISTRY', message })
    const discharged = lives(refused, ...STEPS['discharged electronically'](refused)).left
    assert.deepEqual([discharged.lodgementCase.rejection, discharged.lodgementCase.dischargeRegisteredAt], [null, AT])
    for (const step of ['accepted', 'asked', 'completed'] as const) {
      assert.deepEqual(lives(submitted, ...STEPS[step](submitted)).kinds, ['notice overtaken'], step)
    }
  })

  it('keeps an answer with who gave it, and lets an open requisition lapse with the case', () => {
    const [answered] = after('sent', 'accepted', 'asked', 'answered').requisitions
    assert.partialDeepStrictEqual(answered, { status: 'ANSWERED', answer: 'So.', answeredBy: ACTOR.actingUser })
    for (const end of ['lapsed', 'cancelled'] as const) {
      assert.equal(after('sent', 'accepted', 'asked', end).requisitions[0]?.status, 'LAPSED', end)
    }
    const cancelled = after('sent', 'accepted', 'asked', 'answered', 'cancelled')
    assert.equal(cancelled.requisitions[0]?.status, 'ANSWERED')
  })

  it('accepts an answer in its requisition; one that was followed by another question stays answered', () => {
    const statuses = after('sent', 'accepted', 'asked', 'answered', 'asked', 'answered', 'answer accepted').requisitions
    assert.deepEqual(
      statuses.map(({ status }) => status),
      ['ANSWERED', 'ACCEPTED'],
    )
  })

  const REJECTIONS: [steps: (keyof typeof STEPS)[], rejection: object][] = [
    [
      ['refused'],
      { reason: 'VALIDATION_FAILED', field: 'x', message: "The registry's validation failed at x: y. z: w." },
    ],
    [
      ['accepted', 'cancelled'],
      { reason: 'CANCELLED_BY_REGISTRY', message: 'The registry cancelled the case: Too late.' },
    ],
    [
      ['accepted', 'asked', 'lapsed'],
      {
        reason: 'REQUISITION_LAPSED',
        message: 'The requisition was not answered by 29 June 2026 at 10:00, when its answer was due.',
      },
    ],
  ]
  for (const [steps, rejection] of REJECTIONS) {
    it(`has its rejection until it is sent again: ${steps.at(-1)}`, () => {
      const rejected = after('sent', ...steps)
      assert.deepEqual(rejected.lodgementCase.rejection, { at: AT, ...rejection })
      const approved = after('sent', ...steps, 'approved')
      assert.deepEqual(approved.lodgementCase.rejection, { at: AT, ...rejection })
      assert.equal(after('sent', ...steps, 'approved', 'sent').lodgementCase.rejection, null)
    })
  }

  it('records a notice that was overtaken, and changes nothing else', () => {
    const matter = after('sent', 'accepted')
    const { kinds, types, left } = lives(matter, ...STEPS.refused(matter))
    assert.deepEqual([kinds, types, left.notices.length], [['notice overtaken'], [], 2])
    assert.equal(left.lodgementCase, matter.lodgementCase)
  })

  it('gives ids and a sentence to the event of the case, and not to that of the workspace', () => {
    const matter = after('sent', 'accepted', 'completed early')
    const [discharged] = STEPS.discharged(matter)
    assert.ok(discharged)
    const [registered, closed] = eventsOf(discharged, matter)
    assert.deepEqual(registered?.data, { lodgementCaseId: 'c' })
    assert.match(registered?.message ?? '', /discharge is registered/)
    assert.deepEqual(closed, { type: 'WORKSPACE_CLOSED' })
  })
})
