import type { Schemas } from '../../../client/src/index.ts'
import { goTo, hasRole, type Page, type View, type Visit } from '../page.ts'
import { attempt, errorSummary, onceKey, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { counted, dateTime } from '../ui/time.ts'
import { DELIVERIES, LISTENERS, SIGNATURE, statusTag } from './deliveries-parts.ts'

/** One delivery: the bytes that are sent, every attempt, and what waits behind it. */
export const delivery: Page = {
  show: async (visit) => shown(visit, await load(visit)),

  async change(visit) {
    const { api, form, params } = visit
    const path = { notification_id: params['id'] ?? '' }
    const { refused } = await attempt(api.retryNotification({ path, idempotencyKey: form.get('key') ?? undefined }))
    return refused ? shown(visit, await load(visit), refused) : goTo(`${DELIVERIES}/${path.notification_id}`)
  },
}

type Detail = Schemas['NotificationDetail']
type Facts = { detail: Detail; registration: Schemas['NotificationRegistration'] }

async function load({ api, params }: Visit): Promise<Facts> {
  const detail = await api.getNotification({ path: { notification_id: params['id'] ?? '' } })
  const path = { registration_id: detail.registrationId }
  return { detail, registration: await api.getNotificationRegistration({ path }) }
}

function shown({ session }: Visit, { detail, registration }: Facts, refused?: Refused): View {
  const { type, notificationId, eventId, status, createdAt, nextAttemptAt, workspaceId, attempts, headers, body } =
    detail
  const matter =
    workspaceId &&
    html`<div><dt>Matter</dt><dd>${
      hasRole(session, 'viewer') ? html`<a href="/console/matters/${workspaceId}">${workspaceId}</a>` : workspaceId
    } · <a href="${DELIVERIES}?workspace_id=${workspaceId}">its deliveries</a></dd></div>`
  return {
    title: `${type} delivery`,
    crumbs: [[DELIVERIES, 'Deliveries']],
    live: 'deliveries',
    ...(refused && { status: refused.status }),
    main: html`${errorSummary(refused, [], 'Nothing was sent')}<h1>${type} ${statusTag(detail)}</h1>
${queue(detail)}
<dl class="summary"><div><dt>Receiver</dt><dd><code>${registration.webhookURI}</code>${registration.status === 'UNVERIFIED' && html` <span class="tag is-bad">not verified</span>`}</dd></div>
${matter}<div><dt>Planned</dt><dd>${dateTime(createdAt)}</dd></div>
${nextAttemptAt && status === 'PENDING' && html`<div><dt>Next attempt</dt><dd>${dateTime(nextAttemptAt)}</dd></div>`}
<div><dt>Event</dt><dd><code>${eventId}</code>${workspaceId && html` · <a href="${LISTENERS}?event_id=${eventId}">send it to a listener</a>`}</dd></div></dl>
${status !== 'DELIVERED' && html`<form method="post" action="${DELIVERIES}/${notificationId}">${onceKey()}<p class="actions"><button>Send it again now</button></p></form>`}
<h2>Attempts</h2>${table(attempts)}
<h2>What is sent</h2><p>${Buffer.byteLength(body)} bytes, to compare with what your receiver saw. <a href="${SIGNATURE}?delivery=${notificationId}">Check a signature</a></p>
${headersOf(headers)}<h3>Body</h3><pre tabindex="0"><code>${body}</code></pre>`,
  }
}

/** Order is kept within a matter: who waits for whom. */
function queue({ waitsFor, waitingBehind, status }: Detail): Markup | undefined {
  if (waitsFor) {
    return html`<p class="notice">It waits for <a href="${DELIVERIES}/${waitsFor}">an earlier delivery</a>, because order is kept within a matter.</p>`
  }
  if (status !== 'PENDING' || waitingBehind === 0) return undefined
  const many = counted(waitingBehind, 'delivery waits', 'deliveries wait')
  return html`<p class="notice">${many} behind this one, because order is kept within a matter.</p>`
}

function table(attempts: Detail['attempts']): Markup {
  if (attempts.length === 0) return html`<p>It was not attempted yet.</p>`
  return html`<table class="rows"><thead><tr><th scope="col">At</th><th scope="col" class="number">Status</th><th scope="col" class="number">ms</th><th scope="col">Answer</th></tr></thead>
<tbody>${attempts.map(
    ({ at, status, durationMs, response, error }, index) =>
      html`<tr id="attempt-${index}"><td>${dateTime(at)}</td><td class="number">${status ?? '–'}</td><td class="number">${durationMs}</td><td>${error}${response && html`<pre tabindex="0"><code>${response}</code></pre>`}</td></tr>`,
  )}</tbody></table>`
}

function headersOf(headers: Detail['headers']): Markup {
  if (Object.keys(headers).length === 0) return html`<p>The headers of the last attempt are shown here after it.</p>`
  return html`<h3>Headers of the last attempt</h3><pre tabindex="0"><code>${headerLines(headers)}</code></pre>`
}

export const headerLines = (headers: Readonly<Record<string, string>>): string =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n')
