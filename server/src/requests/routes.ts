import type { Deps } from '../platform/deps.ts'
import { notFound } from '../platform/errors.ts'
import { sendWithEtag } from '../platform/http/etag.ts'
import type { App } from '../platform/http/http.ts'
import { type Bounds, type Key, keyedPageOf } from '../platform/http/page.ts'
import { PARTNER_PATH } from '../workspaces/path.ts'
import { RequestDetail, RequestErrors, RequestPage, RequestPath, RequestsQuery } from './schema.ts'
import {
  countErrors,
  type Filters,
  type Followed,
  findRequest,
  listFollowed,
  listRequests,
  type RequestRow,
} from './store.ts'

const tags = ['Requests']
const config = { scope: 'view:requests', unlogged: true }

/** A subscriber's own calls. */
export function requestRoutes(app: App, { db, vault }: Pick<Deps, 'db' | 'vault'>): void {
  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/requests`,
    config,
    schema: {
      operationId: 'listRequests',
      tags,
      summary: 'List your own calls, newest first',
      description:
        'The calls of all clients of your organisation, a moment after they were answered. The sandbox keeps all of them for 7 ' +
        'days. Elsewhere they are logged only while your operator has switched the log on for a client, at most 24 hours, ' +
        'and each is erased after 24 hours. Calls without a valid token, calls for this log and, in the console, calls that ' +
        'only read are never in it.',
      querystring: RequestsQuery,
      response: { 200: RequestPage },
    },
    handler: (request) => {
      const { cursor: _, limit: __, ...filters } = request.query
      const list = (bounds: Bounds<Key>) => listRequests(db.read, request.caller, filters as Filters, bounds)
      return keyedPageOf(vault, request, 'time', list, presentRequest)
    },
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/requests/errors`,
    config,
    schema: {
      operationId: 'countRequestErrors',
      tags,
      summary: 'Count what your calls were refused for',
      description: 'By operation, status and field, over all calls in the log.',
      response: { 200: RequestErrors },
    },
    handler: async ({ caller }) => {
      const counts = await countErrors(db.read, caller)
      const records = counts.map(({ field, lastAt, ...rest }) => ({
        ...rest,
        ...(field !== null && { field }),
        lastAt: lastAt.toISOString(),
      }))
      return { records }
    },
  })

  app.route({
    method: 'GET',
    url: `${PARTNER_PATH}/requests/:request_id`,
    config,
    schema: {
      operationId: 'getRequest',
      tags,
      summary: 'Read one of your calls, and what followed it',
      description:
        'In the sandbox with the bodies of request and answer, each up to 16,384 characters and without secrets. A form with a ' +
        'file has none.',
      params: RequestPath,
      response: { 200: RequestDetail },
    },
    handler: async (request, reply) => {
      const { caller, params } = request
      const row = await findRequest(db.read, caller, params.request_id)
      if (!row) throw notFound('request_id', 'There is no such request.')
      const followed = await listFollowed(db.read, caller, row)
      const detail = { ...presentRequest(row), ...row.detail, followed: followed.map(presentFollowed) }
      return sendWithEtag(request, reply, detail)
    },
  })
}

const presentRequest = ({
  key: _,
  at,
  person,
  correlationId,
  workspaceId,
  fault,
  detail: __,
  ...rest
}: RequestRow) => ({
  ...rest,
  at: at.toISOString(),
  ...(person !== null && { person }),
  ...(correlationId !== null && { correlationId }),
  ...(workspaceId !== null && { workspaceId }),
  ...(fault !== null && { fault }),
})

const presentFollowed = ({ kind, id, name, status, at }: Followed) => ({
  kind,
  ...(id !== null && { id }),
  name,
  ...(status !== null && { status }),
  at: at.toISOString(),
})
