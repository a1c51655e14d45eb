import { randomUUID } from 'node:crypto'
import { changeMatter } from '../matter/change.ts'
import type { Matter } from '../matter/matter.ts'
import type { Deps } from '../platform/deps.ts'
import { notFound } from '../platform/errors.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { type Bounds, pageOf } from '../platform/http/page.ts'
import { PageQuery, Type } from '../platform/http/schema.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
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
import { findRepresentation, findReused, listRepresentations, type RepresentationRow } from './store.ts'

const url = `${PARTNER_PATH}/workspaces/:workspace_id/representation`
const tags = ['Representation']
const noSuchOne = { 404: 'No such workspace (`workspace_id`), or no such representation in it (`representation_id`).' }

export function representationRoutes(app: App, deps: Deps): void {
  const { db, vault } = deps

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
    handler: (request, reply) => {
      const { caller, body } = request
      const { partyId, representationId: reusedId } = body
      const workspaceId = request.params.workspace_id
      const [representationId, newFirmId] = [randomUUID(), randomUUID()]
      const { subscriberId } = caller
      return changeMatter(deps, request, reply, {
        of: { workspaceId },
        part: 'parties, title and representation',
        also: async (tx) => (reusedId === undefined ? undefined : findReused(tx, workspaceId, reusedId)),
        decide: ({ parties }, reused) => {
          const hasParty = parties.some((party) => party.partyId === partyId)
          const acting = accept(body, { hasParty, reused }, { subscriberId, newFirmId })
          return [{ kind: 'representation queued', representationId, partyId, acting }]
        },
        answer: ({ representations, firms }) => {
          const accepted = representations.find((one) => one.representationId === representationId)
          if (!accepted) throw new Error('the representation that was just accepted is gone')
          const newFirm = body.externalLawFirm && firms.find(({ firmId }) => firmId === accepted.firmId)
          reply.code(202)
          return { workspaceId, partyId, ...presentAccepted(accepted, newFirm) }
        },
      })
    },
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
    handler: (request) => {
      const { caller, params } = request
      const list = (page: Bounds) => listRepresentations(db.read, caller, params.workspace_id, page)
      return pageOf(vault, request, list, presentRepresentation)
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
        'The outcome of an accepted representation: `ACTIVE`, or `FAILED` with the reason. Its `ETag` is the one that ' +
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
    handler: (request, reply) => {
      const { caller, body } = request
      const { workspace_id: workspaceId, representation_id: representationId } = request.params
      return changeMatter(deps, request, reply, {
        of: { workspaceId },
        part: 'parties, title and representation',
        also: (tx) => findRepresentation(tx, caller, workspaceId, representationId),
        shown: (matter, row) => [presentRepresentation(presentRow(matter, row))],
        decide: (matter, row) => {
          const { firm: former, firmId, ...rest } = presentRow(matter, row)
          const firm = changeFirm({ ...rest, firm: former }, body)
          if (firm === former || firmId === null) return []
          const isActing = matter.representations.some((one) => one.firmId === firmId && one.status === 'ACTIVE')
          return [{ kind: 'external law firm changed', representationId, firmId, firm, isActing }]
        },
        answer: (matter, row) => presentUpdated(presentRow(matter, row)),
      })
    },
  })
}

/** A representation that was read, as the matter now has it. */
function presentRow({ representations, firms }: Matter, row: RepresentationRow | undefined): RepresentationRow {
  if (!row) throw representationNotFound()
  const { name, address } = firms.find(({ firmId }) => firmId === row.firmId) ?? {}
  const { lastModifiedAt = row.lastModifiedAt, lastModifiedBy = row.lastModifiedBy } =
    representations.find(({ representationId }) => representationId === row.representationId) ?? {}
  return { ...row, firm: name && address ? { name, address } : row.firm, lastModifiedAt, lastModifiedBy }
}

const representationNotFound = () => notFound('representation_id', 'There is no such representation in this workspace.')
