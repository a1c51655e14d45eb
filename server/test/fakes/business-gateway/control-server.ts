import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import type { Control, Dialect, Effect } from './control.ts'

type Input = {
  advanceMs?: number
  method?: string
  path?: string
  every?: number
  times?: number
  effect?: Effect
  until?: string
  requests?: number
  windowSeconds?: number
  repeatEvery?: number
  isReordered?: boolean
  dialect?: Dialect
}

/** What `POST /<name>` does with its JSON. */
const COMMANDS: Readonly<Record<string, (control: Control, input: Input) => void>> = {
  clock: (control, { advanceMs = 0 }) => control.advance(advanceMs),
  fail: (control, { path, effect, ...rest }) => {
    if (effect) control.fail({ ...rest, ...(path && { path: new RegExp(path) }), effect })
  },
  behave: (control) => control.behave(),
  close: (control, { until = '' }) => control.close(new Date(until)),
  'close-day-list': (control) => control.closeDayList(),
  'open-day-list': (control) => control.openDayList(),
  limit: (control, { requests = 1, windowSeconds = 60 }) => control.limit(requests, windowSeconds),
  notifications: (control, { repeatEvery = 0, isReordered = false }) => {
    control.notifications = { repeatEvery, isReordered }
  },
  dialect: (control, { dialect = 'openapi' }) => {
    control.dialect = dialect
  },
}

/** The control by HTTP, for a person: `POST /<command>` with its input as JSON. `GET /` lists the commands. */
export async function startControlServer(
  control: Control,
  port: number,
): Promise<{ url: string; close(): Promise<void> }> {
  const server = createServer(async (request, response) => {
    const answer = (status: number, body: object) =>
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
    const command = COMMANDS[(request.url ?? '/').slice(1)]
    const state = () => ({ now: control.now(), requests: control.requests.length, commands: Object.keys(COMMANDS) })
    if (request.method === 'GET') return void answer(200, state())
    if (!command) return void answer(404, state())
    try {
      const isEmpty = request.headers['content-length'] === '0' || !request.headers['content-type']
      command(control, isEmpty ? {} : ((await json(request)) as Input))
      answer(200, state())
    } catch (error) {
      answer(400, { error: String(error) })
    }
  })
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  return {
    url: `http://localhost:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  }
}
