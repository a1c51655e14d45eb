import type { FastifyRequest } from 'fastify'
import { RateLimiterMemory } from 'rate-limiter-flexible'
import type { Deps } from '../platform/deps.ts'
import { notFound, Refusal } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import { Type } from '../platform/http/schema.ts'
import { checkOrigin } from '../sandbox/rules-origin.ts'
import { createTestDeliveries } from './deliver.ts'
import type { Faults } from './follow.ts'
import { type Fault, faultErrors } from './rules.ts'
import {
  FaultsAnswer,
  FaultsList,
  FaultsPath,
  FaultsRequest,
  SECONDS_DEFAULT,
  TestDeliveryAnswer,
  TestDeliveryRequest,
} from './schema.ts'
import { endPlan, listPlans, type Plan, savePlan } from './store.ts'

const PATH = '/sandbox/v1/faults'
const tags = ['Sandbox']
const config = { scope: 'none', refusals: { 403: 'An unknown `Host`, or a page of another site.' } } as const

const TEST_DELIVERIES_PER_MINUTE_MAX = 60

type Parts = Pick<Deps, 'db' | 'vault' | 'ssrfPolicy'> & {
  faults: Faults
  names: readonly string[]
  isOperation(name: string): boolean
}

/** Faults to try one's own retries with. */
export function faultRoutes(app: App, parts: Parts): void {
  const { db, faults, names, isOperation } = parts
  const deliver = createTestDeliveries(parts)
  const limiter = new RateLimiterMemory({ points: TEST_DELIVERIES_PER_MINUTE_MAX, duration: 60 })
  const onRequest = async ({ method, headers }: FastifyRequest) => checkOrigin(method, headers, names)

  app.route({
    method: 'GET',
    url: PATH,
    config,
    onRequest,
    schema: {
      operationId: 'listFaults',
      tags,
      summary: 'List the faults in force',
      description: 'For all clients, with how often each fault was injected.',
      response: { 200: FaultsList },
    },
    handler: async () => ({ records: (await listPlans(db.read)).map(presentPlan) }),
  })

  app.route({
    method: 'PUT',
    url: `${PATH}/:client_id`,
    onRequest,
    config: {
      ...config,
      combinations: (body) => {
        const { faults: wanted } = body as { faults?: Partial<Fault>[] }
        return Array.isArray(wanted) ? faultErrors(wanted, isOperation) : []
      },
      refusals: { ...config.refusals, 404: 'There is no such client.' },
    },
    schema: {
      operationId: 'setFaults',
      tags,
      summary: 'Inject faults into the requests and webhooks of a client',
      description:
        'Replaces those in force. Each answer that meets one has the header `X-Injected-Fault`, and so has the ' +
        'request log. Faults never meet `/sandbox/v1`, the request log, the console, or scenarios. With several nodes ' +
        'all of them follow within two seconds.',
      params: FaultsPath,
      body: FaultsRequest,
      examples: { 404: { errors: [{ field: 'client_id', message: 'There is no client sandbox-firm.' }] } },
      response: { 200: FaultsAnswer },
    },
    handler: async ({ params: { client_id: clientId }, body }) => {
      const counted = body.faults.map((fault) => ({ ...fault, seen: 0, injected: 0 }))
      const { seed = 1, seconds = SECONDS_DEFAULT } = body
      const plan = await savePlan(db, { clientId, seed, faults: counted }, seconds)
      if (!plan) throw notFound('client_id', `There is no client ${clientId}.`)
      await faults.refresh()
      return presentPlan(plan)
    },
  })

  app.route({
    method: 'DELETE',
    url: `${PATH}/:client_id`,
    config,
    onRequest,
    schema: {
      operationId: 'endFaults',
      tags,
      summary: 'End the faults of a client',
      description: 'At once. Nothing happens where there are none.',
      params: FaultsPath,
      examples: {
        400: { errors: [{ field: 'client_id', message: 'client_id must be 1 to 255 characters long.' }] },
      },
      response: { 204: Type.Null() },
    },
    handler: async ({ params }, reply) => {
      await endPlan(db, params.client_id)
      await faults.refresh()
      reply.code(204)
      return null
    },
  })

  app.route({
    method: 'POST',
    url: '/sandbox/v1/test-deliveries',
    onRequest,
    config: {
      ...config,
      refusals: {
        ...config.refusals,
        404: 'There is no such registration.',
        409: 'Its address is not verified, or nothing was delivered to it that could be replayed.',
        429: `More than ${TEST_DELIVERIES_PER_MINUTE_MAX} in a minute.`,
      },
    },
    schema: {
      operationId: 'sendTestDelivery',
      tags,
      summary: 'Send your receiver a delivery that it must refuse, or one that it has seen',
      description:
        'Sent at once, to the registered address and nowhere else. It is in no list of deliveries and is never repeated. ' +
        'A receiver that checks signatures refuses four of the six kinds with a 4xx.',
      body: TestDeliveryRequest,
      examples: {
        404: { errors: [{ field: 'registrationId', message: 'There is no such registration.' }] },
        409: { errors: [{ field: 'registrationId', message: 'Its address is not verified yet.' }] },
      },
      response: { 200: TestDeliveryAnswer },
    },
    handler: async ({ body: { registrationId, kind } }) => {
      await limiter.consume(registrationId).catch(({ msBeforeNext }: { msBeforeNext: number }) => {
        const seconds = String(Math.max(1, Math.ceil(msBeforeNext / 1_000)))
        const message = `More than ${TEST_DELIVERIES_PER_MINUTE_MAX} test deliveries in a minute. Please wait ${seconds} s.`
        throw new Refusal('too_many', [{ message }], { 'retry-after': seconds })
      })
      return deliver(registrationId, kind)
    },
  })
}

const presentPlan = ({ clientId, seed, endsAt, faults }: Plan) => ({
  clientId,
  seed,
  endsAt: endsAt.toISOString(),
  faults,
})
