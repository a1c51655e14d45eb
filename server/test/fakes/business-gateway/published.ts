import type { Answer, Context } from './answers.ts'
import { pdfOf } from './files.ts'
import { listed } from './letters.ts'
import type { Download } from './state.ts'
import { EVERYBODY } from './uploads.ts'

// The published stubs answer by the last three letters of an application's id or reference, and by the ids of their
// documents. Our own ids never end like that.

const MOMENT = new Date('2025-09-05T08:15:01.281Z')
const PRIORITY = '2025-08-27T14:40:35.23071Z'

const document = (code: string, name: string, hash: string): Download => {
  const id = `${code.toLowerCase()}_${hash}`
  return { id, code, name, createdAt: MOMENT, account: EVERYBODY, bytes: pdfOf([name]) }
}
const LETTER = document('LTR', 'LETTER', '6a1756a68fbe29c58fe75e9c7a261dd416692f8a0d916ac63aead8111549')
const CANCELLATION = document(
  'CAN',
  'CANCELLATION LETTER',
  '62523897b09f9a3f380eefd878e7205aac78781cc68383ba79c3b7d42385',
)
const SHEET = document(
  'RCS',
  'REGISTRATION COMPLETION SHEET',
  'efc428e900f2d1501c156e9ec664f2a740749b6689afe61b6bf95440a31a',
)
const REGISTER = document(
  'REG',
  'COPY OF UPDATED REGISTER',
  '7ea12372179f1ae9d80fefec38cb7ff6b42672c49a0c292827434c848038',
)

export const PUBLISHED_DOCUMENTS = [LETTER, CANCELLATION, SHEET, REGISTER]

type Scenario = { status: string; errors?: { type: string; detail: string }[]; documents?: Download[]; type?: string }

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  vng: { status: 'VALIDATING' },
  vlf: {
    status: 'VALIDATION_FAILED',
    errors: [
      { type: 'mdref-on-record', detail: 'MD Ref MD123A does not exist on record' },
      { type: 'lender-name-matches-records', detail: 'MD Ref MD123A not found on record' },
      { type: 'all-mandatory-documents-provided', detail: 'Mandatory documents missing for transactions of type [T]' },
      { type: 'transferee-has-representation-type', detail: 'Transferee must have a representation type' },
    ],
  },
  sye: { status: 'SYSTEM_ERROR' },
  aap: { status: 'ACCEPTED_AWAITING_PRIORITY', documents: [] },
  app: { status: 'ACCEPTED_PRIORITY_PROTECTED', documents: [LETTER], type: 'correspondence-despatched' },
  can: { status: 'CANCELLED', documents: [CANCELLATION], type: 'cancelled' },
  cmp: { status: 'COMPLETED', documents: [LETTER, SHEET, REGISTER], type: 'completed' },
}

const scenarioOf = (id: string) => SCENARIOS[id.slice(-3).toLowerCase()]

export function publishedInformation({ control }: Context, id: string): Answer | undefined {
  const scenario = scenarioOf(id)
  if (!scenario) return undefined
  const { status, errors = [], documents } = scenario
  const isProtected = Boolean(documents?.length)
  const records = documents?.length ? [{ record_id: MOMENT.toISOString(), documents: documents.map(listed) }] : []
  const isGuide = control.dialect === 'guide'
  const data = {
    application_request_id: id.length > 7 ? id : `abababab-abab-abab-abab-ababababa${id.slice(-3).toLowerCase()}`,
    hmlr_reference: documents ? id.slice(-7).toUpperCase() : null,
    priority_timestamp: isProtected ? PRIORITY : null,
    status,
    ...(isGuide ? { correspondence: records } : { correspondences: documents ? records : null }),
    errors,
    warnings: errors.length ? ['Please ensure any relevant evidence is attached.'] : [],
  }
  return { status: 200, body: { data } }
}

/** What the stubs list for a subject: that it was accepted, and what followed. */
export function publishedNotifications(subject: string): Answer | undefined {
  const scenario = scenarioOf(subject)
  if (!scenario?.type || !scenario.documents) return undefined
  const reference = { hmlr_reference: subject.slice(-7).toUpperCase() }
  const notification = (index: number, type: string, data: object) => ({
    notification_id: `50cda861-ba0b-41dc-af9a-4748335d51a${index}`,
    created_datetime: MOMENT.toISOString(),
    event_datetime: MOMENT.toISOString(),
    payload_schema: `https://landregistry.github.io/bgtechdoc/schemas/v1/application/${type}.json`,
    notification_type: `application.${type}`,
    subject_type: 'APPLICATION',
    subject,
    additional_provider_filter: null,
    status: 'NEW',
    payload: { data },
  })
  const { status, documents, type } = scenario
  const accepted = { status: 'ACCEPTED_PRIORITY_PROTECTED', priority: PRIORITY, ...reference }
  const followed = {
    ...(type !== 'correspondence-despatched' && { status }),
    documents: documents.map(listed),
    ...reference,
    application_request_id: subject,
    ...(type === 'completed' && { was_subject_to_early_completion: false }),
  }
  const all = [notification(1, type, followed)]
  if (type !== 'correspondence-despatched') all.unshift(notification(0, 'accepted-priority-protected', accepted))
  return { status: 200, body: { data: all } }
}
