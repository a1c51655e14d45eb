// The schemas of openapi.json as Python types: a TypedDict for each object, so that a body is a plain dictionary.

export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  const?: unknown
  enum?: unknown[]
  format?: string
  oneOf?: Schema[]
  items?: Schema
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: boolean | Schema
  patternProperties?: Record<string, Schema>
}
type Content = Record<string, { schema: Schema }>
export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema: Schema }
export type Operation = {
  operationId: string
  summary: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Content }
  responses: Record<string, { content?: Content }>
}
export type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, { post: { requestBody: { content: Content } } }>
  components: { schemas: Record<string, Schema>; parameters: Record<string, Parameter> }
}

const IMPORTS = `
from __future__ import annotations

import sys
from typing import Literal, TypedDict, Union

if sys.version_info >= (3, 11):
    from typing import NotRequired
else:
    from typing_extensions import NotRequired
`

export function typesText({ components, webhooks }: Document): string {
  const definitions: string[] = []
  for (const [name, schema] of Object.entries(components.schemas)) define(name, schema, definitions)
  const events = Object.values(webhooks).map(({ post }) => post.requestBody.content['application/json']?.schema ?? {})
  const union = events.map((schema) => `    ${typeOf(schema, '', definitions)},\n`).join('')
  return `${IMPORTS}${definitions.join('')}\n\nWebhookEvent = Union[\n${union.replaceAll(/\w+(?=,)/g, '"$&"')}]\n`
}

function define(name: string, schema: Schema, definitions: string[]): void {
  if (isRecord(schema)) {
    const fields = Object.entries(schema.properties ?? {}).flatMap(([key, field]) => {
      if (field.format === 'binary') return [] // sent beside the fields
      const type = typeOf(field, `${name}${key.slice(0, 1).toUpperCase()}${key.slice(1)}`, definitions)
      const isRequired = schema.required?.includes(key)
      return [`    ${key}: ${isRequired ? type : `NotRequired[${type}]`}\n${docstring(field.description, 4)}`]
    })
    const head = `class ${name}(TypedDict):\n${docstring(schema.description, 4)}`
    definitions.push(`\n\n${head}${schema.description && fields.length ? '\n' : ''}${fields.join('') || '    pass\n'}`)
  } else {
    // An alias is evaluated when it is read, before what it names is defined.
    const type = typeOf(schema, `${name}Value`, definitions)
    definitions.push(`\n\n${name} = ${schema.oneOf ? type.replaceAll(/\b(?!Union\b)\w+/g, '"$&"') : type}\n`)
  }
}

/** An object with known fields. One with others as well is a dictionary. */
const isRecord = ({ type, oneOf, properties, additionalProperties }: Schema) =>
  type === 'object' && !oneOf && properties !== undefined && typeof additionalProperties !== 'object'

const PRIMITIVES: Readonly<Record<string, string>> = {
  string: 'str',
  integer: 'int',
  number: 'float',
  boolean: 'bool',
  null: 'None',
}

/** The type of a value. An object within another gets a name of its own. */
export function typeOf(schema: Schema, name: string, definitions: string[]): string {
  const within = (one: Schema, suffix = '') => typeOf(one, `${name}${suffix}`, definitions)
  if (schema.$ref) return schema.$ref.split('/').at(-1) ?? ''
  if (schema.oneOf) return `Union[${schema.oneOf.map((one, index) => within(one, String(index + 1))).join(', ')}]`
  if (schema.const !== undefined) return literal([schema.const])
  if (schema.enum) return literal(schema.enum)
  if (Array.isArray(schema.type)) return `Union[${schema.type.map((one) => PRIMITIVES[one]).join(', ')}]`
  if (schema.type === 'array') return `list[${within(schema.items ?? {}, 'Item')}]`
  if (schema.type !== 'object') return PRIMITIVES[schema.type ?? ''] ?? 'object'
  if (isRecord(schema)) {
    define(name, schema, definitions)
    return name
  }
  const { properties = {}, patternProperties = {}, additionalProperties } = schema
  const values = [properties, patternProperties].flatMap((fields) => Object.values(fields))
  const others = typeof additionalProperties === 'object' ? [additionalProperties] : []
  const types = new Set([...values, ...others].map((one) => within(one, 'Value')))
  return `dict[str, ${types.size > 1 ? `Union[${[...types].join(', ')}]` : ([...types][0] ?? 'object')}]`
}

const literal = (values: readonly unknown[]) =>
  `Literal[${values.map((one) => (typeof one === 'boolean' ? (one ? 'True' : 'False') : JSON.stringify(one))).join(', ')}]`

/** A text as a docstring, or nothing. */
export function docstring(text: string | undefined, indent: number): string {
  if (!text) return ''
  const escaped = text.replaceAll('\\', '\\\\').replaceAll('"""', "'''")
  const closed = escaped.endsWith('"') ? `${escaped} ` : escaped
  return `"""${closed}"""\n`.replaceAll(/^(?=.)/gm, ' '.repeat(indent))
}
