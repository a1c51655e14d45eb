import { randomUUID } from 'node:crypto'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type Actor, recordSubscriberAudit } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import type { Watch } from '../events/watch.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { conflict, notFound, Refusal } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { prefers } from '../platform/http/negotiate.ts'
import { type Bounds, pageOf, writeCursor } from '../platform/http/page.ts'
import { PAGE_RECORDS_DEFAULT, PageQuery, Type } from '../platform/http/schema.ts'
import { type DeliveryRow, insertDelivery, listDeliveries, lockDelivery, restartDelivery } from './deliveries.ts'
import { endOfFeed, feedOf, readFeed, readPosition } from './feed.ts'
import { CALLS_PER_MINUTE_MAX } from './rules.ts'
import { EventFeed, FeedQuery, Notification, NotificationPage, NotificationPath, RegistrationPath } from './schema.ts'
import { newChallenge } from './sign.ts'
import { lockRegistration, type Registration } from './store.ts'
import { createStreams, EVENT_STREAM } from './stream.ts'

export const NOTIFICATION_PATH = '/partner/api/notification/v1'

const tags = ['Notifications']
const view = { scope: 'view:notifications' }
const edit = { scope: 'edit:notification_registrations' }

const NOW = 'now'

/** Deliveries, and the feed for partners who prefer to poll. */
export function deliveryRoutes(
  app: App,
  deps: Deps,
  { limitCalls, watch }: { limitCalls: CallLimit; watch: Watch },
): void {
  const { db, clock, vault } = deps
  const openStream = createStreams(app, deps, watch)
  const positionOf = (caller: { subscriberId: string }, after: string | undefined) => {
    if (after === NOW) return endOfFeed(db.read, caller)
    return after === undefined ? 0 : readPosition(vault, after, caller)
  }

  app.route({
    method: 'POST',
    url: `${NOTIFICATION_PATH}/notification-registrations/:registration_id/test`,
    config: edit,
    schema: {
      operationId: 'testNotificationRegistration',
      tags,
      summary: 'Send a test, or the challenge again',
      description:
        'A signed delivery of the type `TEST`, or a new `CHALLENGE` while the address is `UNVERIFIED`. It is sent in the ' +
        'background; `GET …/notifications` shows the result. At most 20 a minute, together with registrations, changes ' +
        'of address and retries that send a challenge.',
      params: RegistrationPath,
      response: { 202: Notification },
    },
    handler: async (request, reply) => {
      await limitCalls(request.caller)
      return idempotentTransaction(deps, request, reply, async (tx) => {
        const row = await lockRegistration(tx, request.caller, request.params.registration_id)
        const { registrationId, subscriberId } = row
        const actor = actorOf(request, clock)
        const delivery = sendTestOrChallenge(tx, row, actor)
        const ids = { registrationId, notificationId: delivery.notificationId }
        recordSubscriberAudit(tx, subscriberId, { action: 'webhook test requested', ids }, actor)
        reply.code(202)
        return delivery
      })
    },
  })

  app.route({
    method: 'GET',
    url: `${NOTIFICATION_PATH}/notifications`,
    config: view,
    schema: {
      operationId: 'listNotifications',
      tags,
      summary: 'List deliveries with their attempts, newest first',
      description:
        'One for each event and each registration that subscribes to it. A failed attempt is repeated after 5 s, 5 min, ' +
        '30 min, 2 h, 5 h and 10 h. Until it is delivered or dead, later ones of the same workspace and registration ' +
        'wait. While the address is `UNVERIFIED`, all but challenges wait.',
      querystring: Type.Object(PageQuery),
      response: { 200: NotificationPage },
    },
    handler: (request) =>
      pageOf(vault, request, (page: Bounds) => listDeliveries(db.read, request.caller, page), presentDelivery),
  })

  app.route({
    method: 'POST',
    url: `${NOTIFICATION_PATH}/notifications/:notification_id/retry`,
    config: { ...edit, refusals: { 409: 'It was already delivered.' } },
    schema: {
      operationId: 'retryNotification',
      tags,
      summary: 'Send a dead or waiting delivery now',
      description: 'The schedule of attempts starts again. The receiver sees the same `webhook-id`.',
      params: NotificationPath,
      response: { 202: Notification },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { caller, params } = request
        const row = await lockDelivery(tx, caller, params.notification_id)
        if (!row) throw notFound('notification_id', 'There is no such notification.')
        if (row.status === 'DELIVERED') throw conflict({ message: 'The notification was already delivered.' })
        if (row.type === 'CHALLENGE') await limitCalls(caller)
        const actor = actorOf(request, clock)
        restartDelivery(tx, row, actor.at, actor)
        const ids = { notificationId: row.notificationId, registrationId: row.registrationId }
        const entry = { action: 'notification retried', ids, before: { status: row.status } }
        recordSubscriberAudit(tx, caller.subscriberId, entry, actor)
        reply.code(202)
        return presentDelivery({ ...row, status: 'PENDING', nextAttemptAt: actor.at })
      }),
  })

  app.route({
    method: 'GET',
    url: `${NOTIFICATION_PATH}/events`,
    config: { ...view, streams: EVENT_STREAM },
    schema: {
      operationId: 'readEvents',
      tags,
      summary: 'Read what happened since the last time',
      description:
        'In order; an event that commits late is never skipped. An event appears within a moment of its commit. When ' +
        'nothing is new, `nextCursor` is the same again. With `Accept: text/event-stream` the answer stays open and has each ' +
        'event as it is published: `data` is the event, `id` the cursor after it. To go on after a break, send that as ' +
        '`Last-Event-ID`, which browsers and most libraries do, or as `after`. A line with a colon comes every 20 seconds ' +
        'when nothing happens. The stream ends when the token expires or the node stops: open it again. At most 50 are ' +
        'open for a subscriber on a node.',
      querystring: FeedQuery,
      response: { 200: EventFeed },
    },
    handler: async (request, reply) => {
      const { caller, query, headers } = request
      const isStream = request.method === 'GET' && prefers(request, EVENT_STREAM)
      const reached = isStream ? headers['last-event-id'] : undefined
      const after = typeof reached === 'string' ? reached : query.after
      const from = await positionOf(caller, after)
      if (isStream) {
        await readFeed(db.read, caller, from, 0)
        request.log.info({ listener: query.listener }, 'a stream of events begins')
        return openStream(request, reply, from)
      }
      const { limit = PAGE_RECORDS_DEFAULT } = query
      const { events, position } = await readFeed(db.read, caller, from, limit)
      const isAtEnd = after !== undefined && after !== NOW && events.length === 0
      const nextCursor = isAtEnd ? after : writeCursor(vault, position, feedOf(caller))
      return { records: events.map(({ payload }) => payload) as never[], nextCursor }
    },
  })
}

/** A challenge until the address is verified, then a test. */
export function sendTestOrChallenge(tx: Transaction, registration: Registration, actor: Actor): Notification {
  const { registrationId, subscriberId, status } = registration
  const type = status === 'VERIFIED' ? 'TEST' : 'CHALLENGE'
  const data = { registrationId, ...(type === 'CHALLENGE' && { challenge: newChallenge() }) }
  const row = { notificationId: randomUUID(), registrationId, subscriberId, eventId: randomUUID(), type, data } as const
  insertDelivery(tx, row, actor.at, actor)
  return presentDelivery({ ...row, status: 'PENDING', nextAttemptAt: actor.at, attempts: [] })
}

export type CallLimit = (caller: { subscriberId: string }) => Promise<void>

/** Limits how often a subscriber can make the service call an address that never asked for it. */
export function createCallLimit(): CallLimit {
  const limiter = new RateLimiterMemory({ points: CALLS_PER_MINUTE_MAX, duration: 60 })
  return async ({ subscriberId }) => {
    await limiter.consume(subscriberId).catch(({ msBeforeNext }: { msBeforeNext: number }) => {
      const seconds = String(Math.max(1, Math.ceil(msBeforeNext / 1_000)))
      const message = `More than ${CALLS_PER_MINUTE_MAX} tests and challenges in a minute. Please wait ${seconds} s.`
      throw new Refusal('too_many', [{ message }], { 'retry-after': seconds })
    })
  }
}

const presentDelivery = (row: Omit<DeliveryRow, 'seq' | 'partition'>): Notification => ({
  notificationId: row.notificationId,
  registrationId: row.registrationId,
  eventId: row.eventId,
  type: row.type,
  status: row.status,
  ...(row.nextAttemptAt && { nextAttemptAt: row.nextAttemptAt.toISOString() }),
  attempts: row.attempts,
})
