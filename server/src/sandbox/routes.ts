import type { FastifyRequest } from 'fastify'
import { actorOf } from '../auth/actor.ts'
import { addClient, addSubscriber } from '../auth/manage.ts'
import { ALL_SCOPES } from '../auth/scopes.ts'
import type { App } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { moveClock } from '../platform/jobs/due.ts'
import { type ServiceState, saveMaintenance } from '../platform/operations/state.ts'
import { moveTarget, presentDue } from './rules.ts'
import { checkOrigin } from './rules-origin.ts'
import {
  ClockAnswer,
  DUE_MAX,
  DueAnswer,
  MaintenanceAnswer,
  MaintenanceRequest,
  MoveClockAnswer,
  MoveClockRequest,
  NewSubscriberAnswer,
  NewSubscriberRequest,
  ResetAnswer,
} from './schema.ts'
import { reseed, type World } from './seed.ts'
import { findReferences, listDue, nextDueAt } from './store.ts'

export type Sandbox = World & {
  state: ServiceState
  /** Two resets at once would each remove what the other creates, and a scenario needs its data to the end. */
  oneAtATime<T>(work: () => Promise<T>): Promise<T>
  /** Plans the recurring jobs again after a reset removed them. */
  replan(): Promise<void>
}

const PATH = '/sandbox/v1'
const tags = ['Sandbox']
const config = { scope: 'none', refusals: { 403: 'An unknown `Host`, or a page of another site.' } } as const

/** Routes that control the sandbox. They exist nowhere else. `names` are the host names that an operator configured. */
export function sandboxRoutes(app: App, sandbox: Sandbox, names: readonly string[]): void {
  const { db, clock, state, pepper } = sandbox
  const onRequest = async ({ method, headers }: FastifyRequest) => checkOrigin(method, headers, names)

  app.route({
    method: 'GET',
    url: `${PATH}/clock`,
    config,
    onRequest,
    schema: {
      operationId: 'getClock',
      tags,
      summary: "Read the service's clock",
      description:
        'Real time plus the time by which it was moved. Tokens, rate limits and timeouts always use real time.',
      response: { 200: ClockAnswer },
    },
    handler: async () => ({ now: clock.now().toISOString() }),
  })

  app.route({
    method: 'POST',
    url: `${PATH}/clock`,
    config,
    onRequest,
    schema: {
      operationId: 'moveClock',
      tags,
      summary: 'Move the clock and run the jobs that become due',
      description:
        'Responds when nothing is left to do. `{"advance":"PT0S"}` runs what is due now; `{"to":"next"}` goes to the ' +
        'next thing that becomes due.',
      body: MoveClockRequest,
      examples: {
        400: {
          errors: [{ field: 'set', message: 'The clock is at 2026-03-14T09:30:00.000Z and does not go backwards.' }],
        },
      },
      response: { 200: MoveClockAnswer },
    },
    handler: async (request) => {
      const { now, ran, due } = await moveClock(sandbox, async (present) =>
        moveTarget(present, request.body, request.body.to && (await nextDueAt(db))),
      )
      const shown = due.slice(0, DUE_MAX)
      const references = await findReferences(
        db,
        shown.map(({ payload }) => String(payload['workspaceId'] ?? '')).filter((id) => id !== ''),
      )
      const records = shown.map((one) => presentDue(one, references.get(String(one.payload['workspaceId']))))
      return { now: now.toISOString(), ran, due: records }
    },
  })

  app.route({
    method: 'GET',
    url: `${PATH}/due`,
    config,
    onRequest,
    schema: {
      operationId: 'listDue',
      tags,
      summary: 'Read what the clock will run, the next first',
      description: 'Set the clock to `at` and it runs. The jobs of one workspace are in its plan, in words.',
      response: { 200: DueAnswer },
    },
    handler: async () => ({
      records: (await listDue(db.read, DUE_MAX)).map((one) => presentDue(one, one.reference)),
    }),
  })

  app.route({
    method: 'POST',
    url: `${PATH}/subscribers`,
    onRequest,
    config: {
      ...config,
      refusals: {
        ...config.refusals,
        409: 'A request with the same `Idempotency-Key` is still running.',
        422: 'The `Idempotency-Key` was used for another request.',
      },
    },
    schema: {
      operationId: 'addSandboxSubscriber',
      tags,
      summary: 'Add a subscriber with a client that holds every scope',
      description: 'Accepts an `Idempotency-Key`, like every POST of a partner.',
      body: NewSubscriberRequest,
      response: { 201: NewSubscriberAnswer },
    },
    handler: (request, reply) =>
      idempotentTransaction(sandbox, request, reply, async (tx) => {
        const actor = actorOf(request, clock)
        const { subscriberId } = addSubscriber(tx, { ...request.body, fourEyes: true, reports: true }, actor)
        const { clientId, secret } = addClient(tx, pepper, { subscriberId, scopes: ALL_SCOPES }, actor)
        reply.code(201)
        return { subscriberId, clientId, clientSecret: secret }
      }),
  })

  app.route({
    method: 'POST',
    url: `${PATH}/maintenance`,
    config,
    onRequest,
    schema: {
      operationId: 'setMaintenance',
      tags,
      summary: 'Switch maintenance on or off',
      description:
        'While it is on, the operations of partners answer 503. Tokens, health, the documentation, the sandbox operations ' +
        'and jobs continue.',
      body: MaintenanceRequest,
      response: { 200: MaintenanceAnswer },
    },
    handler: async (request) => {
      await saveMaintenance(db, request.body.enabled, 'sandbox')
      await state.refresh()
      return { enabled: request.body.enabled }
    },
  })

  app.route({
    method: 'POST',
    url: `${PATH}/reset`,
    config,
    onRequest,
    schema: {
      operationId: 'resetSandbox',
      tags,
      summary: 'Reset the sandbox to its initial data and to real time',
      description:
        'Removes everything and creates the initial data again, with dates relative to now. Tokens of the initial clients ' +
        'stay valid. Responds when all data is there.',
      response: { 200: ResetAnswer },
    },
    handler: () =>
      sandbox.oneAtATime(async () => {
        await reseed(app, sandbox)
        await state.refresh()
        await sandbox.replan()
        return { now: clock.now().toISOString() }
      }),
  })
}
