import type { Components } from './components.ts'
import type { JsonSchema, MediaType } from './document.ts'
import { exampleOf, examplesByTag } from './examples.ts'

const TOLD_BY_EXAMPLE = new Set(['application/json', 'application/x-www-form-urlencoded'])

/** How a body of this type is written: its schema, and an example unless it is made of bytes. */
export function mediaTypeOf(type: string, schema: JsonSchema, given: unknown, components: Components): MediaType {
  const placed = components.schema(schema)
  if (type === 'multipart/form-data') return { schema: placed, ...encodingOf(schema) }
  if (!TOLD_BY_EXAMPLE.has(type)) return { schema: placed }
  if (given !== undefined) return { schema: placed, example: given }
  const branches = examplesByTag(schema)
  if (!branches) return { schema: placed, example: exampleOf(schema) }
  const examples = Object.entries(branches).map(([tag, value]) => [tag, { value }])
  return { schema: placed, examples: Object.fromEntries(examples) }
}

// A form's part whose schema names a media type is sent as that type.
function encodingOf({ properties = {} }: JsonSchema): Pick<MediaType, 'encoding'> {
  const parts = Object.entries(properties).flatMap(([name, { contentMediaType }]) =>
    typeof contentMediaType === 'string' ? [[name, { contentType: contentMediaType }]] : [],
  )
  return parts.length ? { encoding: Object.fromEntries(parts) } : {}
}
