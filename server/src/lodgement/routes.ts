import type { Deps } from '../platform/deps.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import { type App, PARTNER_PATH } from '../platform/http/http.ts'
import { presentCase } from './present.ts'
import { LodgementCaseQuery, LodgementCases } from './schema.ts'
import { findCase } from './store.ts'

export function lodgementRoutes(app: App, { db }: Deps): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/lodgement-cases`,
    config: {
      scope: 'x-api:view:lodgement_summary',
      refusals: { 404: 'No such workspace, or not one that you may see.' },
    },
    schema: {
      operationId: 'getLodgementCases',
      tags: ['Lodgement'],
      summary: 'Read the lodgement case of a workspace',
      querystring: LodgementCaseQuery,
      answerHeaders: { ETag: 'Changes when the case does.' },
      response: { 200: LodgementCases },
    },
    handler: async (request, reply) => {
      const row = await findCase(db.read, request.caller, request.query.workspace_id)
      return sendWithEtag(request, reply, { records: [presentCase(row)] })
    },
  })
}
