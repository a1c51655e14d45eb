import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type Information, newsOf, refusal, typeOf } from './rules-notices.ts'
import type { Notification, RegistryError, ReplyPart } from './shapes.ts'

const NOW = new Date('2026-06-20T09:00:00Z')
const PROTECTED: Information = {
  status: 'ACCEPTED_PRIORITY_PROTECTED',
  hmlr_reference: 'A123BCD',
  priority_timestamp: '2026-06-02T09:00:00Z',
}
const ACCEPTED = {
  kind: 'accepted',
  noticeId: 'accepted',
  at: new Date('2026-06-02T09:00:00Z'),
  registryReference: 'A123BCD',
  priorityAt: new Date('2026-06-02T09:00:00Z'),
}

const notification = (type: string, day: number, data: Record<string, unknown> = {}): Notification => ({
  notificationId: `${type}-${day}`,
  type: `application.${type}`,
  eventAt: new Date(Date.UTC(2026, 5, day)),
  payload: { data },
})
const listed = (code: string, name: string, download_id: string) => ({
  type: { code, name },
  created_at: '2026-06-05T10:00:00Z',
  download_id,
})
const A_LETTER = listed('LTR', 'LETTER', 'ltr_1')
const LETTER = notification('correspondence-despatched', 5, { documents: [A_LETTER] })
const letterId = LETTER.eventAt.toISOString()
const answered: ReplyPart = { registryId: letterId, part: 'message', begunAt: NOW, endedAt: NOW }

type Facts = { information?: Information; notifications?: Notification[]; replies?: ReplyPart[] }
const news = ({ information = PROTECTED, notifications = [], replies = [] }: Facts) =>
  newsOf({ information, notifications, replies, now: NOW })
const kinds = (facts: Facts) => news(facts).map(({ kind }) => kind)

describe('notices of an application', () => {
  for (const [what, facts, expected] of [
    ['nothing while it is validated', { information: { status: 'VALIDATING' } }, []],
    [
      'nothing while the day list is closed, though it has a reference',
      { information: { status: 'ACCEPTED_AWAITING_PRIORITY', hmlr_reference: 'A123BCD' } },
      [],
    ],
    ['acceptance, without any notification', {}, ['accepted']],
    ['a letter', { notifications: [LETTER] }, ['accepted', 'requisitioned']],
    [
      'a cancellation',
      { information: { ...PROTECTED, status: 'CANCELLED' }, notifications: [notification('cancelled', 6)] },
      ['accepted', 'cancelled'],
    ],
    [
      'nothing of a completion before its notification, which says whether it is early',
      { information: { ...PROTECTED, status: 'COMPLETED' } },
      ['accepted'],
    ],
    [
      'a completion after an answered letter',
      {
        information: { ...PROTECTED, status: 'COMPLETED' },
        notifications: [LETTER, notification('completed', 9)],
        replies: [answered],
      },
      ['accepted', 'requisitioned', 'answer accepted', 'completed'],
    ],
    [
      'a completion after an answered letter and one that nobody answered',
      {
        information: { ...PROTECTED, status: 'COMPLETED' },
        notifications: [LETTER, notification('correspondence-despatched', 7), notification('completed', 9)],
        replies: [answered],
      },
      ['accepted', 'requisitioned', 'requisitioned', 'answer accepted', 'answer accepted', 'completed'],
    ],
    [
      'a failed validation',
      { information: { status: 'VALIDATION_FAILED', errors: [{ detail: 'No.' }] } },
      ['validation failed'],
    ],
  ] as [string, Facts, string[]][]) {
    it(`tell ${what}`, () => assert.deepEqual(kinds(facts), expected))
  }

  it('have the times and the words of the registry, and the same ids each time', () => {
    const sheet = listed('RCS', 'REGISTRATION COMPLETION SHEET', 'rcs_1')
    const late = [listed('XYZ', 'NOTE', 'xyz_1'), { type: { code: 'LTR' } }] // its notification has not come
    const completed = { was_subject_to_early_completion: true, documents: [sheet] }
    const notifications = [LETTER, notification('completed', 9, completed)]
    const correspondences = [{ documents: [A_LETTER] }, { documents: [sheet, ...late] }]
    const facts = { information: { ...PROTECTED, status: 'COMPLETED', correspondences }, notifications }
    assert.deepEqual(news(facts), [
      ACCEPTED,
      {
        kind: 'requisitioned',
        noticeId: `letter ${letterId}`,
        at: LETTER.eventAt,
        registryId: letterId,
        points: [],
        documents: [{ documentId: 'ltr_1', kind: 'LETTER', name: 'LETTER 2026-06-05' }],
      },
      {
        kind: 'answer accepted',
        noticeId: `answer ${letterId}`,
        at: new Date(Date.UTC(2026, 5, 9)),
        registryId: letterId,
      },
      {
        kind: 'completed',
        noticeId: 'completed',
        at: new Date(Date.UTC(2026, 5, 9)),
        early: true,
        documents: [
          { documentId: 'rcs_1', kind: 'COMPLETION_SHEET', name: 'REGISTRATION COMPLETION SHEET 2026-06-05' },
          { documentId: 'xyz_1', kind: 'OTHER', name: 'NOTE 2026-06-05' },
        ],
      },
    ])
    assert.deepEqual(news(facts), news(facts))
  })

  it('have the letter of a cancellation, though its notification has not come', () => {
    const correspondence = [{ documents: [listed('CAN', 'CANCELLATION LETTER', 'can_1')] }]
    const [, cancelled] = news({ information: { ...PROTECTED, status: 'CANCELLED', correspondence } })
    assert.partialDeepStrictEqual(cancelled, { documents: [{ documentId: 'can_1', kind: 'CANCELLATION_LETTER' }] })
  })

  it('take the reference and the priority of a notification where the information has none', () => {
    const data = { hmlr_reference: 'A123BCD', priority: '2026-06-02T09:00:00' }
    const notifications = [notification('accepted-priority-protected', 2, data)]
    assert.deepEqual(news({ information: { status: 'ACCEPTED_PRIORITY_PROTECTED' }, notifications }), [ACCEPTED])
  })

  it('know both names of what was attached', () => {
    const types = ['application.document-success', ' application.attachment-success', 'application.message-failed']
    assert.deepEqual(
      types.map((type) => typeOf({ type })),
      ['attachment-success', 'attachment-success', 'message-failed'],
    )
  })
})

describe('an error of the registry', () => {
  const fieldOf = (error: Omit<RegistryError, 'detail'>) => {
    const notice = refusal([{ detail: 'No.', ...error }], NOW)
    return notice.kind === 'validation failed' ? notice.faults[0]?.field : assert.fail(notice.kind)
  }
  for (const [pointer, type, field] of [
    ['/data/transactions/a-1/details/mdref', 'x', 'mortgageDeedReference'],
    ['#/data/transactions/a-1/details/value', 'x', 'transactionValue'],
    ['/data/transactions/a-1/details/value_band', 'x', 'transactionValue'],
    ['/data/transactions/a-1/details/outstanding_charge', 'x', 'outstandingCharge'],
    ['/data/transactions/a-1/details/title_guarantee_code', 'x', 'titleGuarantee'],
    ['/data/transactions/a-1/details/consideration_description', 'x', 'considerationType'],
    ['/data/transactions/a-1/details', 'declaration-of-trust', 'trustDeclaration'],
    ['/data/transactions/a-1/fee_in_pence', 'x', 'fee'],
    ['/data/titles/title/title_number', 'x', 'titleNumber'],
    ['/data/titles/title/disclosable_overriding_interests', 'x', 'disclosableOverridingInterests'],
    ['/data/documents/f-1/type', 'x', 'documents'],
    ['/data/parties/party-1/representation_type', 'x', 'representations'],
    ['/data/parties/lender/details', 'x', 'lender'],
    ['/data/parties/party-1', 'x', 'parties'],
    ['/data/application_lodger/email', 'x', 'approvedBy'],
    [null, 'mdref-on-record', 'mortgageDeedReference'],
    [null, 'unknown-title-number', 'titleNumber'],
    [undefined, 'CHARGE-FEE', 'fee'],
    ['transactionValue', undefined, 'transactionValue'],
    ['/data/customer_reference', 'x', undefined],
    [null, 'OC018', undefined],
  ] as const) {
    it(`at ${pointer ?? type} is about ${field ?? 'no field of ours'}`, () => {
      assert.equal(fieldOf({ ...(type && { type }), ...(pointer !== undefined && { pointer }) }), field)
    })
  }

  it('without any is reported too', () => {
    assert.partialDeepStrictEqual(refusal([], NOW), { faults: [{ reason: 'The registry gave no reason.' }] })
  })
})
