import { type Client, type OnePerson, part, type Subscriber } from '../operator.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { input } from '../ui/fields.ts'
import { attempt, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { orFailure, type Part, shown } from '../ui/part.ts'
import { counted, dateTime } from '../ui/time.ts'
import { clientAddress, type NewSecret, secretView } from './admin-client.ts'
import { actForm, adminView, changesNeed, destructive, keyOf, mayChange, none } from './admin-parts.ts'
import { INVITATION_FIELDS, invitationForm, invite, peopleTable } from './admin-people.ts'
import { KIND_NAMES, statusTag } from './admin-subscribers.ts'

type Read = Subscriber & { clients: readonly Client[] }

/** One organisation: whether it may come in, its clients and its people. */
export const adminSubscriber: Page = {
  show: (visit) => view(visit),

  async change(visit) {
    const { operator, form, params } = visit
    const [id, key, act] = [params['id'] ?? '', keyOf(visit), form.get('act')]
    const path = `/subscribers/${part(id)}`
    if (act === 'invite') return invite(visit, id, (refused) => view(visit, refused))
    if (act === 'client') {
      const clientId = form.get('clientId')?.trim()
      const made = await attempt(operator.change<NewSecret>(`${path}/clients`, key, clientId ? { clientId } : {}))
      return made.refused ? view(visit, made.refused) : secretView(made.done)
    }
    const { refused } = await attempt(
      act === 'people' || act === 'any'
        ? operator.change(`${path}/decisions`, key, { decisions: act })
        : operator.change(`${path}/status`, key, { status: act === 'suspend' ? 'SUSPENDED' : 'ACTIVE' }),
    )
    return refused ? view(visit, refused) : goTo(`/console/admin/subscribers/${id}`)
  },
}

async function view(visit: Visit, refused?: Refused): Promise<View> {
  const { operator, params } = visit
  const id = params['id'] ?? ''
  const [subscriber, people] = await Promise.all([
    operator.subscriber(id),
    orFailure(operator.people({ subscriber_id: id })),
  ])
  return adminView(visit, subscriber.name, body(visit, subscriber, people, refused), {
    refused,
    fields: ['clientId', ...INVITATION_FIELDS],
    crumbs: [
      ['/console/admin', 'Admin'],
      ['/console/admin/subscribers', 'Subscribers'],
    ],
  })
}

function body(
  visit: Visit,
  subscriber: Read,
  people: Part<{ records: readonly OnePerson[] }>,
  refused?: Refused,
): Markup {
  const { subscriberId, name, kind, status, decisions, fourEyes, reports, clients } = subscriber
  const form = { values: visit.form, refused }
  return html`<h1>${name}</h1>${changesNeed(visit)}
<dl class="summary"><div><dt>State</dt><dd>${statusTag(status)}</dd></div><div><dt>Kind</dt><dd>${KIND_NAMES[kind]}</dd></div>
<div><dt>Id</dt><dd><code>${subscriberId}</code> <a href="/console/admin/audit?id=${subscriberId}">What was done to it</a></dd></div>
<div><dt>Decides</dt><dd>${decisions === 'people' ? 'Only people who signed in approve, authorise and confirm.' : 'People and clients approve, authorise and confirm.'}</dd></div>
<div><dt>Four eyes</dt><dd>${fourEyes ? 'Nobody approves what they changed.' : 'One person may prepare and approve.'}</dd></div>
<div><dt>Reports</dt><dd>${reports ? 'Every night' : 'None'}</dd></div></dl>
<h2>Clients</h2>${clients.length === 0 ? none('None: its software cannot call yet.') : clientTable(clients)}
${
  mayChange(visit) &&
  html`<details id="new-client"${refused && visit.form.get('act') === 'client' && html` open`}><summary>Add a client</summary>${actForm(
    {
      act: 'client',
      button: 'Add the client and show its secret',
      fields: input(form, 'clientId', 'Client id', {
        hint: 'Leave it empty for a new one. It gets all scopes; take some away afterwards.',
      }),
    },
  )}</details>`
}
<h2>People</h2>${shown(people, 'The people', ({ records }) => (records.length === 0 ? none('Nobody was invited yet.') : peopleTable(records)))}
${mayChange(visit) && invitationForm(visit, ['viewer', 'preparer', 'approver', 'developer'], refused)}
${mayChange(visit) && html`<h2>Change</h2>${changes(subscriber)}`}`
}

const clientTable = (clients: readonly Client[]): Markup =>
  html`<table class="rows"><thead><tr><th scope="col">Client</th><th scope="col">State</th><th scope="col" class="number">Scopes</th><th scope="col" class="number">Secrets</th><th scope="col">Last used</th></tr></thead>
<tbody>${clients.map(
    ({ clientId, enabled, scopes, secrets, lastUsedAt }) =>
      html`<tr><td><a href="${clientAddress(clientId)}">${clientId}</a></td><td>${enabled ? html`<span class="tag is-good">enabled</span>` : html`<span class="tag is-bad">disabled</span>`}</td>
<td class="number">${scopes.length}</td><td class="number">${secrets}</td><td class="nowrap">${lastUsedAt ? dateTime(lastUsedAt) : 'never'}</td></tr>`,
  )}</tbody></table>`

function changes({ name, status, decisions, clients }: Read): Markup {
  const state =
    status === 'SUSPENDED'
      ? actForm({ act: 'resume', button: `Resume ${name}: its clients and people may come in again` })
      : destructive(
          `Suspend ${name}`,
          `Its ${counted(clients.length, 'client')} and all its people are locked out within 5 seconds, and its webhooks wait. Its matters stay as they are.`,
          { act: 'suspend', button: `Suspend ${name}: everybody there is locked out` },
        )
  const deciding =
    decisions === 'people'
      ? destructive('Let clients decide, too', 'A token is then enough to approve, authorise and confirm.', {
          act: 'any',
          button: `Let the clients of ${name} decide, too`,
        })
      : destructive(
          'Let only people decide',
          'Approvals and authorisations by its clients are then refused with 403.',
          {
            act: 'people',
            button: `Let only people of ${name} decide`,
          },
        )
  return html`${state}${deciding}`
}
