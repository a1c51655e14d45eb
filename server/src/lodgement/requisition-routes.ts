import { changeMatter } from '../matter/change.ts'
import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import { type Bounds, pageOf } from '../platform/http/page.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { presentRequisitionRecord } from './present.ts'
import {
  RequisitionClosureRequest,
  RequisitionPage,
  RequisitionPath,
  RequisitionReplyAnswer,
  RequisitionReplyRequest,
  RequisitionsQuery,
} from './requisition-schema.ts'
import { answerRequisition, closeRequisition, repeatErrors } from './rules-registry.ts'
import { listFileStatuses, listRequisitions } from './store.ts'

export function requisitionRoutes(app: App, deps: Deps): void {
  const { db, vault } = deps

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/lodgement-cases/:lodgement_case_id/requisitions`,
    config: { scope: 'x-api:view:lodgement_summary' },
    schema: {
      operationId: 'listRequisitions',
      tags: ['Lodgement'],
      summary: 'List the requisitions of a case, oldest first',
      description: 'What the registry asked, what it was answered, and what happened to the answer.',
      params: RequisitionPath,
      querystring: RequisitionsQuery,
      response: { 200: RequisitionPage },
    },
    handler: (request) => {
      const { caller, params } = request
      const list = (page: Bounds) => listRequisitions(db.read, caller, params.lodgement_case_id, page)
      return pageOf(vault, request, list, presentRequisitionRecord)
    },
  })

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
        'what the registry makes of it is an event, and the status in `GET …/requisitions`.',
      params: RequisitionPath,
      body: RequisitionReplyRequest,
      response: { 202: RequisitionReplyAnswer },
    },
    handler: (request, reply) => {
      const { message, fileIds = [] } = request.body
      const lodgementCaseId = request.params.lodgement_case_id
      return changeMatter(deps, request, reply, {
        of: { lodgementCaseId },
        also: (tx) => listFileStatuses(tx, lodgementCaseId, fileIds),
        decide: (matter, files) => answerRequisition(matter, { message, fileIds }, files),
        answer: ({ requisitions, lodgementCase }) => {
          reply.code(202)
          return { requisitionId: requisitions.at(-1)?.requisitionId ?? '', lodgementCaseStatus: lodgementCase.status }
        },
      })
    },
  })

  app.route({
    method: 'POST',
    url: `${PARTNER_PATH}/lodgement-cases/:lodgement_case_id/requisition-closure`,
    config: {
      scope: 'x-api:edit:lodgement_applications',
      kinds: ['LAW_FIRM'],
      refusals: { 409: 'There is no open requisition, or it has `points`, which must be answered.' },
    },
    schema: {
      operationId: 'closeRequisition',
      tags: ['Lodgement'],
      summary: 'Say that the open requisition of a case needs no answer',
      description:
        'For a requisition that came as a letter, without `points`: every letter of the registry counts as one. The case ' +
        'goes back to where it was before: `LODGED`, or `REQUISITION_SUBMITTED` while the registry still has an answer to ' +
        'an earlier one. Nothing is sent to the registry.',
      params: RequisitionPath,
      body: RequisitionClosureRequest,
      response: { 200: RequisitionReplyAnswer },
    },
    handler: (request, reply) =>
      changeMatter(deps, request, reply, {
        of: { lodgementCaseId: request.params.lodgement_case_id },
        decide: (matter) => closeRequisition(matter, request.body),
        answer: ({ requisitions, lodgementCase }) => ({
          requisitionId: requisitions.at(-1)?.requisitionId ?? '',
          lodgementCaseStatus: lodgementCase.status,
        }),
      }),
  })
}
