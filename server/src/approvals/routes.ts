import { type Scope, scopeOfAction } from '../auth/scopes.ts'
import { changeMatter } from '../matter/change.ts'
import { readinessFactsOf } from '../matter/consequences.ts'
import { findMatter } from '../matter/load.ts'
import type { Deps } from '../platform/deps.ts'
import type { FieldError } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import { type Bounds, pageOf } from '../platform/http/page.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { confirmationRoutes } from './confirmation-routes.ts'
import { presentResult } from './present.ts'
import { approveCase, reviewReadiness, unapproveCase } from './rules.ts'
import {
  ApprovalPath,
  LodgementApprovalAnswer,
  LodgementApprovalRequest,
  ReadinessPage,
  ReadinessQuery,
} from './schema.ts'

const SCOPES = {
  APPROVE: 'x-api:approve:lodgement_applications',
  UNAPPROVE: 'x-api:unapprove:lodgement_applications',
} as const satisfies Record<string, Scope>

const tags = ['Lodgement']

export function approvalRoutes(app: App, deps: Deps): void {
  const { db, vault, clock } = deps

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/readiness`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'getWorkspaceReadiness',
      tags,
      summary: 'Read what a workspace still needs before it can be approved',
      description:
        'One record for each rule and each thing that it checks, passed or not, of both approvals. Those of the approval ' +
        '`FINANCIAL` are left out once the schedule is settled or cancelled.',
      params: ApprovalPath,
      querystring: ReadinessQuery,
      response: { 200: ReadinessPage },
    },
    handler: (request) => {
      const list = async ({ after, rows }: Bounds) => {
        const matter = await findMatter(db.read, { workspaceId: request.params.workspace_id }, request.caller)
        const results = reviewReadiness(readinessFactsOf(matter, clock.now()))
        const numbered = results.map((result, index) => ({ ...result, seq: index + 1 }))
        return numbered.filter(({ seq }) => seq > (after ?? 0)).slice(0, rows)
      }
      return pageOf(vault, request, list, presentResult)
    },
  })

  confirmationRoutes(app, deps)

  app.route({
    method: 'POST',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/lodgement-approvals`,
    config: {
      scope: Object.values(SCOPES),
      scopeOf: scopeOfAction(SCOPES),
      kinds: ['LAW_FIRM'],
      combinations: otherWorkspace,
      refusals: {
        409:
          'The case is not ready: one error for each failure of the `approval` `LODGEMENT` that `GET …/readiness` shows, ' +
          'those of the kind `BLOCKING_SUBMISSION` apart. Or it is approved already, ' +
          'is not approved, funds are authorised, or `approvedBy` has changed an application or a document of it since it was last sent.',
      },
    },
    schema: {
      operationId: 'approveLodgement',
      tags,
      summary: 'Approve the lodgement applications of a workspace, or take the approval back',
      description:
        'The effect is committed with the answer. After a rejection the case is sent again at once, and after an early ' +
        'completion (`PARTIALLY_REGISTERED`) its discharge, which alone is then checked: it needs its `EVIDENCE`.',
      params: ApprovalPath,
      body: LodgementApprovalRequest,
      response: { 202: LodgementApprovalAnswer },
    },
    handler: (request, reply) => {
      const { action, workspaceId, ...stated } = request.body
      const { approvedBy } = stated
      return changeMatter(deps, request, reply, {
        of: { workspaceId },
        decide: (matter, _, { at }) => {
          const { workspace, lodgementCase, fourEyes } = matter
          const { status, changedBy } = lodgementCase
          if (action === 'UNAPPROVE') return [unapproveCase(workspace.status, status, approvedBy)]
          return [approveCase(readinessFactsOf(matter, at), { fourEyes, changedBy }, stated)]
        },
        answer: ({ lodgementCase: { lodgementCaseId, status } }, _, { actor }) => {
          reply.code(202)
          const approvedAt = actor.at.toISOString()
          return { lodgementCaseId, action, lodgementCaseStatus: status, approvedBy, approvedAt }
        },
      })
    },
  })
}

function otherWorkspace(body: unknown, params: unknown): FieldError[] {
  const { workspaceId } = body as { workspaceId?: unknown }
  if (workspaceId === undefined || workspaceId === (params as { workspace_id: string }).workspace_id) return []
  return [{ field: 'workspaceId', message: 'workspaceId must be the one in the path.' }]
}
