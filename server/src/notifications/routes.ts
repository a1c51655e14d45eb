import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { recordSubscriberAudit } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import type { Deps } from '../platform/deps.ts'
import { conflict, invalid } from '../platform/errors.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { pageBounds, pageOf } from '../platform/http/page.ts'
import { PageQuery, Type } from '../platform/http/schema.ts'
import { deliveryRoutes, NOTIFICATION_PATH } from './delivery-routes.ts'
import { leadsAstray, type Resolve, systemResolve, uriFault } from './dial.ts'
import { cancelReminders, planReminder } from './expiry.ts'
import { presentRegistration } from './present.ts'
import { overlapEndOf, REGISTRATIONS_MAX, secretExpiryOf } from './rules.ts'
import {
  NewRegistration,
  Registration,
  RegistrationPage,
  RegistrationPath,
  RegistrationRequest,
  RotatedSecret,
} from './schema.ts'
import { newSharedSecret } from './sign.ts'
import {
  countRegistrations,
  deleteRegistration,
  findRegistration,
  insertRegistration,
  listRegistrations,
  lockRegistration,
  saveRegistration,
  saveRotation,
} from './store.ts'

const tags = ['Notifications']
const url = `${NOTIFICATION_PATH}/notification-registrations`
const oneUrl = `${url}/:registration_id`
const view = { scope: 'view:notifications' }
const edit = { scope: 'edit:notification_registrations' }

export function notificationRoutes(app: App, deps: Deps, resolve: Resolve = systemResolve()): void {
  const { db, clock, vault, reach } = deps
  const judged = { ...edit, combinations: (body: unknown) => uriErrors(body, reach) }

  app.route({
    method: 'POST',
    url,
    config: { ...judged, refusals: { 409: `There are ${REGISTRATIONS_MAX} registrations already.` } },
    schema: {
      operationId: 'createNotificationRegistration',
      tags,
      summary: 'Register a webhook',
      description: 'It gets the events that happen from now on. The shared secret stands in this answer only.',
      body: RegistrationRequest,
      response: { 201: NewRegistration },
    },
    handler: async (request, reply) => {
      await checkName(request.body.webhookURI)
      return idempotentTransaction(deps, request, reply, async (tx) => {
        const { webhookURI, eventTypes } = request.body
        const { subscriberId } = request.caller
        if ((await countRegistrations(tx, request.caller)) >= REGISTRATIONS_MAX) {
          throw conflict({ message: `There are ${REGISTRATIONS_MAX} registrations already. Delete one first.` })
        }
        const actor = actorOf(request, clock)
        const registrationId = randomUUID()
        const sharedSecret = newSharedSecret()
        const sharedSecretExpiry = secretExpiryOf(actor.at)
        const row = { registrationId, subscriberId, webhookURI, eventTypes, sharedSecretExpiry, createdAt: actor.at }
        insertRegistration(tx, row, vault.seal(sharedSecret, registrationId))
        planReminder(tx, { registrationId, expiresAt: sharedSecretExpiry }, actor.at, actor)
        const after = { webhookURI, eventTypes }
        recordSubscriberAudit(tx, subscriberId, { action: 'webhook registered', ids: { registrationId }, after }, actor)
        reply.code(201)
        return { ...presentRegistration(row), sharedSecret }
      })
    },
  })

  app.route({
    method: 'GET',
    url,
    config: view,
    schema: {
      operationId: 'listNotificationRegistrations',
      tags,
      summary: 'List your webhooks, newest first',
      description: 'Those of your organisation, whichever client registered them. Shared secrets are not shown again.',
      querystring: Type.Object(PageQuery),
      response: { 200: RegistrationPage },
    },
    handler: async ({ caller, query }) =>
      pageOf(await listRegistrations(db.read, caller, pageBounds(query)), query, presentRegistration),
  })

  app.route({
    method: 'GET',
    url: oneUrl,
    config: view,
    schema: {
      operationId: 'getNotificationRegistration',
      tags,
      summary: 'Read a webhook',
      description: 'Where it leads, what it is told and when its secret expires. The shared secret is not shown again.',
      params: RegistrationPath,
      response: { 200: Registration },
    },
    handler: async (request, reply) => {
      const row = await findRegistration(db.read, request.caller, request.params.registration_id)
      return sendWithEtag(request, reply, presentRegistration(row))
    },
  })

  app.route({
    method: 'PUT',
    url: oneUrl,
    config: judged,
    schema: {
      operationId: 'updateNotificationRegistration',
      tags,
      summary: 'Change where a webhook leads and what it is told',
      description:
        'Replaces both at once. What waits to be delivered goes to the new address; the shared secret stays the same.',
      params: RegistrationPath,
      body: RegistrationRequest,
      response: { 200: Registration },
    },
    handler: async (request, reply) => {
      const { webhookURI, eventTypes } = request.body
      await findRegistration(db.read, request.caller, request.params.registration_id)
      await checkName(webhookURI)
      return idempotentTransaction(deps, request, reply, async (tx) => {
        const row = await lockRegistration(tx, request.caller, request.params.registration_id)
        const { registrationId, subscriberId } = row
        const changed = { ...row, webhookURI, eventTypes }
        if (isDeepStrictEqual(changed, row)) return presentRegistration(row)
        saveRegistration(tx, changed)
        const change = {
          before: { webhookURI: row.webhookURI, eventTypes: row.eventTypes },
          after: { webhookURI, eventTypes },
        }
        const entry = { action: 'webhook changed', ids: { registrationId }, ...change }
        recordSubscriberAudit(tx, subscriberId, entry, actorOf(request, clock))
        return presentRegistration(changed)
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: oneUrl,
    config: edit,
    schema: {
      operationId: 'deleteNotificationRegistration',
      tags,
      summary: 'Delete a webhook, and what waits to be delivered to it',
      description: 'Its deliveries go with it and can no longer be read. The feed still tells of the events.',
      params: RegistrationPath,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { registrationId, subscriberId, webhookURI, eventTypes } = await lockRegistration(
          tx,
          request.caller,
          request.params.registration_id,
        )
        deleteRegistration(tx, registrationId)
        cancelReminders(tx, registrationId)
        const entry = { action: 'webhook deleted', ids: { registrationId }, before: { webhookURI, eventTypes } }
        recordSubscriberAudit(tx, subscriberId, entry, actorOf(request, clock))
        reply.code(204)
        return null
      }),
  })

  app.route({
    method: 'POST',
    url: `${oneUrl}/secret-rotation`,
    config: edit,
    schema: {
      operationId: 'rotateNotificationSecret',
      tags,
      summary: 'Get a new shared secret',
      description: 'For 24 hours both the new one and the one before it sign every delivery.',
      params: RegistrationPath,
      response: { 200: RotatedSecret },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const row = await lockRegistration(tx, request.caller, request.params.registration_id)
        const { registrationId, subscriberId } = row
        const actor = actorOf(request, clock)
        const sharedSecret = newSharedSecret()
        const expiresAt = secretExpiryOf(actor.at)
        const sealedSecret = vault.seal(sharedSecret, registrationId)
        saveRotation(tx, registrationId, { sealedSecret, expiresAt, overlapEndsAt: overlapEndOf(actor.at) })
        planReminder(tx, { registrationId, expiresAt }, actor.at, actor)
        recordSubscriberAudit(tx, subscriberId, { action: 'webhook secret rotated', ids: { registrationId } }, actor)
        return { registrationId, sharedSecret, sharedSecretExpiry: expiresAt.toISOString() }
      }),
  })

  deliveryRoutes(app, deps)

  async function checkName(uri: string): Promise<void> {
    if (await leadsAstray(uri, reach, resolve)) {
      throw invalid({ field: 'webhookURI', message: 'webhookURI must lead to a public address.' })
    }
  }
}

function uriErrors(body: unknown, reach: Deps['reach']) {
  const { webhookURI } = body as { webhookURI?: unknown }
  const fault = typeof webhookURI === 'string' ? uriFault(webhookURI, reach) : undefined
  return fault === undefined ? [] : [{ field: 'webhookURI', message: `webhookURI ${fault}.` }]
}
