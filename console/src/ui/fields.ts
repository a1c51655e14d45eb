import { field, type Refused, select } from './form.ts'
import { html, type Markup } from './html.ts'

// Fields have the names of the interface, so that each message of the service finds its place.

/** What was typed, and why it was refused, if it was. */
export type Form = { values: URLSearchParams; refused?: Refused | undefined }

type Options = { hint?: string; width?: number; autocomplete?: string; keys?: 'decimal' | 'numeric' }

/** A line of text. */
export function input({ values, refused }: Form, name: string, label: string, options: Options = {}): Markup {
  const { hint, width = 30, autocomplete = 'off', keys } = options
  return field({
    name,
    label,
    ...(hint && { hint }),
    refused,
    control: (attributes) =>
      html`<input${attributes} value="${values.get(name) ?? ''}" size="${width}" autocomplete="${autocomplete}"${keys && html` inputmode="${keys}"`}>`,
  })
}

/** One of many. */
export function list(
  { values, refused }: Form,
  name: string,
  label: string,
  options: readonly (readonly [value: string, label: string])[],
  hint?: string,
): Markup {
  return field({
    name,
    label,
    ...(hint && { hint }),
    refused,
    control: (attributes) => select(attributes, options, values.get(name) ?? ''),
  })
}

type Choice = { value: string; label: string; hint?: string }

/** One of several, all of them in sight. */
export function choices({ values, refused }: Form, name: string, legend: string, options: readonly Choice[]): Markup {
  const error = refused?.errors.find((one) => one.field === name)?.message
  return html`<fieldset id="${name}" class="${error ? 'wrong' : 'field'}"><legend>${legend}</legend>
${error && html`<p class="why">${error}</p>`}
${options.map(
  ({ value, label, hint }) =>
    html`<label class="choice"><input type="radio" name="${name}" value="${value}"${
      values.get(name) === value && html` checked`
    }><span>${label}${hint && html` <small>${hint}</small>`}</span></label>`,
)}</fieldset>`
}

export const hidden = (values: Readonly<Record<string, string>>): Markup[] =>
  Object.entries(values).map(([name, value]) => html`<input type="hidden" name="${name}" value="${value}">`)

/** A field as a property, if it was filled in. One that is left out is named by the service. */
export function text(form: URLSearchParams, name: string, as = name): Record<string, string> {
  const value = form.get(name)?.trim()
  return value ? { [as]: value } : {}
}
