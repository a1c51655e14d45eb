import { createHash } from 'node:crypto'
import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { ConnectionError, LodgewayError } from '../../client/src/index.ts'
import type { Connection } from './session.ts'
import type { Terminal } from './terminal.ts'

// openapi.json as the service serves it, and a copy of it on this machine.

export type Schema = {
  $ref?: string
  type?: string | string[]
  enum?: string[]
  const?: string
  format?: string
  description?: string
  properties?: Record<string, Schema>
  items?: Schema
  oneOf?: Schema[]
  anyOf?: Schema[]
  allOf?: Schema[]
}

export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }

export type Operation = {
  operationId: string
  summary: string
  method: string
  path: string
  /** Any of these scopes allows it. */
  security?: { oauth2?: string[] }[]
  parameters: Parameter[]
  /** The body by its media type. */
  body: Record<string, { schema?: Schema }>
  responses: Record<string, { $ref?: string; content?: Record<string, unknown> }>
}

type Document = {
  paths: Record<string, Record<string, RawOperation>>
  components: { schemas: Record<string, Schema>; parameters?: Record<string, Parameter> }
}
type RawOperation = Omit<Operation, 'body' | 'parameters'> & {
  parameters?: (Parameter | { $ref: string })[]
  requestBody?: { content: Operation['body'] }
}

export type Interface = {
  operations: readonly Operation[]
  /** What is at this dotted path of a body, where the document says so. */
  schemaAt(schema: Schema | undefined, path: readonly string[]): Schema | undefined
}

type Stored = { at: number; document: Document }

const AGE_MS_MAX = 3_600_000

/** An operation by its id, from the copy or, if that is old or does not have it, from the service. */
export async function findOperation(terminal: Terminal, connection: Connection, id: string) {
  const stored = await readStored(storePath(terminal.env, connection.url))
  const isFresh = stored && terminal.now().getTime() - stored.at < AGE_MS_MAX
  const known = isFresh ? interfaceOf(stored.document) : undefined
  const found = known?.operations.find(({ operationId }) => operationId === id)
  if (known && found) return { ...known, operation: found }
  const current = await fetchInterface(terminal, connection)
  return { ...current, operation: current.operations.find(({ operationId }) => operationId === id) }
}

export async function fetchInterface({ env, fetch, now }: Terminal, { url }: Connection): Promise<Interface> {
  const response = await fetch(`${url}/openapi.json`).catch((error: unknown) => {
    throw new ConnectionError(1, { operation: 'GET /openapi.json', correlationId: '' }, error)
  })
  const document = (await response.json().catch(() => {
    throw new LodgewayError(`${url}/openapi.json is not JSON. Is the address right?`)
  })) as Document
  const path = storePath(env, url)
  await mkdir(dirname(path), { recursive: true })
  await writeFile(path, JSON.stringify({ at: now().getTime(), document }))
  return interfaceOf(document)
}

/** The copy alone: for completion, which must be fast. */
export async function readStoredInterface({ env }: Terminal, { url }: Connection): Promise<Interface | undefined> {
  const stored = await readStored(storePath(env, url))
  return stored && interfaceOf(stored.document)
}

function storePath(env: Terminal['env'], url: string): string {
  const folder = env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache')
  const name = createHash('sha256').update(url).digest('hex').slice(0, 16)
  return join(folder, 'lodgeway', `openapi-${name}.json`)
}

const readStored = (path: string): Promise<Stored | undefined> =>
  readFile(path, 'utf8').then(
    (text) => JSON.parse(text) as Stored,
    () => undefined,
  )

function interfaceOf({ paths, components }: Document): Interface {
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { parameters = [], requestBody, ...operation }]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: parameters.flatMap((one) =>
        '$ref' in one ? (components.parameters?.[nameIn(one.$ref)] ?? []) : [one],
      ),
      body: requestBody?.content ?? {},
    })),
  )
  const schemaAt: Interface['schemaAt'] = (schema, [key, ...rest]) => {
    if (!schema || key === undefined) return resolve(schema)
    const { properties, items, oneOf = [], anyOf = [], allOf = [] } = resolve(schema) ?? {}
    const below = /^\d+$/.test(key) && items ? items : properties?.[key]
    if (below) return schemaAt(below, rest)
    for (const one of [...oneOf, ...anyOf, ...allOf]) {
      const found = schemaAt(one, [key, ...rest])
      if (found) return found
    }
    return undefined
  }
  const resolve = (schema: Schema | undefined): Schema | undefined =>
    schema?.$ref ? resolve(components.schemas[nameIn(schema.$ref)]) : schema
  return { operations, schemaAt }
}

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? ''
