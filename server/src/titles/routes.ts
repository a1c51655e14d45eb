import { randomUUID } from 'node:crypto'
import { changeMatter } from '../matter/change.ts'
import type { Deps } from '../platform/deps.ts'
import { notFound } from '../platform/errors.ts'
import { sendBlob } from '../platform/http/download.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { Type } from '../platform/http/schema.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { checkOpen } from '../workspaces/status.ts'
import { presentDocument } from './present.ts'
import { addTitle } from './rules.ts'
import {
  AddTitleAnswer,
  AddTitlePath,
  AddTitleRequest,
  LodgementDocument,
  LodgementDocumentPath,
  LodgementDocumentQuery,
  TitleDocuments,
  TitleDocumentsPath,
  TitleDocumentsQuery,
  TitlePath,
} from './schema.ts'
import { findPdf, listTitleDocuments } from './store.ts'

const tags = ['Titles']

export function titleRoutes(app: App, deps: Deps): void {
  const { db, blobs } = deps

  app.route({
    method: 'POST',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/titles`,
    config: {
      scope: 'x-api:add:workspace_titles',
      kinds: ['LAW_FIRM'],
      refusals: { 409: 'The workspace has a title already, or is not open for it.' },
    },
    schema: {
      operationId: 'addTitle',
      tags,
      summary: 'Add a title to a workspace and search it',
      description:
        'One title to a workspace; a number whose search failed gives way to the new one. The registry is asked in the ' +
        'background, and its answer is an event: `TITLE_DATA_RECEIVED` or `TITLE_NOT_FOUND`.',
      params: AddTitlePath,
      body: AddTitleRequest,
      response: { 202: AddTitleAnswer },
    },
    handler: (request, reply) => {
      const workspaceId = request.params.workspace_id
      const { titleNumber } = request.body
      const titleId = randomUUID()
      return changeMatter(deps, request, reply, {
        of: { workspaceId },
        part: 'parties, title and representation',
        decide: ({ title }) => addTitle(title, titleNumber, titleId),
        answer: () => {
          reply.code(202)
          return { workspaceId, titleId, titleNumber, lastTitleSearchStatus: 'INITIATED' as const }
        },
      })
    },
  })

  app.route({
    method: 'DELETE',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/titles/:title_id`,
    config: {
      scope: 'x-api:add:workspace_titles',
      kinds: ['LAW_FIRM'],
      refusals: {
        404: 'No such workspace (`workspace_id`), or no such title in it (`title_id`).',
        409: 'The workspace is not open for it.',
      },
    },
    schema: {
      operationId: 'removeTitle',
      tags,
      summary: 'Remove a wrong title from a workspace',
      description:
        'Its search, its documents, the matches and the roles of parties are undone, and the applications that came from ' +
        'them are withdrawn. Incoming proprietors are borrowers again, outgoing ones are no longer parties. The charge ' +
        'keeps its facts and documents; an approval of the case is withdrawn. Then add the right title. The event is ' +
        '`TITLE_REMOVED`.',
      params: TitlePath,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => {
      const { workspace_id: workspaceId, title_id: titleId } = request.params
      return changeMatter(deps, request, reply, {
        of: { workspaceId },
        decide: ({ title, workspace, lodgementCase }) => {
          if (title?.titleId !== titleId) throw notFound('title_id', 'There is no such title in this workspace.')
          checkOpen(workspace.status, 'parties, title and representation', lodgementCase.status)
          return [{ kind: 'title removed', titleId }]
        },
        answer: () => {
          reply.code(204)
          return null
        },
      })
    },
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/lodgement-cases/:lodgement_case_id/titles/:title_id/title-documents`,
    config: {
      scope: 'view:title_documents',
      refusals: { 404: 'No such case (`lodgement_case_id`), or no such title in it (`title_id`).' },
    },
    schema: {
      operationId: 'getTitleDocuments',
      tags,
      summary: 'Read the title documents of a title, newest first',
      description:
        'The register is there once the title search succeeded, the completion document once the title is registered, ' +
        'in part or in full. Before that the list is empty.',
      params: TitleDocumentsPath,
      querystring: TitleDocumentsQuery,
      answerHeaders: { ETag: 'Changes when a document is added.' },
      response: { 200: TitleDocuments },
    },
    handler: async (request, reply) => {
      const { lodgement_case_id: caseId, title_id: titleId } = request.params
      const rows = await listTitleDocuments(db.read, request.caller, caseId, titleId, request.query.document_type)
      return sendWithEtag(request, reply, { records: rows.map(presentDocument) })
    },
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/lodgement-cases/:lodgement_case_id/documents`,
    config: {
      scope: 'x-api:view:documents',
      produces: ['application/octet-stream', 'application/pdf'],
      refusals: { 404: 'No such case (`lodgement_case_id`), or the document does not exist yet (`document_type`).' },
    },
    schema: {
      operationId: 'getLodgementDocument',
      tags,
      summary: 'Download the completion document of a case as a PDF',
      description: 'There once the title is registered, in part or in full; 404 at `document_type` before.',
      params: LodgementDocumentPath,
      querystring: LodgementDocumentQuery,
      response: { 200: LodgementDocument },
    },
    handler: async (request, reply) => {
      const { document_type: documentType } = request.query
      const pdf = await findPdf(db.read, request.caller, request.params.lodgement_case_id, documentType)
      return sendBlob(request, reply, blobs, { ...pdf, fileName: `${pdf.titleNumber}_${pdf.documentType}.pdf` })
    },
  })
}
