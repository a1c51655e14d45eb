import { html, inline, type Markup } from '../ui/html.ts'
import type { JsonSchema, OpenApiDocument } from './document.ts'
import { componentName, type Field, fieldsOf, follow, variantsOf } from './fields.ts'

type Schemas = OpenApiDocument['components']['schemas']

/** The fields of a body as tables: one, or one for each branch of a union. */
export function bodyTables(schema: JsonSchema, schemas: Schemas): Markup[] {
  return variantsOf(schema, schemas).map(
    ({ picks, schema: shape }) =>
      html`${picks.length > 0 && html`<p class="variant">${picks.map((pick) => html`<code>${pick}</code> `)} ${typeName(shape)}</p>`}
      ${fieldTable(fieldsOf(shape, schemas), schemas)}`,
  )
}

export function fieldTable(fields: readonly Field[], schemas: Schemas): Markup | undefined {
  if (fields.length === 0) return undefined
  return html`<table class="fields"><tbody>${fields.map((field) => fieldRow(field, schemas))}</tbody></table>`
}

function fieldRow({ path, schema, isRequired, within }: Field, schemas: Schemas): Markup {
  const known = follow(schema, schemas)
  return html`<tr><td>${dotted(path)}<p class="type">${typeName(schema)}${need(isRequired)}</p>
    <td>${known.description && html`<p>${inline(known.description)}</p>`}${limits(known)}${
      within && html`<p class="limits">in <a href="#schema-${within}">${within}</a></p>`
    }</tr>`
}

// The name may wrap after each dot, and can still be searched and copied in one piece.
function dotted(path: string): Markup {
  const parts = path.split(/(?<=\.)/)
  const last = parts.pop()
  return html`<code class="name"><span>${parts.map((part) => html`${part}<wbr>`)}</span>${last}</code>`
}

export const need = (isRequired: boolean): Markup =>
  isRequired ? html` <em class="required">required</em>` : html` <em>optional</em>`

export function typeName(schema: JsonSchema): Markup {
  const name = componentName(schema)
  if (name !== undefined) return html`<a href="#schema-${name}">${name}</a>`
  const branches = schema.oneOf ?? schema.anyOf
  if (branches) return html`${branches.map((branch, index) => html`${index > 0 && ' or '}${typeName(branch)}`)}`
  if (schema.items) return html`array of ${typeName(schema.items)}`
  const type = [schema.type ?? (schema.const === undefined ? 'any' : typeof schema.const)].flat().join(' or ')
  return html`${type}${schema.format && html` <small>${schema.format}</small>`}`
}

/** The limits of a value, in short words. */
export function limits(schema: JsonSchema): Markup[] {
  const values = schema.const === undefined ? schema.enum : [schema.const]
  const words = [
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'items'),
    range(schema.minimum, schema.maximum),
    schema.exclusiveMinimum !== undefined && html`more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum !== undefined && html`less than ${schema.exclusiveMaximum}`,
    schema.multipleOf !== undefined && html`in steps of ${schema.multipleOf}`,
    schema.pattern !== undefined && html`matches <code>${schema.pattern}</code>`,
    schema.default !== undefined && html`<code>${String(schema.default)}</code> when left out`,
  ].filter((word) => word !== false && word !== undefined)
  return [
    ...(values ? [html`<p class="values">${values.map((value) => html`<code>${String(value)}</code> `)}</p>`] : []),
    ...(words.length
      ? [html`<p class="limits">${words.map((word, index) => html`${index > 0 && ', '}${word}`)}</p>`]
      : []),
  ]
}

function range(least: number | undefined, most: number | undefined, unit?: string): Markup | undefined {
  const units = unit === undefined ? '' : ` ${most === 1 ? unit.slice(0, -1) : unit}`
  if (least === undefined && most === undefined) return undefined
  if (least === 1 && most === undefined && unit) return html`not empty`
  if (least === most) return html`exactly ${grouped(most)}${units}`
  if (least === undefined) return html`at most ${grouped(most)}${units}`
  if (most === undefined) return html`at least ${grouped(least)}${units}`
  return html`${grouped(least)} to ${grouped(most)}${units}`
}

const grouped = (value = 0) => value.toLocaleString('en-GB')
