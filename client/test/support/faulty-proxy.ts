import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export type FaultyProxy = {
  url: string
  /** What became of the requests so far. */
  counts: { passed: number; refused: number; dropped: number }
  stop(): Promise<void>
}

type Faults = {
  /** The service behind it. */
  target: string
  /** The same seed and order of requests, the same faults. */
  seed?: number
  /** The share that is answered 503 and never passed on: one in five. */
  refusedShare?: number
  /** The share that is passed on, done, and whose answer is thrown away with the connection: one in ten. */
  droppedShare?: number
}

const BUSY = JSON.stringify({ errors: [{ message: 'The service is busy. Please try again.' }] })

/** Stands between a client and a service, and is as bad as a network and a busy service can be together. */
export async function startFaultyProxy(faults: Faults): Promise<FaultyProxy> {
  const { target, seed = 1, refusedShare = 0.2, droppedShare = 0.1 } = faults
  const chance = chanceOf(seed)
  const counts = { passed: 0, refused: 0, dropped: 0 }
  const server = createServer(async (incoming, response) => {
    const drawn = chance()
    if (drawn < refusedShare) {
      counts.refused += 1
      incoming.resume()
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '0' }).end(BUSY)
      return
    }
    const answer = await passOn(target, incoming).catch(() => undefined)
    // Read whole, so that what was asked for is done when the connection goes.
    const body = answer && (await buffer(answer).catch(() => undefined))
    if (!answer || !body || drawn < refusedShare + droppedShare) {
      counts.dropped += 1
      response.socket?.destroy()
      return
    }
    counts.passed += 1
    reply(response, answer, body)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function passOn(target: string, incoming: IncomingMessage): Promise<IncomingMessage> {
  const { hostname, port } = new URL(target)
  const { method, url: path, headers } = incoming
  const outgoing = request({ hostname, port, method, path, headers })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  incoming.pipe(outgoing)
  return (await answered)[0]
}

function reply(response: ServerResponse, { statusCode = 502, headers }: IncomingMessage, body: Buffer): void {
  const { connection, 'transfer-encoding': _, 'keep-alive': __, ...kept } = headers
  response.writeHead(statusCode, kept).end(body)
}

// A small generator (mulberry32) whose faults a test can repeat.
function chanceOf(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}
