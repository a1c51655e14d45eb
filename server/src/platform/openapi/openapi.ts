import { setImmediate as otherWork } from 'node:timers/promises'
import type { RouteOptions } from 'fastify'
import { unbounded } from './bounds.ts'
import { newComponents } from './components.ts'
import { undescribed } from './described.ts'
import {
  type JsonSchema,
  METHODS_IN_ORDER,
  type Method,
  type OAuth2Scheme,
  type OpenApiDocument,
  type PathItem,
  type Server,
  type Tag,
} from './document.ts'
import { operationOf, pathOf } from './operation.ts'
import { webhookOf } from './webhook.ts'

export type { OpenApiDocument }

export type OpenApiInput = {
  /** As an `onRoute` hook collects them. */
  routes: readonly RouteOptions[]
  title: string
  version: string
  /** In Markdown. */
  description: string
  scopes: Readonly<Record<string, string>>
  servers: readonly Server[]
  /** In the order of the reference page. Every tag of a route must be among them. */
  tags: readonly Tag[]
  /** What is sent to webhooks: the payload's schema by event type. */
  webhooks?: Readonly<Record<string, object>>
  /** The body that a receiver must answer with, for the types that need one. */
  webhookAnswers?: Readonly<Record<string, object>>
}

/**
 * The OpenAPI 3.1 document of the routes. It does not depend on the order of the routes. To make it takes a second, so that
 * other requests are answered between its operations.
 */
export async function buildOpenApi(input: OpenApiInput): Promise<OpenApiDocument> {
  const components = newComponents()
  const paths: Record<string, PathItem> = {}
  const ids = new Set<string>()
  for (const { route, method } of documented(input.routes)) {
    const path = pathOf(route.url)
    try {
      const operation = operationOf(route, method, components)
      checkNames(operation, input, ids)
      paths[path] = { ...paths[path], [method]: operation }
    } catch (cause) {
      throw new Error(`${method.toUpperCase()} ${path} cannot be documented. ${(cause as Error).message}`, { cause })
    }
    await otherWork()
  }
  const webhooks = Object.entries(input.webhooks ?? {}).map(([type, schema]) => [
    type,
    { post: webhookOf(type, schema as JsonSchema, input.webhookAnswers?.[type] as JsonSchema, components) },
  ])
  const document: OpenApiDocument = {
    openapi: '3.1.1',
    info: {
      title: input.title,
      version: input.version,
      description: input.description,
      license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' },
    },
    servers: input.servers,
    tags: input.tags,
    paths,
    ...(webhooks.length && { webhooks: Object.fromEntries(webhooks) }),
    components: components.written(oauth2(input.scopes)),
  }
  const places = undescribed(document)
  if (places.length) throw new Error(`Each needs a description: ${places.join(', ')}.`)
  const unlimited = unbounded(document)
  if (unlimited.length) throw new Error(`Each needs maxItems, maxProperties or a type: ${unlimited.join(', ')}.`)
  return document
}

/** The text that is committed and served. */
export const printOpenApi = (document: OpenApiDocument): string => `${JSON.stringify(document, null, 2)}\n`

type Documented = { route: RouteOptions; method: Method }

function documented(routes: readonly RouteOptions[]): Documented[] {
  return routes
    .filter(({ config }) => !config?.undocumented)
    .flatMap((route) => [route.method].flat().map((method) => ({ route, method: method.toLowerCase() })))
    .filter((one): one is Documented => METHODS_IN_ORDER.some((method) => method === one.method))
    .sort((a, b) => order(a.route.url, b.route.url) || place(a.method) - place(b.method))
}

const order = (a: string, b: string) => (a === b ? 0 : a < b ? -1 : 1)
const place = (method: Method) => METHODS_IN_ORDER.indexOf(method)

type Named = { operationId: string; tags?: readonly string[]; security: readonly Record<string, readonly string[]>[] }

function checkNames({ operationId, tags = [], security }: Named, input: OpenApiInput, ids: Set<string>): void {
  if (ids.has(operationId)) throw new Error(`Another operation is called ${operationId}.`)
  ids.add(operationId)
  const unknownTag = tags.find((tag) => !input.tags.some(({ name }) => name === tag))
  if (unknownTag) throw new Error(`Its tag ${unknownTag} is not among the tags of the document.`)
  const unknownScope = security.flatMap(({ oauth2 = [] }) => oauth2).find((scope) => !(scope in input.scopes))
  if (unknownScope) throw new Error(`Its scope ${unknownScope} is not among the scopes of the document.`)
}

const oauth2 = (scopes: Readonly<Record<string, string>>): OAuth2Scheme => ({
  type: 'oauth2',
  description: 'Client credentials. The access token goes into the header `Authorization: Bearer …`.',
  flows: { clientCredentials: { tokenUrl: '/oauth/token', scopes } },
})
