import { type OnePerson, type OneSession, part } from '../operator.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { attempt, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { counted, dateTime } from '../ui/time.ts'
import { actForm, adminView, changesNeed, destructive, keyOf, mayChange, none } from './admin-parts.ts'
import { linkView, roleChoices, rolesOf, stateTag } from './admin-people.ts'
import { WAYS } from './me.ts'

type Read = Omit<OnePerson, 'sessions'> & { sessions: readonly OneSession[] }

/** Somebody who uses the console: roles, where they are signed in, and a way to lock them out. */
export const adminPerson: Page = {
  show: (visit) => view(visit),

  async change(visit) {
    const { operator, form, params } = visit
    const [id, key, act] = [params['id'] ?? '', keyOf(visit), form.get('act')]
    const path = `/people/${part(id)}`
    if (act === 'link') {
      const made = await attempt(operator.change<{ personId: string; link: string; kind: string }>(`${path}/link`, key))
      if (made.refused) return view(visit, made.refused)
      const how =
        made.done.kind === 'LINK' ? 'It lets this person in once, within 10 minutes.' : 'It works once, within 7 days.'
      return linkView('A new link', made.done, `${how} Links that were made earlier no longer work.`)
    }
    const { refused } = await attempt(
      act === 'roles'
        ? operator.change(`${path}/roles`, key, { roles: form.getAll('roles') })
        : operator.change(`${path}/${act === 'disable' ? 'disable' : 'sign-out'}`, key),
    )
    return refused ? view(visit, refused) : goTo(`/console/admin/people/${id}`)
  },
}

async function view(visit: Visit, refused?: Refused): Promise<View> {
  const person = await visit.operator.person(visit.params['id'] ?? '')
  const { personId, name, email, subscriberId, subscriber, roles, state, sessions } = person
  const main = html`<h1>${name}</h1>${changesNeed(visit)}
<dl class="summary"><div><dt>State</dt><dd>${stateTag(state)}</dd></div><div><dt>E-mail</dt><dd>${email}</dd></div>
<div><dt>Organisation</dt><dd>${subscriber ? html`<a href="/console/admin/subscribers/${subscriberId ?? ''}">${subscriber}</a>` : 'Runs the service'}</dd></div>
<div><dt>Roles</dt><dd>${rolesOf(roles)}</dd></div>
<div><dt>Id</dt><dd><code>${personId}</code> <a href="/console/admin/audit?id=${personId}">What was done to this person</a></dd></div></dl>
<h2>Where they are signed in</h2>${sessions.length === 0 ? none('Nowhere.') : sessionTable(sessions)}
${mayChange(visit) && state !== 'disabled' && html`<h2>Change</h2>${changes(visit, person)}`}`
  return adminView(visit, name, main, {
    refused,
    fields: ['roles'],
    crumbs: [
      ['/console/admin', 'Admin'],
      ['/console/admin/people', 'People'],
    ],
  })
}

const sessionTable = (sessions: readonly OneSession[]): Markup =>
  html`<table class="rows"><thead><tr><th scope="col">Browser</th><th scope="col">Signed in</th><th scope="col">Last used</th></tr></thead>
<tbody>${sessions.map(
    ({ browser, createdAt, way, lastSeenAt }) =>
      html`<tr><td>${browser || 'unknown'}</td><td>${dateTime(createdAt)} <small>${WAYS[way]}</small></td><td>${dateTime(lastSeenAt)}</td></tr>`,
  )}</tbody></table>`

function changes({ session }: Visit, { personId, name, roles, subscriberId, sessions }: Read): Markup {
  const isMe = session.person.id === personId
  const link = actForm({ act: 'link', button: 'Make a new link and show it' }, 'secondary')
  const newRoles =
    subscriberId !== null &&
    html`<details id="roles-form"><summary>Change the roles</summary>${actForm({
      act: 'roles',
      button: `Set these roles: all sessions of ${name} end`,
      fields: roleChoices(['viewer', 'preparer', 'approver', 'developer'], roles),
    })}</details>`
  const signOut = destructive(
    'End all sessions',
    `${name} must sign in again everywhere. What is typed and not sent is lost.`,
    {
      act: 'sign-out',
      button: `End ${counted(sessions.length, 'session')} of ${name}`,
    },
  )
  const disable = destructive('Disable', 'To let this person back in, invite them again.', {
    act: 'disable',
    button: `Disable ${name}: locked out within 5 seconds`,
  })
  return html`${link}${newRoles}${sessions.length > 0 && signOut}${isMe ? html`<p>Another operator can disable you.</p>` : disable}`
}
