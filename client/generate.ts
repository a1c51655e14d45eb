import { readFile } from 'node:fs/promises'
import { fileURLToPath, pathToFileURL } from 'node:url'
import openapiTS, { astToString, type OpenAPI3 } from 'openapi-typescript'
import { replaceFile } from '../server/test/scripts/replace-file.ts'

// `npm run -w client generate`: makes src/schema.ts and src/operations.ts from openapi.json. A test fails when one is stale.

const DOCUMENT = new URL('../openapi.json', import.meta.url)

const HEADER = `// Long because it is generated from openapi.json. Renew it by \`npm run -w client generate\`; do not change it by hand.
`

// A field with a default may be left out of a request.
const OPTIONS = { defaultNonNullable: false }

type Media = Record<string, { example?: unknown; examples?: unknown }>
type Operation = {
  operationId: string
  summary?: string
  description?: string
  security?: Record<string, string[]>[]
  parameters?: ({ in: string; name: string } | { $ref: string })[]
  requestBody?: { content: Media }
  responses: Record<string, { content?: Media }>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, { example?: unknown; examples?: unknown }> }
}

/** The whole text of each file: the types of openapi-typescript, and apart from them what is needed at run time. */
export async function generated(): Promise<Record<'schema.ts' | 'operations.ts', string>> {
  const document = JSON.parse(await readFile(DOCUMENT, 'utf8')) as Document
  const table = tableOf(document)
  removeExamples(document)
  const types = astToString(await openapiTS(document as unknown as OpenAPI3, OPTIONS))
  // Nothing can refer to it.
  const schema = types.replace(/^export type \$defs = .*\n/m, '')
  return { 'schema.ts': HEADER + schema, 'operations.ts': HEADER + table }
}

/**
 * What is needed of an operation at run time. An entry has the operation's description, which an editor shows.
 *
 * - `open`: needs no token
 * - `key`: takes an `Idempotency-Key`, so a POST may be repeated
 * - `gone`: a DELETE without a response body, so a 404 for a repeat means that it was done
 * - `pages`: the parameter that asks for the next page
 * - `upload`, `download`: its request or its response is a file
 */
function tableOf({ paths }: Document): string {
  const entries = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => {
      const facts = { method: method.toUpperCase(), path, ...traitsOf(method, operation) }
      return `${commentOf(operation)}  ${operation.operationId}: ${JSON.stringify(facts)},\n`
    }),
  )
  return `\n/** Every operation by its id. */\nexport const OPERATIONS = {\n${entries.join('')}} as const\n`
}

function traitsOf(method: string, { security = [], parameters = [], requestBody, responses }: Operation) {
  const asked = parameters.map((one) => ('name' in one ? one.name : (one.$ref.split('/').at(-1) ?? '')))
  const answer = Object.keys(responses['200']?.content ?? {})
  const pages = ['cursor', 'after'].find((name) => asked.includes(name))
  return {
    ...(security.length === 0 && { open: true }),
    // 422 has one meaning in this interface: that a key was used for another request.
    ...((asked.includes('Idempotency-Key') || '422' in responses) && { key: true }),
    ...(method === 'delete' && '204' in responses && { gone: true }),
    ...(pages && { pages }),
    ...(requestBody && 'multipart/form-data' in requestBody.content && { upload: true }),
    ...(answer.length > 0 && !answer.includes('application/json') && { download: true }),
  }
}

function commentOf({ summary = '', description = '', security = [] }: Operation): string {
  const scopes = security.flatMap((one) => Object.values(one).flat())
  const needs = scopes.length ? [`Needs the scope ${scopes.map((one) => `\`${one}\``).join(' or ')}.`] : []
  const paragraphs = [`${summary}.`, ...(description ? [description] : []), ...needs]
  const lines = paragraphs.join('\n\n').replaceAll('*/', '* /').split('\n')
  return `  /**\n${lines.map((line) => `   * ${line}`.trimEnd()).join('\n')}\n   */\n`
}

// Whole bodies as examples would double the file. Those of single fields stay.
function removeExamples({ paths, webhooks, components }: Document): void {
  const bodies = [...Object.values(paths), ...Object.values(webhooks)]
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ requestBody, responses }) => [requestBody, ...Object.values(responses)])
    .flatMap((body) => Object.values(body?.content ?? {}))
  for (const one of [...bodies, ...Object.values(components.schemas)]) {
    delete one.example
    delete one.examples
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href)
  for (const [name, text] of Object.entries(await generated()))
    await replaceFile(fileURLToPath(new URL(`src/${name}`, import.meta.url)), text)
