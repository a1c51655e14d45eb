import type { Input, Schemas } from '../../../client/src/index.ts'
import { goTo, type Page, type View, type Visit } from '../page.ts'
import { type Form, hidden, input } from '../ui/fields.ts'
import { attempt, errorSummary, onceKey } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { dateTime, day, daysBetween } from '../ui/time.ts'
import { EVENT_GROUPS, EVENT_TYPES } from '../words.ts'
import { DELIVERIES, REGISTRATIONS, tabs } from './deliveries-parts.ts'
import { notFound } from './errors.ts'

type Registration = Schemas['NotificationRegistration']
type Sent = Pick<Visit, 'api' | 'form'>

const EMPTY: Form = { values: new URLSearchParams() }
const SOON_DAYS = 30
const REGISTRATIONS_MAX = 100

/** The addresses to which events are sent. A secret is shown once, where it was made. */
export const registrations: Page = {
  async show(visit) {
    const { searchParams } = visit.url
    const listed = await list(visit)
    for (const [name, ask] of Object.entries(QUESTIONS)) {
      if (!searchParams.has(name)) continue
      const found = listed.find(({ registrationId }) => registrationId === searchParams.get(name))
      return found ? question(ask(found), name, found) : notFound()
    }
    return shown(visit, listed, EMPTY)
  },

  async change(visit) {
    const { form } = visit
    const change = CHANGES[form.get('do') ?? ''] ?? add
    const { done, refused } = await attempt(change(visit))
    if (refused) return { ...shown(visit, await list(visit), { values: form, refused }), status: refused.status }
    return typeof done === 'string' ? goTo(done) : done
  },
}

const list = async ({ api }: Visit) =>
  (await api.listNotificationRegistrations({ query: { limit: REGISTRATIONS_MAX } })).records

const idOf = ({ form }: Sent) => ({ registration_id: form.get('id') ?? '' })
const keyOf = ({ form }: Sent) => form.get('key') ?? undefined

/** What each form does. It returns where to go next, or the page with a new secret: that is in no address. */
const CHANGES: Record<string, (visit: Visit) => Promise<string | View>> = {
  async test(visit) {
    const { notificationId } = await visit.api.testNotificationRegistration({
      path: idOf(visit),
      idempotencyKey: keyOf(visit),
    })
    return `${DELIVERIES}/${notificationId}`
  },
  async rotate(visit) {
    const { sharedSecret } = await visit.api.rotateNotificationSecret({
      path: idOf(visit),
      idempotencyKey: keyOf(visit),
    })
    return secretView(
      'The secret was rotated',
      sharedSecret,
      html`For 24 hours every delivery is signed with both secrets: change your receiver within that time.`,
    )
  },
  async delete(visit) {
    await visit.api.deleteNotificationRegistration({ path: idOf(visit) })
    return REGISTRATIONS
  },
}

async function add(visit: Visit): Promise<View> {
  const { api, form } = visit
  const body = { webhookURI: form.get('webhookURI') ?? '', eventTypes: form.getAll('eventTypes') }
  const { sharedSecret, status } = await api.createNotificationRegistration({
    body: body as Input<'createNotificationRegistration'>['body'],
    idempotencyKey: keyOf(visit),
  })
  const next =
    status === 'VERIFIED'
      ? html`Events are sent from now on.`
      : html`A challenge is being sent to the address. Events follow once your receiver has answered it with <code>data.challenge</code>.`
  return secretView('The address is registered', sharedSecret, next)
}

const secretView = (title: string, secret: string, next: Markup): View => ({
  title,
  crumbs: [[REGISTRATIONS, 'Registrations']],
  main: html`<h1>${title}</h1><p>Copy the secret into the settings of your receiver now. <strong>It is not shown again.</strong></p>
<pre tabindex="0" aria-label="Secret"><code>${secret}</code></pre><p>${next}</p>
<p class="actions"><a class="button" href="${REGISTRATIONS}">I have copied it</a></p>`,
})

function shown(visit: Visit, listed: readonly Registration[], form: Form): View {
  return {
    title: 'Registrations',
    main: html`${errorSummary(form.refused, ['webhookURI', 'eventTypes'])}<h1>Registrations</h1>${tabs(visit)}
${
  listed.length > 0
    ? html`<table class="rows"><thead><tr><th scope="col">Address</th><th scope="col">Events</th><th scope="col">Secret ends</th><th scope="col">Change</th></tr></thead>
<tbody>${listed.map((one) => row(one, visit.now))}</tbody></table>`
    : html`<p class="notice">No address is registered. Register one below, and events are sent to it as they happen.</p>`
}
<h2>Register an address</h2><form method="post" action="${REGISTRATIONS}">${onceKey()}
${input(form, 'webhookURI', 'Address', { hint: 'https, on a public host. In the sandbox also http on your own machine, such as http://127.0.0.1:3000/hooks.', width: 50 })}
${typeBoxes(form)}<p class="actions"><button>Register the address and show its secret</button></p></form>`,
  }
}

function row(
  { registrationId, webhookURI, eventTypes, status, sharedSecretExpiry, createdAt }: Registration,
  now: Date,
): Markup {
  const isSoon = daysBetween(now, sharedSecretExpiry) <= SOON_DAYS
  const isChallenge = status === 'UNVERIFIED'
  return html`<tr id="registration-${registrationId}"><td><code>${webhookURI}</code><br><small>since ${dateTime(createdAt)}</small>${isChallenge && html` <span class="tag is-bad">not verified: only challenges are sent</span>`}</td>
<td><details><summary>${eventTypes.length} of ${EVENT_TYPES.length} types</summary>${eventTypes.join(', ')}</details><a href="${DELIVERIES}?registration_id=${registrationId}">Deliveries</a></td>
<td class="nowrap">${isSoon ? html`<span class="tag is-bad">${day(sharedSecretExpiry)}</span>` : day(sharedSecretExpiry)}</td>
<td><form class="inline" method="post" action="${REGISTRATIONS}">${hidden({ do: 'test', id: registrationId })}${onceKey()}<button class="plain">${isChallenge ? 'Send the challenge again' : 'Send a test'}</button></form>
<a href="${REGISTRATIONS}?rotate=${registrationId}">Rotate the secret</a> · <a href="${REGISTRATIONS}?delete=${registrationId}">Delete</a></td></tr>`
}

function typeBoxes({ values, refused }: Form): Markup {
  const error = refused?.errors.find(({ field }) => field?.startsWith('eventTypes'))?.message
  const chosen = values.getAll('eventTypes')
  return html`<fieldset id="eventTypes" class="${error ? 'wrong' : 'field'}"><legend>Events</legend>${error && html`<p class="why">${error}</p>`}
${Object.entries(EVENT_GROUPS).map(
  ([group, types]) =>
    html`<details${types.some((type) => chosen.includes(type)) && html` open`}><summary>${group}</summary>${types.map(
      (type) =>
        html`<label class="choice"><input type="checkbox" name="eventTypes" value="${type}"${chosen.includes(type) && html` checked`}><code>${type}</code></label>`,
    )}</details>`,
)}</fieldset>`
}

type Question = { title: string; text: Markup; button: string; keep: string; tone: string }

/** The consequence is on the page and on the button. */
const QUESTIONS: Record<string, (registration: Registration) => Question> = {
  rotate: ({ webhookURI }) => ({
    title: 'Rotate the secret?',
    text: html`<p>Deliveries to <code>${webhookURI}</code> get a new secret, which is shown once. For 24 hours the present one signs as well.</p>`,
    button: 'Make a new secret and show it',
    keep: 'Keep the present one',
    tone: '',
  }),
  delete: ({ webhookURI }) => ({
    title: 'Delete the registration?',
    text: html`<p>Nothing more is sent to <code>${webhookURI}</code>. Its deliveries and their attempts are deleted, those that wait as well. The feed still has the events.</p>`,
    button: `Delete ${webhookURI} and its deliveries`,
    keep: 'Keep it',
    tone: 'danger',
  }),
}

const question = (
  { title, text, button, keep, tone }: Question,
  change: string,
  { registrationId }: Registration,
): View => ({
  title,
  crumbs: [[REGISTRATIONS, 'Registrations']],
  main: html`<h1>${title}</h1>${text}<form method="post" action="${REGISTRATIONS}">${hidden({ do: change, id: registrationId })}${onceKey()}
<p class="actions"><button class="${tone}">${button}</button> <a href="${REGISTRATIONS}">${keep}</a></p></form>`,
})
