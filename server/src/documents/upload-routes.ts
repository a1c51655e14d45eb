import { randomUUID } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { changeMatter } from '../matter/change.ts'
import type { MatterKey } from '../matter/load.ts'
import type { Connection } from '../platform/database/db.ts'
import type { Deps } from '../platform/deps.ts'
import { forbidden, invalid, notFound } from '../platform/errors.ts'
import { FILE_FIELD, takeForms } from '../platform/http/form.ts'
import type { App } from '../platform/http/http.ts'
import { findStoredResponse } from '../platform/http/idempotency.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { type Asked, checkUpload, fileNameOf, type Place } from './rules.ts'
import { AttachDocumentRequest, AttachmentsPath, FilesPath, UploadAnswer, UploadFileRequest } from './schema.ts'
import { findPlace, findPlaceInCase } from './store.ts'

const FILE_TYPES = ['application/pdf', 'application/octet-stream']
const consumes = ['multipart/form-data']
const tags = ['Documents']
const description =
  'The outcome is an event, `FILE_UPLOAD_SUCCEEDED` or `FILE_UPLOAD_FAILED`, and can be read. A document counts once it ' +
  'succeeded; a main document (`APPLICATION_DOCUMENT`, of a type that the application takes as that) then takes the ' +
  'place of the one before it. Every type goes with every category. The file is declared ' +
  'as `application/pdf`, as `application/octet-stream` or not at all, and must be a valid PDF: not encrypted, with 1 ' +
  'to 2,000 pages, without scripts, XFA forms, embedded files, and actions that leave the file by themselves. Repeated with the same `Idempotency-Key`, the ' +
  'boundary of the form may differ.'
const refusals = {
  400: 'Path, headers or fields do not fit, or the file is not an acceptable PDF (`file`). The file is checked last.',
  409: 'The workspace is not open for it, the application is withdrawn, or a digital deed has no reference yet (`mortgageDeedReference`).',
  413: 'The file is too large (`file`), or the other fields are. The rest is not read, and the connection is closed.',
}

/** The two ways in. Their bodies are forms, which no other route takes. */
export function uploadRoutes(app: App, deps: Deps): void {
  takeForms(app, { blobs: deps.blobs, fileBytesMax: deps.uploadBytesMax, fileTypes: FILE_TYPES })

  app.route({
    method: 'POST',
    url: `${PARTNER_PATH}/lodgement-cases/:lodgement_case_id/applications/:application_id/attachments`,
    config: {
      scope: 'x-api:create:attachments',
      kinds: ['LAW_FIRM'],
      refusals: {
        ...refusals,
        404: 'No such case (`lodgement_case_id`), or no such application in it (`application_id`).',
      },
    },
    schema: {
      operationId: 'attachDocument',
      tags,
      summary: 'Upload a document and attach it to an application',
      description,
      consumes,
      params: AttachmentsPath,
      body: AttachDocumentRequest,
      response: { 202: UploadAnswer },
    },
    handler: (request, reply) => {
      const { lodgement_case_id: caseId, application_id: applicationId } = request.params
      const { file: _, ...facts } = request.body
      return accept(deps, request, reply, {
        of: { lodgementCaseId: caseId },
        asked: { ...facts, applicationId },
        find: async (connection) => {
          const place = await findPlaceInCase(connection, request.caller, caseId, applicationId)
          if (place.application) return place
          throw notFound('application_id', 'There is no such application in this lodgement case.')
        },
      })
    },
  })

  app.route({
    method: 'POST',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/files`,
    config: {
      scope: 'x-api:add:workspace_files',
      checkField: ({ caller }, name) => {
        if (name === 'applicationId' && caller.kind !== 'LAW_FIRM') {
          throw forbidden('Only a law firm may attach a document to an application.')
        }
      },
      refusals: {
        ...refusals,
        404: 'No such workspace (`workspace_id`), or no such application in it (`applicationId`).',
      },
    },
    schema: {
      operationId: 'uploadFile',
      tags,
      summary: 'Upload a document to a workspace',
      description: `${description}\n\nWith \`applicationId\`, which only law firms may send, it is attached to that application.`,
      consumes,
      params: FilesPath,
      body: UploadFileRequest,
      response: { 202: UploadAnswer },
    },
    handler: (request, reply) => {
      const workspaceId = request.params.workspace_id
      const { file: _, applicationId, certificationType = 'SCANNED', ...facts } = request.body
      return accept(deps, request, reply, {
        of: { workspaceId },
        asked: { ...facts, applicationId, certificationType },
        find: (connection) => findPlace(connection, request.caller, workspaceId, applicationId),
      })
    },
  })
}

type Upload = {
  of: MatterKey
  asked: Asked
  find: (connection: Connection) => Promise<Place>
}

/**
 * Checked twice: before the file is checked and stored, which takes a while, and again when the workspace is locked.
 * A repeat is answered before that, whatever has become of the workspace since.
 */
async function accept(
  deps: Deps,
  request: FastifyRequest,
  reply: FastifyReply,
  { of, asked, find }: Upload,
): Promise<{ fileId: string }> {
  const { db, blobs, pdf } = deps
  const { staged, name } = request.upload
  try {
    const answered = await findStoredResponse<{ fileId: string }>(deps, request, reply)
    if (answered) return answered
    checkUpload(await find(db.read), asked)
    const result = await pdf.check(staged.path)
    if (!result.ok) throw invalid({ field: FILE_FIELD, message: result.reason })
    const stored = await blobs.keep(db, staged)
    const fileId = randomUUID()
    const { subscriberId } = request.caller
    const file = { fileId, subscriberId, fileName: fileNameOf(name), ...asked, ...stored }
    const { applicationId } = asked
    return await changeMatter(deps, request, reply, {
      of,
      also: find,
      decide: (_, place) => {
        checkUpload(place, asked)
        return [{ kind: 'file uploaded', file, ...(applicationId !== undefined && { applicationId }) }]
      },
      answer: () => {
        reply.code(202)
        return { fileId }
      },
    })
  } finally {
    await staged.discard()
  }
}
