import type { Call } from '../api.ts'
import type { Assets } from '../assets.ts'
import { liveAddress } from '../live.ts'
import type { OpenVisit, View } from '../page.ts'
import { ROLE_WORDS } from '../words.ts'
import { callsBehind } from './calls.ts'
import { html, type Markup } from './html.ts'
import { shortTime } from './time.ts'

// What all pages have: head, navigation, the person, the footer.

type Around = { calls: readonly Call[]; assets: Assets; nav: readonly { path: string; label: string }[] }

const SCRIPTS = ['live.js', 'keys.js', 'copy.js']

export function shell(view: View, visit: OpenVisit, { calls, assets, nav }: Around): Markup {
  const { title, main, crumbs = [], live, script } = view
  return html`<!doctype html>
<html lang="en-GB"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} – Lodgeway</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assets.address('console.css')}">
${[...SCRIPTS, ...(script ? [script] : [])].map((name) => html`<script type="module" src="${assets.address(name)}"></script>`)}
</head><body data-palette="${assets.address('palette.js')}">
<a class="skip" href="#main">Skip to the content</a>
${top(visit, nav)}
<main id="main" tabindex="-1"${live && html` data-live="${liveAddress(live)}" data-idiomorph="${assets.address('idiomorph.js')}"`}>
${visit.session && visit.doors.isUnderMaintenance() && MAINTENANCE}
${crumbs.length > 0 && html`<nav class="crumbs" aria-label="Breadcrumb"><ol>${crumbs.map(([address, label]) => html`<li><a href="${address}">${label}</a></li>`)}<li aria-current="page">${shortTitle(title, crumbs.at(-1)?.[1])}</li></ol></nav>`}
${main}
</main>
<footer class="foot">
${live && html`<p id="live" role="status"></p>`}
${calls.length > 0 && view.status !== 404 && callsBehind(calls, visit)}
<p class="small"><a href="/console/help">Help</a> · <a href="/docs">API reference</a>${
    view.status !== 404 && html` · <span title="Quote this number when you ask for help">${visit.correlationId}</span>`
  }</p>
</footer>
</body></html>
`
}

const MAINTENANCE = html`<p class="notice" role="status"><strong>Maintenance.</strong> You can read everything. Nothing can be changed until it has ended: usually a few minutes.</p>`

function top({ session, now, doors, url }: OpenVisit, nav: Around['nav']): Markup {
  const person = session?.person
  return html`<header class="top"><div class="bar">
<a class="brand" href="/console/">Lodgeway</a>
${nav.length > 0 && html`<nav aria-label="Main"><ul>${nav.map(({ path, label }) => link(path, label, url.pathname))}</ul></nav>`}
${
  person &&
  html`<div class="who"><a href="/console/me" title="${person.roles.map((role) => ROLE_WORDS[role].name).join(', ')}">${person.name}</a>${
    person.subscriber && html` · ${person.subscriber.name}`
  }
<form method="post" action="/console/out"><button class="plain">Sign out</button></form></div>`
}
</div>${doors.sandboxClock && html`<p class="sandbox" id="clock">Sandbox · clock ${shortTime(minuteOf(now))}</p>`}</header>`
}

/** Under "NBS-1018", "NBS-1018 names" is "names". */
const shortTitle = (title: string, above = '') =>
  title.startsWith(`${above} `) ? title.slice(above.length + 1) : title

// So that a page is the same for a minute.
const minuteOf = (at: Date) => new Date(Math.floor(at.getTime() / 60_000) * 60_000)

const link = (path: string, label: string, current: string) =>
  html`<li><a href="${path}"${isCurrent(path, current) && html` aria-current="page"`}>${label}</a></li>`

const isCurrent = (path: string, current: string) =>
  current === path || (!STARTS.includes(path) && current.startsWith(`${path}/`))

/** Pages under which all others are. */
const STARTS = ['/console/', '/console/admin']
