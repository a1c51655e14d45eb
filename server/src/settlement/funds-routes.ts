import { fourEyesErrors } from '../approvals/rules.ts'
import { recordWorkspaceAudit } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import { type Scope, scopeOfAction } from '../auth/scopes.ts'
import type { Deps } from '../platform/deps.ts'
import { conflict } from '../platform/errors.ts'
import { type App, PARTNER_PATH } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { londonDate } from '../platform/london.ts'
import { authoriseFunds, stopPayment, takeBackFunds } from './authorise.ts'
import { approveSchedule } from './change.ts'
import { approvalErrors, checkApprovable } from './rules.ts'
import { judgeAuthorisation } from './rules-funds.ts'
import {
  FinancialApprovalAnswer,
  FinancialApprovalRequest,
  FundsAuthorisationAnswer,
  FundsAuthorisationRequest,
  MoneyPath,
} from './schema.ts'
import { lockScheduleOf } from './store.ts'

const tags = ['Settlement']

const SCOPES = {
  APPROVE: 'x-api:approve:financial_settlement_schedules',
  UNAPPROVE: 'x-api:unapprove:financial_settlement_schedules',
} as const satisfies Record<string, Scope>

/** Who lets the money go: the law firm approves the schedule, the lender authorises the funds. */
export function fundsRoutes(app: App, deps: Deps): void {
  const { clock, queue } = deps

  app.route({
    method: 'POST',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/financial-approvals`,
    config: {
      scope: Object.values(SCOPES),
      scopeOf: scopeOfAction(SCOPES),
      kinds: ['LAW_FIRM'],
      refusals: {
        409: 'APPROVE: one error for each thing that the schedule lacks, and one at `approvedBy` where that person has changed the schedule or a line. Or it is approved already, not approved, or funds are authorised.',
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
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { action, approvedBy } = request.body
        const { workspace, schedule } = await lockScheduleOf(tx, request.caller, request.params.workspace_id)
        const actor = actorOf(request, clock)
        checkApprovable(workspace.status, schedule.status, action)
        if (action === 'APPROVE') {
          const eyes = fourEyesErrors(schedule, approvedBy, 'the schedule or its lines')
          const faults = [...approvalErrors(schedule, londonDate(actor.at)), ...eyes]
          if (faults.length) throw conflict(...faults)
        }
        const { workspaceId, scheduleId: financialSettlementScheduleId } = workspace
        const { scheduleStatus: status } = approveSchedule(tx, workspace, request.body, actor)
        const ids = { workspaceId, financialSettlementScheduleId }
        const change = { before: { status: schedule.status }, after: { status, approvedBy } }
        recordWorkspaceAudit(tx, workspaceId, { action: AUDITED[action], ids, ...change }, actor)
        return { financialSettlementScheduleId, action, status, approvedBy, approvedAt: actor.at.toISOString() }
      }),
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
        'Date and amount are compared with those of the schedule; where they differ, nothing changes and both answers ' +
        'are false. The payment is made at 09:00 in London on completion day, or at once after that hour. An ' +
        'authorisation can be taken back until that day begins.',
      params: MoneyPath,
      body: FundsAuthorisationRequest,
      response: { 200: FundsAuthorisationAnswer },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { completionDate, lineItem } = request.body
        const { workspace, schedule } = await lockScheduleOf(tx, request.caller, request.params.workspace_id)
        const actor = actorOf(request, clock)
        const { does, matched, authorised } = judgeAuthorisation(
          workspace.status,
          schedule,
          request.body,
          londonDate(actor.at),
        )
        if (does === 'nothing') return { matched, authorised }

        if (does === 'take back') await stopPayment(tx, workspace)
        const { status } =
          does === 'authorise'
            ? await authoriseFunds(tx, queue, workspace, completionDate, actor)
            : takeBackFunds(tx, workspace, 'The lender took back the authorisation of the funds.', actor)
        const { workspaceId } = workspace
        const facts = authorised ? { completionDate, amount: lineItem.amount } : {}
        const change = { before: { status: workspace.status }, after: { status, ...facts } }
        const action = authorised ? 'funds authorised' : 'funds authorisation taken back'
        recordWorkspaceAudit(tx, workspaceId, { action, ids: { workspaceId }, ...change }, actor)
        return { matched, authorised }
      }),
  })
}

const AUDITED = { APPROVE: 'schedule approved', UNAPPROVE: 'schedule approval taken back' } as const
