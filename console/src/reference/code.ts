import { html, type Markup } from '../ui/html.ts'
import type { MediaType, Method, OpenApiDocument, Operation } from './document.ts'
import { follow, resolve } from './fields.ts'

const TOKEN = /("(?:[^"\\]|\\.)*")(\s*:)?|\b(true|false|null|-?\d[\d.eE+-]*)\b/g

/** JSON for people, with names, texts and other values marked up. */
export function jsonBlock(value: unknown, indent = 2): Markup {
  const text = JSON.stringify(value, null, indent)
  const parts: Markup[] = []
  let end = 0
  for (const match of text.matchAll(TOKEN)) {
    const [whole, quoted, colon] = match
    parts.push(html`${text.slice(end, match.index)}`)
    parts.push(html`<span class="${quoted ? (colon ? 'key' : 'text') : 'value'}">${quoted ?? whole}</span>${colon}`)
    end = match.index + whole.length
  }
  return html`<pre><code>${[...parts, html`${text.slice(end)}`]}</code></pre>`
}

/** All examples of a body, each under its name if there are several. */
export function exampleBlocks({ example, examples }: Pick<MediaType, 'example' | 'examples'>): Markup[] {
  if (example !== undefined) return [jsonBlock(example)]
  return Object.entries(examples ?? {}).map(([name, { value }]) => html`<h6>${name}</h6>${jsonBlock(value)}`)
}

export const baseUrl = ({ servers }: OpenApiDocument): string => {
  const url = servers[0]?.url ?? ''
  return url.startsWith('http') ? url : '$BASE_URL'
}

/** Code to copy: a script adds the button. */
export const sample = (label: string, code: string): Markup =>
  html`<p class="label">${label}</p><pre class="sample"><code>${code}</code></pre>`

/** A shell command that makes the call, with the examples of its parameters filled in. */
export function curlOf(document: OpenApiDocument, method: Method, path: string, operation: Operation): string {
  const lines = [`curl${method === 'get' ? '' : ` -X ${method.toUpperCase()}`} ${urlOf(document, path, operation)}`]
  if (operation.security.length > 0) lines.push('-H "Authorization: Bearer $TOKEN"')
  const [type, media] = Object.entries(operation.requestBody?.content ?? {})[0] ?? []
  if (type === 'application/json' && media) {
    lines.push(`-H 'Content-Type: application/json'`, `-d ${quoted(JSON.stringify(firstExample(media), null, 2))}`)
  }
  if (type === 'application/x-www-form-urlencoded' && media) {
    for (const [name, value] of Object.entries(firstExample(media) ?? {}))
      lines.push(`-d ${quoted(`${name}=${value}`)}`)
  }
  if (type === 'multipart/form-data' && media) lines.push(...formLines(document, media))
  if (isBytes(operation)) lines.push('-OJ')
  return lines.join(' \\\n  ')
}

/** The same with the client of this service. */
export function typescriptOf(document: OpenApiDocument, operation: Operation): string {
  const { operationId, parameters = [], requestBody } = operation
  if (operationId === 'issueToken')
    return `// The client asks for tokens itself.\nconst lodgeway = createClient({ baseUrl: '${baseUrl(document)}', clientId, clientSecret })`
  const known = parameters.map((parameter) => resolve(parameter, document.components.parameters))
  const given = (place: string) =>
    Object.fromEntries(
      known.filter((one) => one.in === place && one.required).map(({ name, example }) => [name, example]),
    )
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  const [path, query] = [given('path'), given('query')]
  const isForm = type === 'multipart/form-data' && media
  const input = {
    ...(Object.keys(path).length > 0 && { path }),
    ...(Object.keys(query).length > 0 && { query }),
    ...(type === 'application/json' && media && { body: firstExample(media) }),
    ...(isForm && { file: 'document.pdf', fields: fieldsOfForm(document, media) }),
    ...(isBytes(operation) && { to: 'document' }),
  }
  const values = Object.keys(input).length > 0 ? literal(input) : ''
  if (isForm) return `await lodgeway.upload('${operationId}', ${values})`
  if (isBytes(operation)) return `await lodgeway.downloadTo('${operationId}', ${values})`
  return `await lodgeway.${operationId}(${values})`
}

/** JSON, with names and texts as TypeScript writes them. */
const literal = (value: unknown): string =>
  JSON.stringify(value, null, 2)
    .replaceAll(/^( *)"(\w+)":/gm, '$1$2:')
    .replaceAll(/"((?:[^"\\']|\\.)*)"(?=,?$)/gm, (whole, text: string) => (text.includes('\\') ? whole : `'${text}'`))

function urlOf(document: OpenApiDocument, path: string, { parameters = [] }: Operation): string {
  const known = parameters.map((parameter) => resolve(parameter, document.components.parameters))
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(known.find((one) => one.name === name)?.example))
  const query = known.filter((one) => one.in === 'query' && one.required).map((one) => `${one.name}=${one.example}`)
  const url = `${baseUrl(document)}${filled}${query.length ? `?${query.join('&')}` : ''}`
  return query.length ? `"${url}"` : url
}

function formLines(document: OpenApiDocument, media: MediaType): string[] {
  const fields = Object.entries(fieldsOfForm(document, media)).map(([name, value]) => `-F ${name}=${value}`)
  const type = media.encoding?.['file']?.contentType
  return [...fields, `-F ${quoted(`file=@document.pdf${type ? `;type=${type}` : ''}`)}`]
}

/** What a form needs besides its file. */
function fieldsOfForm({ components }: OpenApiDocument, { schema }: MediaType): Record<string, unknown> {
  const { properties = {}, required = [] } = follow(schema, components.schemas)
  const named = required.filter((name) => properties[name]?.format !== 'binary')
  return Object.fromEntries(named.map((name) => [name, properties[name]?.enum?.[0] ?? properties[name]?.const ?? '…']))
}

const isBytes = ({ responses }: Operation): boolean => {
  const good = responses['200']
  return good !== undefined && 'content' in good && !('application/json' in (good.content ?? {}))
}

const firstExample = ({ example, examples = {} }: MediaType): object | undefined =>
  (example ?? Object.values(examples)[0]?.value) as object | undefined

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
