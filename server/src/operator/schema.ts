import { DECISIONS, SUBSCRIBER_KINDS } from '../auth/store.ts'
import { CalendarDate, Choice, Closed, PlainText, Type, Uuid } from '../platform/http/schema.ts'
import { LOG_HOURS_MAX } from '../requests/rules.ts'

// The requests of operators. What they get is not part of openapi.json: only the console reads it.

const NAME_CHARACTERS_MAX = 254
const LIST_ITEMS_MAX = 1_000

const Id = Type.String({ minLength: 1, maxLength: 255 })
const Words = Type.Array(Type.String({ maxLength: 255 }), { maxItems: LIST_ITEMS_MAX })

export const SubscriberPath = Closed({ subscriber_id: Uuid() })
export const ClientPath = Closed({ client_id: Id })
export const PersonPath = Closed({ person_id: Uuid() })

export const MaintenanceRequest = Closed({ enabled: Type.Boolean() })

/** The filter of dead jobs. Without any, all of them. */
const DEAD_FILTER = { job: Type.Optional(Id), error: Type.Optional(Id), correlation_id: Type.Optional(Id) }
export const DeadJobsQuery = Closed(DEAD_FILTER)
/** One, or all that match. */
export const RetryRequest = Closed({ id: Type.Optional(Uuid()), ...DEAD_FILTER })

export const NewSubscriberRequest = Closed({
  name: PlainText(1, NAME_CHARACTERS_MAX),
  kind: Choice(SUBSCRIBER_KINDS),
  fourEyes: Type.Boolean(),
  reports: Type.Boolean(),
})
export const StatusRequest = Closed({ status: Choice(['ACTIVE', 'SUSPENDED']) })
export const DecisionsRequest = Closed({ decisions: Choice(DECISIONS) })

/** Without scopes the client gets all. */
export const NewClientRequest = Closed({
  clientId: Type.Optional(Type.String({ maxLength: 255 })),
  scopes: Type.Optional(Words),
})
export const ScopesRequest = Closed({ scopes: Words })
/** For how many hours its requests are logged from now on; 0 ends it. */
export const LogRequest = Closed({ hours: Type.Integer({ minimum: 0, maximum: LOG_HOURS_MAX }) })
export const EnabledRequest = Closed({ enabled: Type.Boolean() })

export const PeopleQuery = Closed({ subscriber_id: Type.Optional(Uuid()) })
export const InvitationRequest = Closed({
  name: PlainText(1, NAME_CHARACTERS_MAX),
  email: Type.String({ maxLength: NAME_CHARACTERS_MAX }),
  roles: Words,
  subscriberId: Type.Optional(Uuid()),
})
export const RolesRequest = Closed({ roles: Words })

export const AuditQuery = Closed({
  id: Type.Optional(Uuid()),
  day: Type.Optional(CalendarDate()),
  person: Type.Optional(Id),
  correlation_id: Type.Optional(Id),
  before: Type.Optional(Type.Integer({ minimum: 1 })),
})
export const VerifyRequest = Closed({
  anchor: Type.Optional(
    Type.String({
      pattern: '^[0-9a-fA-F]{64}$',
      examples: ['0'.repeat(64)],
      'x-expected': 'the hash of an anchor: 64 hexadecimal digits',
    }),
  ),
})
