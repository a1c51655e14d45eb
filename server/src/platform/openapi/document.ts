// The parts of OpenAPI 3.1 that are used here.

export interface OpenApiDocument {
  openapi: '3.1.1'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: readonly Server[]
  tags: readonly Tag[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components: ComponentMap
}

export type Server = { url: string; description?: string }
export type Tag = { name: string; description: string }

export interface ComponentMap {
  securitySchemes: { oauth2: OAuth2Scheme }
  parameters: Record<string, Parameter>
  headers: Record<string, Header>
  responses: Record<string, Answered>
  schemas: Record<string, JsonSchema>
}

export type OAuth2Scheme = {
  type: 'oauth2'
  description: string
  flows: { clientCredentials: { tokenUrl: string; scopes: Readonly<Record<string, string>> } }
}

export const METHODS_IN_ORDER = ['get', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof METHODS_IN_ORDER)[number]
export type PathItem = Partial<Record<Method, Operation>>

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags?: readonly string[]
  deprecated?: boolean
  security: readonly Record<string, readonly string[]>[]
  /** The kinds of subscriber that may call, if not all may. */
  'x-callers'?: readonly string[]
  parameters?: (Parameter | Ref)[]
  requestBody?: { required: boolean; content: Record<string, MediaType> }
  responses: Record<string, Answered | Ref>
}

export type Ref = { $ref: string }

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export interface Header {
  description: string
  required?: boolean
  schema: JsonSchema
  example?: unknown
}

export interface Answered {
  description: string
  headers?: Record<string, Header | Ref>
  content?: Record<string, MediaType>
}

export interface MediaType {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { summary?: string; value: unknown }>
  encoding?: Record<string, { contentType: string }>
}

/** JSON Schema 2020-12, with the keywords that the generator uses. */
export interface JsonSchema {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  format?: string
  pattern?: string
  const?: unknown
  enum?: unknown[]
  default?: unknown
  examples?: unknown[]
  properties?: Record<string, JsonSchema>
  required?: string[]
  items?: JsonSchema
  oneOf?: JsonSchema[]
  anyOf?: JsonSchema[]
  allOf?: JsonSchema[]
  discriminator?: { propertyName: string; mapping?: Record<string, string> }
  minLength?: number
  maxLength?: number
  minItems?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  [keyword: string]: unknown
}
