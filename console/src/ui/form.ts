import { randomUUID } from 'node:crypto'
import { type Fault, isApiError } from '../../../client/src/index.ts'
import type { Visit } from '../page.ts'
import { html, type Markup } from './html.ts'

// Forms: what was typed stays, and each message of the service is shown at its field.

export type Refused = { status: number; errors: readonly Fault[] }

/** The reasons for which a form is shown again. Everything else is an error page. */
const REFUSALS = [400, 403, 404, 409, 412, 413, 422, 429, 503] as const

/** Does what a form asks for, or says why the service refused it. */
export async function attempt<T>(
  action: Promise<T>,
  statuses: readonly (typeof REFUSALS)[number][] = REFUSALS,
): Promise<{ done: T; refused?: never } | { done?: never; refused: Refused }> {
  try {
    return { done: await action }
  } catch (error) {
    if (!isApiError(error, ...statuses)) throw error
    const wait = error.retryAfterSeconds
    const errors = wait === undefined ? error.errors : [...error.errors, { message: `Try again in ${wait} s.` }]
    return { refused: { status: error.status, errors } }
  }
}

/** Made when the form is shown: sent twice, it is done once. */
export const onceKey = (): Markup => html`<input type="hidden" name="key" value="${randomUUID()}">`

/** What is wrong, at the top of the page, with links to the fields. */
export function errorSummary(
  refused: Refused | undefined,
  fields: readonly string[] = [],
  heading = 'Nothing was changed',
): Markup | undefined {
  return (
    refused &&
    html`<div class="errors" role="alert" tabindex="-1" autofocus><h2>${heading}</h2>
<ul>${refused.errors.map(({ field, message }) =>
      field && fields.includes(field) ? html`<li><a href="#${field}">${message}</a></li>` : html`<li>${message}</li>`,
    )}</ul></div>`
  )
}

/** Decisions need a recent sign-in. What was typed comes back in the address. */
export function signInAgain(
  { session, url, form }: Visit,
  refused: Refused | undefined,
  keep = '',
): Markup | undefined {
  const isTooOld = refused?.status === 403 && refused.errors.some(({ message }) => message.startsWith('Sign in again'))
  if (!isTooOld || session.decides === 'never') return undefined
  const back = new URL(url)
  if (keep) back.searchParams.set(keep, form.get(keep) ?? '')
  const address = `/console/step-up?returnTo=${encodeURIComponent(back.pathname + back.search)}`
  return html`<p class="actions"><a class="button" href="${address}">Sign in again</a></p>`
}

type Field = {
  name: string
  label: string
  hint?: string
  refused?: Refused | undefined
  control: (attributes: Markup) => Markup
}

/** A label, a hint, the message of the service if there is one, and the control. */
export function field({ name, label, hint, refused, control }: Field): Markup {
  const error = refused?.errors.find((one) => one.field === name)?.message
  const described = [hint && `${name}-hint`, error && `${name}-error`].filter(Boolean).join(' ')
  const attributes = html` id="${name}" name="${name}"${described && html` aria-describedby="${described}"`}${error && html` aria-invalid="true"`}`
  return html`<div class="${error ? 'wrong' : 'field'}"><label for="${name}">${label}</label>
${hint && html`<p class="hint" id="${name}-hint">${hint}</p>`}
${error && html`<p class="why" id="${name}-error">${error}</p>`}${control(attributes)}</div>`
}

export const select = (
  attributes: Markup,
  options: readonly (readonly [value: string, label: string])[],
  chosen: string,
): Markup =>
  html`<select${attributes}>${options.map(
    ([value, label]) => html`<option value="${value}"${value === chosen && html` selected`}>${label}</option>`,
  )}</select>`
