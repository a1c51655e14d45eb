import { randomUUID } from 'node:crypto'
import { openAsBlob } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { basename } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { type CallInput, readAssignments } from '../assignments.ts'
import { fetchInterface, findOperation, type Operation } from '../document.ts'
import { misused } from '../failure.ts'
import { waitForOutcome } from '../outcome.ts'
import { withExamples } from '../program.ts'
import type { Connection, Session } from '../session.ts'
import { nearest } from '../suggest.ts'
import type { Define } from '../table.ts'

type Options = { wait?: boolean; output?: string }

export const define: Define = (command, run) => {
  command
    .description(
      'Calls an operation of the interface by its id. The service itself says which there are and what they take. ' +
        'Without an operation: the list.',
    )
    .argument('[operation]', 'its id, such as getWorkspace')
    .argument('[input...]', 'path.x=…, query.y=…, header.z=…, body=@file.json, body=- or body.a.b=…')
    .option('--wait', 'after a 202, wait for what becomes of it; exit code 4 if it ended badly')
    .option('-o, --output <file>', 'where to write a file that is answered')
    .option('--yes', 'do not ask before a change of a live service')
  withExamples(command, [
    ['lodgeway call', 'all operations'],
    ['lodgeway call listWorkspaces query.limit=5', ''],
    ['lodgeway call getWorkspace path.workspace_id=ce4c…', ''],
    ['lodgeway call addTitle workspace_id=ce4c… body.titleNumber=ST500678 --wait', 'a change, and its outcome'],
    ['lodgeway call createRemortgageWorkspace body=@order.json', ''],
  ]).action(
    run(async (session, id: string | undefined, words: string[], options: Options) => {
      if (id === undefined) return list(session)
      const { terminal } = session
      const connection = session.connect()
      const { operation, operations, schemaAt } = await findOperation(terminal, connection, id)
      if (!operation) throw unknown(id, operations)
      const input = await readAssignments({ operation, schemaAt }, words, (source) =>
        source === '-' ? textOf(terminal.stdin) : readFile(source, 'utf8').catch(unreadable(source)),
      )
      if (operation.method !== 'GET') await session.confirm(`${operation.method} ${operation.path}`)
      const response = await send(connection, operation, input)
      await show(session, response, operation, input, options)
    }),
  )
}

async function list({ terminal, connect, print, json }: Session): Promise<void> {
  const { operations } = await fetchInterface(terminal, connect())
  if (json)
    return print.json(
      operations.map(({ operationId, method, path, summary }) => ({ operationId, method, path, summary })),
    )
  print.table(
    ['operation', '', ''],
    operations.map(({ operationId, method, summary }) => [operationId, method, summary]),
  )
}

function unknown(id: string, operations: readonly Operation[]): Error {
  const suggestion = nearest(
    id,
    operations.map(({ operationId }) => operationId),
  )
  return misused(
    `There is no operation ${id}.${suggestion ? ` Did you mean ${suggestion}?` : ' `lodgeway call` lists them.'}`,
  )
}

/** One request as the document describes it: no retries, so that it shows what the service answers. */
export async function send(connection: Connection, { method, path, body }: Operation, input: CallInput) {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(input.path[name] ?? ''))
  const query = new URLSearchParams(input.query).toString()
  const isForm = 'multipart/form-data' in body
  return connection.request(method, filled + (query && `?${query}`), {
    headers: {
      accept: 'application/json, */*',
      ...(method === 'POST' && { 'Idempotency-Key': randomUUID() }),
      ...(input.body !== undefined && !isForm && { 'content-type': 'application/json' }),
      ...input.header,
    },
    ...(isForm ? { body: await formOf(input) } : input.body === undefined ? {} : { body: JSON.stringify(input.body) }),
  })
}

async function formOf({ body, files }: CallInput): Promise<FormData> {
  const form = new FormData()
  for (const [name, value] of Object.entries((body ?? {}) as Record<string, unknown>)) form.set(name, String(value))
  for (const [name, path] of Object.entries(files)) {
    form.set(name, await openAsBlob(path, { type: 'application/pdf' }).catch(unreadable(path)), basename(path))
  }
  return form
}

async function show(session: Session, response: Response, operation: Operation, input: CallInput, options: Options) {
  const { print, terminal } = session
  const type = response.headers.get('content-type') ?? ''
  if (response.status === 204) return print.note('204: done, without an answer.')
  if (type.startsWith('application/json')) {
    const body = (await response.json()) as Record<string, unknown>
    const isAccepted = options.wait && response.status === 202
    return print.json(isAccepted ? await waitForOutcome(session.connect(), operation.operationId, body, input) : body)
  }
  const bytes = Buffer.from(await response.arrayBuffer())
  if (options.output) {
    await writeFile(options.output, bytes)
    return print.note(`${options.output}: ${bytes.length} bytes`)
  }
  if (terminal.stdout.isTTY && /octet-stream|pdf|zip/.test(type) && bytes.includes(0)) {
    throw misused('The answer is a file: give --output FILE, or pipe it into a program.')
  }
  terminal.stdout.write(bytes)
}

const unreadable = (path: string) => (error: Error) => {
  throw misused(`${path} cannot be read: ${error.message}`)
}
