import { once } from 'node:events'
import { createServer, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'

export type Received = {
  id: string
  headers: Record<string, string>
  body: string
  payload: { id: string; type: string; timestamp: string; data: Record<string, string> }
}

type Reply = { status?: number; body?: string; headers?: Record<string, string>; afterMs?: number }

export type Receiver = {
  url: string
  port: number
  /** In the order in which they came. */
  received: Received[]
  /** How many connections there ever were. */
  connections(): number
  until(count: number, msMax?: number): Promise<void>
  stop(): Promise<void>
}

/** A partner's webhook receiver. `answer` decides the response, by default 204. */
export async function startReceiver(answer: (one: Received) => Reply | Promise<Reply> = () => ({})): Promise<Receiver> {
  const received: Received[] = []
  let connections = 0
  const server = createServer(async (request, response) => {
    const one = await read(request)
    received.push(one)
    const { status = 204, body = '', headers = {}, afterMs = 0 } = await answer(one)
    if (afterMs) await delay(afterMs, undefined, { ref: false })
    response.writeHead(status, headers).end(body)
  })
  server.on('connection', () => {
    connections += 1
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    received,
    connections: () => connections,
    async until(count, msMax = 10_000) {
      const deadline = performance.now() + msMax
      while (received.length < count) {
        if (performance.now() > deadline) throw new Error(`Only ${received.length} of ${count} deliveries arrived.`)
        await delay(10)
      }
    },
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function read(request: IncomingMessage): Promise<Received> {
  const body = await text(request)
  const headers = request.headers as Record<string, string>
  return { id: headers['webhook-id'] ?? '', headers, body, payload: JSON.parse(body) }
}
