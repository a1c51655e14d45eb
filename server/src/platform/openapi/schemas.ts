import { isDeepStrictEqual } from 'node:util'
import type { JsonSchema } from './document.ts'

const INTERNAL_KEYWORDS = new Set(['x-transform', 'x-expected', 'x-contract', 'x-common', 'x-plain', 'title'])
const COMPONENT_NAME = /^[A-Za-z0-9._-]+$/

/** The named schemas of a document. `place` returns what to write where a schema is used: itself or a reference. */
export function newSchemas() {
  const named = new Map<string, JsonSchema>()

  function place(schema: JsonSchema): JsonSchema {
    const { title } = schema
    if (title === undefined) return written(schema)
    if (!COMPONENT_NAME.test(title)) throw new Error(`The title "${title}" cannot be the name of a schema.`)
    const content = written(schema)
    const known = named.get(title)
    if (known && !isDeepStrictEqual(known, content)) throw new Error(`Two different schemas have the title ${title}.`)
    named.set(title, content)
    return { $ref: `#/components/schemas/${title}` }
  }

  function written(schema: JsonSchema): JsonSchema {
    const copy: JsonSchema = {}
    for (const [keyword, value] of Object.entries({ ...schema, ...contractOf(schema) })) {
      if (!INTERNAL_KEYWORDS.has(keyword)) copy[keyword] = writtenKeyword(keyword, value)
    }
    if (copy.discriminator && schema.oneOf && copy.oneOf) {
      copy.discriminator = { ...copy.discriminator, mapping: mappingOf(schema, copy.oneOf) }
      if (onlyRepeatsItsBranches(schema)) delete copy.properties
    }
    return copy
  }

  // The keys of `properties` are names, not keywords: a property called "title" does not name a schema.
  function writtenKeyword(keyword: string, value: unknown): unknown {
    if (HOLDS_ONE.has(keyword) && isSchema(value)) return place(value)
    if (HOLDS_LIST.has(keyword) && Array.isArray(value)) return value.map((one) => (isSchema(one) ? place(one) : one))
    if (HOLDS_MAP.has(keyword) && isSchema(value)) {
      return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, isSchema(one) ? place(one) : one]))
    }
    return value
  }

  return { place, all: () => Object.fromEntries([...named].sort(([a], [b]) => (a < b ? -1 : 1))) }
}

// The rules that code checks, as keywords of JSON Schema.
const contractOf = (schema: JsonSchema) => schema['x-contract'] as JsonSchema | undefined

/** The values of the discriminator that select a branch of a union. */
export function tagValues(branch: JsonSchema, tag: string): string[] {
  const property = branch.properties?.[tag]
  if (property?.const !== undefined) return [String(property.const)]
  if (property?.enum) return property.enum.map(String)
  return (branch.oneOf ?? []).flatMap((inner) => tagValues(inner, tag))
}

const HOLDS_ONE = new Set([
  'items',
  'additionalProperties',
  'unevaluatedProperties',
  'propertyNames',
  'contains',
  'not',
  'if',
  'then',
  'else',
])
const HOLDS_LIST = new Set(['oneOf', 'anyOf', 'allOf', 'prefixItems'])
const HOLDS_MAP = new Set(['properties', 'patternProperties', 'dependentSchemas', '$defs'])

const isSchema = (value: unknown): value is JsonSchema =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

// OpenAPI's discriminator sees only branches with a name.
function mappingOf({ discriminator, oneOf = [] }: JsonSchema, placed: JsonSchema[]): Record<string, string> {
  const tag = discriminator?.propertyName ?? ''
  const mapping: Record<string, string> = {}
  oneOf.forEach((branch, index) => {
    const values = tagValues(branch, tag)
    const ref = placed[index]?.$ref
    if (!ref || values.length === 0) {
      throw new Error(`Each branch of a union with the discriminator ${tag} needs a title and a fixed ${tag}.`)
    }
    for (const value of values) mapping[value] = ref
  })
  return mapping
}

// In a nested union the validator needs the outer tag next to the branches, although these have it already.
const onlyRepeatsItsBranches = ({ properties = {}, oneOf = [] }: JsonSchema): boolean =>
  Object.keys(properties).every((name) => oneOf.every((branch) => branch.properties?.[name]))
