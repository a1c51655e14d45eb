import { setTimeout as delay } from 'node:timers/promises'
import type { Input, Lodgeway, Schemas } from '../../../client/src/index.ts'
import { misused } from '../failure.ts'
import { withExamples } from '../program.ts'
import type { Session } from '../session.ts'
import type { Define } from '../table.ts'

type Options = { follow?: true; status?: string; route?: string; last: string }
type Query = NonNullable<Input<'listRequests'>['query']>
type Logged = Schemas['LoggedRequest']

const EVERY_MS = 1_000
const ROWS_MAX = 100
/** How many of the newest are known, so that each is printed once. */
const KNOWN_MAX = 10_000

export const define: Define = (command, run) => {
  command
    .description('Prints your own calls and what was wrong with them, the newest last.')
    .option('--follow', 'go on with those that come from now on')
    .option('--status <class>', 'only answers of this class: 2xx, 4xx or 5xx')
    .option('--route <text>', 'only this operation, such as getWorkspace, or routes with this text in them')
    .option('--last <number>', 'so many of the newest', '20')
  withExamples(command, [
    ['lodgeway logs', ''],
    ['lodgeway logs --status 4xx --last 5', 'the last five refusals, with their reasons'],
    ['lodgeway logs --follow --route representation', 'until Ctrl-C'],
  ]).action(
    run(async (session, options: Options) => {
      const count = Number(options.last)
      if (!Number.isInteger(count) || count < 0) throw misused('--last expects a number such as 20.')
      const { connect, terminal } = session
      const client = await connect().client()
      const isOperation = options.route !== undefined && /^[a-z]+[A-Z]\w*$/.test(options.route)
      const query = {
        ...(options.status && { status: options.status }),
        ...(isOperation && { operation: options.route }),
      } as Query
      const isWanted = ({ route }: Logged) => isOperation || route.includes(options.route ?? '')
      const known = new Set<string>()
      const shown = await newest(client, query, count, isWanted)
      for (const one of shown) show(session, one)
      if (!options.follow) {
        if (shown.length === 0)
          session.print.note('No call fits. Outside a sandbox an operator has to switch the log on.')
        return
      }
      for (const { requestId } of await newest(client, query, ROWS_MAX, () => true)) known.add(requestId)
      const signal = terminal.interrupted()
      while (!signal.aborted) {
        for (const one of await unknown(client, query, known)) if (isWanted(one)) show(session, one)
        await delay(EVERY_MS, undefined, { signal }).catch(() => {})
      }
    }),
  )
}

/** The newest that are wanted, the oldest of them first. */
async function newest(client: Lodgeway, query: Query, count: number, isWanted: (one: Logged) => boolean) {
  const found: Logged[] = []
  if (count === 0) return found
  for await (const one of client.records('listRequests', { query: { ...query, limit: ROWS_MAX } })) {
    if (isWanted(one)) found.push(one)
    if (found.length === count) break
  }
  return found.reverse()
}

/** Those that came since the last time. */
async function unknown(client: Lodgeway, query: Query, known: Set<string>): Promise<Logged[]> {
  const found: Logged[] = []
  for await (const one of client.records('listRequests', { query: { ...query, limit: ROWS_MAX } })) {
    if (known.has(one.requestId)) break
    found.push(one)
    if (found.length === KNOWN_MAX) break
  }
  for (const { requestId } of found) known.add(requestId)
  return found.reverse()
}

function show({ print, json }: Session, one: Logged) {
  if (json) return print.jsonLine(one)
  const { at, method, route, status, durationMs, clientId, correlationId, errors } = one
  const path = route.replace(/^\/partner\/api\/\w+\/v1/, '')
  const answer = print.paint(status < 400 ? 'green' : 'red', String(status))
  print.line(`${print.paint('dim', at.slice(11, 19))}  ${answer}  ${method} ${path}  ${durationMs} ms  ${clientId}`)
  for (const { field, message } of errors) print.line(`          ${[field, message].filter(Boolean).join(': ')}`)
  if (errors.length > 0 && correlationId) print.line(print.paint('dim', `          correlation id ${correlationId}`))
}
