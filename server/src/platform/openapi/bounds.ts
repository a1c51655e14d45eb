import type { JsonSchema, OpenApiDocument } from './document.ts'

/**
 * The lists without `maxItems`, the open objects without `maxProperties` and the choices without `type`, each by its
 * place. A validator has no limit where the schema has none.
 */
export const unbounded = ({ paths, webhooks, components }: OpenApiDocument): string[] =>
  Object.entries({ paths, webhooks, components }).flatMap(([name, part]) => unboundedIn(part, name))

function unboundedIn(value: unknown, place: string): string[] {
  if (value === null || typeof value !== 'object') return []
  const within = Object.entries(value).flatMap(([name, one]) =>
    VALUES.has(name) ? [] : unboundedIn(one, `${place}.${name}`),
  )
  return isUnbounded(value as JsonSchema) ? [place, ...within] : within
}

// These hold values, not schemas.
const VALUES = new Set(['example', 'examples', 'default', 'const', 'enum'])

function isUnbounded({ type, maxItems, maxProperties, ...schema }: JsonSchema): boolean {
  if (Array.isArray(schema.enum) && type === undefined) return true
  if (type === 'array') return maxItems === undefined
  return type === 'object' && isOpen(schema) && maxProperties === undefined
}

// Each branch of a union is checked by itself.
const isOpen = ({ additionalProperties, oneOf, anyOf }: JsonSchema): boolean =>
  additionalProperties !== false && !oneOf && !anyOf
