import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

/** Forwarded; answered 503 and not forwarded; or forwarded, done, and the response dropped with the connection. */
export type Fate = 'passed' | 'refused' | 'dropped'

/** Decides what happens to a request. */
export type Network = (request: IncomingMessage) => Fate

/** A response of the service. */
export type Whole = { method: string; path: string; status: number; headers: Headers; body: Buffer }

export type FaultyProxy = {
  url: string
  /** What happened to the requests so far. */
  counts: Record<Fate, number>
  /** Method and path of each request that was done and whose response was lost, in order. */
  lost: string[]
  stop(): Promise<void>
}

type Facts = {
  /** The service behind it. */
  target: string
  network?: Network
  /** Checks each response of the service, also one that will be lost. If it throws, the answer is 500. */
  check?: (answer: Whole) => void
}

const BUSY = faultBody('The service is busy. Please try again.')

/** A proxy between client and service that fails like a bad network and a busy service. */
export async function startFaultyProxy({ target, network = byChance(), check }: Facts): Promise<FaultyProxy> {
  const counts = { passed: 0, refused: 0, dropped: 0 }
  const lost: string[] = []
  const server = createServer(async (incoming, response) => {
    const fate = network(incoming)
    counts[fate] += 1
    if (fate === 'refused') {
      incoming.resume()
      response.writeHead(503, { 'content-type': 'application/json', 'retry-after': '0' }).end(BUSY)
      return
    }
    // Read completely, so that the request is done when the connection is dropped.
    const answer = await passOn(target, incoming).catch(() => undefined)
    if (!answer) return void response.socket?.destroy()
    const complaint = complaintOf(answer, check)
    if (complaint) return void response.writeHead(500, { 'content-type': 'application/json' }).end(complaint)
    if (fate === 'passed') return reply(response, answer)
    lost.push(`${answer.method} ${answer.path}`)
    response.socket?.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    counts,
    lost,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/**
 * One request in five is answered 503, and one connection in ten is lost. The same seed gives the same failures: changes
 * have random numbers of their own, so that the number of reads in between does not matter.
 */
export function byChance({ seed = 1, refusedShare = 0.2, droppedShare = 0.1 } = {}): Network {
  const [ofReads, ofChanges] = [chanceOf(seed), chanceOf(seed + 1)]
  return ({ method }) => {
    const drawn = method === 'GET' ? ofReads() : ofChanges()
    if (drawn < refusedShare) return 'refused'
    return drawn < refusedShare + droppedShare ? 'dropped' : 'passed'
  }
}

/** Every change is done, and its first response is lost. All attempts of a call have one correlation id. */
export function losingFirstAnswers(): Network {
  const seen = new Set<string>()
  return ({ method, headers }) => {
    const { 'x-request-correlation-id': call } = headers
    if (method === 'GET' || typeof call !== 'string' || seen.has(call)) return 'passed'
    seen.add(call)
    return 'dropped'
  }
}

async function passOn(target: string, incoming: IncomingMessage): Promise<Whole> {
  const { hostname, port } = new URL(target)
  const { method = '', url: path = '', headers } = incoming
  const outgoing = request({ hostname, port, method, path, headers })
  const answered = once(outgoing, 'response') as Promise<[IncomingMessage]>
  incoming.pipe(outgoing)
  const [answer] = await answered
  const { statusCode: status = 502 } = answer
  return { method, path, status, headers: headersOf(answer), body: await buffer(answer) }
}

/** Without those that belong to the connection. */
function headersOf({ headers }: IncomingMessage): Headers {
  const { connection, 'transfer-encoding': _, 'keep-alive': __, ...kept } = headers
  return new Headers(Object.entries(kept).map(([name, value]) => [name, String(value)]))
}

function complaintOf(answer: Whole, check: (answer: Whole) => void = () => {}): string | undefined {
  try {
    check(answer)
    return undefined
  } catch (error) {
    return faultBody(`${answer.method} ${answer.path}: ${error}`)
  }
}

function faultBody(message: string): string {
  return JSON.stringify({ errors: [{ message }] })
}

function reply(response: ServerResponse, { status, headers, body }: Whole): void {
  response.writeHead(status, Object.fromEntries(headers)).end(body)
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
