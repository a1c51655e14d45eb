import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { liftDeadline } from '../../src/platform/http/connections.ts'
import type { App } from '../../src/platform/http/http.ts'

export type IdleFigures = { connections: number; slowestCloseMs: number; servedMeanwhile: number }

const HALF_HEADERS = 'POST /sandbox/v1/subscribers HTTP/1.1\r\nHost: localhost\r\nContent-Ty'
const HALF_BODY =
  'POST /sandbox/v1/subscribers HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{"kind"'

/** Connections that stop sending, half of them in their headers and half in their bodies, while others are served. */
export async function proveIdle(url: string, { connections }: { connections: number }): Promise<IdleFigures> {
  let open = connections
  const silent = Array.from({ length: connections }, (_, index) =>
    silentAfter(url, index % 2 ? HALF_HEADERS : HALF_BODY).finally(() => {
      open -= 1
    }),
  )
  let servedMeanwhile = 0
  while (open > 0) {
    const response = await fetch(`${url}/livez`)
    await response.arrayBuffer()
    assert.equal(response.status, 200)
    servedMeanwhile += 1
    await delay(20)
  }
  const slowestCloseMs = Math.round(Math.max(...(await Promise.all(silent))))
  return { connections, slowestCloseMs, servedMeanwhile }
}

async function silentAfter(url: string, text: string): Promise<number> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  socket.resume()
  await once(socket, 'connect')
  socket.write(text)
  const sentAt = performance.now()
  await once(socket, 'close', { signal: AbortSignal.timeout(30_000) })
  return performance.now() - sentAt
}

/** A route that swallows any number of bytes, as an upload does. */
export function swallowRoute(app: App): void {
  app.register(async (scoped) => {
    scoped.addContentTypeParser('application/octet-stream', (_request, payload, done) => done(null, payload))
    scoped.route({
      method: 'POST',
      url: '/swallow',
      bodyLimit: 64 * 1024 * 1024,
      config: { scope: 'none', undocumented: true },
      handler: async (request) => {
        liftDeadline(request.raw)
        let bytes = 0
        for await (const chunk of request.body as AsyncIterable<Buffer>) bytes += chunk.length
        return { bytes }
      },
    })
  })
}

/** Sends so many bytes at so many bits a second, and resolves with what the service counted. */
export async function sendSlowly(url: string, { bytes, bitsPerSecond }: { bytes: number; bitsPerSecond: number }) {
  const stepMs = 100
  const step = Buffer.alloc(Math.round((bitsPerSecond / 8) * (stepMs / 1000)))
  const startedAt = performance.now()
  async function* body() {
    for (let sent = 0; sent < bytes; sent += step.length) {
      const dueAt = startedAt + (sent / step.length) * stepMs
      await delay(Math.max(0, dueAt - performance.now()))
      yield step.subarray(0, Math.min(step.length, bytes - sent))
    }
  }
  const headers = { 'content-type': 'application/octet-stream' }
  const response = await fetch(`${url}/swallow`, {
    method: 'POST',
    headers,
    body: body(),
    duplex: 'half',
  } as RequestInit)
  const counted = ((await response.json()) as { bytes: number }).bytes
  return { counted, seconds: Math.round((performance.now() - startedAt) / 1000) }
}
