import { type Body, type Caller, type Collection, type Folder, type Item, SAMPLE_FILE } from './model.ts'

// The folders of a collection: one for each tag of openapi.json, with a request for each of its operations.

type Schema = {
  $ref?: string
  enum?: string[]
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
}
type Parameter = { name: string; in: string; required: boolean; example?: unknown; schema: Schema }
type Media = { schema: Schema; example?: unknown; examples?: Record<string, { value: unknown }> }
export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: object[]
  'x-callers'?: string[]
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { headers?: object }>
}
export type Document = {
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> }
}
export type Placed = { operation: Operation; method: string; path: string }

export const operationsOf = ({ paths }: Document): Placed[] =>
  Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ operation, method, path })),
  )

export function referenceOf(document: Document): Collection {
  const all = operationsOf(document)
  const ids = [...new Set(all.flatMap(({ path }) => [...path.matchAll(/\{(\w+_id)\}/g)].map(([, name = '']) => name)))]
  const etags = etagsOf(all)
  const folders: Folder[] = document.tags.map(({ name, description }) => ({
    id: name.toLowerCase().replaceAll(' ', '-'),
    name,
    description,
    items: all
      .filter(({ operation }) => operation.tags[0] === name)
      .map((placed) => itemOf(document, placed, ids.map(camel), etags.get(placed.operation.operationId))),
  }))
  return { folders, ids: ids.map(camel), etags: [...new Set(etags.values())] }
}

/** The same in camel case, as bodies have it: workspace_id is workspaceId. */
export const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

export const parametersOf = ({ components }: Document, { parameters = [] }: Operation): Parameter[] =>
  parameters.flatMap((one) => ('name' in one ? one : (components.parameters[one.$ref.split('/').at(-1) ?? ''] ?? [])))

/** For each operation that takes an `If-Match`, and for the read that it follows: the variable with the ETag. */
function etagsOf(all: readonly Placed[]): Map<string, string> {
  const found = new Map<string, string>()
  for (const { operation, path } of all.filter(({ operation }) => '412' in operation.responses)) {
    const [read] = all
      .filter(({ operation: one, ...at }) => at.method === 'get' && hasEtag(one) && path.startsWith(at.path))
      .sort((one, other) => other.path.length - one.path.length)
    if (!read) throw new Error(`No operation reads what ${operation.operationId} changes.`)
    const name = read.operation.operationId.replace(/^get(\w)/, (_, letter: string) => letter.toLowerCase())
    for (const one of [read.operation, operation]) found.set(one.operationId, `${name}Etag`)
  }
  return found
}

const hasEtag = ({ responses }: Operation) => 'ETag' in (responses['200']?.headers ?? {})

function itemOf(document: Document, { operation, method, path }: Placed, ids: string[], etag?: string): Item {
  const parameters = parametersOf(document, operation)
  const inPlace = (place: string) => parameters.filter((one) => one.in === place)
  const exampleOf = ({ name, example, schema }: Parameter) =>
    ids.includes(camel(name)) ? `{{${camel(name)}}}` : String(example ?? schema.examples?.[0] ?? schema.enum?.[0] ?? '')
  const isRead = method === 'get'
  return {
    id: operation.operationId,
    name: operation.summary,
    description: operation.description ?? '',
    method: method.toUpperCase(),
    path: path.replaceAll(/\{(\w+)\}/g, ':$1'),
    pathParameters: inPlace('path').map((one) => ({ name: one.name, value: exampleOf(one) })),
    query: inPlace('query').map((one) => ({
      name: one.name,
      value: exampleOf(one),
      ...(!one.required && { off: true as const }),
    })),
    headers: inPlace('header').map((one) =>
      one.name === 'If-Match' && etag
        ? { name: one.name, value: `{{${etag}}}` }
        : { name: one.name, value: String(one.example ?? ''), off: true },
    ),
    as: callerOf(operation),
    ...(operation.requestBody && { body: bodyOf(document, operation.requestBody.content, ids) }),
    // A change of a part answers with the ETag of that part, so only a read sets it.
    ...(etag && isRead && { etag }),
  }
}

/** The law firm where either may call. */
export const callerOf = ({ security, 'x-callers': callers = [] }: Operation): Caller | 'nobody' => {
  if (!security?.length) return 'nobody'
  return callers.includes('LENDER') ? 'lender' : 'firm'
}

function bodyOf({ components }: Document, content: Record<string, Media>, ids: string[]): Body {
  const [type = '', media] = Object.entries(content)[0] ?? []
  const example = media?.example ?? Object.values(media?.examples ?? {})[0]?.value ?? {}
  if (type === 'application/json') return { type: 'json', text: JSON.stringify(withVariables(example, ids), null, 2) }
  if (type !== 'multipart/form-data') {
    const fields = Object.entries(example).map(([name, value]) => ({ name, value: String(value) }))
    return { type: 'form', fields }
  }
  const { properties = {}, required = [] } = components.schemas[media?.schema.$ref?.split('/').at(-1) ?? ''] ?? {}
  const fields = Object.entries(properties).map(([name, schema]) => {
    const value = ids.includes(name) ? `{{${name}}}` : String(schema.examples?.[0] ?? schema.enum?.[0] ?? '')
    return {
      name,
      value: name === 'file' ? SAMPLE_FILE : value,
      ...(!required.includes(name) && { off: true as const }),
    }
  })
  return { type: 'upload', fields }
}

/** An example with the ids of this run instead of its own. */
function withVariables(value: unknown, ids: string[]): unknown {
  if (Array.isArray(value)) return value.map((one) => withVariables(one, ids))
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).map(([name, one]) =>
    ids.includes(name) ? [name, `{{${name}}}`] : [name, withVariables(one, ids)],
  )
  return Object.fromEntries(entries)
}
