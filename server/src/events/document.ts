import { Answer, CalendarDate, Timestamp, Type, Uuid } from '../platform/http/schema.ts'
import { Id } from './ids.ts'
import { EVENT_DATA_MAX, EVENT_TYPES, type EventType } from './types.ts'

// Each event in the OpenAPI document: its description, and its identifiers with examples.

const TITLE = ['lodgementCaseId', 'titleId'] as const
const REPRESENTATION = ['representationId', 'partyId'] as const
const CASE = ['lodgementCaseId'] as const
const SCHEDULE = ['financialSettlementScheduleId'] as const
const LINE = [...SCHEDULE, 'lineItemId'] as const
const REQUISITION = ['lodgementCaseId', 'requisitionId'] as const

/** The identifiers of an event in addition to those of every workspace event. */
const IDS: Partial<Record<EventType, readonly (keyof typeof Id)[]>> = {
  TITLE_SEARCH_PENDING: TITLE,
  TITLE_DATA_RECEIVED: TITLE,
  TITLE_NOT_FOUND: TITLE,
  TITLE_REMOVED: TITLE,
  REPRESENTATION_ADDED: REPRESENTATION,
  REPRESENTATION_FAILED: REPRESENTATION,
  REPRESENTATION_UPDATED: REPRESENTATION,
  FILE_UPLOAD_SUCCEEDED: ['fileId'],
  FILE_UPLOAD_FAILED: ['fileId'],
  FILE_WITHDRAWN: ['fileId'],
  LODGEMENT_APPLICATION_UPDATED: ['lodgementCaseId', 'applicationId'],
  READINESS_CONFIRMED: ['confirmationId'],
  LODGEMENT_CASE_PREPARED: CASE,
  LODGEMENT_CASE_UNAPPROVED: CASE,
  FINANCIAL_SETTLEMENT_SCHEDULE_UPDATED: LINE,
  FINANCIAL_SETTLEMENT_SCHEDULE_PREPARED: SCHEDULE,
  FINANCIAL_SETTLEMENT_SCHEDULE_UNAPPROVED: SCHEDULE,
  SETTLEMENT_DUE: SCHEDULE,
  LINE_ITEM_PAID: LINE,
  LINE_ITEM_UNPAID: LINE,
  LODGEMENT_WAITING: CASE,
  REGISTRY_WAITING: CASE,
  LODGEMENT_SUBMITTED: CASE,
  WORKSPACE_LODGED: CASE,
  WORKSPACE_REQUISITIONED: REQUISITION,
  REQUISITION_DUE_SOON: REQUISITION,
  REQUISITION_ANSWERED: REQUISITION,
  REQUISITION_CLOSED: REQUISITION,
  REGISTRY_DOCUMENT_RECEIVED: ['lodgementCaseId', 'fileId'],
  LODGEMENT_REJECTED: CASE,
  LODGEMENT_PARTIALLY_REGISTERED: CASE,
  LODGEMENT_REGISTERED: CASE,
}

const SUBSCRIBER = '10000000-0000-4000-8000-000000000001'

const Recipient = Uuid({ description: 'The subscriber who receives it.', examples: [SUBSCRIBER] })

const OfWorkspace = {
  workspaceId: Id.workspaceId,
  subscriberId: Recipient,
  reference: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 25,
      description: 'The lender’s reference.',
      examples: ['REM-2026-0042'],
    }),
  ),
}

const OF_NO_WORKSPACE = {
  REPORT_GENERATED: {
    subscriberId: Recipient,
    reportName: Type.String({
      minLength: 1,
      description: 'The name of the report, as in the path that retrieves it.',
      examples: ['report-workspacesummary-todate'],
    }),
    reportDate: CalendarDate({
      description: 'The London date that it covers. Send it as `date` to retrieve the report.',
      examples: ['2026-03-13'],
    }),
  },
  SECRET_EXPIRY: {
    subscriberId: Recipient,
    registrationId: Id.registrationId,
    expiresAt: Timestamp({
      description: 'Rotate the secret before this time. Deliveries are signed with it until you do.',
    }),
  },
}

/** The payload of each event type, of a test and of a challenge, for `webhooks` in the document. */
export const webhookSchemas = (): Record<string, object> => ({
  ...Object.fromEntries(Object.entries(EVENT_TYPES).map(([type, says]) => [type, schemaOf(type as EventType, says)])),
  TEST: schemaWith('TEST', 'A test that you requested with `POST …/test`.', {
    subscriberId: Recipient,
    registrationId: Id.registrationId,
  }),
  CHALLENGE: schemaWith('CHALLENGE', CHALLENGE, {
    subscriberId: Recipient,
    registrationId: Id.registrationId,
    challenge: Challenge,
  }),
})

const Challenge = Type.String({
  minLength: 1,
  description: 'Return it as the body of your response.',
  examples: ['6mGJ2zvNfmpZ1oFhRj8w1q0RkJm3cQyq1m2m8m0m8mE'],
})

/** The body that a receiver must return. */
export const webhookAnswers = { CHALLENGE: Challenge }

const CHALLENGE =
  'Checks that the address wants the deliveries. Sent when a webhook is registered, when its `webhookURI` changes and ' +
  'by `POST …/test` until it is verified. Check the signature, then answer with a 2xx whose body is `data.challenge`.'

function schemaOf(type: EventType, description: string): object {
  if (type === 'REPORT_GENERATED' || type === 'SECRET_EXPIRY') {
    return schemaWith(type, description, OF_NO_WORKSPACE[type])
  }
  const ids = Object.fromEntries((IDS[type] ?? []).map((name) => [name, Type.Optional(Id[name])]))
  return schemaWith(type, description, { ...OfWorkspace, ...ids })
}

function schemaWith(type: string, description: string, data: Parameters<typeof Type.Object>[0]): object {
  const words = type.split('_').map((word) => word.charAt(0) + word.slice(1).toLowerCase())
  return Answer(
    `${words.join('')}Event`,
    {
      id: Uuid({ description: 'The same as the header `webhook-id` and as in the feed.' }),
      type: Type.Literal(type, { description: 'What happened.' }),
      timestamp: Timestamp({ description: 'When it happened.' }),
      data: Type.Object(data, {
        additionalProperties: { type: 'string' },
        maxProperties: EVENT_DATA_MAX,
        description: 'Identifiers only.',
      }),
    },
    { description },
  )
}
