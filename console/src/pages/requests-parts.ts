import type { Schemas } from '../../../client/src/index.ts'
import { hasRole, type Visit } from '../page.ts'
import { html, type Markup } from '../ui/html.ts'

// What the pages about one's own calls have in common.

export const REQUESTS = '/console/requests'
const ERRORS = `${REQUESTS}/errors`

const PAGES = [
  [REQUESTS, 'Requests'],
  [ERRORS, 'Errors by field'],
] as const

export const tabs = ({ url }: Pick<Visit, 'url'>): Markup =>
  html`<nav aria-label="Requests"><ul class="tabs">${PAGES.map(
    ([address, label]) =>
      html`<li><a href="${address}"${url.pathname === address && html` aria-current="page"`}>${label}</a></li>`,
  )}</ul></nav>`

export const statusTag = (status: number): Markup =>
  html`<span class="tag ${status >= 500 ? 'is-bad' : status >= 400 ? 'is-warn' : 'is-good'}">${status}</span>`

export const referenceOf = (operation: string): string => `/docs#operation-${operation}`

/** Statuses that share a section of the guide's page about errors. Some have none, and the table at its top is enough. */
const SECTIONS: Readonly<Record<number, string>> = {
  406: '#405-406-415',
  408: '',
  413: '#413-416-431',
  415: '#405-406-415',
  416: '#413-416-431',
  500: '',
}

export const guideOf = (status: number): string => `/docs/guide/errors${SECTIONS[status] ?? `#${status}`}`

/** A link for those who may read matters. */
export function matterLink({ session }: Visit, workspaceId: string | undefined): Markup {
  if (workspaceId === undefined) return html`–`
  const short = `${workspaceId.slice(0, 8)}…`
  return hasRole(session, 'viewer') ? html`<a href="/console/matters/${workspaceId}">${short}</a>` : html`${short}`
}

export const callerOf = ({ clientId, person }: Pick<Schemas['LoggedRequest'], 'clientId' | 'person'>): Markup =>
  html`${clientId.startsWith('person:') ? 'console' : clientId}${person && html`<br><small>${person}</small>`}`

export function shownBody(body: Schemas['LoggedAnswerBody'] | undefined): Markup {
  if (!body?.text) return html`<p>No JSON.</p>`
  return html`<pre tabindex="0"><code>${pretty(body.text)}</code></pre>${body.isTruncated && html`<p>The rest was not kept.</p>`}`
}

export function pretty(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), undefined, 2)
  } catch {
    return text // cut, or no JSON
  }
}

/** What to do when there is nothing: the line to paste, and where it appears. */
export function firstCall({ doors }: Visit): Markup {
  const { publicUrl, sandboxClock } = doors
  const call = `TOKEN=$(curl -s -u "$CLIENT_ID:$CLIENT_SECRET" -d grant_type=client_credentials ${publicUrl}/oauth/token \\
  | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')
curl -H "Authorization: Bearer $TOKEN" '${publicUrl}/partner/api/platformconnect/v1/workspaces?limit=1'`
  return html`<div class="notice"><p>Waiting for your first request… It appears here by itself. To try, paste this:</p>
<pre tabindex="0"><code>${call}</code></pre>${
    !sandboxClock &&
    html`<p>Requests are logged only while the operator of the service has switched the log on for your client, for at most 24
hours: <code>lodgeway client log CLIENT-ID --hours 24</code>. The log never has bodies or names.</p>`
  }</div>`
}
