import { html, type Markup } from '../../../../console/src/ui/html.ts'
import type { MediaType, Method, OpenApiDocument, Operation } from '../openapi/document.ts'
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

/** A shell command that makes the call, with the examples of its parameters filled in. */
export function curlBlock(document: OpenApiDocument, method: Method, path: string, operation: Operation): Markup {
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
  return html`<pre class="curl"><code>${lines.join(' \\\n  ')}</code></pre>`
}

function urlOf(document: OpenApiDocument, path: string, { parameters = [] }: Operation): string {
  const known = parameters.map((parameter) => resolve(parameter, document.components.parameters))
  const filled = path.replace(/\{(\w+)\}/g, (_, name) => String(known.find((one) => one.name === name)?.example))
  const query = known.filter((one) => one.in === 'query' && one.required).map((one) => `${one.name}=${one.example}`)
  const url = `${baseUrl(document)}${filled}${query.length ? `?${query.join('&')}` : ''}`
  return query.length ? `"${url}"` : url
}

function formLines(document: OpenApiDocument, { schema, encoding = {} }: MediaType): string[] {
  const { properties = {}, required = [] } = follow(schema, document.components.schemas)
  return required.map((name) => {
    const { format, enum: values, const: only } = properties[name] ?? {}
    if (format !== 'binary') return `-F ${name}=${values?.[0] ?? only ?? '…'}`
    const type = encoding[name]?.contentType
    return `-F ${quoted(`${name}=@document.pdf${type ? `;type=${type}` : ''}`)}`
  })
}

const isBytes = ({ responses }: Operation): boolean => {
  const good = responses['200']
  return good !== undefined && 'content' in good && !('application/json' in (good.content ?? {}))
}

const firstExample = ({ example, examples = {} }: MediaType): object | undefined =>
  (example ?? Object.values(examples)[0]?.value) as object | undefined

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`
