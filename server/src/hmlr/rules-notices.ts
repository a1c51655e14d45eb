import type { RegistryDocument } from '../registry/documents.ts'
import type { Notice } from '../registry/lodgement.ts'
import type { OfficialCopy } from '../registry/register.ts'
import { documentsListed } from './documents.ts'
import { momentOf } from './extract.ts'
import type { Notification, RegistryError, ReplyPart } from './shapes.ts'

// What the gateway tells of an application, as our notices. Pure.

/** The application as the gateway holds it: the truth, whatever notifications came. */
export type Information = {
  status: string
  hmlr_reference?: string | null
  priority_timestamp?: string | null
  errors?: RegistryError[] | null
  /** Guide and contract name it differently. */
  correspondence?: Correspondence
  correspondences?: Correspondence
}

type Correspondence = { documents?: unknown }[] | null

/** A completion for which no copy of the register was fetched yet. */
export type News =
  | Notice
  | (Omit<Extract<Notice, { kind: 'completed' }>, 'early' | 'copy'> & { early: boolean | undefined })

/** Guide and stubs call some by different names. The same event may come several times, and in any order. */
const TYPES: Readonly<Record<string, string>> = {
  'document-success': 'attachment-success',
  'document-failed': 'attachment-failed',
}

export const typeOf = ({ type }: Pick<Notification, 'type'>): string => {
  const name = type.trim().replace(/^application\./, '')
  return TYPES[name] ?? name
}

type Known = {
  information: Information
  notifications: readonly Notification[]
  replies: readonly ReplyPart[]
  now: Date
}

/** In the order in which they happened. Each has the same id whenever it is read. */
export function newsOf({ information, notifications, replies, now }: Known): News[] {
  const eventsOf = (type: string) => notifications.filter((one) => typeOf(one) === type)
  const atOf = (type: string) => eventsOf(type)[0]?.eventAt ?? now
  const { status } = information
  if (status === 'VALIDATION_FAILED') return [refusal(information.errors ?? [], atOf('validation-failed'))]
  const accepted = acceptance(information, eventsOf('accepted-priority-protected')[0])
  if (!accepted) return []
  const letters = eventsOf('correspondence-despatched').map((one): Notice => {
    const registryId = one.eventAt.toISOString()
    return {
      kind: 'requisitioned',
      noticeId: `letter ${registryId}`,
      at: one.eventAt,
      registryId,
      points: [],
      documents: documentsOf(one),
    }
  })
  return [accepted, ...letters, ...endOf(information, eventsOf, atOf, replies)]
}

function endOf(
  information: Information,
  eventsOf: (type: string) => Notification[],
  atOf: (type: string) => Date,
  replies: readonly ReplyPart[],
): News[] {
  const { status } = information
  const documents = documentsAtEnd(information, eventsOf)
  const [cancelled] = eventsOf('cancelled')
  if (status === 'CANCELLED' || (cancelled && status !== 'COMPLETED')) {
    return [{ kind: 'cancelled', noticeId: 'cancelled', at: atOf('cancelled'), reason: CANCELLED, documents }]
  }
  const [completed] = eventsOf('completed')
  if (!completed) return []
  const at = completed.eventAt
  const early = dataOf(completed)['was_subject_to_early_completion']
  return [
    ...answersAccepted(eventsOf('correspondence-despatched'), replies, at),
    { kind: 'completed', noticeId: 'completed', at, early: typeof early === 'boolean' ? early : undefined, documents },
  ]
}

const CANCELLED = 'The registry cancelled the application. Its letter has the reasons.'

/**
 * The registry does not say that it accepts an answer, or needs none: it goes on. So it did with every letter since the
 * last that was answered.
 */
function answersAccepted(letters: readonly Notification[], replies: readonly ReplyPart[], at: Date): Notice[] {
  const ids = letters.map(({ eventAt }) => eventAt.toISOString())
  const answeredIds = new Set(replies.map(({ registryId }) => registryId))
  const answered = ids.findLastIndex((id) => answeredIds.has(id))
  return ids
    .slice(Math.max(answered, 0))
    .toReversed()
    .map((registryId) => ({ kind: 'answer accepted', noticeId: `answer ${registryId}`, at, registryId }))
}

function acceptance(information: Information, notification: Notification | undefined): Notice | undefined {
  const data = notification ? dataOf(notification) : {}
  const reference = information.hmlr_reference ?? data['hmlr_reference']
  const priorityAt = momentOf(information.priority_timestamp ?? textIn(data, 'priority'))
  if (typeof reference !== 'string' || !priorityAt) return undefined
  return { kind: 'accepted', noticeId: 'accepted', at: priorityAt, registryReference: reference, priorityAt }
}

const textIn = (data: Record<string, unknown>, name: string) =>
  typeof data[name] === 'string' ? data[name] : undefined

const dataOf = ({ payload }: Notification) => (payload['data'] ?? payload) as Record<string, unknown>

/** What a letter asks for, only a person can read in it. */
const documentsOf = (notification: Notification): RegistryDocument[] =>
  documentsListed(dataOf(notification)['documents'])

/** All that came with no letter before. After the end nobody asks again, so a late notification must not matter. */
function documentsAtEnd(
  { correspondence, correspondences }: Information,
  eventsOf: (type: string) => Notification[],
): RegistryDocument[] {
  const records = [...(correspondence ?? []), ...(correspondences ?? [])]
  const all = [
    ...[...eventsOf('cancelled'), ...eventsOf('completed')].flatMap(documentsOf),
    ...records.flatMap(({ documents }) => documentsListed(documents)),
  ]
  const letters = new Set(
    eventsOf('correspondence-despatched')
      .flatMap(documentsOf)
      .map(({ documentId }) => documentId),
  )
  const others = all.filter(({ documentId }) => !letters.has(documentId))
  return [...new Map(others.map((one) => [one.documentId, one])).values()]
}

export const refusal = (errors: readonly RegistryError[], at: Date): Notice => ({
  kind: 'validation failed',
  noticeId: 'validation failed',
  at,
  faults: errors.length ? errors.map(faultOf) : [{ reason: 'The registry gave no reason.' }],
})

/** Parts of a pointer into what was sent, and the field of ours that each is about. The first that is found counts. */
const FIELDS: readonly [part: RegExp, field: string][] = [
  [/\bmdref\b/, 'mortgageDeedReference'],
  [/\bfee_in_pence\b/, 'fee'],
  [/\/details\/value/, 'transactionValue'],
  [/\boutstanding_charge\b/, 'outstandingCharge'],
  [/\btitle_guarantee_code\b/, 'titleGuarantee'],
  [/\bconsideration_/, 'considerationType'],
  [/\btrust_/, 'trustDeclaration'],
  [/\/details\/date\b/, 'completionDate'],
  [/\bdocuments\b/, 'documents'],
  [/\bdisclosable_overriding_interests\b/, 'disclosableOverridingInterests'],
  [/^\/?data\/titles\b/, 'titleNumber'],
  [/\b(representation_type|other_conveyancer|identity_evidence_type)\b/, 'representations'],
  [/^\/?data\/parties\/lender\b/, 'lender'],
  [/^\/?data\/parties\b/, 'parties'],
  [/\bapplication_lodger\/email\b/, 'approvedBy'],
]

/** The field of each validation whose error may come without a pointer. */
const FIELDS_OF_TYPES: Readonly<Record<string, string>> = {
  'mdref-on-record': 'mortgageDeedReference',
  'lender-name-matches-records': 'lender',
  'all-mandatory-documents-provided': 'documents',
  'document-valid': 'documents',
  'charge-must-have-non-negative-value': 'transactionValue',
  'charge-fee': 'fee',
  'unknown-title-number': 'titleNumber',
  'title-must-be-valid': 'titleNumber',
  'all-proprietors-matched-to-borrowers': 'parties',
  'all-proprietors-matched-to-transferors': 'parties',
  'consideration-type-is-valid': 'considerationType',
  'declaration-of-trust': 'trustDeclaration',
  'full-value-of-property-or-band-is-valid': 'transactionValue',
  'party-representation-type-is-valid': 'representations',
  'required-identity-evidence-provided': 'documents',
  'di-form-required': 'disclosableOverridingInterests',
}

/** With our own field where the pointer or the type leads to one, and in the registry's words. */
function faultOf({ type, detail, pointer }: RegistryError): { field?: string; reason: string } {
  const path = (pointer ?? '').replace(/^#/, '')
  const isOurs = path !== '' && !path.includes('/')
  const field = isOurs
    ? path
    : (FIELDS.find(([part]) => part.test(path))?.[1] ?? FIELDS_OF_TYPES[(type ?? '').trim().toLowerCase()])
  return { ...(field && { field }), reason: detail }
}

/** Charges from before the completion that the registry has not discharged. */
export const hasOldCharge = ({ register }: OfficialCopy, completedOn: string): boolean =>
  register.charges.some(({ dated }) => dated < completedOn)

/** Whether a submission is the discharge that an early completion left open, sent on its own. */
export function isDischargeAlone(body: unknown): boolean {
  const { data } = body as { data: { transactions: Record<string, { type: string }> } }
  return Object.values(data.transactions).every(({ type }) => type === 'DIS')
}
