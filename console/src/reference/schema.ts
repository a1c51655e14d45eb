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

export const typeName = (schema: JsonSchema): Markup =>
  html`${inline(typeWords(schema, (name) => `[${name}](#schema-${name})`))}`

/** The type in words. `named` writes the name of a schema. */
export function typeWords(schema: JsonSchema, named: (name: string) => string): string {
  const name = componentName(schema)
  if (name !== undefined) return named(name)
  const branches = schema.oneOf ?? schema.anyOf
  if (branches) return branches.map((branch) => typeWords(branch, named)).join(' or ')
  if (schema.items) return `array of ${typeWords(schema.items, named)}`
  const type = [schema.type ?? (schema.const === undefined ? 'any' : typeof schema.const)].flat().join(' or ')
  return schema.format ? `${type} ${schema.format}` : type
}

/** The limits of a value, in short words. */
export function limits(schema: JsonSchema): Markup[] {
  const [values, words] = [valuesOf(schema), limitWords(schema)]
  return [
    ...(values.length ? [html`<p class="values">${values.map((value) => html`<code>${value}</code> `)}</p>`] : []),
    ...(words ? [html`<p class="limits">${inline(words)}</p>`] : []),
  ]
}

/** The only values that are allowed, if they are listed. */
export const valuesOf = (schema: JsonSchema): string[] =>
  (schema.const === undefined ? (schema.enum ?? []) : [schema.const]).map(String)

/** All other limits, as Markdown. */
export function limitWords(schema: JsonSchema): string {
  const words = [
    range(schema.minLength, schema.maxLength, 'characters'),
    range(schema.minItems, schema.maxItems, 'items'),
    range(schema.minimum, schema.maximum),
    schema.exclusiveMinimum !== undefined && `more than ${schema.exclusiveMinimum}`,
    schema.exclusiveMaximum !== undefined && `less than ${schema.exclusiveMaximum}`,
    schema.multipleOf !== undefined && `in steps of ${schema.multipleOf}`,
    schema.pattern !== undefined && `matches \`${schema.pattern}\``,
    schema.default !== undefined && `\`${schema.default}\` when left out`,
  ]
  return words.filter(Boolean).join(', ')
}

function range(least: number | undefined, most: number | undefined, unit?: string): string | undefined {
  const units = unit === undefined ? '' : ` ${most === 1 ? unit.slice(0, -1) : unit}`
  if (least === undefined && most === undefined) return undefined
  if (least === 1 && most === undefined && unit) return 'not empty'
  if (least === most) return `exactly ${grouped(most)}${units}`
  if (least === undefined) return `at most ${grouped(most)}${units}`
  if (most === undefined) return `at least ${grouped(least)}${units}`
  return `${grouped(least)} to ${grouped(most)}${units}`
}

const grouped = (value = 0) => value.toLocaleString('en-GB')
