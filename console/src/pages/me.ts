import { goTo, type Page } from '../page.ts'
import { html } from '../ui/html.ts'
import { dateTime } from '../ui/time.ts'
import { ROLE_WORDS } from '../words.ts'

export const WAYS = { PROVIDER: 'identity provider', LINK: 'link', SANDBOX: 'picked' }

/** Who I am here, and where I am signed in. */
export const me: Page = {
  async show({ session, doors }) {
    const { person } = session
    const sessions = await doors.sessions.list(session)
    return {
      title: person.name,
      main: html`<h1>${person.name}</h1>
<dl class="summary"><div><dt>E-mail</dt><dd>${person.email}</dd></div>
<div><dt>Organisation</dt><dd>${person.subscriber?.name ?? 'Runs the service'}</dd></div>
${person.roles.map((role) => html`<div><dt>${ROLE_WORDS[role].name}</dt><dd>${ROLE_WORDS[role].may}</dd></div>`)}</dl>
<h2>Where you are signed in</h2>
<table class="rows"><thead><tr><th scope="col">Browser</th><th scope="col">Signed in</th><th scope="col">Last used</th><th scope="col">End it</th></tr></thead>
<tbody>${sessions.map(
        ({ id, way, browser, createdAt, lastSeenAt }) => html`<tr>
<td>${browser || 'unknown'}${id === session.id && html` <strong>this one</strong>`}</td>
<td>${dateTime(createdAt)} <small>${WAYS[way]}</small></td><td>${dateTime(lastSeenAt)}</td>
<td><form method="post" class="inline"><button class="secondary" name="session" value="${id}">${
          id === session.id ? 'Sign out here' : 'Sign out there'
        }</button></form></td></tr>`,
      )}</tbody></table>`,
    }
  },
  async change({ request, correlationId, form, session, doors }) {
    const id = form.get('session') ?? ''
    const isListed = (await doors.sessions.list(session)).some((one) => one.id === id)
    if (!isListed) return goTo('/console/me')
    const cookie = await doors.sessions.end({ request, correlationId }, session, id)
    return id === session.id ? goTo('/console/out', { 'set-cookie': cookie }) : goTo('/console/me')
  },
}
