import { randomUUID } from 'node:crypto'
import { reviewCase } from '../approvals/review.ts'
import { actorName, recordWorkspaceAudit } from '../audit/record.ts'
import { actorOf } from '../auth/actor.ts'
import { recordEvent } from '../events/record.ts'
import type { Deps } from '../platform/deps.ts'
import { notFound } from '../platform/errors.ts'
import { checkIfMatch, etagOf, sendWithEtag } from '../platform/http/etag.ts'
import { type App, PARTNER_PATH } from '../platform/http/http.ts'
import { idempotentTransaction } from '../platform/http/idempotency.ts'
import { pageBounds, pageOf } from '../platform/http/page.ts'
import { PageQuery, Type } from '../platform/http/schema.ts'
import { checkOpen } from '../workspaces/status.ts'
import { lockWorkspace } from '../workspaces/store.ts'
import { presentAccepted, presentRepresentation, presentUpdated } from './present.ts'
import { accept, changeFirm, combinationErrors } from './rules.ts'
import {
  AddRepresentationAnswer,
  AddRepresentationRequest,
  Representation,
  RepresentationPage,
  RepresentationPath,
  RepresentationsPath,
  UpdateRepresentationAnswer,
  UpdateRepresentationRequest,
} from './schema.ts'
import { startRepresentation } from './start.ts'
import { findNamed, findRepresentation, listRepresentations, listSharing, saveFirm } from './store.ts'

const url = `${PARTNER_PATH}/workspaces/:workspace_id/representation`
const tags = ['Representation']
const noSuchOne = { 404: 'No such workspace (`workspace_id`), or no such representation in it (`representation_id`).' }

export function representationRoutes(app: App, deps: Deps): void {
  const { db, clock, queue } = deps

  app.route({
    method: 'POST',
    url,
    config: {
      scope: 'add:legal_representation_details',
      kinds: ['LAW_FIRM'],
      combinations: combinationErrors,
      refusals: {
        404: 'No such workspace (`workspace_id`), or no such party or external representation in it (`partyId`, `representationId`).',
        409: 'The workspace is not open for it.',
      },
    },
    schema: {
      operationId: 'addRepresentation',
      tags,
      summary: 'Say who represents a party',
      description:
        'The outcome is an event, `REPRESENTATION_ADDED` or `REPRESENTATION_FAILED`, and can be read. A new active ' +
        'representation of a party supersedes the one before it.',
      params: RepresentationsPath,
      body: AddRepresentationRequest,
      response: { 202: AddRepresentationAnswer },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { caller, body } = request
        const workspaceId = request.params.workspace_id
        // Both travel together; the second looks after the lock of the first was had.
        const [workspace, named] = await Promise.all([
          lockWorkspace(tx, caller, workspaceId),
          findNamed(tx, workspaceId, body),
        ])
        checkOpen(workspace.status, 'parties, title and representation', workspace.caseStatus)
        const acting = accept(body, named, { subscriberId: caller.subscriberId, newFirmId: randomUUID() })
        const actor = actorOf(request, clock)
        const { partyId } = body
        const representation = { representationId: randomUUID(), workspaceId, partyId, acting }
        await startRepresentation(tx, queue, representation, actor)
        const ids = { workspaceId, representationId: representation.representationId, partyId }
        const after = { status: 'QUEUED', ...acting }
        recordWorkspaceAudit(tx, workspaceId, { action: 'representation queued', ids, after }, actor)
        reply.code(202)
        return presentAccepted(representation)
      }),
  })

  app.route({
    method: 'GET',
    url,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'listRepresentations',
      tags,
      summary: 'List the representations of a workspace, oldest first',
      description:
        'Every one that was ever asked for, with what became of it: those that wait, failed or were superseded too.',
      params: RepresentationsPath,
      querystring: Type.Object(PageQuery),
      response: { 200: RepresentationPage },
    },
    handler: async ({ caller, params, query }) => {
      const rows = await listRepresentations(db.read, caller, params.workspace_id, pageBounds(query))
      return pageOf(rows, query, presentRepresentation)
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:representation_id`,
    config: { scope: 'view:workspaces', refusals: noSuchOne },
    schema: {
      operationId: 'getRepresentation',
      tags,
      summary: 'Read a representation',
      description:
        'Tells what became of one that was accepted: `ACTIVE`, or `FAILED` with the reason. Its `ETag` is the one that ' +
        'a change may name in `If-Match`.',
      params: RepresentationPath,
      response: { 200: Representation },
    },
    handler: async (request, reply) => {
      const { workspace_id: workspaceId, representation_id: representationId } = request.params
      const row = await findRepresentation(db.read, request.caller, workspaceId, representationId)
      if (!row) throw representationNotFound()
      return sendWithEtag(request, reply, presentRepresentation(row))
    },
  })

  app.route({
    method: 'PATCH',
    url: `${url}/:representation_id`,
    config: {
      scope: 'add:legal_representation_details',
      kinds: ['LAW_FIRM'],
      refusals: {
        ...noSuchOne,
        409: 'The workspace is not open for it, or the representation is not external, failed or was superseded.',
      },
    },
    schema: {
      operationId: 'updateRepresentation',
      tags,
      summary: 'Change name and address of an external law firm',
      description: 'Applies at once, to every representation that shares the firm. The same again changes nothing.',
      params: RepresentationPath,
      body: UpdateRepresentationRequest,
      response: { 200: UpdateRepresentationAnswer },
    },
    handler: (request, reply) =>
      idempotentTransaction(deps, request, reply, async (tx) => {
        const { caller, body } = request
        const { workspace_id: workspaceId, representation_id: representationId } = request.params
        const [workspace, row] = await Promise.all([
          lockWorkspace(tx, caller, workspaceId),
          findRepresentation(tx, caller, workspaceId, representationId),
        ])
        if (!row) throw representationNotFound()
        checkIfMatch(request, () => presentRepresentation(row))
        checkOpen(workspace.status, 'parties, title and representation', workspace.caseStatus)
        const firm = changeFirm(row, body)
        reply.header('etag', etagOf(presentRepresentation(row)))
        if (firm === row.firm || row.firmId === null) return presentUpdated(row)

        const actor = actorOf(request, clock)
        const { reference, lenderId, lawFirmId } = workspace
        const sharing = await listSharing(tx, row.firmId)
        saveFirm(tx, row.firmId, firm, actor)
        for (const { status: _, ...data } of sharing) {
          const event = { type: 'REPRESENTATION_UPDATED', workspaceId, told: [lenderId, lawFirmId] } as const
          recordEvent(tx, { ...event, reference, data }, actor)
        }
        // What is lodged names the firm of an active representation, so who approved it looks again.
        if (sharing.some(({ status }) => status === 'ACTIVE')) await reviewCase(tx, workspace, actor)
        const change = { before: { ...row.firm }, after: { ...firm } }
        const ids = { workspaceId, representationId, firmId: row.firmId }
        recordWorkspaceAudit(tx, workspaceId, { action: 'external law firm changed', ids, ...change }, actor)
        const updated = { ...row, firm, lastModifiedAt: actor.at, lastModifiedBy: actorName(actor) }
        reply.header('etag', etagOf(presentRepresentation(updated)))
        return presentUpdated(updated)
      }),
  })
}

const representationNotFound = () => notFound('representation_id', 'There is no such representation in this workspace.')
