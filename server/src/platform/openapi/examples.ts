import { createHash } from 'node:crypto'
import type { JsonSchema } from './document.ts'
import { tagValues } from './schemas.ts'

/**
 * A value that fits the schema: its own example, default or first choice, or one generated from type, format and name.
 * The same schema always gives the same value, and an identifier has the same value in every example.
 */
export function exampleOf(schema: JsonSchema, name = 'text'): unknown {
  const own = [schema.const, schema.examples?.[0], schema['example'], schema.default, schema.enum?.[0]]
  const first = own.find((value) => value !== undefined)
  if (first !== undefined) return first
  const branch = schema.oneOf?.[0] ?? schema.anyOf?.[0]
  if (schema.properties || schema.allOf) return objectExample(schema, branch, name)
  if (branch) return exampleOf(branch, name)
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type
  return GENERATED[type ?? 'object']?.(schema, name) ?? null
}

/** One example for each branch of a union with a discriminator, by the value of the discriminator. */
export function examplesByTag(schema: JsonSchema): Record<string, unknown> | undefined {
  const tag = schema.discriminator?.propertyName
  if (!tag || !schema.oneOf) return undefined
  return Object.fromEntries(
    schema.oneOf.flatMap((branch) =>
      tagValues(branch, tag)
        .slice(0, 1)
        .map((value) => [value, exampleOf(branch)]),
    ),
  )
}

function objectExample(schema: JsonSchema, branch: JsonSchema | undefined, name: string): unknown {
  const example: Record<string, unknown> = {}
  for (const [property, one] of Object.entries(schema.properties ?? {})) example[property] = exampleOf(one, property)
  for (const part of [...(schema.allOf ?? []), ...(branch ? [branch] : [])]) {
    Object.assign(example, exampleOf(part, name))
  }
  return example
}

const GENERATED: Record<string, (schema: JsonSchema, name: string) => unknown> = {
  string: textExample,
  integer: numberExample,
  number: numberExample,
  boolean: () => true,
  null: () => null,
  object: () => ({}),
  array: ({ items, minItems = 1, maxItems = minItems }, name) =>
    Array.from({ length: Math.min(Math.max(minItems, 1), maxItems) }, () => (items ? exampleOf(items, name) : {})),
}

const OF_FORMAT: Record<string, (name: string) => string> = {
  uuid: (name) => uuidFor(name),
  date: () => '2026-03-14',
  'date-time': () => '2026-03-14T09:30:00.000Z',
  duration: () => 'P3D',
  email: () => 'jo.marsh@harbour.example',
  uri: () => 'https://partner.example/hooks',
}

function textExample({ format = '', pattern, minLength = 0, maxLength = Infinity }: JsonSchema, name: string): string {
  const known = OF_FORMAT[format]
  if (known) return known(name)
  // A generated value would fit the pattern only by chance, and a wrong example is worse than none.
  if (pattern) throw new Error(`${name} has a pattern, so its schema needs examples.`)
  return name.padEnd(minLength, '.').slice(0, maxLength)
}

function numberExample({ type, multipleOf, ...bounds }: JsonSchema): number {
  const step = multipleOf ?? (type === 'integer' ? 1 : 0.01)
  const least = bounds.minimum ?? (bounds.exclusiveMinimum === undefined ? undefined : bounds.exclusiveMinimum + step)
  const most = bounds.maximum ?? (bounds.exclusiveMaximum === undefined ? undefined : bounds.exclusiveMaximum - step)
  const wanted = Math.min(Math.max(1, least ?? 1), most ?? Infinity)
  if (multipleOf === undefined || Number.isInteger(wanted / multipleOf)) return wanted
  return Math.ceil(wanted / multipleOf) * multipleOf
}

// `file_id` in a path and `fileId` in a body are the same thing.
function uuidFor(name: string): string {
  const hex = createHash('sha256').update(name.toLowerCase().replaceAll('_', '')).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
