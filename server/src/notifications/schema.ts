import { EVENT_TYPES, type EventType } from '../events/types.ts'
import {
  Answer,
  Closed,
  PAGE_RECORDS_DEFAULT,
  PAGE_RECORDS_MAX,
  Page,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from '../platform/http/schema.ts'

// What goes over the wire about registrations, deliveries and the feed.

const TYPES = Object.keys(EVENT_TYPES) as EventType[]
const SOME_TYPES: EventType[] = ['WORKSPACE_CREATED', 'TITLE_DATA_RECEIVED']

const WebhookUri = (description: string) =>
  Type.String({ minLength: 1, description, examples: ['https://partner.example/hooks/lodgeway'] })

export const RegistrationRequest = Closed(
  {
    webhookURI: WebhookUri(
      'Where events are sent: https, without credentials, to a public address. In the sandbox also http, to loopback.',
    ),
    eventTypes: Type.Array(Type.Enum(TYPES), {
      minItems: 1,
      uniqueItems: true,
      description: 'The events that are sent.',
      examples: [SOME_TYPES],
    }),
  },
  { title: 'NotificationRegistrationRequest' },
)
export type RegistrationRequest = Static<typeof RegistrationRequest>

const registration = {
  registrationId: Uuid(),
  subscriberId: Uuid(),
  webhookURI: WebhookUri('Where events are sent.'),
  eventTypes: Type.Array(Type.Enum(TYPES), { examples: [SOME_TYPES] }),
  sharedSecretExpiry: Timestamp({ description: 'When to have rotated it: `SECRET_EXPIRY` comes before.' }),
  createdAt: Timestamp(),
}

const SharedSecret = Type.String({
  description: 'Signs every delivery (Standard Webhooks). Shown here and never again.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

export const Registration = Answer('NotificationRegistration', registration)
export const NewRegistration = Answer('NewNotificationRegistration', { ...registration, sharedSecret: SharedSecret })
export const RegistrationPage = Page('NotificationRegistrationPage', Registration)

export const RotatedSecret = Answer('RotatedSecret', {
  registrationId: Uuid(),
  sharedSecret: SharedSecret,
  sharedSecretExpiry: Timestamp(),
})

export const RegistrationPath = Type.Object({ registration_id: Uuid() })
export const NotificationPath = Type.Object({ notification_id: Uuid() })

const AttemptAnswer = Answer('NotificationAttempt', {
  at: Timestamp(),
  status: Type.Optional(Type.Integer({ description: 'What the receiver answered.', examples: [503] })),
  durationMs: Type.Integer({ minimum: 0, examples: [87] }),
  response: Type.Optional(Type.String({ description: 'The first 1 KiB of the answer.', examples: ['try later'] })),
  error: Type.Optional(
    Type.String({ description: 'Why there was no answer.', examples: ['The connection was refused.'] }),
  ),
})

export const Notification = Answer('Notification', {
  notificationId: Uuid(),
  registrationId: Uuid(),
  eventId: Uuid({ description: 'The `id` of the payload, and `webhook-id`.' }),
  type: Type.Enum([...TYPES, 'TEST']),
  status: Type.Enum(['PENDING', 'DELIVERED', 'DEAD']),
  nextAttemptAt: Type.Optional(
    Timestamp({ description: 'Left out where none is planned, or while it waits for the one before it.' }),
  ),
  attempts: Type.Array(AttemptAnswer, { description: 'Oldest first.' }),
})
export type Notification = Static<typeof Notification>

export const NotificationPage = Page('NotificationPage', Notification)

export const FeedQuery = Type.Object({
  after: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'The `nextCursor` of an earlier answer. Left out: from the oldest that is kept.',
      examples: ['ZTEwNDI'],
    }),
  ),
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: PAGE_RECORDS_MAX,
      default: PAGE_RECORDS_DEFAULT,
      description: 'How many records at most.',
    }),
  ),
})

const EventAnswer = Answer('Event', {
  id: Uuid(),
  type: Type.Enum(TYPES),
  timestamp: Timestamp(),
  data: Type.Object(
    { workspaceId: Type.Optional(Uuid()), subscriberId: Uuid({ description: 'Who is told.' }) },
    { additionalProperties: { type: 'string' }, description: 'Identifiers only; which, `webhooks` says of each type.' },
  ),
})

export const EventFeed = Answer('EventFeed', {
  records: Type.Array(EventAnswer),
  nextCursor: Type.String({ description: 'Always there: goes into `after`.', examples: ['ZTEwNDI'] }),
})
