import type { Schemas } from '../../../client/src/index.ts'
import type { Page } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'
import { exactTime } from '../ui/time.ts'
import { REQUESTS, referenceOf, statusTag, tabs } from './requests-parts.ts'

/** What the calls of the firm's own software are refused for, the most frequent first. */
export const requestErrors: Page = {
  async show(visit) {
    const { records } = await visit.api.countRequestErrors()
    return {
      title: 'Errors by field',
      crumbs: [[REQUESTS, 'Requests']],
      live: 'requests',
      main: html`<h1>Errors by field</h1>${tabs(visit)}
${
  records.length > 0
    ? html`<table class="rows"><thead><tr><th scope="col">Operation</th><th scope="col">Status</th><th scope="col">Field</th><th scope="col" class="number">Errors</th><th scope="col">Last</th></tr></thead>
<tbody>${records.map(row)}</tbody></table>`
    : html`<p class="notice">No request in the log was refused. <a href="${REQUESTS}">See all requests</a></p>`
}`,
    }
  },
}

const row = ({
  method,
  operation,
  status,
  field,
  count,
  lastAt,
  lastRequestId,
}: Schemas['RequestErrorCount']): Markup =>
  html`<tr id="error-${operation}-${status}-${field ?? ''}"><td><a href="${REQUESTS}?operation=${operation}&amp;status=${String(status)[0] ?? ''}xx">${method} ${operation}</a><br><small><a href="${referenceOf(operation)}">what it expects</a></small></td>
<td>${statusTag(status)}</td><td>${field === undefined ? '–' : html`<code>${field}</code>`}</td><td class="number">${count}</td>
<td class="nowrap"><a href="${REQUESTS}/${lastRequestId}">${exactTime(lastAt)}</a></td></tr>`
