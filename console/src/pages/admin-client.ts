import { type Client, part } from '../operator.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { attempt, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime } from '../ui/time.ts'
import { actForm, adminView, changesNeed, destructive, keyOf, mayChange, shownOnce } from './admin-parts.ts'

export type NewSecret = { clientId: string; secret: string }

export const clientAddress = (clientId: string): string => `/console/admin/clients/${part(clientId)}`

/** A client of a subscriber: its scopes, its secrets, and whether it may come in. */
export const adminClient: Page = {
  show: (visit) => view(visit),

  async change(visit) {
    const { operator, form } = visit
    const [id, key, act] = [idOf(visit), keyOf(visit), form.get('act')]
    const path = `/clients/${part(id)}`
    if (act === 'rotate') {
      const made = await attempt(operator.change<NewSecret>(`${path}/rotate`, key))
      return made.refused
        ? view(visit, made.refused)
        : secretView(made.done, 'The secret before it works as well, until you retire it.')
    }
    const { refused } = await attempt(
      act === 'log'
        ? operator.change(`${path}/log`, key, { hours: Number(form.get('hours')) })
        : act === 'scopes'
          ? operator.change(`${path}/scopes`, key, { scopes: form.getAll('scope') })
          : act === 'retire'
            ? operator.change(`${path}/retire-old-secret`, key)
            : operator.change(`${path}/enabled`, key, { enabled: act === 'enable' }),
    )
    return refused ? view(visit, refused) : goTo(clientAddress(id))
  },
}

/** Any printable text can be the id of a client, and any text can be in an address. */
function idOf({ params }: Visit): string {
  try {
    return decodeURIComponent(params['id'] ?? '')
  } catch {
    return ''
  }
}

export const secretView = ({ clientId, secret }: NewSecret, also = ''): View => ({
  title: 'New secret',
  main: shownOnce(
    'The new secret',
    [
      ['Client id', clientId],
      ['Secret', secret],
    ],
    html`${also} <a href="${clientAddress(clientId)}">Go to the client</a>`,
  ),
})

async function view(visit: Visit, refused?: Refused): Promise<View> {
  const client = await visit.operator.client(idOf(visit))
  const { clientId, subscriberId, subscriber, enabled, secrets, createdAt, lastUsedAt, logUntil, scopes, allScopes } =
    client
  const main = html`<h1>Client ${clientId}</h1>${changesNeed(visit)}
<dl class="summary"><div><dt>State</dt><dd>${enabled ? html`<span class="tag is-good">enabled</span>` : html`<span class="tag is-bad">disabled</span>`}</dd></div>
<div><dt>Subscriber</dt><dd><a href="/console/admin/subscribers/${subscriberId}">${subscriber}</a></dd></div>
<div><dt>Added</dt><dd>${dateTime(createdAt)}</dd></div>
<div><dt>Last used</dt><dd>${lastUsedAt ? dateTime(lastUsedAt) : 'never'}</dd></div>
<div><dt>Secrets that work</dt><dd>${secrets}</dd></div>
<div><dt>Its requests are logged</dt><dd>${logUntil ? html`until ${dateTime(logUntil)}` : 'no'}</dd></div></dl>
<h2>Scopes</h2>${mayChange(visit) ? scopeForm(scopes, allScopes) : html`<ul>${scopes.map((scope) => html`<li><code>${scope}</code></li>`)}</ul>`}
${mayChange(visit) && html`<h2>Secret and access</h2>${changes(client)}`}`
  return adminView(visit, `Client ${clientId}`, main, {
    refused,
    crumbs: [
      ['/console/admin', 'Admin'],
      ['/console/admin/subscribers', 'Subscribers'],
      [`/console/admin/subscribers/${subscriberId}`, subscriber],
    ],
  })
}

const scopeForm = (scopes: readonly string[], all: Readonly<Record<string, string>>): Markup =>
  html`<details id="scopes"><summary>${scopes.length} of ${Object.keys(all).length} scopes</summary>${actForm({
    act: 'scopes',
    button: 'Set these scopes: its tokens lose the others within 5 seconds',
    fields: html`<fieldset><legend>What it may do</legend>${Object.entries(all).map(
      ([scope, lets]) =>
        html`<label class="choice"><input type="checkbox" name="scope" value="${scope}"${scopes.includes(scope) && html` checked`}><span><code>${scope}</code> <small>${lets}</small></span></label>`,
    )}</fieldset>`,
  })}</details>`

function changes({ clientId, enabled, secrets, logUntil }: Client): Markup {
  const rotate = actForm({ act: 'rotate', button: 'Add a new secret and show it' }, 'secondary')
  const retire = destructive('Retire the old secret', 'Only the newest secret then gets tokens.', {
    act: 'retire',
    button: `Retire the old secret of ${clientId}`,
  })
  const access = enabled
    ? destructive('Disable this client', 'It is locked out within 5 seconds, with tokens that it has, too.', {
        act: 'disable',
        button: `Disable ${clientId}: it is locked out`,
      })
    : actForm({ act: 'enable', button: `Enable ${clientId}: it may come in again` })
  return html`<p>While a new secret takes the place of the old one, both work. With two of them, the older one ends.</p>${rotate}${secrets > 1 && retire}${access}
<h2>Request log</h2><p>For support: time, route, status and fields that were wrong, without bodies, queries and names. Its developers see them under Requests; you do not.</p>${
    logUntil
      ? actForm({ act: 'log', button: `Stop logging the requests of ${clientId}`, values: { hours: '0' } }, 'secondary')
      : actForm(
          { act: 'log', button: `Log the requests of ${clientId} for 24 hours`, values: { hours: '24' } },
          'secondary',
        )
  }`
}
