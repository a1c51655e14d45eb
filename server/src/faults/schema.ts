import { Id } from '../events/ids.ts'
import { Answer, Choice, Closed, Text, Timestamp, Type, Uuid } from '../platform/http/schema.ts'
import { DELAY_MS_MAX, FAULT_KINDS, METHODS, RETRY_AFTER_SECONDS_MAX } from './rules.ts'
import { DELIVERY_KINDS } from './rules-deliveries.ts'

const FAULTS_MAX = 20
const OPERATIONS_MAX = 100
const SECONDS_MAX = 3_600
export const SECONDS_DEFAULT = 300

const fault = {
  kind: Choice(FAULT_KINDS, {
    description:
      '`UNAVAILABLE` answers 503, `TOO_MANY` 429, `EXPIRED_TOKEN` 401 to this and every later request with the same ' +
      'token. `DELAY` waits first. `LOST_ANSWER` does the work and closes the connection without an answer. `NEW_FIELD` ' +
      'and `NEW_VALUE` answer as a future version might. `DUPLICATE_WEBHOOK` delivers an event twice, ' +
      '`REORDERED_WEBHOOK` after the next one of its workspace.',
  }),
  share: Type.Optional(
    Type.Number({
      minimum: 0,
      maximum: 1,
      default: 1,
      description: 'The share of requests or deliveries that meet it.',
      examples: [0.2],
    }),
  ),
  times: Type.Optional(Type.Integer({ minimum: 1, maximum: 10_000, description: 'How often at most.', examples: [1] })),
  operations: Type.Optional(
    Type.Array(Type.String({ minLength: 1 }), {
      minItems: 1,
      maxItems: OPERATIONS_MAX,
      description: 'Only these `operationId`s. `issueToken` meets a fault only where it is named here.',
      examples: [['getWorkspace']],
    }),
  ),
  methods: Type.Optional(
    Type.Array(Choice(METHODS), {
      minItems: 1,
      maxItems: METHODS.length,
      description: 'Only these methods.',
      examples: [['POST']],
    }),
  ),
  retryAfterSeconds: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: RETRY_AFTER_SECONDS_MAX,
      default: 1,
      description: '`Retry-After` of a 429 or 503.',
      examples: [2],
    }),
  ),
  delayMs: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: DELAY_MS_MAX,
      default: 1_000,
      description: 'How long a `DELAY` is, in milliseconds.',
      examples: [2_000],
    }),
  ),
  field: Type.Optional(
    Text(1, 100, {
      default: 'status',
      description: 'The field that gets a `NEW_VALUE`, wherever the answer has it.',
      examples: ['status'],
    }),
  ),
}

export const FaultsPath = Type.Object({
  client_id: Type.String({
    minLength: 1,
    maxLength: 255,
    description: 'The client whose requests meet the faults. Webhooks are those of its subscriber.',
    examples: ['sandbox-law-firm'],
  }),
})

const Seed = Type.Integer({
  minimum: 0,
  maximum: 2_147_483_647,
  default: 1,
  description: 'Decides with `share` which requests meet a fault: the same seed, the same ones.',
  examples: [1],
})

const EXAMPLE = { kind: 'TOO_MANY', share: 0.5, retryAfterSeconds: 2 }

export const FaultsRequest = Closed(
  {
    faults: Type.Array(Closed(fault, { title: 'FaultRequest', examples: [EXAMPLE] }), {
      minItems: 1,
      maxItems: FAULTS_MAX,
      description: 'They are tried in this order. A request that is refused, or whose answer is lost, meets no other.',
    }),
    seed: Type.Optional(Seed),
    seconds: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: SECONDS_MAX,
        default: SECONDS_DEFAULT,
        description: 'After this time they end by themselves, in real time.',
        examples: [600],
      }),
    ),
  },
  { title: 'FaultsRequest', examples: [{ faults: [EXAMPLE], seconds: 600 }] },
)

const count = (description: string, example: number) => Type.Integer({ minimum: 0, description, examples: [example] })

const CountedFault = Answer(
  'InjectedFault',
  {
    ...fault,
    seen: count('How many requests or deliveries it could have met.', 12),
    injected: count('How many it met.', 6),
  },
  { examples: [{ ...EXAMPLE, seen: 12, injected: 6 }] },
)

export const FaultsAnswer = Answer('FaultsAnswer', {
  clientId: Type.String({ minLength: 1, description: 'The client.', examples: ['sandbox-law-firm'] }),
  seed: Seed,
  endsAt: Timestamp({ description: 'When they end by themselves, in real time.' }),
  faults: Type.Array(CountedFault, { minItems: 1, maxItems: FAULTS_MAX, description: 'In the order of the request.' }),
})

export const FaultsList = Answer('FaultsList', {
  records: Type.Array(FaultsAnswer, { maxItems: 1_000, description: 'The faults in force, by client.' }),
})

const Kind = Choice(DELIVERY_KINDS, {
  description:
    '`UNSIGNED` has no signature, `FORGED` one by another secret, `ALTERED` a body that was changed after it was signed, ' +
    '`STALE` was signed ten minutes ago. `REPLAYED` is the last event that was delivered, once more. `NEW_TYPE` has a ' +
    'type and a field that no version knows.',
})

export const TestDeliveryRequest = Closed(
  { registrationId: Id.registrationId, kind: Kind },
  {
    title: 'TestDeliveryRequest',
    examples: [{ registrationId: 'c2b6b8e0-6d8e-4d5b-9a0c-2f6f5f0e7a11', kind: 'FORGED' }],
  },
)

export const TestDeliveryAnswer = Answer('TestDeliveryAnswer', {
  kind: Kind,
  eventId: Uuid({ description: 'The `webhook-id` that was sent.' }),
  expected: Choice(['REFUSED', 'ACCEPTED'], { description: 'What a receiver should do: answer 4xx, or 2xx.' }),
  isAsExpected: Type.Boolean({ description: 'Whether it did.', examples: [true] }),
  at: Timestamp({ description: 'When it was sent, in real time.' }),
  durationMs: Type.Integer({ minimum: 0, description: 'Until the answer was read.', examples: [12] }),
  status: Type.Optional(
    Type.Integer({
      minimum: 100,
      maximum: 999,
      description: 'What the receiver answered. A 208 to a `REPLAYED` event shows that it recognised the `webhook-id`.',
      examples: [400],
    }),
  ),
  response: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 1_024,
      description: 'The first 1 KiB of its answer.',
      examples: ['unsigned'],
    }),
  ),
  error: Type.Optional(
    Type.String({ minLength: 1, description: 'Why there was no answer.', examples: ['The connection was refused.'] }),
  ),
})
