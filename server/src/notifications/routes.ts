import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import { recordSubscriberAudit } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import type { Deps } from '../platform/deps.ts'
import { conflict, invalid } from '../platform/errors.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { type Bounds, pageOf } from '../platform/http/page.ts'
import { PageQuery, Type } from '../platform/http/schema.ts'
import { leadsToForbidden, type Resolve, systemResolve } from './connect.ts'
import { endChallenges } from './deliveries.ts'
import { createCallLimit, deliveryRoutes, sendTestOrChallenge } from './delivery-routes.ts'
import { overlapEndOf, REGISTRATIONS_MAX, type RegistrationStatus, secretExpiryOf } from './rules.ts'
import {
  NewRegistration,
  NOTIFICATION_PATH,
  Registration,
  RegistrationPage,
  RegistrationPath,
  RegistrationRequest,
  RotatedSecret,
} from './schema.ts'
import { newSharedSecret } from './sign.ts'
import { isLocalUri, uriError } from './ssrf-policy.ts'
import {
  cancelReminders,
  countRegistrations,
  deleteRegistration,
  findRegistration,
  insertRegistration,
  listRegistrations,
  lockRegistration,
  planReminder,
  type Registration as StoredRegistration,
  saveRegistration,
  saveRotation,
} from './store.ts'

const tags = ['Notifications']
const url = `${NOTIFICATION_PATH}/notification-registrations`
const oneUrl = `${url}/:registration_id`
const view = { scope: 'view:notifications' }
const edit = { scope: 'edit:notification_registrations' }

export function notificationRoutes(app: App, deps: Deps, resolve: Resolve = systemResolve()): void {
  const { db, clock, vault, ssrfPolicy } = deps
  const checked = { ...edit, combinations: (body: unknown) => uriErrors(body, ssrfPolicy) }
  const limitCalls = createCallLimit()

  app.route({
    method: 'POST',
    url,
    config: { ...checked, refusals: { 409: `There are already ${REGISTRATIONS_MAX} registrations.` } },
    schema: {
      operationId: 'createNotificationRegistration',
      tags,
      summary: 'Register a webhook',
      description:
        'It receives the events that happen from now on, once its address is verified: a `CHALLENGE` is sent to it at once, ' +
        'signed with the shared secret, and retried like any other delivery. In the sandbox an address of your own ' +
        'machine needs no challenge. The shared secret is in this response only.',
      body: RegistrationRequest,
      response: { 201: NewRegistration },
    },
    handler: async (request, reply) => {
      const { webhookURI, eventTypes } = request.body
      const status = statusOf(webhookURI)
      await checkAddress(webhookURI)
      if (status === 'UNVERIFIED') await limitCalls(request.caller)
      return idempotentTransaction(deps, request, reply, async (tx) => {
        const { subscriberId } = request.caller
        if ((await countRegistrations(tx, request.caller)) >= REGISTRATIONS_MAX) {
          throw conflict({ message: `There are already ${REGISTRATIONS_MAX} registrations. Delete one first.` })
        }
        const actor = actorOf(request, clock)
        const registrationId = randomUUID()
        const sharedSecret = newSharedSecret()
        const sharedSecretExpiry = secretExpiryOf(actor.at)
        const rest = { eventTypes, status, sharedSecretExpiry, createdAt: actor.at }
        const row = { registrationId, subscriberId, webhookURI, ...rest }
        insertRegistration(tx, row, vault.seal(sharedSecret, registrationId))
        planReminder(tx, { registrationId, expiresAt: sharedSecretExpiry }, actor.at, actor)
        if (status === 'UNVERIFIED') sendTestOrChallenge(tx, row, actor)
        const after = { webhookURI, eventTypes, status }
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
      description:
        'All webhooks of your organisation, whichever client registered them. Shared secrets are not shown again.',
      querystring: Type.Object(PageQuery),
      response: { 200: RegistrationPage },
    },
    handler: (request) =>
      pageOf(vault, request, (page: Bounds) => listRegistrations(db.read, request.caller, page), presentRegistration),
  })

  app.route({
    method: 'GET',
    url: oneUrl,
    config: view,
    schema: {
      operationId: 'getNotificationRegistration',
      tags,
      summary: 'Read a webhook',
      description: 'Its address, its event types and when its secret expires. The shared secret is not shown again.',
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
    config: checked,
    schema: {
      operationId: 'updateNotificationRegistration',
      tags,
      summary: 'Change the address and the event types of a webhook',
      description:
        'Replaces both at once. A new address is `UNVERIFIED` and is sent a `CHALLENGE`; waiting deliveries go to it once ' +
        'it is verified. The shared secret stays the same.',
      params: RegistrationPath,
      body: RegistrationRequest,
      response: { 200: Registration },
    },
    handler: async (request, reply) => {
      const { webhookURI, eventTypes } = request.body
      const present = await findRegistration(db.read, request.caller, request.params.registration_id)
      await checkAddress(webhookURI)
      if (webhookURI !== present.webhookURI && statusOf(webhookURI) === 'UNVERIFIED') await limitCalls(request.caller)
      return idempotentTransaction(deps, request, reply, async (tx) => {
        const row = await lockRegistration(tx, request.caller, request.params.registration_id)
        const { registrationId, subscriberId } = row
        const isMoved = webhookURI !== row.webhookURI
        const changed = { ...row, webhookURI, eventTypes, status: isMoved ? statusOf(webhookURI) : row.status }
        if (isDeepStrictEqual(changed, row)) return presentRegistration(row)
        saveRegistration(tx, changed)
        const actor = actorOf(request, clock)
        if (isMoved) endChallenges(tx, registrationId)
        if (isMoved && changed.status === 'UNVERIFIED') sendTestOrChallenge(tx, changed, actor)
        const change = { before: auditFieldsOf(row), after: auditFieldsOf(changed) }
        recordSubscriberAudit(
          tx,
          subscriberId,
          { action: 'webhook changed', ids: { registrationId }, ...change },
          actor,
        )
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
      summary: 'Delete a webhook and its waiting deliveries',
      description: 'Its deliveries are deleted with it. The feed still has the events.',
      params: RegistrationPath,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const row = await lockRegistration(tx, request.caller, request.params.registration_id)
        const { registrationId, subscriberId } = row
        deleteRegistration(tx, registrationId)
        cancelReminders(tx, registrationId)
        const entry = { action: 'webhook deleted', ids: { registrationId }, before: auditFieldsOf(row) }
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
      description: 'For 24 hours every delivery is signed with both the new and the previous secret.',
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

  deliveryRoutes(app, deps, limitCalls)

  async function checkAddress(uri: string): Promise<void> {
    if (await leadsToForbidden(uri, ssrfPolicy, resolve)) {
      throw invalid({ field: 'webhookURI', message: 'webhookURI must have a public address.' })
    }
  }
}

/** Only the sandbox accepts an address of its own machine. */
const statusOf = (uri: string): RegistrationStatus => (isLocalUri(uri) ? 'VERIFIED' : 'UNVERIFIED')

const auditFieldsOf = ({ webhookURI, eventTypes, status }: StoredRegistration) => ({ webhookURI, eventTypes, status })

const presentRegistration = (row: StoredRegistration) => ({
  registrationId: row.registrationId,
  subscriberId: row.subscriberId,
  ...auditFieldsOf(row),
  sharedSecretExpiry: row.sharedSecretExpiry.toISOString(),
  createdAt: row.createdAt.toISOString(),
})

function uriErrors(body: unknown, policy: Deps['ssrfPolicy']) {
  const { webhookURI } = body as { webhookURI?: unknown }
  const error = typeof webhookURI === 'string' ? uriError(webhookURI, policy) : undefined
  return error === undefined ? [] : [{ field: 'webhookURI', message: `webhookURI ${error}.` }]
}
