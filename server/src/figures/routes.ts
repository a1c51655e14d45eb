import type { Deps } from '../platform/deps.ts'
import { disposition } from '../platform/http/download.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { csvOf } from './rules.ts'
import { FigureContent, FigurePath, FiguresAnswer } from './schema.ts'
import { readFigures } from './store.ts'

const tags = ['Reports']
const scope = 'x-api:view:reports'

export function figureRoutes(app: App, { db }: Deps): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/figures`,
    config: { scope },
    schema: {
      operationId: 'getFigures',
      tags,
      summary: 'Read the figures of the last 90 days',
      description:
        'Open workspaces by status, the time from order to registration, who was waited for, what the registry asked, and ' +
        'how fast your webhooks answered. Counted each night, up to the end of the day before.',
      response: { 200: FiguresAnswer },
    },
    handler: async (request, reply) =>
      sendWithEtag(request, reply, await readFigures(db.read, request.caller.subscriberId)),
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/figures/:figure_name/content`,
    config: { scope, produces: ['application/octet-stream'], isMade: true },
    schema: {
      operationId: 'getFigureContent',
      tags,
      summary: 'Retrieve one figure as a table',
      description: 'The same numbers as `GET …/figures`, for a spreadsheet.',
      params: FigurePath,
      response: { 200: FigureContent },
    },
    handler: async (request, reply) => {
      const { figure_name: name } = request.params
      const csv = csvOf(await readFigures(db.read, request.caller.subscriberId), name)
      reply.type('application/octet-stream').header('content-disposition', disposition(`${name}.csv`))
      return reply.send(Buffer.from(csv))
    },
  })
}
