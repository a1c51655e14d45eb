import { randomUUID } from 'node:crypto'
import { recordSubscriberAudit } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import type { Deps } from '../platform/deps.ts'
import { conflict, notFound } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { pageBounds, pageOf } from '../platform/http/page.ts'
import { PAGE_RECORDS_DEFAULT, PageQuery, Type } from '../platform/http/schema.ts'
import { insertTest, listDeliveries, lockDelivery, restartDelivery } from './deliveries.ts'
import { publishEvents, readFeed } from './feed.ts'
import { presentDelivery } from './present.ts'
import { readPosition, writePosition } from './rules.ts'
import { EventFeed, FeedQuery, Notification, NotificationPage, NotificationPath, RegistrationPath } from './schema.ts'
import { lockRegistration } from './store.ts'

export const NOTIFICATION_PATH = '/partner/api/notification/v1'

const tags = ['Notifications']
const view = { scope: 'view:notifications' }
const edit = { scope: 'edit:notification_registrations' }

/** What was sent and what waits, and the feed for those who would rather ask. */
export function deliveryRoutes(app: App, deps: Deps): void {
  const { db, clock } = deps

  app.route({
    method: 'POST',
    url: `${NOTIFICATION_PATH}/notification-registrations/:registration_id/test`,
    config: edit,
    schema: {
      operationId: 'testNotificationRegistration',
      tags,
      summary: 'Have a signed test sent',
      description:
        'A delivery of the type `TEST`, signed as every other and sent in the background. What came of it stands in ' +
        '`GET …/notifications`.',
      params: RegistrationPath,
      response: { 202: Notification },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { registrationId, subscriberId } = await lockRegistration(
          tx,
          request.caller,
          request.params.registration_id,
        )
        const actor = actorOf(request, clock)
        const notificationId = randomUUID()
        const begun = { notificationId, registrationId, subscriberId, eventId: randomUUID(), lane: notificationId }
        insertTest(tx, begun, actor.at, actor)
        const ids = { registrationId, notificationId }
        recordSubscriberAudit(tx, subscriberId, { action: 'webhook test asked for', ids }, actor)
        reply.code(202)
        return presentDelivery({ ...begun, type: 'TEST', status: 'PENDING', nextAttemptAt: actor.at, attempts: [] })
      }),
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
        'One for each event and registration that wanted it. A failed attempt is repeated after 5 s, 5 min, 30 min, 2 h, ' +
        '5 h and 10 h. Until it is delivered or dead, later ones of the same workspace and registration wait.',
      querystring: Type.Object(PageQuery),
      response: { 200: NotificationPage },
    },
    handler: async ({ caller, query }) =>
      pageOf(await listDeliveries(db.read, caller, pageBounds(query)), query, presentDelivery),
  })

  app.route({
    method: 'POST',
    url: `${NOTIFICATION_PATH}/notifications/:notification_id/retry`,
    config: { ...edit, refusals: { 409: 'It was delivered already.' } },
    schema: {
      operationId: 'retryNotification',
      tags,
      summary: 'Have a delivery that is dead, or waits, tried now',
      description: 'The schedule of attempts begins anew. The receiver sees the same `webhook-id`.',
      params: NotificationPath,
      response: { 202: Notification },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { caller, params } = request
        const row = await lockDelivery(tx, caller, params.notification_id)
        if (!row) throw notFound('notification_id', 'There is no such notification.')
        if (row.status === 'DELIVERED') throw conflict({ message: 'The notification was delivered already.' })
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
    config: view,
    schema: {
      operationId: 'readEvents',
      tags,
      summary: 'Read what happened since the last time',
      description: 'In order, and never past an event that commits late. Nothing new: the same `nextCursor` again.',
      querystring: FeedQuery,
      response: { 200: EventFeed },
    },
    handler: async ({ caller, query }) => {
      const { after, limit = PAGE_RECORDS_DEFAULT } = query
      const from = after === undefined ? 0 : readPosition(after)
      await publishEvents(db)
      const { payloads, position } = await readFeed(db.read, caller, from, limit)
      return { records: payloads as never[], nextCursor: writePosition(position) }
    },
  })
}
