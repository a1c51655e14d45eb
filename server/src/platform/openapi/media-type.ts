import type { Components } from './components.ts'
import type { JsonSchema, MediaType } from './document.ts'
import { exampleOf, examplesByTag } from './examples.ts'

const HAS_EXAMPLE = new Set(['application/json', 'application/x-www-form-urlencoded'])

/** The schema of a body of this type, and an example unless it is binary. */
export function mediaTypeOf(type: string, schema: JsonSchema, example: unknown, components: Components): MediaType {
  const placed = components.schema(schema)
  if (type === 'multipart/form-data') return { schema: placed, ...encodingOf(schema) }
  if (!HAS_EXAMPLE.has(type)) return { schema: placed }
  if (example !== undefined) return { schema: placed, example }
  const branches = examplesByTag(schema)
  if (!branches) return { schema: placed, example: exampleOf(schema) }
  const examples = Object.entries(branches).map(([tag, value]) => [tag, { value }])
  return { schema: placed, examples: Object.fromEntries(examples) }
}

// A part of a form whose schema names a media type is sent as that type.
function encodingOf({ properties = {} }: JsonSchema): Pick<MediaType, 'encoding'> {
  const parts = Object.entries(properties).flatMap(([name, { contentMediaType }]) =>
    typeof contentMediaType === 'string' ? [[name, { contentType: contentMediaType }]] : [],
  )
  return parts.length ? { encoding: Object.fromEntries(parts) } : {}
}
