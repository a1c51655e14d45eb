import { randomUUID } from 'node:crypto'
import { reviewCase } from '../approvals/review.ts'
import { recordWorkspaceAudit } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import { recordEvent } from '../events/record.ts'
import { planApplications } from '../lodgement/rules.ts'
import { listApplications, savePlan } from '../lodgement/store.ts'
import type { Deps } from '../platform/deps.ts'
import { checkIfMatch, etagOf, sendWithEtag } from '../platform/http/etag.ts'
import { type App, PARTNER_PATH } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { checkOpen } from '../workspaces/status.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { presentChange, presentReconciliation } from './present.ts'
import { type Action, causesOf, reconcile } from './rules.ts'
import {
  ReconciliationPath,
  strangeProperties,
  TitleReconciliation,
  TitleReconciliationAnswer,
  TitleReconciliationRequest,
} from './schema.ts'
import { findMatter, loadMatter, saveMatter } from './store.ts'

const url = `${PARTNER_PATH}/workspaces/:workspace_id/title-reconciliation`
const tags = ['Title reconciliation']

export function titleReconciliationRoutes(app: App, deps: Deps): void {
  const { db, clock } = deps

  app.route({
    method: 'GET',
    url,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'getTitleReconciliation',
      tags,
      summary: 'Read how borrowers and registered proprietors line up',
      description:
        'Names that are equal but for case, accents, hyphens, quotes and honorifics link by themselves, organisations ' +
        'by their registration number first. A near match is shown for you to judge, and never accepted for you.',
      params: ReconciliationPath,
      response: { 200: TitleReconciliation },
    },
    handler: async (request, reply) => {
      const matter = await findMatter(db.read, request.caller, request.params.workspace_id)
      return sendWithEtag(request, reply, presentReconciliation(matter))
    },
  })

  app.route({
    method: 'PATCH',
    url,
    config: {
      scope: 'edit:workspace_parties',
      kinds: ['LAW_FIRM'],
      combinations: strangeProperties,
      refusals: {
        404: 'No such workspace (`workspace_id`), or no such party or proprietor in it (`partyId`, `proprietorId`).',
        409: 'The workspace is not open for it, no title search has succeeded, or the action does not fit.',
      },
    },
    schema: {
      operationId: 'updateTitleReconciliation',
      tags,
      summary: 'Bring borrowers and registered proprietors into line',
      description:
        'A party or proprietor is renamed and matched anew, or one who is on one side only is set to come or to leave. ' +
        'The applications of the case follow, and an approval of it is taken back. Doing the same again is 200 and ' +
        'changes nothing.',
      params: ReconciliationPath,
      body: TitleReconciliationRequest,
      response: { 200: TitleReconciliationAnswer },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const action = request.body
        const workspaceId = request.params.workspace_id
        // The three travel together; each looks after the lock of the first was had.
        const [workspace, before, applications] = await Promise.all([
          lockWorkspace(tx, request.caller, workspaceId),
          loadMatter(tx, workspaceId),
          listApplications(tx, workspaceId),
        ])
        checkIfMatch(request, () => presentReconciliation(before))
        checkOpen(workspace.status, 'parties, title and representation', workspace.caseStatus)
        const after = reconcile(before, action, { partyId: randomUUID(), proprietorId: randomUUID() })
        reply.header('etag', etagOf(presentReconciliation(after)))
        if (after === before) return presentChange(after, action)

        const actor = actorOf(request, clock)
        const { lodgementCaseId, lenderId, lawFirmId, reference } = workspace
        const { registerHasCharge, registerHasRestriction } = before
        const causes = { ...causesOf(after), registerHasCharge, registerHasRestriction }
        const plan = planApplications(applications, causes)
        saveMatter(tx, workspaceId, before, after)
        savePlan(tx, lodgementCaseId, plan, actor)
        const event = { workspaceId, told: [lenderId, lawFirmId], reference }
        recordEvent(tx, { ...event, type: 'TITLE_RECONCILIATION_UPDATED', message: SENTENCES[action.action] }, actor)
        if (plan.add.length || plan.withdraw.length) {
          recordEvent(tx, { ...event, type: 'LODGEMENT_APPLICATION_UPDATED', data: { lodgementCaseId } }, actor)
        }
        await reviewCase(tx, workspace, actor)
        const change = { before: pictured(before), after: pictured(after) }
        recordWorkspaceAudit(tx, workspaceId, { action: action.action, ids: { workspaceId }, ...change }, actor)
        return presentChange(after, action)
      }),
  })
}

const SENTENCES: Record<Action['action'], string> = {
  UPDATE_PARTY_NAME: 'A party was renamed.',
  SET_AS_INCOMING_PROPRIETOR: 'A party was set as an incoming proprietor.',
  SET_AS_OUTGOING_PROPRIETOR: 'A proprietor was set as outgoing.',
  UPDATE_PROPRIETOR_NAME: 'A proprietor was given its present name.',
  UPDATE_OUTGOING_PROPRIETOR_NAME: 'An outgoing proprietor was given its present name.',
}

const pictured = ({ parties, proprietors }: { parties: unknown; proprietors: unknown }) => ({ parties, proprietors })
