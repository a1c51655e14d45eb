import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { atEnd } from '../../../server/test/fixtures/at-end.ts'
import { type ClientOptions, createClient, type Lodgeway } from '../../src/index.ts'

// A service that answers as a test tells it, mostly with failures.

export type Seen = { method: string; url: string; headers: Record<string, string>; body: Buffer }

export type Reply = {
  status?: number
  headers?: Record<string, string>
  json?: unknown
  bytes?: Uint8Array
  /** Closes the connection: before any response, or after this many bytes of it. */
  dropAfterBytes?: number
  /** Sends nothing more after this many bytes of the response. */
  stallAfterBytes?: number
  /** Never answers. */
  isSilent?: true
}

export type Stub = {
  url: string
  lodgeway: Lodgeway
  /** All requests but those for a token, in order. */
  seen: Seen[]
  tokens: Seen[]
}

/** Waits that are short enough for tests. */
export const FAST = { firstMs: 2, longestMs: 8, totalMs: 5_000 }

/**
 * Sends the replies in order, and the last one repeatedly. `tokens` are the replies of the token endpoint; by default they
 * are token-1, token-2 and so on.
 */
export async function startStub(
  replies: Reply[] | ((seen: Seen, index: number) => Reply),
  { tokens = [], ...options }: { tokens?: Reply[] } & Partial<ClientOptions> = {},
): Promise<Stub> {
  const seen: Seen[] = []
  const asked: Seen[] = []
  const server = createServer(async (request, response) => {
    const { method = '', url = '' } = request
    const body = await buffer(request).catch(() => undefined)
    if (!body) return
    const one = { method, url, headers: request.headers as Record<string, string>, body }
    const isToken = url === '/oauth/token'
    const index = (isToken ? asked : seen).push(one) - 1
    const reply = isToken
      ? (tokens[index] ?? tokens.at(-1) ?? aToken(index + 1))
      : typeof replies === 'function'
        ? replies(one, index)
        : (replies[index] ?? replies.at(-1) ?? {})
    give(response, reply)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  atEnd(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const lodgeway = createClient({ baseUrl: url, clientId: 'me', clientSecret: 'my secret', retry: FAST, ...options })
  return { url, seen, tokens: asked, lodgeway }
}

export const aToken = (number: number, seconds = 3_600): Reply => ({
  json: { access_token: `token-${number}`, token_type: 'Bearer', expires_in: seconds },
})

export const aFault = (status: number, message: string, field?: string, headers = {}): Reply => ({
  status,
  json: { errors: [{ ...(field && { field }), message }] },
  headers,
})

export const DROPPED: Reply = { dropAfterBytes: 0 }
export const BUSY = aFault(503, 'Please try again.')

function give(response: ServerResponse, reply: Reply): void {
  const { status = 200, headers = {}, json, bytes, dropAfterBytes, stallAfterBytes, isSilent } = reply
  if (isSilent) return
  if (dropAfterBytes === 0) {
    response.socket?.destroy()
    return
  }
  const content = bytes ?? (json === undefined ? Buffer.alloc(0) : Buffer.from(JSON.stringify(json)))
  const type = json === undefined ? {} : { 'content-type': 'application/json' }
  response.writeHead(status, { ...type, 'content-length': String(content.byteLength), ...headers })
  if (stallAfterBytes !== undefined) response.write(content.subarray(0, stallAfterBytes))
  else if (dropAfterBytes === undefined) response.end(content)
  else response.write(content.subarray(0, dropAfterBytes), () => response.socket?.destroy())
}
