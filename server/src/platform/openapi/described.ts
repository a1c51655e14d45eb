import type { JsonSchema, OpenApiDocument, Operation } from './document.ts'

/** The operations, parameters and properties of which the document says nothing, each by its place. */
export function undescribed({ paths, webhooks = {}, components: { schemas } }: OpenApiDocument): string[] {
  const operations = [...Object.entries(paths), ...Object.entries(webhooks)].flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ place: `${method.toUpperCase()} ${path}`, operation })),
  )
  return [
    ...operations.flatMap(({ place, operation }) => [
      ...(operation.description ? [] : [place]),
      ...(operation.parameters ?? []).flatMap((one) =>
        'name' in one && !one.description ? [`${place} ${one.name}`] : [],
      ),
      ...bodiesOf(operation).flatMap((schema) => unsaidIn(schema, place, schemas)),
    ]),
    ...Object.entries(schemas).flatMap(([name, schema]) => unsaidIn(schema, name, schemas)),
  ]
}

function bodiesOf({ requestBody, responses }: Operation): JsonSchema[] {
  const answers = Object.values(responses).flatMap((answer) => ('$ref' in answer ? [] : [answer.content ?? {}]))
  return [requestBody?.content ?? {}, ...answers].flatMap((content) =>
    Object.values(content).map(({ schema }) => schema),
  )
}

// What a reference leads to is looked at by its own name; as a property it is described there.
function unsaidIn(schema: JsonSchema, place: string, schemas: Readonly<Record<string, JsonSchema>>): string[] {
  const { properties = {}, items, oneOf = [], anyOf = [], allOf = [] } = schema
  const own = Object.entries(properties).flatMap(([name, one]) => {
    const field = `${place}.${name}`
    const { description } = one.$ref === undefined ? one : (schemas[one.$ref.split('/').at(-1) ?? ''] ?? {})
    return [...(description ? [] : [field]), ...unsaidIn(one, field, schemas)]
  })
  const within = [...(items ? [items] : []), ...oneOf, ...anyOf, ...allOf]
  return [...own, ...within.flatMap((one) => unsaidIn(one, place, schemas))]
}
