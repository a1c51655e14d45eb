import { Id, PathId } from '../events/ids.ts'
import { EVENT_DATA_MAX, EVENT_TYPES, type EventType } from '../events/types.ts'
import {
  Answer,
  Choice,
  Closed,
  Cursor,
  HISTORY_ITEMS_MAX,
  PAGE_RECORDS_MAX,
  Page,
  PageQuery,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { DELIVERY_STATUSES, EVENTLESS_TYPES, REGISTRATION_STATUSES } from './rules.ts'

// What goes over the wire about registrations, deliveries and the feed.

const TYPES = Object.keys(EVENT_TYPES) as EventType[]
const SOME_TYPES: EventType[] = ['WORKSPACE_CREATED', 'TITLE_DATA_RECEIVED']
const URI_CHARACTERS_MAX = 2_048
const RESPONSE_CHARACTERS_MAX = 1_024

const WebhookUri = (description: string) =>
  Type.String({
    minLength: 1,
    'x-contract': { format: 'uri', maxLength: URI_CHARACTERS_MAX, pattern: '^https?://[!-?A-~]+$' },
    description,
    examples: ['https://partner.example/hooks/lodgeway'],
  })

export const RegistrationRequest = Closed(
  {
    webhookURI: WebhookUri(
      'Where events are sent: https, without credentials, to a public address. In the sandbox also http, to loopback.',
    ),
    eventTypes: Type.Array(Choice(TYPES), {
      minItems: 1,
      maxItems: TYPES.length,
      uniqueItems: true,
      description: 'The events that are sent.',
      examples: [SOME_TYPES],
    }),
  },
  { title: 'NotificationRegistrationRequest' },
)
export type RegistrationRequest = Static<typeof RegistrationRequest>

const registration = {
  registrationId: Id.registrationId,
  subscriberId: Uuid({ description: 'Your own: only you see and change it.' }),
  webhookURI: WebhookUri('Where events are sent.'),
  eventTypes: Type.Array(Choice(TYPES), {
    minItems: 1,
    maxItems: TYPES.length,
    uniqueItems: true,
    description: 'The events that are sent.',
    examples: [SOME_TYPES],
  }),
  status: Choice(REGISTRATION_STATUSES, {
    description:
      'An `UNVERIFIED` address is sent challenges and nothing else; its events wait for up to 30 days. It is ' +
      '`VERIFIED` once it answered a `CHALLENGE` with a 2xx whose body is `data.challenge`.',
  }),
  sharedSecretExpiry: Timestamp({ description: 'Rotate the secret before then: `SECRET_EXPIRY` reminds you.' }),
  createdAt: Timestamp({ description: 'Events that happen after it are sent.' }),
}

const SharedSecret = Type.String({
  pattern: '^whsec_[A-Za-z0-9+/]{43}=$',
  description: 'Signs every delivery (Standard Webhooks). Shown here and never again.',
  examples: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSwMfKQ9r8GKYo='],
})

export const Registration = Answer('NotificationRegistration', registration)
export const NewRegistration = Answer('NewNotificationRegistration', { ...registration, sharedSecret: SharedSecret })
export const RegistrationPage = Page('NotificationRegistrationPage', Registration)

export const RotatedSecret = Answer('RotatedSecret', {
  registrationId: Id.registrationId,
  sharedSecret: SharedSecret,
  sharedSecretExpiry: Timestamp({ description: 'Of the new one: 365 days from now.' }),
})

export const RegistrationPath = Type.Object({ registration_id: PathId.registration_id })
export const NotificationPath = Type.Object({ notification_id: PathId.notification_id })

const AttemptAnswer = Answer('NotificationAttempt', {
  at: Timestamp({ description: 'When it was sent.' }),
  status: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 999,
      description: 'What the receiver answered. Any 2xx means delivered; a `CHALLENGE` also needs its answer.',
      examples: [503],
    }),
  ),
  durationMs: Type.Integer({
    minimum: 0,
    description: 'Until the answer was read, or given up after 5 seconds.',
    examples: [87],
  }),
  response: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: RESPONSE_CHARACTERS_MAX,
      description: 'The first 1 KiB of the answer. Left out where it had no body.',
      examples: ['try later'],
    }),
  ),
  error: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Why there was no answer, or what is wrong with the answer to a challenge.',
      examples: ['The connection was refused.'],
    }),
  ),
})

export const Notification = Answer('Notification', {
  notificationId: Uuid({ description: 'One event on its way to one registration.' }),
  registrationId: Id.registrationId,
  eventId: Uuid({ description: 'The `id` of the payload, and `webhook-id`.' }),
  type: Choice([...TYPES, ...EVENTLESS_TYPES], {
    description: 'Of the event; `TEST` or `CHALLENGE` where the delivery has none.',
  }),
  status: Choice(DELIVERY_STATUSES, {
    description: '`DEAD` after the last attempt failed: then it is tried again only when you ask.',
  }),
  nextAttemptAt: Type.Optional(
    Timestamp({ description: 'Left out where none is planned, or while it waits for the one before it.' }),
  ),
  attempts: Type.Array(AttemptAnswer, { maxItems: HISTORY_ITEMS_MAX, description: 'Oldest first.' }),
})
export type Notification = Static<typeof Notification>

export const NotificationPage = Page('NotificationPage', Notification)

export const FeedQuery = Type.Object({
  after: Type.Optional(
    Cursor('The `nextCursor` of an earlier answer. Left out: from the oldest that is kept.', {
      pattern: '^[A-Za-z0-9_-]{1,59}$', // a cursor of version 1.0.0 is shorter
      'x-expected': 'the nextCursor of an earlier answer',
    }),
  ),
  limit: PageQuery.limit,
})

const EventAnswer = Answer('Event', {
  id: Uuid({ description: 'The same as in a webhook, so that you recognise one that you have seen.' }),
  type: Choice(TYPES, { description: 'What happened.' }),
  timestamp: Timestamp({ description: 'When it happened.' }),
  data: Type.Object(
    {
      workspaceId: Type.Optional(Uuid({ description: 'Left out where it concerns no one workspace.' })),
      subscriberId: Uuid({ description: 'The recipient.' }),
    },
    {
      additionalProperties: { type: 'string' },
      maxProperties: EVENT_DATA_MAX,
      description: 'Identifiers only; `webhooks` lists them for each type.',
    },
  ),
})

export const EventFeed = Answer('EventFeed', {
  records: Type.Array(EventAnswer, {
    maxItems: PAGE_RECORDS_MAX,
    description: 'In order, oldest first. Empty where nothing is new.',
  }),
  nextCursor: Cursor('Always there: goes into `after`.'),
})
