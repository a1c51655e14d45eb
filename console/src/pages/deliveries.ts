import type { Input, Schemas } from '../../../client/src/index.ts'
import { goTo, hasRole, type Page, type View, type Visit } from '../page.ts'
import { hidden } from '../ui/fields.ts'
import { attempt, errorSummary, field, onceKey, type Refused, select } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { columns, plot } from '../ui/plot.ts'
import { counted, dateTime, endOfDay, shortTimeText, startOfDay } from '../ui/time.ts'
import { DELIVERY_WORDS, EVENT_TYPES } from '../words.ts'
import { answerOf, DELIVERIES, REGISTRATIONS, statusTag, tabs } from './deliveries-parts.ts'
import { filtersOf } from './query.ts'

const ROWS = 50
const REGISTRATIONS_MAX = 100
const FILTERS = ['status', 'type', 'registration_id', 'workspace_id', 'created_since', 'created_before'] as const

type Filters = Partial<Record<(typeof FILTERS)[number], string>>
type Delivery = Schemas['Notification']

/** What was sent to the receivers of the firm, and what came of it. The address is the saved view. */
export const deliveries: Page = {
  async show(visit) {
    const { api, url } = visit
    const filters = filtersOf(url.searchParams, FILTERS)
    if (url.searchParams.has('retry')) return confirmation(visit, filters)
    const cursor = url.searchParams.get('cursor')
    const query = { ...timesOf(filters), limit: ROWS, ...(cursor && { cursor }) } as NonNullable<
      Input<'listNotifications'>['query']
    >
    const [found, { records: registrations }] = await Promise.all([
      attempt(api.listNotifications({ query }), [400]),
      api.listNotificationRegistrations({ query: { limit: REGISTRATIONS_MAX } }),
    ])
    return {
      title: 'Deliveries',
      live: 'deliveries',
      ...(found.refused && { status: found.refused.status }),
      main: html`${errorSummary(found.refused, FILTERS, 'This search is not possible')}<h1>Deliveries</h1>${tabs(visit)}
${sent(url)}${form(filters, registrations, found.refused)}
${!found.refused && results(visit, found.done, registrations, filters)}`,
    }
  },

  async change(visit) {
    const { api, form } = visit
    const filters = filtersOf(form, FILTERS)
    const idempotencyKey = form.get('key') ?? undefined
    const { done, refused } = await attempt(api.retryNotifications({ body: bodyOf(filters), idempotencyKey }))
    return refused ? confirmation(visit, filters, refused) : goTo(addressOf(filters, { sent: String(done.count) }))
  },
}

/** A day is from its beginning to its end in London. What is no day the service refuses. */
const timesOf = ({ created_since, created_before, ...filters }: Filters): Filters => ({
  ...filters,
  ...(created_since && { created_since: startOfDay(created_since) }),
  ...(created_before && { created_before: endOfDay(created_before) }),
})

function bodyOf(filters: Filters, dryRun = false): Input<'retryNotifications'>['body'] {
  const { status, type, registration_id, workspace_id, created_since, created_before } = timesOf(filters)
  const body = {
    ...(status && { status }),
    ...(type && { type }),
    ...(registration_id && { registrationId: registration_id }),
    ...(workspace_id && { workspaceId: workspace_id }),
    ...(created_since && { createdSince: created_since }),
    ...(created_before && { createdBefore: created_before }),
    ...(dryRun && { dryRun }),
  }
  return body as Input<'retryNotifications'>['body']
}

const addressOf = (filters: Filters, more: Record<string, string> = {}) => {
  const query = new URLSearchParams({ ...filters, ...more }).toString()
  return `${DELIVERIES}${query && `?${query}`}`
}

const sent = ({ searchParams }: URL) => {
  const count = Number(searchParams.get('sent'))
  return count > 0 && html`<p class="good" role="status">${counted(count, 'delivery', 'deliveries')} sent again.</p>`
}

/** Counted first: the consequence is on the button. */
async function confirmation({ api }: Visit, filters: Filters, refused?: Refused): Promise<View> {
  const counting = await attempt(api.retryNotifications({ body: bodyOf(filters, true) }), [400])
  const { count, hasMore } = counting.done ?? { count: 0, hasMore: false }
  const many = counted(count, 'delivery', 'deliveries')
  const wrong = refused ?? counting.refused
  return {
    title: 'Send again',
    crumbs: [[addressOf(filters), 'Deliveries']],
    ...(wrong && { status: wrong.status }),
    main: html`${errorSummary(wrong, [], 'Nothing was sent')}<h1>Send again what failed?</h1>
${
  count > 0
    ? html`<p>${many} that failed ${count === 1 ? 'matches' : 'match'} ${Object.keys(filters).length > 0 ? 'the filter' : '(there is no filter)'}${hasMore && ', and there are more: come back for these'}. What waits behind them follows by itself. Receivers see the same <code>webhook-id</code> as before.</p>
<form method="post" action="${DELIVERIES}">${hidden(filters)}${onceKey()}
<p class="actions"><button>Send ${many} again now</button> <a href="${addressOf(filters)}">Leave them</a></p></form>`
    : html`<p class="notice">Nothing that matches has failed. <a href="${addressOf(filters)}">Back to the deliveries</a></p>`
}`,
  }
}

type Registrations = readonly Schemas['NotificationRegistration'][]

function form(filters: Filters, registrations: Registrations, refused: Refused | undefined): Markup {
  const one = (name: keyof Filters, label: string, control: (attributes: Markup, value: string) => Markup) =>
    field({ name, label, refused, control: (attributes) => control(attributes, filters[name] ?? '') })
  const chosen = (options: readonly (readonly [string, string])[]) => (attributes: Markup, value: string) =>
    select(attributes, [['', 'Any'], ...options], value)
  const date = (attributes: Markup, value: string) => html`<input type="date"${attributes} value="${value}">`
  return html`<form class="filters" method="get" action="${DELIVERIES}" role="search">
${one('status', 'Status', chosen(Object.entries(DELIVERY_WORDS)))}
${one('type', 'Type', chosen([...EVENT_TYPES, 'TEST', 'CHALLENGE'].map((type) => [type, type])))}
${one('registration_id', 'Receiver', chosen(registrations.map(({ registrationId, webhookURI }) => [registrationId, webhookURI])))}
${one('workspace_id', 'Id of the matter', (attributes, value) => html`<input${attributes} value="${value}" autocomplete="off">`)}
${one('created_since', 'From', date)}${one('created_before', 'Until', date)}
<button>Filter</button>${Object.keys(filters).length > 0 && html`<p><a href="${DELIVERIES}">Show all</a></p>`}</form>`
}

function results(
  visit: Visit,
  { records, nextCursor }: Schemas['NotificationPage'],
  registrations: Registrations,
  filters: Filters,
): Markup {
  if (records.length === 0) return html`<p class="notice">${nothing(registrations, filters)}</p>`
  const isLater = visit.url.searchParams.has('cursor')
  return html`${filters.status !== 'DELIVERED' && html`<p class="actions"><a class="button secondary" href="${addressOf(filters, { retry: 'yes' })}">Send again all that failed and match</a></p>`}
<table class="rows"><thead><tr><th scope="col">Delivery</th><th scope="col">Status</th><th scope="col">Last answer</th><th scope="col" class="number">Attempts</th><th scope="col">Receiver</th><th scope="col">Matter</th></tr></thead>
<tbody>${records.map((record) => row(visit, record, registrations))}</tbody></table>
<p class="pages">${isLater && html`<a href="${addressOf(filters)}">First page</a>`}${nextCursor && html`<a href="${addressOf(filters, { cursor: nextCursor })}" rel="next">Next ${ROWS}</a>`}</p>
${summary(records)}`
}

function row({ session }: Visit, delivery: Delivery, registrations: Registrations): Markup {
  const { notificationId, type, createdAt, attempts, registrationId, workspaceId, nextAttemptAt } = delivery
  const last = attempts.at(-1)
  const receiver = registrations.find((one) => one.registrationId === registrationId)
  const matter = workspaceId && `${workspaceId.slice(0, 8)}…`
  return html`<tr id="delivery-${notificationId}"><td><a href="${DELIVERIES}/${notificationId}">${type}</a><br><small>${dateTime(createdAt)}</small></td>
<td>${statusTag(delivery)}${delivery.status === 'PENDING' && nextAttemptAt && last && html`<br><small>next ${dateTime(nextAttemptAt)}</small>`}</td>
<td>${last ? answerOf(last) : '–'}</td><td class="number">${attempts.length}</td><td><code>${receiver?.webhookURI ?? registrationId}</code></td>
<td>${workspaceId && matter ? (hasRole(session, 'viewer') ? html`<a href="/console/matters/${workspaceId}">${matter}</a>` : matter) : '–'}</td></tr>`
}

/** Of the deliveries on this page: how many were delivered at once, and how long the receivers took. */
function summary(records: readonly Delivery[]): Markup {
  const attempted = records.filter(({ attempts }) => attempts.length > 0).toReversed()
  if (attempted.length === 0) return html`<p>None of these was attempted yet.</p>`
  const first = attempted.filter(({ status, attempts }) => status === 'DELIVERED' && attempts.length === 1).length
  const times = attempted.map(({ attempts }) => attempts.at(-1)?.durationMs ?? 0)
  const labels = attempted.map(({ createdAt }) => shortTimeText(createdAt))
  return plot({
    id: 'latency',
    title: 'How fast receivers answered',
    says: `Of these ${attempted.length}, ${Math.round((first / attempted.length) * 100)} % were delivered at the first try. The slowest answer took ${Math.max(...times)} ms.`,
    drawing: columns(labels, times),
    columns: ['Delivery', 'ms', 'Attempts'],
    rows: attempted.map(({ type, attempts }, index) => [
      `${labels[index]} ${type}`,
      times[index] ?? 0,
      attempts.length,
    ]),
  })
}

function nothing(registrations: Registrations, filters: Filters): Markup {
  if (registrations.length === 0)
    return html`Nothing is sent yet: no address is registered. <a href="${REGISTRATIONS}">Register one</a>`
  if (Object.keys(filters).length > 0) return html`No delivery fits. <a href="${DELIVERIES}">Show all</a>`
  return html`Nothing was sent yet. <a href="${REGISTRATIONS}">Send a test</a> to see whether your receiver works.`
}
