import { randomUUID } from 'node:crypto'
import type { Scope } from '../auth/scopes.ts'
import { changeMatter } from '../matter/change.ts'
import { readinessFactsOf } from '../matter/consequences.ts'
import { findMatter } from '../matter/load.ts'
import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import { type Bounds, pageOf } from '../platform/http/page.ts'
import { Type } from '../platform/http/schema.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { presentConfirmation } from './present.ts'
import { RULES } from './rules.ts'
import { confirmRule, isRule, takeBackConfirmation } from './rules-confirmations.ts'
import type { Approval } from './rules-facts.ts'
import {
  ApprovalPath,
  Confirmation,
  ConfirmationPath,
  ConfirmationRequest,
  Confirmations,
  ReadinessQuery,
} from './schema.ts'

const SCOPE_OF: Record<Approval, Scope> = {
  LODGEMENT: 'x-api:approve:lodgement_applications',
  FINANCIAL: 'x-api:approve:financial_settlement_schedules',
}

const url = `${PARTNER_PATH}/workspaces/:workspace_id/confirmations`
const tags = ['Lodgement']
const scope = Object.values(SCOPE_OF)
const kinds = ['LAW_FIRM'] as const

export function confirmationRoutes(app: App, deps: Deps): void {
  const { db, vault } = deps

  app.route({
    method: 'GET',
    url,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'listConfirmations',
      tags,
      summary: 'List what was confirmed in a workspace',
      description: 'Oldest first. One that was taken back or has lapsed is not listed; the audit keeps it.',
      params: ApprovalPath,
      querystring: ReadinessQuery,
      response: { 200: Confirmations },
    },
    handler: (request) => {
      const list = async ({ after, rows }: Bounds) => {
        const key = { workspaceId: request.params.workspace_id }
        const { confirmations } = await findMatter(db.read, key, request.caller)
        const numbered = confirmations.map((one) => ({ ...one, seq: one.seq ?? 0 }))
        return numbered.filter(({ seq }) => seq > (after ?? 0)).slice(0, rows)
      }
      return pageOf(vault, request, list, presentConfirmation)
    },
  })

  app.route({
    method: 'POST',
    url,
    config: {
      scope,
      kinds,
      scopeOf: (body) => {
        const { ruleId } = (body ?? {}) as { ruleId?: unknown }
        return isRule(ruleId) ? SCOPE_OF[RULES[ruleId].approval] : undefined
      },
      refusals: {
        404: 'No such workspace (`workspace_id`), no such rule or not one that can be confirmed (`ruleId`), or no record of it with this `field`.',
        409: 'The rule passes, is confirmed already, or the approval that it belongs to cannot be given now.',
      },
    },
    schema: {
      operationId: 'confirmReadiness',
      tags,
      summary: 'Confirm that a matter is right as it is, although a rule says otherwise',
      description:
        'For rules of the kind `CONFIRMABLE`. A confirmation is for the facts as they are now: when they change it lapses. ' +
        'Needs the scope that approves what the rule belongs to. Published as `READINESS_CONFIRMED`.',
      params: ApprovalPath,
      body: ConfirmationRequest,
      response: { 201: Confirmation },
    },
    handler: (request, reply) => {
      const confirmationId = randomUUID()
      return changeMatter(deps, request, reply, {
        of: { workspaceId: request.params.workspace_id },
        decide: (matter, _, { at }) => [
          confirmRule(readinessFactsOf(matter, at), request.body, { confirmationId, confirmedAt: at }),
        ],
        answer: (_, __, { actor }) => {
          reply.code(201)
          return presentConfirmation({ ...request.body, confirmationId, confirmedAt: actor.at })
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:confirmation_id`,
    config: {
      scope,
      kinds,
      refusals: {
        404: 'No such workspace (`workspace_id`) or confirmation (`confirmation_id`).',
        409: 'Funds are authorised, or the workspace has ended.',
      },
    },
    schema: {
      operationId: 'deleteConfirmation',
      tags,
      summary: 'Take back a confirmation',
      description: 'Takes back the approval that rests on it, too. Needs one of the two scopes that approve.',
      params: ConfirmationPath,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => {
      const { workspace_id: workspaceId, confirmation_id: confirmationId } = request.params
      return changeMatter(deps, request, reply, {
        of: { workspaceId },
        decide: ({ workspace, confirmations }) => [
          takeBackConfirmation(workspace.status, confirmations, confirmationId),
        ],
        answer: () => {
          reply.code(204)
          return null
        },
      })
    },
  })
}
