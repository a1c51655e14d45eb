import type { Schemas } from '../../../client/src/index.ts'
import type { Specimens } from '../doors.ts'
import type { Visit } from '../page.ts'
import { input } from '../ui/fields.ts'
import { field, onceKey, type Refused, select } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime } from '../ui/time.ts'
import { ROLE_WORDS } from '../words.ts'

/** Each scenario with its steps, to run to the end or until one of them. */
export const scenarios = (known: readonly Schemas['Scenario'][]): Markup =>
  html`<h2 id="scenarios">Scenarios</h2><p>Each orders a matter and plays it, with the clock.</p>
<ul class="tasks">${known.map(
    ({
      name,
      title,
      description,
      steps,
    }) => html`<li id="scenario-${name}"><div><p><strong>${title}</strong></p><p>${description}</p></div>
<form method="post" class="actions"><input type="hidden" name="do" value="run"><input type="hidden" name="scenario" value="${name}">${onceKey()}
<label class="inline" for="until-${name}">Until</label> <select id="until-${name}" name="until">${steps.map(
      (step, index) =>
        html`<option value="${step.name}"${index === steps.length - 1 && html` selected`}>${step.name}</option>`,
    )}</select>
<button class="secondary" aria-label="Run ${title}">Run</button></form></li>`,
  )}</ul>`

/** What goes wrong on purpose, with how often it did. */
export const faults = (inForce: readonly Schemas['FaultsAnswer'][]): Markup =>
  html`<h2 id="faults">Faults</h2>${inForce.length === 0 && html`<p>None. <code>PUT /sandbox/v1/faults/{client_id}</code> injects some, to <a href="/docs/guide/sandbox#faults">try your retries</a>.</p>`}
${inForce.map(
  ({ clientId, endsAt, faults: some }) => html`<form method="post"><input type="hidden" name="do" value="end-faults">
<p>In the requests and webhooks of <strong>${clientId}</strong>, until ${dateTime(endsAt)} in real time:</p>
<ul>${some.map(({ kind, seen, injected }) => html`<li><code>${kind}</code> ${injected} of ${seen}</li>`)}</ul>
<p class="actions"><button class="secondary" name="client" value="${clientId}">End the faults of ${clientId}</button></p></form>`,
)}`

export const specimens = ({ titles, accounts }: Specimens): Markup =>
  html`<h2 id="titles">Titles and accounts</h2><p>Order one of these titles with its address. Any other number is not found.</p>
<details id="all-titles"><summary>${titles.length} titles</summary><table class="rows"><thead><tr><th scope="col">Title</th><th scope="col">On the register</th><th scope="col">What happens</th></tr></thead>
<tbody>${titles.map(
    ({ titleNumber, proprietors, address, happens }) =>
      html`<tr><td><code>${titleNumber}</code></td><td>${proprietors.join(', ') || '–'}<br><small>${address}</small></td><td>${happens}</td></tr>`,
  )}</tbody></table></details>
<table class="rows"><thead><tr><th scope="col">Account number</th><th scope="col">What happens</th></tr></thead>
<tbody>${accounts.map(({ accountNumber, happens }) => html`<tr><td><code>${accountNumber}</code></td><td>${happens}</td></tr>`)}
<tr><td>any other</td><td>it is paid at once</td></tr></tbody></table>`

/** Signs in as somebody else, and comes back here. */
export async function people({ doors, session }: Visit): Promise<Markup> {
  const others = ((await doors.signIn.people?.()) ?? []).filter(({ id }) => id !== session.person.id)
  return html`<h2 id="people">Be somebody else</h2>
<form method="post" action="/console/sign-in"><input type="hidden" name="returnTo" value="/console/sandbox">
<ul class="people">${others.map(
    ({ id, name, roles, subscriber }) =>
      html`<li><button class="secondary" name="person" value="${id}">${name}</button>
<span>${roles.map((role) => ROLE_WORDS[role].name).join(', ')}${subscriber && html` · ${subscriber.name}`}</span></li>`,
  )}</ul></form>`
}

const KINDS = [
  ['LAW_FIRM', 'Law firm'],
  ['LENDER', 'Lender'],
] as const

export const newSubscriber = (values: URLSearchParams, refused: Refused | undefined): Markup =>
  html`<h2 id="subscriber">New subscriber</h2><p>It is empty, and gets a client with every scope.</p>
<form method="post"><input type="hidden" name="do" value="subscriber">${onceKey()}
${field({ name: 'kind', label: 'Kind', refused, control: (attributes) => select(attributes, KINDS, values.get('kind') ?? '') })}
${input({ values, refused }, 'name', 'Name')}
<p class="actions"><button class="secondary">Add the subscriber</button></p></form>`

export const others = (): Markup =>
  html`<h2 id="maintenance">Maintenance</h2><p>While it is on, the interface answers 503: see what your software does.</p>
<form method="post" class="actions"><input type="hidden" name="do" value="maintenance">
<button class="secondary" name="enabled" value="yes">Switch it on</button> <button class="secondary" name="enabled" value="no">Switch it off</button></form>
<h2 id="reset">Start again</h2><p>Removes everything, and makes the first data again. It takes some seconds, and signs everybody out.</p>
<form method="post" class="actions"><button class="danger" name="do" value="reset">Reset the sandbox and real time</button></form>`
