import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

// The load: plain sockets that send prepared bytes and look for the end of each response. On a small machine a more
// expensive client would take CPU time from the server that is measured.

export type Load = {
  url: string
  /** Sent in turn, over and over. */
  requests: readonly Buffer[]
  /** Changes a request before it is sent again. */
  renew?: ((request: Buffer) => void) | undefined
  connections: number
  milliseconds: number
  /** Ends sooner, when each was sent once. */
  once?: boolean
}

export type Loaded = { perSecond: number; responses: number; p50Ms: number; p99Ms: number }

export type HttpResponse = { status: number; headers: [name: string, value: string][]; body: string }

/** Keeps every connection busy with one request at a time until the time is up. Any response but 2xx is an error. */
export async function load({ url, requests, renew, connections, milliseconds, once }: Load): Promise<Loaded> {
  const latencies: number[] = []
  let turn = 0
  const next = () => {
    const request = once ? requests[turn++] : requests[turn++ % requests.length]
    if (request) renew?.(request)
    return request
  }
  const sockets = await Promise.all(Array.from({ length: connections }, () => open(url)))
  const startedAt = performance.now()
  const endsAt = startedAt + milliseconds
  try {
    await Promise.all(sockets.map((socket) => keepBusy(socket, next, endsAt, latencies)))
  } finally {
    for (const socket of sockets) socket.destroy()
  }
  const seconds = (performance.now() - startedAt) / 1000
  return { perSecond: latencies.length / seconds, responses: latencies.length, ...spreadOf(latencies) }
}

/** The median, and the 99th percentile. */
export function spreadOf(latencies: readonly number[]): { p50Ms: number; p99Ms: number } {
  const sorted = latencies.toSorted((a, b) => a - b)
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? 0
  return { p50Ms: at(0.5), p99Ms: at(0.99) }
}

function keepBusy(socket: Socket, next: () => Buffer | undefined, endsAt: number, latencies: number[]): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  let sentAt = 0
  let pending: Buffer | undefined
  let missing = 0 // of a response whose length is known
  const send = (request: Buffer | undefined) => {
    sentAt = performance.now()
    if (request) socket.write(request)
    else resolve()
  }
  socket.on('data', (chunk) => {
    if (missing > 0) missing -= chunk.length
    else {
      const response = pending ? Buffer.concat([pending, chunk]) : chunk
      const bytes = lengthOf(response)
      pending = bytes === undefined ? response : undefined
      if (bytes === undefined) return
      if (response[STATUS_AT] !== DIGIT_2)
        return reject(new Error(`The load received an unexpected response:\n${response}`))
      missing = bytes - response.length
    }
    if (missing > 0) return
    const now = performance.now()
    latencies.push(now - sentAt)
    send(now < endsAt ? next() : undefined)
  })
  socket.once('error', reject)
  socket.once('close', () => reject(new Error('A connection was closed under load.')))
  send(next())
  return promise
}

/** One request and its response, with every header as received. */
export async function exchange(url: string, request: Buffer): Promise<HttpResponse> {
  const socket = await open(url)
  socket.write(request)
  let response = Buffer.of()
  while (!isWhole(response)) {
    const [chunk] = await once(socket, 'data')
    response = Buffer.concat([response, chunk])
  }
  socket.destroy()
  const [head = '', body = ''] = response.toString().split('\r\n\r\n', 2)
  const [first = '', ...lines] = head.split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
  return { status: Number(first.split(' ')[1]), headers, body }
}

/** The bytes of a request, ready to be sent. */
export function requestBytes(method: string, path: string, headers: Record<string, string>, body = ''): Buffer {
  const all = { Host: '127.0.0.1', ...headers, ...(body && { 'Content-Length': String(Buffer.byteLength(body)) }) }
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`)
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`)
}

export async function open(url: string): Promise<Socket> {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port), noDelay: true })
  await once(socket, 'connect')
  return socket
}

const STATUS_AT = 'HTTP/1.1 '.length
const DIGIT_2 = '2'.charCodeAt(0)
const HEAD_END = Buffer.from('\r\n\r\n')
const LENGTHS = ['\r\ncontent-length: ', '\r\nContent-Length: '].map((name) => Buffer.from(name))

const isWhole = (response: Buffer): boolean => response.length >= (lengthOf(response) ?? Number.POSITIVE_INFINITY)

const LENGTH_BYTES = '\r\ncontent-length: '.length

/** How many bytes a response has, once its headers have arrived. */
function lengthOf(response: Buffer): number | undefined {
  const headEnd = response.indexOf(HEAD_END)
  if (headEnd < 0) return undefined
  const lengthAt = LENGTHS.map((name) => response.indexOf(name)).find((at) => at >= 0 && at < headEnd)
  if (lengthAt === undefined) throw new Error(`The load cannot find the end of this response:\n${response}`)
  let length = 0
  for (let at = lengthAt + LENGTH_BYTES; at < headEnd; at++) {
    const digit = (response[at] ?? 0) - 48
    if (digit < 0 || digit > 9) break
    length = length * 10 + digit
  }
  return headEnd + HEAD_END.length + length
}
