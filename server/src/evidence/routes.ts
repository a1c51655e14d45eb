import type { Deps } from '../platform/deps.ts'
import { disposition } from '../platform/http/download.ts'
import type { App } from '../platform/http/http.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { openPack } from './pack.ts'
import { EvidencePack, EvidencePath } from './schema.ts'

export function evidenceRoutes(app: App, deps: Deps): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/evidence`,
    config: { scope: 'view:workspaces', produces: ['application/octet-stream', 'application/zip'], isMade: true },
    schema: {
      operationId: 'getEvidence',
      tags: ['Workspaces'],
      summary: 'Download everything about a workspace as proof',
      description:
        'A ZIP with a summary as a PDF, the timeline, the case, approvals, payments, registers, all documents, and the audit ' +
        'with its chain of hashes. `lodgeway audit verify --pack FILE` checks it without the service. What you may not read ' +
        'is left out: `x-api:view:lodgement_summary` gives the case, `view:financial_settlement_schedules` the money, ' +
        '`view:title_documents` the registers, `x-api:view:documents` the documents. Of the audit the hashes of the rest ' +
        'stay, so that its chain can be checked.',
      params: EvidencePath,
      response: { 200: EvidencePack },
    },
    handler: async (request, reply) => {
      const { fileName, stream } = await openPack(deps, request.caller, request.params.workspace_id)
      reply.type('application/octet-stream').header('content-disposition', disposition(fileName))
      const { passOn } = request.caller
      passOn?.(stream)
      return reply.send((passOn ? '' : stream) as never)
    },
  })
}
