import { randomUUID } from 'node:crypto'
import type { Schemas } from '../../../client/src/index.ts'
import { hasRole, type Page, type View, type Visit } from '../page.ts'
import { copies } from '../ui/calls.ts'
import { errorSummary, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { orFailure, type Part, shown } from '../ui/part.ts'
import { dateTime, exactTime } from '../ui/time.ts'
import { DELIVERY_WORDS, REFUSAL_WORDS, STATUS_WORDS } from '../words.ts'
import { notFound } from './errors.ts'
import { answers, editForm, type Sent, sendAgain } from './request-again.ts'
import { callerOf, guideOf, matterLink, REQUESTS, referenceOf, shownBody, statusTag } from './requests-parts.ts'

type Logged = Schemas['RequestDetail']

/** One call: what was asked and answered, why it failed, what followed. In the sandbox it can be changed and sent again. */
export const request: Page = {
  show: async (visit) => view(visit, await read(visit)),

  async change(visit) {
    const logged = await read(visit)
    const send = visit.doors.fetchAsClient?.(visit.session, logged.clientId)
    if (!send || !logged.path) return notFound()
    const { done, refused } = await sendAgain(send, visit, logged)
    return view(visit, logged, { ...(done && { sent: done }), ...(refused && { refused }) })
  },
}

const read = ({ api, params }: Visit) => api.getRequest({ path: { request_id: params['id'] ?? '' } })

type Outcome = { sent?: Sent; refused?: Refused }

async function view(visit: Visit, logged: Logged, { sent, refused }: Outcome = {}): Promise<View> {
  const { method, operation, status, workspaceId } = logged
  const isState = (status === 409 || status === 412) && workspaceId !== undefined && hasRole(visit.session, 'viewer')
  const matter = isState ? await orFailure(visit.api.getWorkspace({ path: { workspace_id: workspaceId } })) : undefined
  return {
    title: `${method} ${operation}`,
    crumbs: [[REQUESTS, 'Requests']],
    ...(refused && { status: refused.status }),
    main: html`${errorSummary(refused, ['path', 'body'], 'Nothing was sent')}
<h1>${method} ${operation} ${statusTag(status)}</h1>
${sent && answers(logged, sent)}
${status >= 400 && why(logged, matter)}
${facts(visit, logged)}
${!sent && exchange(logged)}
${followed(logged)}
${copy(visit, logged)}
${visit.doors.fetchAsClient && logged.path && editForm(visit, logged, refused)}`,
  }
}

const row = (label: string, value: Markup | string | number) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`

function facts(visit: Visit, logged: Logged): Markup {
  const { at, durationMs, route, operation, correlationId, workspaceId } = logged
  return html`<section><h2>Facts</h2><dl class="summary">
${row('Time', html`${exactTime(at)}, took ${durationMs} ms`)}
${row('Operation', html`<a href="${referenceOf(operation)}">${operation}</a> <code>${route}</code>`)}
${row('Client', callerOf(logged))}
${row('Correlation id', correlationId ? html`<code>${correlationId}</code> <a href="${REQUESTS}?correlation_id=${encodeURIComponent(correlationId)}">all requests with it</a>` : '–')}
${row('Matter', matterLink(visit, workspaceId))}</dl></section>`
}

/** The field, what the status means, and the state that refused. */
function why({ status, operation, errors }: Logged, matter: Part<Schemas['Workspace']> | undefined): Markup {
  const words = REFUSAL_WORDS[status] ?? REFUSAL_WORDS[500]
  return html`<section class="turn" id="why"><h2>Why it failed</h2>
<ul>${errors.map(({ field, message }) => html`<li>${field && html`<code>${field}</code> `}${message}</li>`)}</ul>
<p>${words?.means} ${words?.todo}</p>
${
  matter &&
  shown(
    matter,
    'The matter',
    ({ status: state }) =>
      html`<p>The matter is now: <span class="tag">${STATUS_WORDS[state]}</span> <code>${state}</code></p>`,
  )
}
<p><a href="${referenceOf(operation)}">What ${operation} expects</a> · <a href="${guideOf(status)}">The guide about ${status}</a></p></section>`
}

function exchange({ headers, body, answer, path }: Logged): Markup {
  if (!path)
    return html`<p class="notice">Outside the sandbox the log has no addresses, bodies and messages, only what is above.</p>`
  const sent = Object.entries(headers ?? {}).map(([name, value]) => `${name}: ${value}\n`)
  return html`<section><h2>Request and answer</h2><div class="columns even">
<div><h3>Request</h3><pre tabindex="0"><code>${path}
${sent.join('')}</code></pre>${shownBody(body)}</div><div><h3>Answer</h3>${shownBody(answer)}</div></div></section>`
}

function followed({ followed: consequences, workspaceId }: Logged): Markup {
  if (consequences.length === 0)
    return html`<section id="followed"><h2>What followed</h2><p>${workspaceId ? 'Nothing was published or planned by it.' : 'It belongs to no matter.'}</p></section>`
  return html`<section id="followed"><h2>What followed</h2><ol class="timeline">${consequences.map(
    ({ kind, id, name, status, at }) =>
      html`<li${kind === 'JOB' && html` class="planned"`}${status === 'DEAD' && html` class="problem"`}><p>${FOLLOWED_WORDS[kind]} <code>${name}</code>${
        status && html` · ${DELIVERY_WORDS[status as keyof typeof DELIVERY_WORDS].toLowerCase()}`
      }${kind === 'DELIVERY' && id && html` · <a href="/console/deliveries/${id}">see the delivery</a>`}</p><small>${dateTime(at)}</small></li>`,
  )}</ol></section>`
}

const FOLLOWED_WORDS: Record<Logged['followed'][number]['kind'], string> = {
  EVENT: 'Event',
  DELIVERY: 'Delivery of',
  JOB: 'Planned:',
}

function copy({ doors }: Visit, { method, path, body, headers }: Logged): Markup | undefined {
  if (!path) return undefined
  const ifMatch = headers?.['if-match']
  const call = {
    method,
    path,
    status: 0,
    ms: 0,
    ...(body && !body.isTruncated && { body: body.text }),
    ...(ifMatch && { ifMatch }),
  }
  return html`<section><h2>Copy</h2><p class="copies">${copies({ ...call, ...(method === 'POST' && { idempotencyKey: randomUUID() }) }, doors.publicUrl)}</p></section>`
}
