import { OPERATIONS } from '../../../client/src/operations.ts'
import type { Call } from '../api.ts'
import type { OpenVisit } from '../page.ts'
import { html, type Markup } from './html.ts'
import { counted } from './time.ts'

/** The calls to the interface that a page is made of, to copy. The console can do nothing that a partner's program cannot. */
export function callsBehind(calls: readonly Call[], { doors }: Pick<OpenVisit, 'doors'>): Markup {
  return html`<details class="calls" id="calls"><summary>The ${counted(calls.length, 'call')} behind this page</summary>
<div class="scroll" tabindex="0" role="region" aria-label="Calls"><table><thead><tr><th scope="col">Call</th><th scope="col" class="number">Status</th><th scope="col" class="number">ms</th><th scope="col">Copy as</th></tr></thead>
<tbody>${calls.map(
    (
      call,
      index,
    ) => html`<tr id="call-${index}"><td><code>${call.method} ${call.path}</code></td><td class="number">${call.status}</td><td class="number">${call.ms}</td>
<td class="copies">${copies(call, doors.publicUrl)}</td></tr>`,
  )}</tbody></table></div></details>`
}

/** A call as a line to paste. */
export const copies = (call: Call, publicUrl: string): Markup =>
  html`${copy('curl', curlOf(call, publicUrl), call)} ${copy('TypeScript', typescriptOf(call), call)} ${copy('CLI', commandOf(call), call)}`

// Without JavaScript the text is there to select; with it there is a button.
const copy = (label: string, text: string, { method, path }: Call) =>
  html`<details class="copy"><summary aria-label="${label} of ${method} ${path}">${label}</summary><pre tabindex="0"><code>${text}</code></pre></details>`

const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

function curlOf({ method, path, body, ifMatch, idempotencyKey }: Call, publicUrl: string): string {
  return [
    `curl${method === 'GET' ? '' : ` -X ${method}`} ${quoted(publicUrl + path)}`,
    '-H "Authorization: Bearer $TOKEN"',
    ...(ifMatch ? [`-H ${quoted(`If-Match: ${ifMatch}`)}`] : []),
    ...(idempotencyKey ? [`-H ${quoted(`Idempotency-Key: ${idempotencyKey}`)}`] : []),
    ...(body ? [`-H 'Content-Type: application/json'`, `-d ${quoted(body)}`] : []),
  ].join(' \\\n  ')
}

/** With the client of this service. */
function typescriptOf({ body, ifMatch, ...call }: Call): string {
  const found = operationOf(call)
  if (!found) return ''
  const { id, path, query, isUpload } = found
  const input = {
    ...(path && { path }),
    ...(query.length > 0 && {
      query: Object.fromEntries(query.map(([name, value]) => [name, name === 'limit' ? Number(value) : value])),
    }),
    ...(body && { body: JSON.parse(body) as unknown }),
    ...(ifMatch && { ifMatch }),
  }
  if (isUpload)
    return `await lodgeway.upload('${id}', ${JSON.stringify({ ...input, fields: {}, file: './document.pdf' }, null, 2)})`
  return `await lodgeway.${id}(${Object.keys(input).length ? JSON.stringify(input, null, 2) : ''})`
}

/** With the command line of this service. */
function commandOf({ body, ifMatch, idempotencyKey, ...call }: Call): string {
  const found = operationOf(call)
  if (!found) return ''
  const { id, path = {}, query, isUpload } = found
  return [
    `lodgeway call ${id}`,
    ...Object.entries(path).map(([name, value]) => word(`path.${name}=${decodeURIComponent(value)}`)),
    ...query.map(([name, value]) => word(`query.${name}=${value}`)),
    ...(ifMatch ? [word(`header.If-Match=${ifMatch}`)] : []),
    ...(idempotencyKey ? [word(`header.Idempotency-Key=${idempotencyKey}`)] : []),
    ...(isUpload ? ['body.file=@document.pdf'] : []),
    ...(body ? [word(`body=${body}`)] : []),
  ].join(' \\\n  ')
}

const word = (text: string) => (/^[\w.=:@%+,/-]+$/.test(text) ? text : quoted(text))

/** What is called, by its id in the interface, and with which parameters. */
function operationOf({ method, path }: Pick<Call, 'method' | 'path'>) {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  for (const [id, pattern] of patterns[method] ?? []) {
    const found = pattern.exec(pathname)
    if (!found) continue
    return { id, path: found.groups, query: [...searchParams], isUpload: 'upload' in OPERATIONS[id] }
  }
  return undefined
}

type OperationId = keyof typeof OPERATIONS

const patterns: Partial<Record<string, [id: OperationId, pattern: RegExp][]>> = {}
for (const [id, { method, path }] of Object.entries(OPERATIONS)) {
  const pattern = new RegExp(
    `^${path.replaceAll(/[.{}]/g, (one) => ({ '.': '\\.', '{': '(?<', '}': '>[^/]+)' })[one] ?? one)}$`,
  )
  patterns[method] = [...(patterns[method] ?? []), [id as OperationId, pattern]]
}
