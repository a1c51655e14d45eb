import type { Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { type Form, input, list } from '../ui/fields.ts'
import { attempt, errorSummary, onceKey } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime } from '../ui/time.ts'
import { LISTENERS, tabs } from './deliveries-parts.ts'

const FIELDS = ['event_id', 'listener']

/** Programs that read the feed, such as `lodgeway listen` on a developer's machine; and an event again for one of them. */
export const listeners: Page = {
  show: (visit) => shown(visit, { values: visit.url.searchParams }),

  async change(visit) {
    const { api, form } = visit
    const listener = form.get('listener') ?? ''
    const path = { event_id: form.get('event_id')?.trim() ?? '' }
    const idempotencyKey = form.get('key') ?? undefined
    const { refused } = await attempt(api.repeatEvent({ path, body: { listener }, idempotencyKey }))
    return refused
      ? shown(visit, { values: form, refused })
      : goTo(`${LISTENERS}?${new URLSearchParams({ sent: listener })}`)
  },
}

async function shown(visit: Visit, form: Form): Promise<View> {
  const { records } = await visit.api.listListeners()
  const sent = visit.url.searchParams.get('sent')
  return {
    title: 'Listeners',
    ...(form.refused && { status: form.refused.status }),
    main: html`${errorSummary(form.refused, FIELDS, 'Nothing was sent')}<h1>Listeners</h1>${tabs(visit)}
${sent !== null && html`<p class="good" role="status">${sent} gets the event again within a moment, or when it comes back.</p>`}
<p>Programs that read the feed of events under a name. <code>lodgeway listen</code> is one: it sends your events to a receiver on your own machine.</p>
${records.length === 0 ? empty() : html`${table(records)}${again(form, records)}`}`,
  }
}

const empty = () =>
  html`<p class="notice">Nobody listens. Try <code>npx lodgeway listen --forward http://localhost:3000/hooks</code></p>`

const table = (records: readonly Schemas['EventListener'][]): Markup =>
  html`<table class="rows"><thead><tr><th scope="col">Listener</th><th scope="col">Last seen</th></tr></thead>
<tbody>${records.map(
    ({ name, lastSeenAt, isConnected }) =>
      html`<tr><td>${name}</td><td>${isConnected ? html`<span class="tag is-good">connected</span>` : dateTime(lastSeenAt)}</td></tr>`,
  )}</tbody></table>`

const again = (form: Form, records: readonly Schemas['EventListener'][]): Markup =>
  html`<h2>Send an event again</h2><form method="post" action="${LISTENERS}">${onceKey()}
${input(form, 'event_id', 'Id of the event', { hint: 'As in the feed, or on the page of a delivery or a request.', width: 36 })}
${list(
  form,
  'listener',
  'Listener',
  records.map(({ name }) => [name, name]),
)}
<p class="actions"><button>Send it to this listener</button></p></form>`
