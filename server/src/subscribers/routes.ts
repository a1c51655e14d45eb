import type { Deps } from '../platform/deps.ts'
import type { App } from '../platform/http/http.ts'
import { type Bounds, type Key, keyedPageOf } from '../platform/http/page.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { DirectoryPage, DirectoryQuery } from './schema.ts'
import { listDirectory } from './store.ts'

export function subscriberRoutes(app: App, { db, vault }: Pick<Deps, 'db' | 'vault'>): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/subscribers`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'listSubscribers',
      tags: ['Workspaces'],
      summary: 'Find the other side',
      description:
        'The active organisations that you may see, by name: a lender sees the law firms, whose `subscriberId` names the ' +
        'participant of a new workspace; a law firm sees the lenders that it shares a workspace with.',
      querystring: DirectoryQuery,
      response: { 200: DirectoryPage },
    },
    handler: (request) =>
      keyedPageOf(
        vault,
        request,
        'name',
        (page: Bounds<Key>) => listDirectory(db.read, request.caller, request.query, page),
        ({ subscriberId, name, kind }) => ({ subscriberId, name, kind }),
      ),
  })
}
