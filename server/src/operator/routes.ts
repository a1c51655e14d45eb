import { randomUUID } from 'node:crypto'
import { findCheck, findNewestAnchor, insertCheck, VERIFY_JOB, type VerifyPayload } from '../audit/checks.ts'
import { searchAudit } from '../audit/search.ts'
import { actorOf } from '../auth/actor.ts'
import { ALL_SUBSCRIBERS, csvOf, FIGURE_NAMES } from '../figures/rules.ts'
import { readFigures } from '../figures/store.ts'
import type { App } from '../platform/http/http.ts'
import { Choice, Closed } from '../platform/http/schema.ts'
import { listNodes } from '../platform/operations/nodes.ts'
import { findMaintenance, saveMaintenance } from '../platform/operations/state.ts'
import { accountRoutes } from './account-routes.ts'
import {
  CHANGE,
  changerOf,
  explainRights,
  OPERATOR_PATH,
  type OperatorParts,
  RUN,
  recordByOperator,
  VIEW,
} from './parts.ts'
import { peopleRoutes } from './people-routes.ts'
import { checkNoneRuns, matchingJobs, searchedTime } from './rules.ts'
import { AuditQuery, DeadJobsQuery, MaintenanceRequest, RetryRequest, VerifyRequest } from './schema.ts'
import { listFailingWebhooks } from './store.ts'

const DEAD_RECORDS_MAX = 200
const AUDIT_RECORDS = 100

const FigurePath = Closed({ figure_name: Choice(FIGURE_NAMES) })

/** What the commands do, for operators who signed in. For everybody else these paths do not exist. */
export function operatorRoutes(app: App, parts: OperatorParts): void {
  serviceRoutes(app, parts)
  auditRoutes(app, parts)
  accountRoutes(app, parts)
  peopleRoutes(app, parts)
}

function serviceRoutes(app: App, { deps, state }: OperatorParts): void {
  const { db, clock, queue } = deps
  const change = changerOf(deps)

  app.route({
    method: 'GET',
    url: `${OPERATOR_PATH}/nodes`,
    config: VIEW,
    handler: async () => ({ records: await listNodes(db.read) }),
  })

  app.route({
    method: 'GET',
    url: `${OPERATOR_PATH}/webhooks`,
    config: VIEW,
    handler: async () => ({ records: await listFailingWebhooks(db.read, clock.now()) }),
  })

  app.route({
    method: 'GET',
    url: `${OPERATOR_PATH}/figures`,
    config: VIEW,
    handler: () => readFigures(db.read, ALL_SUBSCRIBERS),
  })

  app.route({
    method: 'GET',
    url: `${OPERATOR_PATH}/figures/:figure_name`,
    config: VIEW,
    schema: { params: FigurePath },
    handler: async ({ params }) => ({ csv: csvOf(await readFigures(db.read, ALL_SUBSCRIBERS), params.figure_name) }),
  })

  app.route({
    method: 'GET',
    url: `${OPERATOR_PATH}/maintenance`,
    config: VIEW,
    handler: () => findMaintenance(db.read),
  })

  app.route({
    method: 'POST',
    url: `${OPERATOR_PATH}/maintenance`,
    config: CHANGE,
    schema: { body: MaintenanceRequest },
    handler: async (request, reply) => {
      const { enabled } = request.body
      await change(request, reply, async (tx, actor) => {
        await saveMaintenance(tx, enabled, actor.actingUser ?? '')
        recordByOperator(request, tx, `maintenance switched ${enabled ? 'on' : 'off'}`, actor)
      })
      await state.refresh()
      return findMaintenance(db)
    },
  })

  app.route({
    method: 'GET',
    url: `${OPERATOR_PATH}/jobs`,
    config: VIEW,
    handler: async () => {
      const [records, dead] = await Promise.all([queue.listUnfinished(), queue.dead()])
      return { records, dead }
    },
  })

  app.route({
    method: 'GET',
    url: `${OPERATOR_PATH}/jobs/dead`,
    config: VIEW,
    schema: { querystring: DeadJobsQuery },
    handler: async ({ query }) => {
      const found = matchingJobs(await queue.listDead(), query)
      return { count: found.length, records: found.slice(0, DEAD_RECORDS_MAX) }
    },
  })

  app.route({
    method: 'POST',
    url: `${OPERATOR_PATH}/jobs/dead/retry`,
    config: RUN,
    schema: { body: RetryRequest },
    handler: async (request) => {
      const ids = matchingJobs(await queue.listDead(), request.body).map(({ id }) => id)
      const count = await queue.retryDead(ids).catch(explainRights)
      // Afterwards, as the queue has its own transaction: nobody wants an entry about jobs that did not run.
      await db.transaction(async (tx) =>
        recordByOperator(request, tx, 'dead jobs retried', actorOf(request, clock), { ...request.body, count }),
      )
      return { count }
    },
  })
}

function auditRoutes(app: App, { deps }: OperatorParts): void {
  const { db, queue } = deps
  const change = changerOf(deps)

  app.route({
    method: 'GET',
    url: `${OPERATOR_PATH}/audit`,
    config: VIEW,
    schema: { querystring: AuditQuery },
    handler: async ({ query: { id: chain, day, person: who, correlation_id: correlationId, before } }) => {
      const filter = { chain, between: searchedTime(chain, day), who, correlationId, before }
      const found = await searchAudit(db.read, filter, AUDIT_RECORDS + 1)
      const records = found.slice(0, AUDIT_RECORDS)
      return { records, ...(found.length > AUDIT_RECORDS && { before: records.at(-1)?.entryId }) }
    },
  })

  app.route({
    method: 'GET',
    url: `${OPERATOR_PATH}/audit/check`,
    config: VIEW,
    handler: async () => {
      const [check, anchor] = await Promise.all([findCheck(db.read), findNewestAnchor(db.read)])
      return { ...(check && { check }), ...(anchor && { anchor }) }
    },
  })

  app.route({
    method: 'POST',
    url: `${OPERATOR_PATH}/audit/check`,
    config: RUN,
    schema: { body: VerifyRequest },
    handler: (request, reply) =>
      change(request, reply, async (tx, actor) => {
        checkNoneRuns(await findCheck(tx), actor.at)
        const payload: VerifyPayload = { checkId: randomUUID(), ...request.body }
        insertCheck(tx, payload.checkId, actor.actingUser ?? '', actor.at)
        await queue.enqueue(tx, VERIFY_JOB, payload, actor)
        recordByOperator(request, tx, 'verification of the audit asked for', actor)
        reply.code(202)
      }),
  })
}
