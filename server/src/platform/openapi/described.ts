import type { JsonSchema, OpenApiDocument, Operation } from './document.ts'

/** The operations, parameters and properties without a description, each by its place. */
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
      ...bodiesOf(operation).flatMap((schema) => undescribedIn(schema, place, schemas)),
    ]),
    ...Object.entries(schemas).flatMap(([name, schema]) => undescribedIn(schema, name, schemas)),
  ]
}

function bodiesOf({ requestBody, responses }: Operation): JsonSchema[] {
  const answers = Object.values(responses).flatMap((answer) => ('$ref' in answer ? [] : [answer.content ?? {}]))
  return [requestBody?.content ?? {}, ...answers].flatMap((content) =>
    Object.values(content).map(({ schema }) => schema),
  )
}

// A referenced schema is checked under its own name, and its description counts for the property.
function undescribedIn(schema: JsonSchema, place: string, schemas: Readonly<Record<string, JsonSchema>>): string[] {
  const { properties = {}, items, oneOf = [], anyOf = [], allOf = [] } = schema
  const own = Object.entries(properties).flatMap(([name, one]) => {
    const field = `${place}.${name}`
    const { description } = one.$ref === undefined ? one : (schemas[one.$ref.split('/').at(-1) ?? ''] ?? {})
    return [...(description ? [] : [field]), ...undescribedIn(one, field, schemas)]
  })
  const within = [...(items ? [items] : []), ...oneOf, ...anyOf, ...allOf]
  return [...own, ...within.flatMap((one) => undescribedIn(one, place, schemas))]
}
