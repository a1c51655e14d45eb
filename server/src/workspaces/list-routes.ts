import { describeEvent } from '../events/types.ts'
import type { Deps } from '../platform/deps.ts'
import { invalid } from '../platform/errors.ts'
import type { App } from '../platform/http/http.ts'
import { type Bounds, type Key, keyedPageOf, pageOf } from '../platform/http/page.ts'
import { PageQuery, Type } from '../platform/http/schema.ts'
import { searchPrefixesOf } from '../title-reconciliation/search-names.ts'
import { meaningsOf } from '../worklist/rules-search.ts'
import { searchWorkspaces } from '../worklist/search.ts'
import { type Filters, listTimeline, listWorkspaces, orderOf } from './list.ts'
import { TimelinePage, WorkspacePage, WorkspaceQuery } from './list-schema.ts'
import { PARTNER_PATH } from './path.ts'
import { presentSummary, presentTimeline } from './present.ts'
import { postcodeOf } from './rules.ts'
import { WorkspacePath } from './schema.ts'

const tags = ['Workspaces']

export function workspaceListRoutes(app: App, { db, vault }: Pick<Deps, 'db' | 'vault'>): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/workspaces`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'listWorkspaces',
      tags,
      summary: 'List the workspaces that you may see, newest first',
      description:
        'A lender sees those that it created, a law firm those in which it acts. Where several filters are given, all must ' +
        'fit. With `q` the list has first what the reference begins with, then your own reference, and so on in the order of its ' +
        'description. With `borrower` the list is in the order of their names; otherwise with `changed_since` in the order of ' +
        '`lastModifiedAt`, with a completion date in the order of that, and with `turn` or `task` by `turn.dueAt` and then by ' +
        '`turn.since`, oldest first. To follow changes, ask with the ' +
        'newest `lastModifiedAt` that you have seen minus a minute, because a change may be committed after a later one; ' +
        'or read the event feed, which misses nothing.',
      querystring: WorkspaceQuery,
      response: { 200: WorkspacePage },
    },
    handler: (request) => {
      const { q } = request.query
      const filters = filtersOf(request.query)
      if (q !== undefined) {
        const search = (page: Bounds<Key>) => searchWorkspaces(db.read, request.caller, meaningsOf(q), filters, page)
        return keyedPageOf(vault, request, `search for ${q}`, search, presentSummary)
      }
      const order = orderOf(filters)
      const list = (page: Bounds<number | Key>) => listWorkspaces(db.read, request.caller, filters, page)
      return order === 'creation'
        ? pageOf(vault, request, list, presentSummary)
        : keyedPageOf(vault, request, order, list, presentSummary)
    },
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/workspaces/:workspace_id/timeline`,
    config: { scope: 'view:workspaces' },
    schema: {
      operationId: 'getTimeline',
      tags,
      summary: 'Read what happened to a workspace, oldest first',
      description:
        'The same events as in webhooks and the feed, with who caused each and a sentence for people. Why the registry ' +
        'rejected a case is in the sentence of `LODGEMENT_REJECTED`.',
      params: WorkspacePath,
      querystring: Type.Object(PageQuery),
      response: { 200: TimelinePage },
    },
    handler: (request) => {
      const { caller, params } = request
      const list = (page: Bounds) => listTimeline(db.read, caller, params.workspace_id, page)
      return pageOf(vault, request, list, presentTimeline(describeEvent))
    },
  })
}

function filtersOf({ cursor: _, limit: __, q, borrower, postcode, ...others }: WorkspaceQuery): Filters {
  const borrowers = borrower === undefined ? undefined : searchPrefixesOf(borrower)
  if (borrowers?.length === 0) {
    throw invalid({ field: 'borrower', message: 'borrower must have 2 letters or more of a name.' })
  }
  if (q !== undefined && borrowers) {
    throw invalid({ field: 'borrower', message: 'borrower is not expected with q, which also finds names.' })
  }
  return {
    ...others,
    ...(borrowers && { borrowers }),
    ...(postcode !== undefined && { postcode: postcodeOf(postcode) }),
  }
}
