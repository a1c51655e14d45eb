import type { Input, Schemas } from '../../../client/src/index.ts'
import { OPERATIONS } from '../../../client/src/operations.ts'
import type { Page, Visit } from '../page.ts'
import { attempt, errorSummary, field, type Refused, select } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { exactTime } from '../ui/time.ts'
import { STATUS_CLASS_WORDS } from '../words.ts'
import { filtersOf } from './query.ts'
import { callerOf, firstCall, matterLink, REQUESTS, statusTag, tabs } from './requests-parts.ts'

const ROWS = 50
const FILTERS = ['status', 'operation', 'client_id', 'workspace_id', 'correlation_id'] as const

type Filters = Partial<Record<(typeof FILTERS)[number], string>>

/** The calls of the firm's own software as they come in. The address is the saved view. */
export const requests: Page = {
  async show(visit) {
    const { api, url } = visit
    const filters: Filters = filtersOf(url.searchParams, FILTERS)
    const cursor = url.searchParams.get('cursor')
    const query = { ...filters, limit: ROWS, ...(cursor && { cursor }) } as NonNullable<Input<'listRequests'>['query']>
    const found = await attempt(api.listRequests({ query }), [400])
    return {
      title: 'Requests',
      // A later page stays as it is.
      ...(!cursor && { live: 'requests' as const }),
      ...(found.refused && { status: found.refused.status }),
      main: html`${errorSummary(found.refused, FILTERS, 'This search is not possible')}<h1>Requests</h1>${tabs(visit)}
${form(filters, found.refused)}
${!found.refused && results(visit, found.done, filters)}`,
    }
  },
}

const operations = Object.entries(OPERATIONS)
  .filter(([, { path }]) => path.startsWith('/partner/'))
  .map(([id]) => [id, id] as const)

function form(filters: Filters, refused: Refused | undefined): Markup {
  const one = (name: keyof Filters, label: string, control: (attributes: Markup, value: string) => Markup) =>
    field({ name, label, refused, control: (attributes) => control(attributes, filters[name] ?? '') })
  const chosen = (options: readonly (readonly [string, string])[]) => (attributes: Markup, value: string) =>
    select(attributes, [['', 'Any'], ...options], value)
  const text = (attributes: Markup, value: string) => html`<input${attributes} value="${value}" autocomplete="off">`
  return html`<form class="filters" method="get" action="${REQUESTS}" role="search">
${one('status', 'Status', chosen(Object.entries(STATUS_CLASS_WORDS)))}
${one('operation', 'Operation', chosen(operations))}
${one('client_id', 'Client', text)}
${one('workspace_id', 'Id of the matter', text)}
${one('correlation_id', 'Correlation id', text)}
<button>Filter</button>${Object.keys(filters).length > 0 && html`<p><a href="${REQUESTS}">Show all</a></p>`}</form>`
}

function results(visit: Visit, { records, nextCursor }: Schemas['RequestPage'], filters: Filters): Markup {
  const isLater = visit.url.searchParams.has('cursor')
  if (records.length === 0) {
    const isFiltered = isLater || Object.keys(filters).length > 0
    return isFiltered
      ? html`<p class="notice">No request fits. <a href="${REQUESTS}">Show all</a></p>`
      : firstCall(visit)
  }
  return html`<table class="rows"><thead><tr><th scope="col">Request</th><th scope="col">Status</th><th scope="col">Why</th><th scope="col" class="number">ms</th><th scope="col">Client</th><th scope="col">Matter</th><th scope="col">Time</th></tr></thead>
<tbody>${records.map((record) => row(visit, record))}</tbody></table>
<p class="pages">${isLater && html`<a href="${addressOf(filters)}">First page</a>`}${nextCursor && html`<a href="${addressOf(filters, nextCursor)}" rel="next">Next ${ROWS}</a>`}</p>`
}

function row(visit: Visit, request: Schemas['LoggedRequest']): Markup {
  const { requestId, method, operation, status, errors, durationMs, workspaceId, correlationId, at } = request
  const fields = errors.flatMap(({ field: name }) => name ?? [])
  return html`<tr id="request-${requestId}"><td><a href="${REQUESTS}/${requestId}">${method} ${operation}</a></td><td>${statusTag(status)}</td>
<td>${fields.length > 0 ? html`<code>${fields.slice(0, FIELDS_SHOWN).join(', ')}</code>${fields.length > FIELDS_SHOWN && ' …'}` : '–'}</td>
<td class="number">${durationMs}</td><td>${callerOf(request)}</td><td>${matterLink(visit, workspaceId)}</td>
<td class="nowrap">${exactTime(at)}<br><small>${correlationId ? `${correlationId.slice(0, ID_SHOWN)}${correlationId.length > ID_SHOWN ? '…' : ''}` : '–'}</small></td></tr>`
}

const FIELDS_SHOWN = 3
const ID_SHOWN = 13

const addressOf = (filters: Filters, cursor?: string) => {
  const query = new URLSearchParams({ ...filters, ...(cursor && { cursor }) }).toString()
  return `${REQUESTS}${query && `?${query}`}`
}
