import {
  addCheckedClient,
  addSubscriber,
  retireOldSecret,
  rotateSecret,
  setDecisions,
  setEnabled,
  setLogHours,
  setScopes,
  setStatus,
} from '../auth/manage.ts'
import { ALL_SCOPES, SCOPES } from '../auth/scopes.ts'
import { listClients, listSubscribers } from '../auth/store.ts'
import { notFound } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import { CHANGE, changerOf, OPERATOR_PATH, type OperatorParts, VIEW } from './parts.ts'
import {
  ClientPath,
  DecisionsRequest,
  EnabledRequest,
  LogRequest,
  NewClientRequest,
  NewSubscriberRequest,
  ScopesRequest,
  StatusRequest,
  SubscriberPath,
} from './schema.ts'

const SUBSCRIBERS = `${OPERATOR_PATH}/subscribers`
const CLIENTS = `${OPERATOR_PATH}/clients`

/** Subscribers and their clients. */
export function accountRoutes(app: App, { deps, pepper }: OperatorParts): void {
  const { db } = deps
  const change = changerOf(deps)

  app.route({
    method: 'GET',
    url: SUBSCRIBERS,
    config: VIEW,
    handler: async () => ({ records: await listSubscribers(db.read) }),
  })

  app.route({
    method: 'POST',
    url: SUBSCRIBERS,
    config: CHANGE,
    schema: { body: NewSubscriberRequest },
    handler: (request, reply) =>
      change(request, reply, (tx, actor) => ({ subscriberId: addSubscriber(tx, request.body, actor).subscriberId })),
  })

  app.route({
    method: 'GET',
    url: `${SUBSCRIBERS}/:subscriber_id`,
    config: VIEW,
    schema: { params: SubscriberPath },
    handler: async ({ params: { subscriber_id: subscriberId } }) => {
      const [subscribers, clients] = await Promise.all([
        listSubscribers(db.read, subscriberId),
        listClients(db.read, { subscriberId }),
      ])
      const [subscriber] = subscribers
      if (!subscriber) throw notFound('subscriber_id', 'There is no such subscriber.')
      return { ...subscriber, clients }
    },
  })

  app.route({
    method: 'POST',
    url: `${SUBSCRIBERS}/:subscriber_id/status`,
    config: CHANGE,
    schema: { params: SubscriberPath, body: StatusRequest },
    handler: (request, reply) =>
      change(request, reply, (tx, actor) => setStatus(tx, request.params.subscriber_id, request.body.status, actor)),
  })

  app.route({
    method: 'POST',
    url: `${SUBSCRIBERS}/:subscriber_id/decisions`,
    config: CHANGE,
    schema: { params: SubscriberPath, body: DecisionsRequest },
    handler: (request, reply) =>
      change(request, reply, (tx, actor) =>
        setDecisions(tx, request.params.subscriber_id, request.body.decisions, actor),
      ),
  })

  // The answers to these two have a secret. It is stored only as a hash; for repeats the answer is stored encrypted.
  app.route({
    method: 'POST',
    url: `${SUBSCRIBERS}/:subscriber_id/clients`,
    config: CHANGE,
    schema: { params: SubscriberPath, body: NewClientRequest },
    handler: (request, reply) =>
      change(request, reply, (tx, actor) => {
        const input = { subscriberId: request.params.subscriber_id, scopes: ALL_SCOPES, ...request.body }
        return addCheckedClient(tx, pepper, input, actor)
      }),
  })

  app.route({
    method: 'POST',
    url: `${CLIENTS}/:client_id/rotate`,
    config: CHANGE,
    schema: { params: ClientPath },
    handler: (request, reply) =>
      change(request, reply, async (tx, actor) => {
        const clientId = request.params.client_id
        return { clientId, secret: await rotateSecret(tx, pepper, clientId, actor) }
      }),
  })

  app.route({
    method: 'GET',
    url: `${CLIENTS}/:client_id`,
    config: VIEW,
    schema: { params: ClientPath },
    handler: async ({ params: { client_id: clientId } }) => {
      const [client] = await listClients(db.read, { clientId })
      if (!client) throw notFound('client_id', 'There is no such client.')
      const [subscriber] = await listSubscribers(db.read, client.subscriberId)
      return { ...client, subscriber: subscriber?.name, allScopes: SCOPES }
    },
  })

  app.route({
    method: 'POST',
    url: `${CLIENTS}/:client_id/retire-old-secret`,
    config: CHANGE,
    schema: { params: ClientPath },
    handler: (request, reply) =>
      change(request, reply, (tx, actor) => retireOldSecret(tx, request.params.client_id, actor)),
  })

  app.route({
    method: 'POST',
    url: `${CLIENTS}/:client_id/enabled`,
    config: CHANGE,
    schema: { params: ClientPath, body: EnabledRequest },
    handler: (request, reply) =>
      change(request, reply, (tx, actor) => setEnabled(tx, request.params.client_id, request.body.enabled, actor)),
  })

  app.route({
    method: 'POST',
    url: `${CLIENTS}/:client_id/log`,
    config: CHANGE,
    schema: { params: ClientPath, body: LogRequest },
    handler: (request, reply) =>
      change(request, reply, (tx, actor) => setLogHours(tx, request.params.client_id, request.body.hours, actor)),
  })

  app.route({
    method: 'POST',
    url: `${CLIENTS}/:client_id/scopes`,
    config: CHANGE,
    schema: { params: ClientPath, body: ScopesRequest },
    handler: (request, reply) =>
      change(request, reply, (tx, actor) => setScopes(tx, request.params.client_id, request.body.scopes, actor)),
  })
}
