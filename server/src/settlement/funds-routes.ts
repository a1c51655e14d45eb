import { approveSchedule, unapproveSchedule } from '../approvals/rules.ts'
import { type Scope, scopeOfAction } from '../auth/scopes.ts'
import { londonDate } from '../jurisdiction/london.ts'
import { changeMatter } from '../matter/change.ts'
import { readinessFactsOf } from '../matter/consequences.ts'
import { isPaymentUnderWay, scheduleOf } from '../matter/matter.ts'
import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import {
  FinancialApprovalAnswer,
  FinancialApprovalRequest,
  FundsAuthorisationAnswer,
  FundsAuthorisationRequest,
  MoneyPath,
} from './funds-schema.ts'
import { authorisationAfter, decideAuthorisation } from './rules-funds.ts'

const tags = ['Settlement']

const SCOPES = {
  APPROVE: 'x-api:approve:financial_settlement_schedules',
  UNAPPROVE: 'x-api:unapprove:financial_settlement_schedules',
} as const satisfies Record<string, Scope>

/** Who lets the money go: the law firm approves the schedule, the lender authorises the funds. */
export function fundsRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'POST',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/financial-approvals`,
    config: {
      scope: Object.values(SCOPES),
      scopeOf: scopeOfAction(SCOPES),
      kinds: ['LAW_FIRM'],
      refusals: {
        409: 'APPROVE: one error for each failure of the `approval` `FINANCIAL` that `GET …/readiness` shows, and one at `approvedBy` where that person has changed the schedule or a line. Or it is approved already, not approved, or funds are authorised.',
      },
    },
    schema: {
      operationId: 'approveFinancialSettlementSchedule',
      tags,
      summary: 'Approve the settlement schedule, or take its approval back',
      description:
        'Needs the scope of its action. A schedule can be approved with at least one source and one destination, equal ' +
        'sums, and a completion date that is a business day not past.',
      params: MoneyPath,
      body: FinancialApprovalRequest,
      response: { 200: FinancialApprovalAnswer },
    },
    handler: (request, reply) => {
      const { action, approvedBy } = request.body
      return changeMatter(deps, request, reply, {
        of: { workspaceId: request.params.workspace_id },
        decide: (matter, _, { at }) => {
          const { workspace, schedule, fourEyes } = matter
          const { status, changedBy } = schedule
          if (action === 'UNAPPROVE') return [unapproveSchedule(workspace.status, status, approvedBy)]
          return [approveSchedule(readinessFactsOf(matter, at), { fourEyes, changedBy }, approvedBy)]
        },
        answer: ({ schedule }, _, { actor }) => ({
          financialSettlementScheduleId: schedule.scheduleId,
          action,
          status: schedule.status,
          approvedBy,
          approvedAt: actor.at.toISOString(),
        }),
      })
    },
  })

  app.route({
    method: 'POST',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/funds-authorisation`,
    config: {
      scope: 'x-api:authorise:funds',
      kinds: ['LENDER'],
      refusals: {
        409: 'The workspace is neither prepared nor authorised; the completion day has ended (`completionDate`), or has begun and what was authorised can no longer be taken back (`lineItem.authorised`).',
      },
    },
    schema: {
      operationId: 'authoriseFunds',
      tags,
      summary: 'Authorise the funds, or take the authorisation back',
      description:
        'Date and amount are compared with the date of the schedule and the sum of its `Mortgage Advance` lines. Where they ' +
        'differ, nothing changes: `mismatches` says in what, and `authorised` whether funds are authorised all the same, by ' +
        'an earlier request. The payment is made at 09:00 in London on completion day, or at once after that hour. An ' +
        'authorisation can be taken back until that day begins.',
      params: MoneyPath,
      body: FundsAuthorisationRequest,
      response: { 200: FundsAuthorisationAnswer },
    },
    handler: (request, reply) =>
      changeMatter(deps, request, reply, {
        of: { workspaceId: request.params.workspace_id },
        decide: (matter, _, { at }) => {
          const schedule = { ...scheduleOf(matter), isPaymentUnderWay: isPaymentUnderWay(matter) }
          return decideAuthorisation(matter.workspace.status, schedule, request.body, londonDate(at))
        },
        answer: (matter) => authorisationAfter(matter.workspace.status, scheduleOf(matter), request.body),
      }),
  })
}
