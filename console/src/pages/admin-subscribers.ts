import { goTo, type Page, type View, type Visit } from '../page.ts'
import { choices, input } from '../ui/fields.ts'
import { attempt, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { actForm, adminView, changesNeed, keyOf, mayChange, none } from './admin-parts.ts'

export const KIND_NAMES = { LENDER: 'Lender', LAW_FIRM: 'Law firm' }

/** The organisations that use the service. */
export const adminSubscribers: Page = {
  show: (visit) => view(visit),

  async change(visit) {
    const { form, operator } = visit
    const body = {
      name: form.get('name') ?? '',
      kind: form.get('kind') ?? '',
      fourEyes: form.get('fourEyes') !== 'no',
      reports: form.get('reports') !== 'no',
    }
    const added = await attempt(operator.change<{ subscriberId: string }>('/subscribers', keyOf(visit), body))
    return added.refused ? view(visit, added.refused) : goTo(`/console/admin/subscribers/${added.done.subscriberId}`)
  },
}

async function view(visit: Visit, refused?: Refused): Promise<View> {
  const { records } = await visit.operator.subscribers()
  const main = html`<h1>Subscribers</h1>${changesNeed(visit)}
${
  records.length === 0
    ? none('There is none yet. Add the first lender or law firm below.')
    : html`<table class="rows"><thead><tr><th scope="col">Name</th><th scope="col">Kind</th><th scope="col">State</th><th scope="col" class="number">Clients</th><th scope="col">Id</th></tr></thead>
<tbody>${records.map(
        ({ subscriberId, name, kind, status, clients }) =>
          html`<tr id="subscriber-${subscriberId}"><td><a href="/console/admin/subscribers/${subscriberId}">${name}</a></td><td>${KIND_NAMES[kind]}</td>
<td>${statusTag(status)}</td><td class="number">${clients}</td><td><code>${subscriberId}</code></td></tr>`,
      )}</tbody></table>`
}${mayChange(visit) && newSubscriber(visit, refused)}`
  return adminView(visit, 'Subscribers', main, {
    refused,
    fields: ['name', 'kind'],
    crumbs: [['/console/admin', 'Admin']],
  })
}

export const statusTag = (status: 'ACTIVE' | 'SUSPENDED'): Markup =>
  status === 'ACTIVE' ? html`<span class="tag is-good">active</span>` : html`<span class="tag is-bad">suspended</span>`

function newSubscriber({ form: values }: Visit, refused: Refused | undefined): Markup {
  const form = { values, refused }
  const fields = [
    input(form, 'name', 'Name', { hint: 'As it is called in letters.', width: 40 }),
    choices(form, 'kind', 'What it is', [
      { value: 'LENDER', label: 'Lender' },
      { value: 'LAW_FIRM', label: 'Law firm' },
    ]),
    html`<p><label class="inline"><input type="checkbox" name="fourEyes" value="no"${values.get('fourEyes') === 'no' && html` checked`}> One person may prepare and approve (no four eyes)</label></p>
<p><label class="inline"><input type="checkbox" name="reports" value="no"${values.get('reports') === 'no' && html` checked`}> No nightly reports</label></p>`,
  ]
  return html`<h2>Add a subscriber</h2>${actForm({ act: 'add', button: 'Add the subscriber', fields })}`
}
