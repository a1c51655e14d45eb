import { randomUUID } from 'node:crypto'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import { type Actor, recordSubscriberAudit } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import { payloadOf } from '../events/payload.ts'
import type { Transaction } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { conflict, notFound, Refusal } from '../platform/errors.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { type Bounds, pageOf } from '../platform/http/page.ts'
import { insertDelivery, restartDelivery } from './deliveries.ts'
import {
  countFailed,
  type DeliveryRow,
  type FoundDelivery,
  findDelivery,
  listDeliveries,
  lockDelivery,
  RETRIES_MAX,
  restartFailed,
} from './delivery-list.ts'
import { CALLS_PER_MINUTE_MAX } from './rules.ts'
import {
  NOTIFICATION_PATH,
  Notification,
  NotificationDetail,
  NotificationPage,
  NotificationPath,
  NotificationQuery,
  RegistrationPath,
  Retried,
  RetryRequest,
} from './schema.ts'
import { newChallenge } from './sign.ts'
import { lockRegistration, type Registration } from './store.ts'

const tags = ['Notifications']
const view = { scope: 'view:notifications' }
const edit = { scope: 'edit:notification_registrations' }

/** Deliveries: tests, the list, one, and sending again. */
export function deliveryRoutes(app: App, deps: Deps, limitCalls: CallLimit): void {
  const { db, clock, vault } = deps

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
      querystring: NotificationQuery,
      response: { 200: NotificationPage },
    },
    handler: (request) => {
      const { registration_id: registrationId, workspace_id: workspaceId, ...query } = request.query
      const { status, type, created_since: createdSince, created_before: createdBefore } = query
      const filters = { status, type, registrationId, workspaceId, createdSince, createdBefore }
      const list = (page: Bounds) => listDeliveries(db.read, request.caller, filters, page)
      return pageOf(vault, request, list, presentDelivery)
    },
  })

  app.route({
    method: 'GET',
    url: `${NOTIFICATION_PATH}/notifications/:notification_id`,
    config: view,
    schema: {
      operationId: 'getNotification',
      tags,
      summary: 'Read a delivery with the bytes that are sent',
      description:
        'The exact body, the headers of the last attempt, and what waits for what: deliveries about one workspace are sent to ' +
        'a registration in order.',
      params: NotificationPath,
      response: { 200: NotificationDetail },
    },
    handler: async (request, reply) => {
      const row = await findDelivery(db.read, request.caller, request.params.notification_id)
      if (!row) throw deliveryNotFound()
      return sendWithEtag(request, reply, presentDetail(row, request.caller.subscriberId))
    },
  })

  app.route({
    method: 'POST',
    url: `${NOTIFICATION_PATH}/notifications/retry`,
    config: edit,
    schema: {
      operationId: 'retryNotifications',
      tags,
      summary: 'Send all failed deliveries that match now',
      description:
        'Those that are dead, and those with their next attempt in the future; the oldest first, 1,000 at most. What waits ' +
        'behind them follows by itself. With `dryRun` they are counted only.',
      body: RetryRequest,
      response: { 200: Retried },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { caller } = request
        const { dryRun = false, ...filters } = request.body
        const actor = actorOf(request, clock)
        const found = await countFailed(tx, caller, filters, actor.at)
        const hasMore = found > RETRIES_MAX
        if (dryRun || found === 0) return { count: Math.min(found, RETRIES_MAX), hasMore }
        const count = await restartFailed(tx, caller, filters, actor)
        const entry = { action: 'notifications retried', ids: {}, after: { ...filters, count } }
        recordSubscriberAudit(tx, caller.subscriberId, entry, actor)
        return { count, hasMore }
      }),
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
        if (!row) throw deliveryNotFound()
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
}

/** A challenge until the address is verified, then a test. */
export function sendTestOrChallenge(tx: Transaction, registration: Registration, actor: Actor): Notification {
  const { registrationId, subscriberId, status } = registration
  const type = status === 'VERIFIED' ? 'TEST' : 'CHALLENGE'
  const data = { registrationId, ...(type === 'CHALLENGE' && { challenge: newChallenge() }) }
  const row = { notificationId: randomUUID(), registrationId, subscriberId, eventId: randomUUID(), type, data } as const
  insertDelivery(tx, row, actor.at, actor)
  const times = { nextAttemptAt: actor.at, createdAt: actor.at }
  return presentDelivery({ ...row, partition: row.notificationId, status: 'PENDING', ...times, attempts: [] })
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

/** Another subscriber's delivery gets the same words as one that never existed. */
const deliveryNotFound = () => notFound('notification_id', 'There is no such notification.')

const presentDelivery = (row: Omit<DeliveryRow, 'seq'>): Notification => ({
  notificationId: row.notificationId,
  registrationId: row.registrationId,
  eventId: row.eventId,
  // What concerns no workspace has a partition to itself.
  ...(row.partition !== row.notificationId && { workspaceId: row.partition }),
  type: row.type,
  status: row.status,
  createdAt: row.createdAt.toISOString(),
  ...(row.nextAttemptAt && { nextAttemptAt: row.nextAttemptAt.toISOString() }),
  attempts: row.attempts.map(({ headers: _, ...attempt }) => attempt),
})

const presentDetail = (row: FoundDelivery, subscriberId: string): NotificationDetail => ({
  ...presentDelivery(row),
  body: JSON.stringify(payloadOf({ ...row, at: row.createdAt }, subscriberId)),
  headers: { ...row.attempts.at(-1)?.headers },
  ...(row.waitsFor && { waitsFor: row.waitsFor }),
  waitingBehind: row.waitingBehind,
})
