import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import { createServer, type ServerOptions } from 'node:https'
import type { AddressInfo } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import type { Answer, Inbound } from './answers.ts'
import type { Effect, Switchboard } from './control.ts'

export type Handled = Answer & { account?: string }
export type Handler = (inbound: Inbound, request: IncomingMessage) => Handled | Promise<Handled>

export type Listening = { port: number; close(): Promise<void> }

/** A TLS server that applies the faults of the control to every request, then lets the handler answer. */
export async function listen(
  tls: ServerOptions,
  control: Switchboard,
  maxBytes: number,
  handle: Handler,
  { host, port }: { host: string; port: number },
): Promise<Listening> {
  const server = createServer(tls, (request, response) => {
    // A mistake of the stand-in itself, which a test must see.
    serve(request, response).catch((error: Error) => response.writeHead(500).end(`The stand-in failed: ${error.stack}`))
  })
  // A handshake without a certificate is refused by TLS itself.
  server.on('tlsClientError', () => undefined)

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { method = '', url = '/' } = request
    const { pathname: path, searchParams: query } = new URL(url, 'https://localhost')
    const effects = control.effectsOn({ method, path })
    const note = (status: number, isAnswerLost: boolean, account?: string) =>
      control.record({ method, path, status, isAnswerLost, at: control.now(), ...(account && { account }) })

    for (const effect of effects) {
      if (effect.kind === 'delay') await wait(effect.ms)
      if (isDrop(effect, 'before')) {
        note(0, true)
        return void request.socket.destroy()
      }
    }
    const body = await read(request, maxBytes)
    const early = effects.find((one) => one.kind === 'error' && one.when === 'before')
    const handled: Handled = early
      ? failure(early)
      : body
        ? await handle({ method, path, query, headers: request.headers, body }, request)
        : { status: 413 }
    const late = effects.find((one) => one.kind === 'error' && one.when === 'after')
    const answer = late ? failure(late) : handled
    const isLost = effects.some((one) => isDrop(one, 'after') || one.kind === 'cut')
    note(answer.status, isLost, handled.account)
    send(response, answer, effects)
  }

  await started(server, host, port)
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

const isDrop = (effect: Effect, when: 'before' | 'after') => effect.kind === 'drop' && effect.when === when

function failure(effect: Effect): Answer {
  const { status = 500, retryAfterSeconds } = effect.kind === 'error' ? effect : {}
  return { status, ...(retryAfterSeconds !== undefined && { headers: { 'retry-after': String(retryAfterSeconds) } }) }
}

function send(response: ServerResponse, { status, headers, body }: Answer, effects: Effect[]): void {
  if (effects.some((one) => isDrop(one, 'after'))) return void response.socket?.destroy()
  const isGarbled = effects.some(({ kind }) => kind === 'garble')
  const bytes = isGarbled ? Buffer.from('<html>Something else</html>') : bytesOf(body)
  const type = typeof body === 'string' || Buffer.isBuffer(body) ? {} : { 'content-type': 'application/json' }
  response.writeHead(status, { 'content-length': bytes.length, ...(bytes.length && type), ...headers })
  if (!effects.some(({ kind }) => kind === 'cut')) return void response.end(bytes)
  response.write(bytes.subarray(0, Math.floor(bytes.length / 2)), () => response.socket?.destroy())
}

function bytesOf(body: unknown): Buffer {
  if (body === undefined) return Buffer.alloc(0)
  if (Buffer.isBuffer(body)) return body
  return Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
}

/** The whole body, or undefined if it is too large. */
async function read(request: IncomingMessage, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request) {
    size += chunk.length
    if (size <= maxBytes) chunks.push(chunk)
  }
  return size > maxBytes ? undefined : Buffer.concat(chunks)
}

const started = (server: Server, host: string, port: number) =>
  new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, resolve)
  })
