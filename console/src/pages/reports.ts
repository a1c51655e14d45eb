import type { Input } from '../../../client/src/index.ts'
import type { Page, View } from '../page.ts'
import { attempt } from '../ui/form.ts'
import { html } from '../ui/html.ts'
import { daysBefore, shortDay } from '../ui/time.ts'
import { sent } from './file.ts'

const DAYS = 14 // for which a report is kept

type Name = Input<'getReportContent'>['path']['report_name']

const REPORT_WORDS: Record<Name, readonly [title: string, about: string]> = {
  'report-workspacesummary-todate': ['Matters', 'One row for each matter, with its status.'],
  'report-financialsummary-todate': ['Money', 'One row for each matter, with its sums.'],
  'report-settlementhistory-daily': ['Payments of a day', 'One row for each line that was paid on the day.'],
}

/** The reports of the last nights, as files. */
export const reports: Page = {
  show: async ({ now }) => ({
    title: 'Reports',
    main: html`<h1>Reports</h1><p class="lead">Made each night for the day before, as CSV files. Each is kept for ${DAYS} days.</p>
${Object.entries(REPORT_WORDS).map(
  ([name, [title, about]]) => html`<section><h2>${title}</h2><p>${about} <small><code>${name}</code></small></p>
<p class="chips">${daysBefore(now, DAYS).map((day) => html`<a href="/console/reports/${name}?date=${day}">${shortDay(day)}<span class="hidden">, ${title}</span></a> `)}</p></section>`,
)}
<p><a href="/docs/guide/reports">What the columns mean, and how software fetches the reports</a></p>`,
  }),
}

/** One report as it was made; or why there is none. */
export const reportFile: Page = {
  async show({ api, params, url }) {
    const path = { report_name: (params['name'] ?? '') as Name }
    const date = url.searchParams.get('date')
    const { done, refused } = await attempt(
      api.download('getReportContent', { path, query: date === null ? {} : { date } }),
    )
    if (!refused) return sent(done)
    return {
      status: refused.status,
      title: 'No report',
      crumbs: [['/console/reports', 'Reports']],
      main: html`<h1>There is no such report</h1><ul>${refused.errors.map(({ message }) => html`<li>${message}</li>`)}</ul>`,
    } satisfies View
  },
}
