import type { AuditCheck, AuditHeader } from '../operator.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { input } from '../ui/fields.ts'
import { attempt, errorSummary, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { orFailure, shown } from '../ui/part.ts'
import { dateTime } from '../ui/time.ts'
import { actForm, adminView, keyOf, none } from './admin-parts.ts'

const FIELDS = ['id', 'day', 'person', 'correlation_id'] as const

/** Who did what, to what, and when: never what it was changed to. And whether the audit is whole. */
export const adminAudit: Page = {
  show: (visit) => view(visit),

  async change(visit) {
    const anchor = visit.form.get('anchor')?.trim()
    const { refused } = await attempt(visit.operator.change('/audit/check', keyOf(visit), anchor ? { anchor } : {}))
    return refused ? view(visit, refused) : goTo('/console/admin/audit#check')
  },
}

async function view(visit: Visit, refused?: Refused): Promise<View> {
  const { operator, url, now } = visit
  const query = new URLSearchParams(url.search)
  // Without an id a day is needed: the search then reads that day alone.
  if (!query.get('id') && !query.get('day')) query.set('day', londonDay(now))
  const [found, state] = await Promise.all([
    attempt(
      operator.audit(Object.fromEntries([...FIELDS, 'before'].map((name) => [name, query.get(name)?.trim() ?? '']))),
    ),
    orFailure(operator.auditCheck()),
  ])
  const form = { values: query, refused: found.refused }
  const { records = [], before } = found.refused ? {} : found.done
  const main = html`<h1>Audit</h1>
<p class="lead">Who did what, to what, and when. What was changed is for the subscriber alone.</p>
${errorSummary(found.refused, FIELDS, 'Nothing was searched')}
<form method="get" class="filters" role="search">${input(form, 'id', 'Id of a matter, subscriber or person', { width: 36 })}
${input(form, 'day', 'Day', { width: 12 })}${input(form, 'person', 'Person or client', { width: 24 })}
${input(form, 'correlation_id', 'Correlation id', { width: 30 })}<button>Search</button></form>
${records.length > 0 ? entries(records) : !found.refused && none('Nothing was recorded. Try another day, or an id without a day.')}
${before !== undefined && html`<p class="pages"><a href="${next(query, before)}">Earlier ones</a></p>`}
<h2 id="check">Is the audit whole?</h2>
${shown(
  state,
  'The last verification',
  ({ check, anchor }) => html`
<dl class="summary"><div><dt>Last anchor</dt><dd>${anchor ? html`${dateTime(anchor.sealedAt)}<br><code>${anchor.hash}</code>` : 'None yet: the first is made when a day has ended.'}</dd></div>
<div><dt>Last verification</dt><dd>${check ? outcomeOf(check) : 'Never from here.'}</dd></div></dl>`,
)}
${actForm({
  act: 'verify',
  button: 'Verify the whole audit',
  fields: input({ values: visit.form, refused }, 'anchor', 'An anchor that you stored elsewhere', {
    hint: 'Optional: 64 digits and letters. It is looked for, too.',
    width: 64,
  }),
})}`
  return adminView(visit, 'Audit', main, { refused, fields: ['anchor'], crumbs: [['/console/admin', 'Admin']] })
}

const londonDay = (at: Date) => new Intl.DateTimeFormat('sv-SE', { timeZone: 'Europe/London' }).format(at)

const next = (query: URLSearchParams, before: number) => {
  const more = new URLSearchParams(query)
  more.set('before', String(before))
  return `/console/admin/audit?${more}`
}

const entries = (records: readonly AuditHeader[]): Markup =>
  html`<table class="rows"><thead><tr><th scope="col">When</th><th scope="col">What</th><th scope="col">Who</th><th scope="col">To what</th><th scope="col">Correlation id</th></tr></thead>
<tbody>${records.map(
    ({ entryId, at, action, actingUser, clientId, chain, ids, correlationId }) =>
      html`<tr id="entry-${entryId}"><td class="nowrap">${dateTime(at)}</td><td>${action}</td><td>${actingUser ?? clientId ?? 'the service'}${actingUser && clientId && !clientId.startsWith('person:') && html`<br><small>${clientId}</small>`}</td>
<td><a href="/console/admin/audit?id=${chain}">${chain}</a>${Object.entries(ids)
        .filter(([, id]) => id !== chain)
        .map(
          ([name, id]) => html`<br><small>${name} ${id}</small>`,
        )}</td><td><small>${correlationId}</small></td></tr>`,
  )}</tbody></table>`

function outcomeOf({ askedBy, askedAt, endedAt, report }: AuditCheck): Markup {
  const asked = html`<small>asked for by ${askedBy}, ${dateTime(askedAt)}</small>`
  if (!endedAt || !report) return html`<span class="tag is-warn">running</span> <a href="">Look again</a> ${asked}`
  const { chains, entries: count, anchors, findings, notices, found } = report
  const tag =
    found === 0 ? html`<span class="tag is-good">whole</span>` : html`<span class="tag is-bad">not whole</span>`
  const sentences = [...findings, ...notices]
  return html`${tag} ${dateTime(endedAt)}: ${count} entries in ${chains} chains, ${anchors} anchors. ${asked}
${sentences.length > 0 && html`<ul>${sentences.map((one) => html`<li>${one}</li>`)}</ul>`}`
}
