// Long because registrations, deliveries and the feed share most of their parts.
import { Id, PathId } from '../events/ids.ts'
import { EVENT_DATA_MAX, EVENT_TYPES, type EventType } from '../events/types.ts'
import {
  Answer,
  Choice,
  Closed,
  Cursor,
  HISTORY_ITEMS_MAX,
  Moment,
  PAGE_RECORDS_MAX,
  Page,
  PageQuery,
  PlainText,
  type Static,
  Timestamp,
  Type,
  Uuid,
} from '../platform/http/schema.ts'
import { DELIVERY_STATUSES, EVENTLESS_TYPES, LISTENERS_MAX, REGISTRATION_STATUSES } from './rules.ts'

// The schemas of registrations, deliveries and the feed.

export const NOTIFICATION_PATH = '/partner/api/notification/v1'

const TYPES = Object.keys(EVENT_TYPES) as EventType[]
const SOME_TYPES: EventType[] = ['WORKSPACE_CREATED', 'TITLE_DATA_RECEIVED']
const URI_CHARACTERS_MAX = 2_048
const RESPONSE_CHARACTERS_MAX = 1_024
const HEADERS_MAX = 20

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
  subscriberId: Uuid({ description: 'Your organisation. Nobody else sees or changes the registration.' }),
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
      'An `UNVERIFIED` address is sent only challenges; its events wait for up to 30 days. It is `VERIFIED` once it ' +
      'answers a `CHALLENGE` with a 2xx whose body is `data.challenge`.',
  }),
  sharedSecretExpiry: Timestamp({ description: 'Rotate the secret before then: `SECRET_EXPIRY` reminds you.' }),
  createdAt: Timestamp({ description: 'Events that happen after this time are sent.' }),
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
  sharedSecretExpiry: Timestamp({ description: 'When the new secret expires: 365 days from now.' }),
})

export const RegistrationPath = Type.Object({ registration_id: PathId.registration_id })
export const NotificationPath = Type.Object({ notification_id: PathId.notification_id })

const AttemptAnswer = Answer('NotificationAttempt', {
  at: Timestamp({ description: 'When it was sent.' }),
  status: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 999,
      description:
        'The status of the response. Any 2xx means delivered; a `CHALLENGE` also needs `data.challenge` as the body.',
      examples: [503],
    }),
  ),
  durationMs: Type.Integer({
    minimum: 0,
    description: 'Until the response was read, or given up after 5 seconds.',
    examples: [87],
  }),
  response: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: RESPONSE_CHARACTERS_MAX,
      description: 'The first 1 KiB of the response. Left out where it had no body.',
      examples: ['try later'],
    }),
  ),
  error: Type.Optional(
    Type.String({
      minLength: 1,
      description: 'Why there was no response, or what is wrong with the response to a challenge.',
      examples: ['The connection was refused.'],
    }),
  ),
})

const DeliveryTypeChoice = (description: string) => Choice([...TYPES, ...EVENTLESS_TYPES], { description })

const notification = {
  notificationId: Uuid({ description: 'One event on its way to one registration.' }),
  registrationId: Id.registrationId,
  eventId: Uuid({ description: 'The `id` of the payload and the header `webhook-id`.' }),
  workspaceId: Type.Optional(Uuid({ description: 'Left out for a delivery that concerns no workspace.' })),
  type: DeliveryTypeChoice('The type of the event, or `TEST` or `CHALLENGE` where there is no event.'),
  status: Choice(DELIVERY_STATUSES, {
    description: '`DEAD` after the last attempt failed. Then it is sent again only when you ask for it.',
  }),
  createdAt: Timestamp({ description: 'When it was planned: the time of the event.' }),
  nextAttemptAt: Type.Optional(
    Timestamp({ description: 'Left out when none is planned, or while it waits for an earlier delivery.' }),
  ),
  attempts: Type.Array(AttemptAnswer, { maxItems: HISTORY_ITEMS_MAX, description: 'Oldest first.' }),
}

export const Notification = Answer('Notification', notification)
export type Notification = Static<typeof Notification>

export const NotificationPage = Page('NotificationPage', Notification)

export const NotificationDetail = Answer('NotificationDetail', {
  ...notification,
  body: Type.String({
    minLength: 2,
    description: 'The body of the request, byte for byte, in UTF-8: what the signature is over.',
    examples: [
      '{"id":"5d3f0c1e-6f8b-4b59-9c1f-0f4f8f0c5a11","type":"TEST","timestamp":"2026-03-14T09:30:00.000Z","data":{}}',
    ],
  }),
  headers: Type.Object(
    {},
    {
      additionalProperties: { type: 'string' },
      maxProperties: HEADERS_MAX,
      description: 'The headers of the last attempt. Empty before it, and for attempts before version 1.1.0.',
      examples: [
        {
          'webhook-id': '5d3f0c1e-6f8b-4b59-9c1f-0f4f8f0c5a11',
          'webhook-timestamp': '1773480600',
          'webhook-signature': 'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
        },
      ],
    },
  ),
  waitsFor: Type.Optional(
    Uuid({ description: 'The delivery of the same workspace and registration that must end before this one is sent.' }),
  ),
  waitingBehind: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    description: 'How many later ones of the same workspace and registration wait for it. At most 1,000 are counted.',
    examples: [3],
  }),
})
export type NotificationDetail = Static<typeof NotificationDetail>

const since = Moment('Planned at this time or later.')
const before = Moment('Planned before this time.')

export const NotificationQuery = Type.Object({
  status: Type.Optional(Choice(DELIVERY_STATUSES, { description: 'Only with this status.' })),
  type: Type.Optional(DeliveryTypeChoice('Only of this type.')),
  registration_id: Type.Optional(Uuid({ description: 'Only to this registration.' })),
  workspace_id: Type.Optional(Uuid({ description: 'Only about this workspace.' })),
  created_since: Type.Optional(since),
  created_before: Type.Optional(before),
  ...PageQuery,
})

export const RetryRequest = Closed(
  {
    status: Type.Optional(
      Choice(['PENDING', 'DEAD'], { description: '`PENDING`: those with their next attempt in the future.' }),
    ),
    type: Type.Optional(DeliveryTypeChoice('Only of this type. Challenges are never among them.')),
    registrationId: Type.Optional(Uuid({ description: 'Only to this registration.' })),
    workspaceId: Type.Optional(Uuid({ description: 'Only about this workspace.' })),
    createdSince: Type.Optional(since),
    createdBefore: Type.Optional(before),
    dryRun: Type.Optional(Type.Boolean({ description: '`true`: count them, and send nothing.', examples: [true] })),
  },
  { title: 'RetryNotificationsRequest', examples: [{ status: 'DEAD', dryRun: true }] },
)

export const Retried = Answer('RetriedNotifications', {
  count: Type.Integer({
    minimum: 0,
    maximum: 1_000,
    description: 'How many are sent again now, or would be with `dryRun`.',
    examples: [12],
  }),
  hasMore: Type.Boolean({ description: 'Whether more match: repeat the request for these.', examples: [false] }),
})

const ListenerName = (description: string) => PlainText(1, 50, { description, examples: ['case-system'] })

export const FeedQuery = Type.Object({
  after: Type.Optional(
    Cursor(
      'The `nextCursor` of an earlier answer, or `now` for what happens from now on. Leave it out to start with the oldest event that is stored.',
      {
        pattern: '^[A-Za-z0-9_-]{1,59}$', // a cursor of version 1.0.0 is shorter
        'x-expected': 'the nextCursor of an earlier answer',
      },
    ),
  ),
  limit: PageQuery.limit,
  listener: Type.Optional(
    ListenerName('A name for the program that reads: `GET …/listeners` shows it, and events can be repeated for it.'),
  ),
})

export const EventPath = Type.Object({ event_id: PathId.event_id })

export const RepeatRequest = Closed(
  { listener: ListenerName('The program that gets it again: a name of `GET …/listeners`.') },
  { title: 'RepeatEventRequest' },
)

export const RepeatAnswer = Answer('RepeatedEvent', {
  eventId: Uuid({ description: 'The event. The program sees the same `id` as before.' }),
  listener: ListenerName('The program that gets it again.'),
})

export const Listeners = Answer('EventListeners', {
  records: Type.Array(
    Answer('EventListener', {
      name: ListenerName('What the program gave as `listener`.'),
      lastSeenAt: Timestamp({ description: 'When it last read, in real time, also in the sandbox.' }),
      isConnected: Type.Boolean({ description: 'Whether that was within the last minute.', examples: [true] }),
    }),
    { maxItems: LISTENERS_MAX, description: 'Those of the last day, the last one first.' },
  ),
})

export const EventAnswer = Answer('Event', {
  id: Uuid({ description: 'The same as in a webhook, so that you can recognise an event that you have already seen.' }),
  type: Choice(TYPES, { description: 'What happened.' }),
  timestamp: Timestamp({ description: 'When it happened.' }),
  data: Type.Object(
    {
      workspaceId: Type.Optional(Uuid({ description: 'Left out for an event that concerns no workspace.' })),
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
    description: 'Oldest first. Empty when nothing is new.',
  }),
  nextCursor: Cursor('Always present. Send it as `after` in the next request.'),
})
