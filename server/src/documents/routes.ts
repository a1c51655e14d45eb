import { changeMatter } from '../matter/change.ts'
import type { Deps } from '../platform/deps.ts'
import { notFound } from '../platform/errors.ts'
import { sendBlob } from '../platform/http/download.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { type Bounds, pageOf } from '../platform/http/page.ts'
import { PageQuery, Type } from '../platform/http/schema.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { presentFile } from './present.ts'
import { checkReadable, checkWithdrawal } from './rules.ts'
import { FileContent, FilePath, FilesPath, WorkspaceFile, WorkspaceFilePage } from './schema.ts'
import { findFile, listFiles } from './store.ts'
import { uploadRoutes } from './upload-routes.ts'

const url = `${PARTNER_PATH}/workspaces/:workspace_id/files`
const tags = ['Documents']
const noSuchOne = { 404: 'No such workspace (`workspace_id`), or no such file in it (`file_id`).' }

export async function fileRoutes(app: App, deps: Deps): Promise<void> {
  const { db, blobs, vault } = deps
  await app.register(async (scoped) => uploadRoutes(scoped as unknown as App, deps))

  app.route({
    method: 'GET',
    url,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'listFiles',
      tags,
      summary: 'List the files of a workspace, oldest first',
      description:
        'Those of its applications among them, those that failed or were superseded or withdrawn, and the documents ' +
        'that the registry sent (`source`).',
      params: FilesPath,
      querystring: Type.Object(PageQuery),
      response: { 200: WorkspaceFilePage },
    },
    handler: (request) => {
      const { caller, params } = request
      return pageOf(
        vault,
        request,
        (page: Bounds) => listFiles(db.read, caller, params.workspace_id, page),
        presentFile,
      )
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:file_id`,
    config: { scope: 'view:workspaces', refusals: noSuchOne },
    schema: {
      operationId: 'getFile',
      tags,
      summary: 'Read what is known of a file',
      description:
        'The outcome of an upload: `SUCCESS`, or `FAILED` with the reason. One that was superseded or withdrawn ' +
        'can still be read.',
      params: FilePath,
      response: { 200: WorkspaceFile },
    },
    handler: async (request, reply) => {
      const { workspace_id: workspaceId, file_id: fileId } = request.params
      const row = await findFile(db.read, request.caller, workspaceId, fileId)
      if (!row) throw fileNotFound()
      return sendWithEtag(request, reply, presentFile(row))
    },
  })

  app.route({
    method: 'GET',
    url: `${url}/:file_id/content`,
    config: {
      scope: 'x-api:view:documents',
      produces: ['application/octet-stream', 'application/pdf'],
      refusals: {
        ...noSuchOne,
        409: 'The file waits for its checks, did not pass them, or was withdrawn without being sent.',
      },
    },
    schema: {
      operationId: 'getFileContent',
      tags,
      summary: 'Download a file',
      description:
        'Only one whose upload status is `SUCCESS`, superseded or not, and one that was withdrawn after the registry was given it.',
      params: FilePath,
      response: { 200: FileContent },
    },
    handler: async (request, reply) => {
      const { workspace_id: workspaceId, file_id: fileId } = request.params
      const row = await findFile(db.read, request.caller, workspaceId, fileId)
      if (!row) throw fileNotFound()
      checkReadable(row)
      return sendBlob(request, reply, blobs, row)
    },
  })

  app.route({
    method: 'DELETE',
    url: `${url}/:file_id`,
    config: {
      scope: 'x-api:add:workspace_files',
      refusals: {
        ...noSuchOne,
        409: 'The workspace is not open for it, another subscriber or the registry sent the file, its upload failed, or it was sent with an answer to a requisition.',
      },
    },
    schema: {
      operationId: 'withdrawFile',
      tags,
      summary: 'Withdraw a file',
      description:
        'It no longer counts and is not lodged. What the registry was given stays: a file of an answer cannot be withdrawn, ' +
        'and a document of an application only from the next submission, while the case is `REGISTRATION_REJECTED` (one of the discharge: `PARTIALLY_REGISTERED`); its ' +
        'content can still be read. The same again is 204 and changes nothing.',
      params: FilePath,
      response: { 204: Type.Null() },
    },
    handler: (request, reply) => {
      const { caller } = request
      const { workspace_id: workspaceId, file_id: fileId } = request.params
      return changeMatter(deps, request, reply, {
        of: { workspaceId },
        also: (tx) => findFile(tx, caller, workspaceId, fileId),
        decide: ({ workspace, lodgementCase, applications }, file) => {
          if (!file) throw fileNotFound()
          const { applicationId, documentCategory, fileUploadStatus: status } = file
          const application = applications.find((one) => one.applicationId === applicationId)
          const at = { status: workspace.status, caseStatus: lodgementCase.status, application }
          if (!checkWithdrawal(at, file, caller)) return []
          const attached = applicationId !== null && { applicationId }
          return [{ kind: 'file withdrawn', fileId, documentCategory, status, ...attached }]
        },
        answer: () => {
          reply.code(204)
          return null
        },
      })
    },
  })
}

const fileNotFound = () => notFound('file_id', 'There is no such file in this workspace.')
