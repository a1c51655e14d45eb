import type { Role } from '../doors.ts'
import type { OnePerson } from '../operator.ts'
import type { Page, View, Visit } from '../page.ts'
import { input } from '../ui/fields.ts'
import { attempt, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { ROLE_WORDS } from '../words.ts'
import { actForm, adminView, changesNeed, keyOf, mayChange, none, shownOnce } from './admin-parts.ts'

/** Everybody who uses the console; and the invitation of another operator. */
export const adminPeople: Page = {
  show: (visit) => view(visit),
  change: (visit) => invite(visit, undefined, (refused) => view(visit, refused)),
}

async function view(visit: Visit, refused?: Refused): Promise<View> {
  const { records } = await visit.operator.people()
  const main = html`<h1>People</h1>${changesNeed(visit)}
<p>People of a subscriber are invited on <a href="/console/admin/subscribers">the page of the subscriber</a>.</p>
${records.length === 0 ? none('Nobody was invited yet.') : peopleTable(records)}
${mayChange(visit) && invitationForm(visit, ['operator'], refused)}`
  return adminView(visit, 'People', main, {
    refused,
    fields: INVITATION_FIELDS,
    crumbs: [['/console/admin', 'Admin']],
  })
}

const STATE_TAGS = { invited: 'is-warn', active: 'is-good', disabled: 'is-bad' }

export const stateTag = (state: OnePerson['state']): Markup =>
  html`<span class="tag ${STATE_TAGS[state]}">${state}</span>`

export const rolesOf = (roles: readonly Role[]): string => roles.map((role) => ROLE_WORDS[role].name).join(', ')

export const peopleTable = (people: readonly OnePerson[]): Markup =>
  html`<table class="rows"><thead><tr><th scope="col">Name</th><th scope="col">E-mail</th><th scope="col">Organisation</th><th scope="col">Roles</th><th scope="col">State</th><th scope="col" class="number">Signed in</th></tr></thead>
<tbody>${people.map(
    ({ personId, name, email, subscriber, roles, state, sessions }) =>
      html`<tr id="person-${personId}"><td><a href="/console/admin/people/${personId}">${name}</a></td><td>${email}</td><td>${subscriber ?? 'Runs the service'}</td>
<td>${rolesOf(roles)}</td><td>${stateTag(state)}</td><td class="number">${sessions}</td></tr>`,
  )}</tbody></table>`

export const INVITATION_FIELDS = ['name', 'email', 'roles']

/** Roles to tick, or the one that all who are invited here have. */
export function invitationForm({ form: values }: Visit, roles: readonly Role[], refused: Refused | undefined): Markup {
  const form = { values, refused }
  const fields = [
    input(form, 'name', 'Name'),
    input(form, 'email', 'E-mail', { hint: 'The service sends no mail: you send the link yourself.' }),
    roleChoices(roles, values.getAll('roles')),
  ]
  const isOpen = refused && values.get('act') === 'invite'
  return html`<details id="invitation"${isOpen && html` open`}><summary>Invite ${roles.length === 1 ? 'another operator' : 'somebody'}</summary>${actForm({ act: 'invite', button: 'Invite and show the link', fields })}</details>`
}

export const roleChoices = (roles: readonly Role[], chosen: readonly string[]): Markup =>
  html`<fieldset id="roles"><legend>What they may do</legend>${roles.map(
    (role) =>
      html`<label class="choice"><input type="checkbox" name="roles" value="${role}"${(chosen.includes(role) || roles.length === 1) && html` checked`}><span>${ROLE_WORDS[role].name} <small>${ROLE_WORDS[role].may}</small></span></label>`,
  )}</fieldset>`

type Invited = { personId: string; link: string }

export async function invite(
  visit: Visit,
  subscriberId: string | undefined,
  again: (refused: Refused) => Promise<View>,
): Promise<View> {
  const { operator, form } = visit
  const email = form.get('email')?.trim() ?? ''
  const body = {
    name: form.get('name') ?? '',
    email,
    roles: form.getAll('roles'),
    ...(subscriberId && { subscriberId }),
  }
  const invited = await attempt(operator.change<Invited>('/people', keyOf(visit), body))
  if (invited.refused) return again(invited.refused)
  return linkView(`Invited ${email}`, invited.done, 'The link works once, within 7 days. Send it to this person alone.')
}

export const linkView = (title: string, { personId, link }: Invited, how: string): View => ({
  title,
  main: shownOnce(
    title,
    [['Link', link]],
    html`${how} <a href="/console/admin/people/${personId}">Go to the person</a>`,
  ),
})
