import type { DeadJob } from '../operator.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { input } from '../ui/fields.ts'
import { attempt, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { counted, dateTime } from '../ui/time.ts'
import { actForm, adminView, keyOf, none } from './admin-parts.ts'
import { filtersOf } from './query.ts'

const FILTERS = ['job', 'error', 'correlation_id'] as const

/** Jobs that failed for good, and another try for one of them or for all that match. */
export const adminJobs: Page = {
  show: (visit) => view(visit),

  async change(visit) {
    const id = visit.form.get('id')
    const body = id ? { id } : filterOf(visit.url)
    const tried = await attempt(visit.operator.change<{ count: number }>('/jobs/dead/retry', keyOf(visit), body))
    return tried.refused ? view(visit, tried.refused) : goTo(addressOf(visit.url, String(tried.done.count)))
  },
}

const filterOf = ({ searchParams }: URL) => filtersOf(searchParams, FILTERS)

const addressOf = (url: URL, retried: string) =>
  `/console/admin/jobs?${new URLSearchParams({ ...filterOf(url), retried })}`

async function view(visit: Visit, refused?: Refused): Promise<View> {
  const { operator, url } = visit
  const filter = filterOf(url)
  const { records, count } = await operator.deadJobs(filter)
  const retried = url.searchParams.get('retried') ?? ''
  const main = html`<h1>${count === 0 ? 'No dead jobs' : counted(count, 'dead job')}</h1>
${/^\d+$/.test(retried) && html`<p class="good">${counted(Number(retried), 'job')} will run again.</p>`}
${count > 0 && html`<p class="lead">Each was tried several times and failed. Remove the cause first, then let it run again: it does nothing twice.</p>`}
<form method="get" class="filters" role="search">${input({ values: url.searchParams }, 'job', 'Job', { width: 20 })}
${input({ values: url.searchParams }, 'error', 'Error contains', { width: 20 })}
${input({ values: url.searchParams }, 'correlation_id', 'Correlation id', { width: 30 })}<button class="secondary">Filter</button></form>
${records.length === 0 ? none(Object.keys(filter).length ? 'None matches.' : 'Every job was done, or is being tried.') : list(visit, records, count)}`
  return adminView(visit, 'Jobs', main, { refused, crumbs: [['/console/admin', 'Admin']], live: 'service' })
}

const list = ({ url }: Visit, records: readonly DeadJob[], count: number): Markup =>
  html`${actForm({ act: 'all', button: `Run ${count === 1 ? 'it' : `all ${count}`} again` })}
<table class="rows"><thead><tr><th scope="col">Job</th><th scope="col">Error</th><th scope="col" class="number">Attempts</th><th scope="col">Failed at</th><th scope="col">Correlation id</th><th scope="col">Try again</th></tr></thead>
<tbody>${records.map(
    ({ id, job, error, attempts, diedAt, correlationId }) =>
      html`<tr id="dead-${id}"><td><code>${job}</code></td><td>${error ?? 'unknown'}</td><td class="number">${attempts}</td><td class="nowrap">${dateTime(diedAt)}</td>
<td>${correlationId !== null && html`<a href="/console/admin/audit?correlation_id=${encodeURIComponent(correlationId)}&amp;day=${diedAt.slice(0, 10)}">${correlationId}</a>`}</td>
<td><form method="post" action="${url.pathname}${url.search}" class="inline"><input type="hidden" name="id" value="${id}"><button class="secondary" aria-label="Run ${job} ${id} again">Run again</button></form></td></tr>`,
  )}</tbody></table>
${records.length < count && html`<p>The oldest ${records.length} are shown.</p>`}`
