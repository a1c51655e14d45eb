import { send } from '../commands/call.ts'
import type { Operation } from '../document.ts'
import { misused } from '../failure.ts'
import { nearest } from '../suggest.ts'
import { refusalOf } from './access.ts'
import type { Desk, Tool } from './tool.ts'

type Place = 'path' | 'query'
type Values = Readonly<Record<string, unknown>>

export const callOperation = (desk: Desk): Tool => {
  const { operations, access } = desk
  const offered = operations.filter((one) => refusalOf(one, access, desk) === undefined)
  const isReadOnly = offered.every(({ method }) => method === 'GET')
  return {
    name: 'call_operation',
    title: 'Call an operation',
    description:
      'Calls an operation of the interface by its id, with the access of this client. ' +
      `${isReadOnly ? 'Only reading is offered here. ' : ''}read_docs with the id says what it takes and answers.`,
    input: {
      type: 'object',
      properties: {
        operation: {
          type: 'string',
          description: `One of: ${offered.map(({ operationId }) => operationId).join(', ')}.`,
        },
        path: { type: 'object', description: 'The parameters of the path, such as {"workspace_id": "…"}.' },
        query: { type: 'object', description: 'The parameters of the query.' },
        body: { type: 'object', description: 'The JSON body.' },
      },
      required: ['operation'],
    },
    isReadOnly,
    async run({ operation: id, path = {}, query = {}, body }) {
      const operation = chosen(desk, String(id))
      const input = {
        path: texts(path as Values),
        query: texts(query as Values),
        header: {},
        files: {},
        ...(body !== undefined && Object.keys(operation.body).length > 0 && { body }),
      }
      const missing = operation.parameters.filter(
        (one) => one.required && input[one.in as Place]?.[one.name] === undefined,
      )
      if (missing.length > 0) {
        const names = missing.map(({ in: place, name, description = '' }) => `${place}.${name}: ${description}`)
        throw misused(`${operation.operationId} also needs:\n${names.join('\n')}`)
      }
      const response = await send(desk.connection, operation, input)
      return {
        correlationId: response.headers.get('x-request-correlation-id'),
        status: response.status,
        etag: response.headers.get('etag') ?? undefined,
        body: await bodyOf(response),
      }
    },
  }
}

/** Checked here and not by the schema, so that a refusal says what to do instead. */
function chosen(desk: Desk, id: string): Operation {
  const found = desk.operations.find(({ operationId }) => operationId === id)
  const refusal = found && refusalOf(found, desk.access, desk)
  if (refusal) throw misused(refusal)
  if (found) return found
  const near = nearest(
    id,
    desk.operations.map(({ operationId }) => operationId),
  )
  throw misused(`There is no operation ${id}. ${near ? `Did you mean ${near}?` : 'read_docs lists them.'}`)
}

const texts = (values: Values): Record<string, string> =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]))

async function bodyOf(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  if (response.headers.get('content-type')?.startsWith('application/json')) return response.json()
  const bytes = new Uint8Array(await response.arrayBuffer())
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return `A file of ${bytes.length} bytes, which is not text. A person can save it with \`lodgeway call … --output FILE\`.`
  }
}
