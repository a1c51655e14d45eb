import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, STATUS_CODES } from 'node:http'
import { Socket } from 'node:net'
import { errorBody, type Reason, STATUS_OF_REASON } from '../errors.ts'
import { API_VERSION } from './version.ts'

// A client that stops sending is closed; one that is slow but moving is not, however long it takes.

const HEADERS_MS_MAX = 8_000
const BODY_IDLE_MS_MAX = 8_000
const RESPONSE_IDLE_MS_MAX = 60_000
const UNREAD_MS_MAX = 1_000
const CLOSING_MS_MAX = 500
const KEEP_ALIVE_IDLE_MS_MAX = 72_000 // longer than the 60 s of common proxies, so that they close first

export function closeIdleClients(server: Server): void {
  server.headersTimeout = HEADERS_MS_MAX
  server.requestTimeout = 0
  server.keepAliveTimeout = KEEP_ALIVE_IDLE_MS_MAX
  server.on('connection', (socket) => socket.setTimeout(HEADERS_MS_MAX))
  server.on('timeout', (socket) => {
    const restsBetweenRequests = (socket.timeout ?? 0) >= KEEP_ALIVE_IDLE_MS_MAX // and an answer would be the next one's
    if (restsBetweenRequests) socket.destroy()
    else answerRaw(socket, 'timed_out', TOO_LATE)
  })
}

const TOO_LATE = 'The request did not arrive in time.'

/** While the body arrives the socket may rest only briefly. Once it is whole the time is ours, not the client's. */
export function watchBody(request: IncomingMessage): void {
  const { socket } = request
  if (hasBody(request)) {
    mayRest(socket, BODY_IDLE_MS_MAX)
    request.on('end', () => mayRest(socket, 0))
  } else mayRest(socket, 0)
}

/** For an answer that is streamed: a reader who stalls is closed too. */
export const watchReader = (socket: Socket): void => mayRest(socket, RESPONSE_IDLE_MS_MAX)

// What is injected, as the sandbox's world is, comes over no real socket.
function mayRest(socket: Socket, ms: number): void {
  if (socket.timeout !== ms && socket instanceof Socket) socket.setTimeout(ms)
}

// A POST of nothing says that it has 0 bytes; nobody reads them, so their end is never told.
const hasBody = ({ headers }: IncomingMessage) =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined

/**
 * For an answer that comes while its request still arrives, whose rest nobody reads. Were the connection closed with the
 * answer, as Node does, the system would reset it because of what lies there unread, and the answer could be lost.
 */
export function closeUnread(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), UNREAD_MS_MAX).unref()
  }
}

/** For what Node's parser refuses before there is a request: answers with the house's error body and closes. */
export function answerClientError(error: NodeJS.ErrnoException, socket: Socket): void {
  const [reason, message] = REFUSED_BY_PARSER[error.code ?? ''] ?? ['invalid', 'The request is not well-formed HTTP.']
  if (error.code === 'ECONNRESET' || socket.destroyed) socket.destroy()
  else answerRaw(socket, reason, message)
}

const REFUSED_BY_PARSER: Record<string, [Reason, string]> = {
  HPE_HEADER_OVERFLOW: ['headers_too_large', 'The headers of the request are too large.'],
  ERR_HTTP_REQUEST_TIMEOUT: ['timed_out', TOO_LATE],
}

function answerRaw(socket: Socket, reason: Reason, message: string): void {
  const answerBegun = Boolean((socket as { _httpMessage?: { headersSent?: boolean } })._httpMessage?.headersSent)
  if (!socket.writable || answerBegun || socket.bytesRead === 0) return void socket.destroy()
  const status = STATUS_OF_REASON[reason]
  const body = JSON.stringify(errorBody([{ message }]))
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'Content-Type: application/json; charset=utf-8',
      `Content-Length: ${Buffer.byteLength(body)}`,
      `X-Request-Correlation-Id: ${randomUUID()}`,
      `X-API-Version: ${API_VERSION}`,
      'Connection: close',
      '',
      body,
    ].join('\r\n'),
  )
  setTimeout(() => socket.destroy(), CLOSING_MS_MAX).unref()
}
