import { randomUUID } from 'node:crypto'
import type { Schemas } from '../../../client/src/index.ts'
import type { Visit } from '../page.ts'
import { input } from '../ui/fields.ts'
import { field, onceKey, type Refused } from '../ui/form.ts'
import { html, type Markup } from '../ui/html.ts'
import { pretty, shownBody, statusTag } from './requests-parts.ts'

// In the sandbox a call can be changed and sent again, by the client that sent it.

type Logged = Schemas['RequestDetail']

export type Sent = { status: number; body: Schemas['LoggedAnswerBody'] }

const PARTNER = '/partner/api/'
const ANSWER_CHARACTERS_MAX = 16_384

export async function sendAgain(
  send: typeof fetch,
  { form, doors, session }: Visit,
  { method, headers = {} }: Logged,
): Promise<{ done?: Sent; refused?: Refused }> {
  const address = URL.parse(form.get('path') ?? '', doors.publicUrl)
  if (!address?.pathname.startsWith(PARTNER) || address.origin !== new URL(doors.publicUrl).origin) {
    const message = `The path must begin with ${PARTNER}.`
    return { refused: { status: 400, errors: [{ field: 'path', message }] } }
  }
  const [body, ifMatch] = [form.get('body')?.trim(), form.get('if-match')?.trim()]
  const response = await send(address.href, {
    method,
    headers: {
      accept: 'application/json',
      'x-acting-user': headers['x-acting-user'] ?? session.person.email,
      'x-request-correlation-id': randomUUID(),
      ...(body && { 'content-type': 'application/json' }),
      ...(ifMatch && { 'if-match': ifMatch }),
      ...(method === 'POST' && { 'idempotency-key': form.get('key') ?? randomUUID() }),
    },
    ...(body && { body }),
  })
  const text = await response.text()
  const isTruncated = text.length > ANSWER_CHARACTERS_MAX
  return { done: { status: response.status, body: { text: text.slice(0, ANSWER_CHARACTERS_MAX), isTruncated } } }
}

/** Side by side, so that what is different shows. */
export const answers = ({ status, answer }: Logged, sent: Sent): Markup =>
  html`<section id="answers" role="status"><h2>Sent again</h2><div class="columns even">
<div><h3>Answer then ${statusTag(status)}</h3>${shownBody(answer)}</div>
<div><h3>Answer now ${statusTag(sent.status)}</h3>${shownBody(sent.body)}</div></div></section>`

export function editForm({ form: typed }: Visit, logged: Logged, refused: Refused | undefined): Markup {
  const { clientId, method, path, body, headers = {} } = logged
  if (headers['content-type']?.startsWith('multipart/'))
    return html`<section><h2>Edit and send again</h2><p>It has a file, which is not kept. Send it from your own software.</p></section>`
  const before = { path: path ?? '', 'if-match': headers['if-match'] ?? '', body: body ? pretty(body.text) : '' }
  const values = typed.has('path') ? typed : new URLSearchParams(before)
  const sender = clientId.startsWith('person:') ? 'you' : clientId
  return html`<section id="again"><h2>Edit and send again</h2>
<p>It is sent by ${sender}${method === 'POST' && ', with a new idempotency key'}. Only the sandbox can do this.</p>
<form method="post" action="#answers">${onceKey()}
${input({ values, refused }, 'path', 'Path and query', { width: 80 })}
${method !== 'GET' && input({ values, refused }, 'if-match', 'If-Match', { hint: 'Leave it empty to change whatever is there now.' })}
${
  method !== 'GET' &&
  field({
    name: 'body',
    label: 'Body',
    refused,
    control: (attributes) =>
      html`<textarea${attributes} rows="12" spellcheck="false">${values.get('body') ?? ''}</textarea>`,
  })
}
<p class="actions"><button>Send ${method} again</button></p></form></section>`
}
