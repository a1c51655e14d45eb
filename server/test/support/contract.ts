import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

// Every answer that a test receives is held against openapi.json: its status, its headers, its body.

type Media = { schema?: object }
type Response = { $ref?: string; content?: Record<string, Media>; headers?: Record<string, unknown> }
type Operation = { operationId: string; responses: Record<string, Response> }
type Document = {
  paths: Record<string, Record<string, Operation>>
  components: { responses: Record<string, Response>; schemas: Record<string, object> }
}

const document: Document = JSON.parse(readFileSync(new URL('../../../openapi.json', import.meta.url), 'utf8'))
const ajv = new Ajv2020({ strict: false, allErrors: true })
addFormats.default(ajv)
for (const format of ['binary', 'decimal']) ajv.addFormat(format, true)
ajv.addSchema({ ...document, $id: 'contract' })

const patterns = Object.keys(document.paths).map((path) => ({
  path,
  matches: new RegExp(`^${path.replace(/[.]/g, '\\.').replace(/\{[^}]+\}/g, '[^/]+')}$`),
}))
const validators = new Map<string, ValidateFunction>()

export type Seen = {
  method: string
  path: string
  status: number
  contentType: string
  headers: Headers
  body: unknown
}

export function checkContract({ method, path, status, contentType, headers, body }: Seen): void {
  assert.ok(headers.get('x-request-correlation-id'), 'every answer bears X-Request-Correlation-Id')
  assert.equal(headers.get('x-api-version'), 'v1.0.0')
  assert.equal(headers.get('x-content-type-options'), 'nosniff')
  const known = patterns.find(({ matches }) => matches.test(path))
  const key = method.toLowerCase() === 'head' ? 'get' : method.toLowerCase()
  const operation = known && document.paths[known.path]?.[key]
  if (!known || !operation) {
    assert.ok([404, 405].includes(status), `${method} ${path} is not documented, yet answered ${status}`)
    return
  }
  const response = operation.responses[String(status)]
  assert.ok(response, `${operation.operationId} answered ${status}, which openapi.json does not name`)
  if (method === 'HEAD' || status === 204 || status === 304) return
  const pointer = response.$ref
    ? `contract${response.$ref}`
    : `contract#/paths/${pointerOf(known.path)}/${key}/responses/${status}`
  const content = response.$ref
    ? document.components.responses[response.$ref.split('/').at(-1) ?? '']?.content
    : response.content
  const type = contentType.split(';')[0]?.trim() ?? ''
  assert.ok(content?.[type], `${operation.operationId} ${status} answered ${type}, not ${Object.keys(content ?? {})}`)
  if (type !== 'application/json') return
  const validate = validatorOf(`${pointer}/content/${pointerOf(type)}/schema`)
  assert.ok(
    validate(body),
    `${operation.operationId} ${status}: ${ajv.errorsText(validate.errors)} in ${JSON.stringify(body)}`,
  )
}

function validatorOf(ref: string): ValidateFunction {
  let validate = validators.get(ref)
  if (!validate) {
    validate = ajv.compile({ $ref: ref })
    validators.set(ref, validate)
  }
  return validate
}

const pointerOf = (text: string) =>
  text.replaceAll('~', '~0').replaceAll('/', '~1').replaceAll('{', '%7B').replaceAll('}', '%7D')
