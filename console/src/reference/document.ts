// The parts of an OpenAPI document that the reference shows.

export type OpenApiDocument = {
  info: { title: string; version: string; description: string }
  servers: readonly { url: string }[]
  tags: readonly { name: string; description: string }[]
  paths: Record<string, PathItem>
  webhooks?: Record<string, PathItem>
  components: {
    securitySchemes: {
      oauth2: { flows: { clientCredentials: { tokenUrl: string; scopes: Readonly<Record<string, string>> } } }
    }
    parameters: Record<string, Parameter>
    headers: Record<string, Header>
    responses: Record<string, Answered>
    schemas: Record<string, JsonSchema>
  }
}

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete'
export type PathItem = Partial<Record<Method, Operation>>

export type Operation = {
  operationId: string
  summary: string
  description?: string
  tags?: readonly string[]
  deprecated?: boolean
  security: readonly Record<string, readonly string[]>[]
  /** The kinds of subscriber that may call, if not all may. */
  'x-callers'?: readonly string[]
  parameters?: (Parameter | Ref)[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, Answered | Ref>
}

export type Ref = { $ref: string }
export type Header = { description: string; example?: unknown }
export type Answered = {
  description: string
  headers?: Record<string, Header | Ref>
  content?: Record<string, MediaType>
}

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
  example?: unknown
}

export type MediaType = {
  schema: JsonSchema
  example?: unknown
  examples?: Record<string, { value: unknown }>
  encoding?: Record<string, { contentType: string }>
}

export type JsonSchema = {
  $ref?: string
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
}
