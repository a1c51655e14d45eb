import { verifyWebhook, WebhookError, type WebhookMistake } from '../../../client/src/webhooks.ts'
import type { Page, View, Visit } from '../page.ts'
import { type Form, input } from '../ui/fields.ts'
import { errorSummary, field } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { DELIVERIES, SIGNATURE, tabs } from './deliveries-parts.ts'
import { headerLines } from './delivery.ts'

/** What a receiver saw, and the mistake that keeps it from verifying. Nothing of it is stored. */
export const signature: Page = {
  async show(visit) {
    const values = new URLSearchParams()
    const id = visit.url.searchParams.get('delivery')
    if (id) {
      const { headers, body } = await visit.api.getNotification({ path: { notification_id: id } })
      values.set('headers', headerLines(headers))
      values.set('body', body)
    }
    return bench(visit, { values })
  },

  async change(visit) {
    const { form } = visit
    const seenAt = form.get('seenAt')?.trim()
    const now = seenAt ? new Date(seenAt) : undefined
    if (now && Number.isNaN(now.getTime())) {
      const errors = [{ field: 'seenAt', message: 'The time must be written like 2026-03-14T09:30:00Z.' }]
      return bench(visit, { values: form, refused: { status: 400, errors } })
    }
    return bench(visit, { values: form }, resultOf(form, now))
  },
}

type Result = { mistake?: WebhookMistake; message: string }

/** Without a time the age is not compared: what is pasted here is always old. */
function resultOf(form: URLSearchParams, now: Date | undefined): Result {
  const delivery = {
    secret: (form.get('secret') ?? '').split(/\r?\n/).filter(Boolean),
    headers: readHeaders(form.get('headers') ?? ''),
    body: form.get('body') ?? '',
    ...(now ? { now } : { toleranceSeconds: Number.POSITIVE_INFINITY }),
  }
  try {
    const { type } = verifyWebhook(delivery)
    return { message: `This is a delivery of the type ${type}, signed with this secret.` }
  } catch (error) {
    if (!(error instanceof WebhookError)) throw error
    return { mistake: error.mistake, message: error.message }
  }
}

/** One header on each line, as `name: value`; quotes and commas of a log in JSON do no harm. */
const readHeaders = (text: string): Record<string, string> =>
  Object.fromEntries(
    text.split(/\r?\n/).flatMap((line) => {
      const [, name, value] = /^[\s"'{]*([\w-]+)["']?\s*[:=]\s*["']?(.*?)["',}\s]*$/.exec(line) ?? []
      return name && value ? [[name.toLowerCase(), value]] : []
    }),
  )

function bench(visit: Visit, form: Form, result?: Result): View {
  const { values, refused } = form
  const area = (name: string, label: string, hint: string) =>
    field({
      name,
      label,
      hint,
      refused,
      control: (attributes) => html`<textarea${attributes} spellcheck="false">${values.get(name) ?? ''}</textarea>`,
    })
  return {
    title: 'Check a signature',
    crumbs: [[DELIVERIES, 'Deliveries']],
    ...(refused && { status: refused.status }),
    main: html`${errorSummary(refused, ['seenAt'], 'This cannot be checked')}${result && shown(result)}<h1>Check a signature</h1>${tabs(visit)}
<p>Paste what your receiver saw, and the mistake is named. The check is that of our client library. Nothing is stored.</p>
<form method="post" action="${SIGNATURE}">
${input(form, 'secret', 'Secret', { hint: 'As your receiver has it, with whsec_ at the front.', width: 60 })}
${area('headers', 'Headers', 'One on each line: webhook-id, webhook-timestamp and webhook-signature.')}
${area('body', 'Body', 'The raw body, before it was parsed.')}
${input(form, 'seenAt', 'When your receiver saw it', { hint: 'By its own clock, such as 2026-03-14T09:30:00Z. Left empty, the age is not checked.' })}
<p class="actions"><button>Name the mistake</button></p></form>`,
  }
}

const shown = ({ mistake, message }: Result): Markup =>
  mistake
    ? html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>${MISTAKES[mistake]}</h2><p>${message} <code>${mistake}</code></p></div>`
    : html`<div class="good" role="status" tabindex="-1" autofocus><h2>The signature is right</h2><p>${message}</p></div>`

const MISTAKES: Record<WebhookMistake, string> = {
  'secret-without-prefix': 'The secret lacks its beginning',
  'secret-prefix-doubled': 'The secret has its beginning twice',
  'secret-malformed': 'The secret is not one of ours',
  'header-missing': 'A header is missing',
  'header-malformed': 'A header is malformed',
  'body-parsed': 'The body was parsed before it was verified',
  'body-changed': 'The body was changed before it was verified',
  'signature-mismatch': 'The signature does not match',
  'too-old': 'It is too old',
  'too-new': 'It is from the future',
  'not-json': 'The body is not JSON',
}
