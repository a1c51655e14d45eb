import type { Input, Schemas } from '../../../client/src/index.ts'
import { hasRole, type Page, type Visit } from '../page.ts'
import { attempt, errorSummary, field, type Refused, select } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime, day } from '../ui/time.ts'
import { isOurs, taskTag, whoOf } from '../ui/turn.ts'
import { STATUS_WORDS, TASK_WORDS, WHO_WORDS } from '../words.ts'
import { filtersOf } from './query.ts'

const ROWS = 50
const FILTERS = ['q', 'status', 'turn', 'task', 'completion_date_from', 'completion_date_to'] as const

type Filters = Partial<Record<(typeof FILTERS)[number], string>>

/** Search and filters. The address is the saved view. */
export const matters: Page = {
  async show(visit) {
    const { api, url } = visit
    const filters: Filters = filtersOf(url.searchParams, FILTERS)
    const cursor = url.searchParams.get('cursor')
    const query = { ...filters, limit: ROWS, ...(cursor && { cursor }) } as NonNullable<
      Input<'listWorkspaces'>['query']
    >
    const found = await attempt(api.listWorkspaces({ query }), [400])
    return {
      title: filters.q ? `${filters.q} – Matters` : 'Matters',
      live: 'matters',
      ...(found.refused && { status: found.refused.status }),
      main: html`${errorSummary(found.refused, FILTERS, 'This search is not possible')}<h1>Matters</h1>
${orders(visit.session) && html`<p class="actions"><a class="button secondary" href="/console/matters/new">Order a remortgage</a></p>`}
${form(visit, filters, found.refused)}
${!found.refused && results(visit, found.done, filters)}`,
    }
  },
}

const orders = (session: Visit['session']) =>
  session.person.subscriber?.kind === 'LENDER' && hasRole(session, 'preparer')

const choices = (words: Record<string, string>) => [['', 'Any'], ...Object.entries(words)] as const

function form({ session }: Visit, filters: Filters, refused: Refused | undefined): Markup {
  const whos = Object.keys(WHO_WORDS).map((who) => [who, whoOf(session, who as keyof typeof WHO_WORDS)])
  const tasks = Object.entries(TASK_WORDS).map(([task, { short }]) => [task, short])
  const one = (name: keyof Filters, label: string, control: (attributes: Markup, value: string) => Markup) =>
    field({ name, label, refused, control: (attributes) => control(attributes, filters[name] ?? '') })
  const chosen = (words: Record<string, string>) => (attributes: Markup, value: string) =>
    select(attributes, choices(words), value)
  const date = (attributes: Markup, value: string) => html`<input type="date"${attributes} value="${value}">`
  return html`<form class="filters" method="get" action="/console/matters" role="search">
${one('q', 'Reference, LW number, title, postcode or surname', (attributes, value) => html`<input type="search"${attributes} value="${value}" size="32" autocomplete="off">`)}
${one('status', 'Status', chosen(STATUS_WORDS))}
${one('turn', 'Whose turn', chosen(Object.fromEntries(whos)))}
${one('task', 'What is to be done', chosen(Object.fromEntries(tasks)))}
${one('completion_date_from', 'Completes from', date)}${one('completion_date_to', 'Completes until', date)}
<button>Search</button>${Object.keys(filters).length > 0 && html`<p><a href="/console/matters">Show all</a></p>`}</form>`
}

function results({ session, url }: Visit, { records, nextCursor }: Schemas['WorkspacePage'], filters: Filters): Markup {
  const isLater = url.searchParams.has('cursor')
  if (records.length === 0) return html`<p class="notice">${nothing(session, filters)}</p>`
  return html`<table class="rows"><thead><tr><th scope="col">Matter</th><th scope="col">Borrowers</th><th scope="col">Title</th><th scope="col">Status</th><th scope="col">Whose turn</th><th scope="col">Completion</th><th scope="col">Last change</th></tr></thead>
<tbody>${records.map((record) => row(record, session))}</tbody></table>
<p><a href="/console/reports">All matters of last night as a file</a></p>
<p class="pages">${isLater && html`<a href="${addressOf(filters)}">First page</a>`}${nextCursor && html`<a href="${addressOf(filters, nextCursor)}" rel="next">Next ${ROWS}</a>`}</p>`
}

function row(record: Schemas['WorkspaceSummary'], session: Visit['session']): Markup {
  const { workspaceId, reference, workspaceReferenceId, borrowers, postcode, titleNumber, status, turn } = record
  return html`<tr id="matter-${workspaceId}"><td><a href="/console/matters/${workspaceId}">${reference}</a><br><small>${workspaceReferenceId}</small></td>
<td>${borrowers.join(', ')}<br><small>${postcode}</small></td><td>${titleNumber ?? '–'}</td><td><span class="tag">${STATUS_WORDS[status]}</span></td>
<td>${turn ? (isOurs(session, turn.who) || turn.registryWait ? taskTag(turn, session) : whoOf(session, turn.who)) : '–'}</td>
<td class="nowrap">${record.completionDate ? day(record.completionDate) : '–'}</td><td class="nowrap">${dateTime(record.lastModifiedAt)}</td></tr>`
}

const addressOf = (filters: Filters, cursor?: string) => {
  const query = new URLSearchParams({ ...filters, ...(cursor && { cursor }) }).toString()
  return `/console/matters${query && `?${query}`}`
}

/** What to do when a list is empty. */
function nothing({ person: { subscriber } }: Visit['session'], filters: Filters): Markup {
  if (Object.keys(filters).length > 0) {
    return html`No matter fits. Look for the beginning of a reference, a title number, a postcode or a surname, or <a href="/console/matters">show all matters</a>.`
  }
  return subscriber?.kind === 'LENDER'
    ? html`There are no matters yet. A preparer <a href="/console/matters/new">orders the first one</a>, or your own software: <a href="/docs#operation-createRemortgageWorkspace">how to order a remortgage</a>.`
    : html`There are no matters yet. One appears here as soon as a lender names your firm in an order.`
}
