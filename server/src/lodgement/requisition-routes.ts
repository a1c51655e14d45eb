import { actorOf } from '../auth/actor.ts'
import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { lockWorkspaceOfCase } from '../workspaces/store.ts'
import { answerRequisition } from './reply.ts'
import { RequisitionReplyAnswer, RequisitionReplyPath, RequisitionReplyRequest } from './requisition-schema.ts'
import { findOpen, listFileStatuses } from './requisition-store.ts'
import { checkAnswer, checkNotEnded, repeatErrors } from './rules-requisition.ts'

export function requisitionRoutes(app: App, deps: Deps): void {
  const { clock, queue } = deps

  app.route({
    method: 'POST',
    url: `${PARTNER_PATH}/lodgement-cases/:lodgement_case_id/requisition-reply`,
    config: {
      scope: 'x-api:edit:lodgement_applications',
      kinds: ['LAW_FIRM'],
      combinations: repeatErrors,
      refusals: {
        404: 'No such case (`lodgement_case_id`), or no such file in its workspace (`fileIds[i]`).',
        409: 'There is no open requisition, or a file is not uploaded successfully (`fileIds[i]`).',
      },
    },
    schema: {
      operationId: 'replyToRequisition',
      tags: ['Lodgement'],
      summary: 'Answer the open requisition of a case',
      description:
        'Upload what is to go with it to the workspace first. The answer is sent to the registry in the background; ' +
        'what the registry makes of it is an event.',
      params: RequisitionReplyPath,
      body: RequisitionReplyRequest,
      response: { 202: RequisitionReplyAnswer },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { message, fileIds = [] } = request.body
        const lodgementCaseId = request.params.lodgement_case_id
        // All travel together; the others look after the lock of the first was had.
        const [workspace, open, files] = await Promise.all([
          lockWorkspaceOfCase(tx, request.caller, lodgementCaseId),
          findOpen(tx, lodgementCaseId),
          listFileStatuses(tx, lodgementCaseId, fileIds),
        ])
        checkNotEnded(workspace.status, workspace.caseStatus)
        const statuses = new Map(files.map(({ fileId, status }) => [fileId, status]))
        const requisition = checkAnswer(fileIds, statuses, open)
        const answer = { message, fileIds }
        const moved = await answerRequisition(tx, queue, workspace, requisition, answer, actorOf(request, clock))
        reply.code(202)
        return { requisitionId: requisition.requisitionId, lodgementCaseStatus: moved.caseStatus }
      }),
  })
}
