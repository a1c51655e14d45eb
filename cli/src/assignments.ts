import type { Interface, Operation, Schema } from './document.ts'
import { misused } from './failure.ts'

// `path.workspace_id=… query.limit=5 header.If-Match=… body.parties.0.role=BORROWER`: the input of an operation as words.

export type CallInput = {
  path: Record<string, string>
  query: Record<string, string>
  header: Record<string, string>
  /** The whole body, from `body=…`. */
  body?: unknown
  /** A file of a form: the field and the path. */
  files: Record<string, string>
}

type Place = 'path' | 'query' | 'header'
/** Reads what `@file` or `-` names. */
export type ReadText = (source: string) => Promise<string>

export async function readAssignments(
  { operation, schemaAt }: Pick<Interface, 'schemaAt'> & { operation: Operation },
  words: readonly string[],
  readText: ReadText,
): Promise<CallInput> {
  const input: CallInput = { path: {}, query: {}, header: {}, files: {} }
  const [mediaType = '', { schema } = {}] = Object.entries(operation.body)[0] ?? []
  const isForm = mediaType === 'multipart/form-data'
  for (const word of words) {
    const [, target = '', value] = /^([^=]+)=(.*)$/s.exec(word) ?? []
    if (value === undefined)
      throw misused(`"${word}" is not name=value, such as path.workspace_id=… or body.reference=…`)
    const [place = '', ...keys] = fullName(operation, target).split('.')
    if (place === 'body' && keys.length === 0) {
      const text = value === '-' || value.startsWith('@') ? await readText(value.replace(/^@/, '')) : value
      input.body = parseJson(text, target)
    } else if (place === 'body' && isForm && value.startsWith('@')) {
      input.files[keys.join('.')] = value.slice(1)
    } else if (place === 'body') {
      input.body = withValue(input.body, keys, valueFor(schemaAt(schema, keys), value))
    } else {
      input[place as Place][keys.join('.')] = value
    }
  }
  checkComplete(operation, input)
  return input
}

/** `workspace_id` alone is the parameter of that name. */
function fullName({ operationId, parameters, body }: Operation, target: string): string {
  if (/^(path|query|header|body)\./.test(target) || target === 'body') {
    const [place = '', ...keys] = target.split('.')
    const name = keys.join('.')
    if (place === 'body' || place === 'header') return target
    if (parameters.some((one) => one.in === place && one.name === name)) return target
    throw misused(`${operationId} has no ${target}. ${namesOf(parameters, body)}`)
  }
  const found = parameters.find(({ name }) => name === target)
  if (found) return `${found.in}.${target}`
  throw misused(`${operationId} has no ${target}. ${namesOf(parameters, body)}`)
}

const namesOf = (parameters: Operation['parameters'], body: Operation['body']): string =>
  `It takes: ${[...parameters.map((one) => `${one.in}.${one.name}`), ...(Object.keys(body).length ? ['body'] : [])].join(', ')}.`

function checkComplete({ operationId, parameters }: Operation, input: CallInput): void {
  const missing = parameters.filter(
    (one) => one.required && (one.in === 'path' || one.in === 'query') && input[one.in][one.name] === undefined,
  )
  if (missing.length === 0) return
  const lines = missing.map(({ in: place, name, description = '' }) => `  ${place}.${name}=…  ${description}`)
  throw misused(`${operationId} needs:\n${lines.join('\n')}`)
}

function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw misused(`${name} is not JSON: ${(error as Error).message}`)
  }
}

/** Text where the interface takes text, so that an account number keeps its zeros; else JSON if it is some. */
function valueFor(schema: Schema | undefined, text: string): unknown {
  const isText = schema?.type === 'string' || schema?.enum !== undefined || typeof schema?.const === 'string'
  if (isText) return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The body with this value at these keys; a number makes a list. */
function withValue(body: unknown, [key, ...rest]: readonly string[], value: unknown): unknown {
  if (key === undefined) return value
  const isIndex = /^\d+$/.test(key)
  if (isIndex) {
    const list = Array.isArray(body) ? [...body] : []
    list[Number(key)] = withValue(list[Number(key)], rest, value)
    return list
  }
  const fields = { ...(body as Record<string, unknown> | undefined) }
  return { ...fields, [key]: withValue(fields[key], rest, value) }
}
