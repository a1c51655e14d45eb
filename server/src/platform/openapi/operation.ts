import type { RouteOptions } from 'fastify'
import { answersOf } from './answers.ts'
import type { Components } from './components.ts'
import { requestHeadersFor, type Traits } from './conventions.ts'
import type { JsonSchema, Method, Operation, Parameter } from './document.ts'
import { exampleOf } from './examples.ts'
import { mediaTypeOf } from './media-type.ts'

declare module 'fastify' {
  interface FastifySchema {
    operationId?: string
    summary?: string
    description?: string
    tags?: readonly string[]
    deprecated?: boolean
    /** The media types of the body, if it is not only JSON. */
    consumes?: readonly string[]
    /** Headers of the good responses in addition to those of the conventions: name and description. */
    answerHeaders?: Readonly<Record<string, string>>
    /** Examples of the body and of responses by status, if those generated from the schemas do not show enough. */
    examples?: { readonly body?: unknown; readonly [status: number]: unknown }
  }
}

const JSON_ONLY = ['application/json']

/** One route as an operation of the document. Throws if the route leaves something out. */
export function operationOf(route: RouteOptions, method: Method, components: Components): Operation {
  const { config = {}, schema = {} } = route
  const { operationId, summary, tags } = schema
  if (!operationId || !summary || !schema.description || !tags?.length || !schema.response || !config.scope) {
    throw new Error('It needs a scope, operationId, summary, description, tags and response.')
  }
  const callers = (config as { kinds?: readonly string[] }).kinds
  const traits = traitsOf(route, method)
  const description = [schema.description, ...(callers ? [whoMayCall(callers)] : [])].join('\n\n')
  return {
    operationId,
    summary,
    description,
    tags,
    ...(schema.deprecated && { deprecated: true }),
    security: [config.scope].flat().flatMap((scope) => (scope === 'none' ? [] : [{ oauth2: [scope] }])),
    ...(callers && { 'x-callers': callers }),
    parameters: [
      ...pathParameters(route.url, schema.params as JsonSchema | undefined, components),
      ...parametersIn('query', schema.querystring as JsonSchema | undefined, components),
      ...requestHeadersFor(traits).map(components.requestHeader),
    ],
    ...(traits.hasBody && { requestBody: requestBodyOf(schema, components) }),
    responses: answersOf({ route, traits, components }),
  }
}

export const pathOf = (url: string): string => url.replace(/:(\w+)/g, '{$1}')

function traitsOf({ url, config = {}, schema = {} }: RouteOptions, method: Method): Traits {
  const good = (schema.response as Record<string, JsonSchema>)['200']
  const isScoped = config.scope !== 'none'
  const isDownload = method === 'get' && good?.format === 'binary'
  const hasRanges = isDownload && !config.isMade
  const isOneResource = good !== undefined && !config.produces && !good.properties?.['records']
  return {
    method,
    isScoped,
    isDownload,
    hasRanges,
    hasPathParameter: url.includes(':'),
    hasQuery: schema.querystring !== undefined,
    hasBody: schema.body !== undefined,
    hasEtag:
      hasRanges ||
      (isScoped && method === 'get' && isOneResource) ||
      (isScoped && method === 'patch') ||
      schema.answerHeaders?.['ETag'] !== undefined,
  }
}

export const whoMayCall = (kinds: readonly string[]): string => `Only for ${kinds.map(plural).join(' and ')}.`

/** CREDIT_UNION becomes "credit unions". */
export const plural = (kind: string): string => `${kind.toLowerCase().replaceAll('_', ' ')}s`

function pathParameters(url: string, params: JsonSchema | undefined, components: Components): Parameter[] {
  const declared = new Map(parametersIn('path', params, components).map((parameter) => [parameter.name, parameter]))
  return [...url.matchAll(/:(\w+)/g)].map(([, name = '']) => {
    const parameter = declared.get(name)
    if (!parameter) throw new Error(`Its params must describe ${name}.`)
    return { ...parameter, required: true }
  })
}

function parametersIn(place: 'path' | 'query', schema: JsonSchema | undefined, components: Components): Parameter[] {
  return Object.entries(schema?.properties ?? {}).map(([name, one]) => {
    const { description, ...rest } = one
    return {
      name,
      in: place,
      required: schema?.required?.includes(name) ?? false,
      ...(description !== undefined && { description }),
      schema: components.schema(one.title === undefined ? rest : one),
      example: exampleOf(one, name),
    }
  })
}

function requestBodyOf({ body, consumes = JSON_ONLY, examples }: RouteSchema, components: Components) {
  const content = consumes.map((type) => [type, mediaTypeOf(type, body as JsonSchema, examples?.body, components)])
  return { required: true, content: Object.fromEntries(content) }
}

type RouteSchema = NonNullable<RouteOptions['schema']>
