import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { WHOS } from '../workspaces/status.ts'
import { WorkspaceCounts } from './schema.ts'
import { COUNT_MAX, countTurns } from './store.ts'

const tags = ['Workspaces']

export function worklistRoutes(app: App, { db }: Pick<Deps, 'db'>): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/workspaces/counts`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'countWorkspaces',
      tags,
      summary: 'Count the open workspaces by whose turn it is',
      description: `Every count stops at ${COUNT_MAX}, so that it costs little. List them with the filters \`turn\` and \`task\`.`,
      response: { 200: WorkspaceCounts },
    },
    handler: async ({ caller }) => {
      const counts = await countTurns(db.read, caller)
      const turns = WHOS.map((turn) => {
        const sum = counts.filter(({ who }) => who === turn).reduce((all, { count }) => all + count, 0)
        return { turn, count: Math.min(sum, COUNT_MAX) }
      })
      const tasks = counts.filter(({ who }) => who === caller.kind).map(({ task, count }) => ({ task, count }))
      return { turns, tasks }
    },
  })
}
