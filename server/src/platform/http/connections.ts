import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody, type Reason, STATUS_OF_REASON } from '../errors.ts'
import { API_VERSION } from './version.ts'

// The connection of a client that stops sending or reading is closed. A slow client is served while it makes progress;
// only a body that is not a file must be complete by a deadline.

const HEADERS_MS_MAX = 8_000
const BODY_IDLE_MS_MAX = 8_000
const BODY_MS_MAX = 30_000
const READER_IDLE_MS_MAX = 60_000
const UNREAD_MS_MAX = 1_000
const CLOSING_MS_MAX = 500
const KEEP_ALIVE_IDLE_MS_MAX = 72_000 // longer than the 60 s of common proxies, so that they close first

/** Must be called before the server listens. The idle limit of a socket depends on what its client has to do next. */
export function closeIdleClients(server: Server): void {
  server.headersTimeout = HEADERS_MS_MAX
  server.requestTimeout = 0 // files may take longer than other bodies, and Node has one limit for both
  server.timeout = READER_IDLE_MS_MAX
  server.keepAliveTimeout = KEEP_ALIVE_IDLE_MS_MAX
  server.on('connection', (socket) => socket.setTimeout(HEADERS_MS_MAX))
  server.prependListener('request', watchBody)
  server.on('timeout', (socket) => {
    const limitMs = socket.timeout ?? 0
    const isOurTurn = limitMs === READER_IDLE_MS_MAX && socket.writableLength === 0 // the response is not ready yet
    if (isOurTurn) socket.setTimeout(limitMs)
    else if (limitMs < READER_IDLE_MS_MAX) answerRaw(socket, 'timed_out', TOO_LATE)
    else socket.destroy() // also between requests: a response would be taken for that of the next request
  })
}

const TOO_LATE = 'The request did not arrive in time.'

function watchBody(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  limitIdle(socket, hasBody(request) ? BODY_IDLE_MS_MAX : READER_IDLE_MS_MAX)
  if (!hasBody(request)) return
  const deadline = setTimeout(cutOff, BODY_MS_MAX, request, response).unref()
  request.on('close', () => clearTimeout(deadline))
  // After the response Node has already set the limit of an idle connection.
  request.on('end', () => {
    if (!response.writableFinished) limitIdle(socket, READER_IDLE_MS_MAX)
  })
}

function limitIdle(socket: Socket, ms: number): void {
  if (socket.timeout !== ms) socket.setTimeout(ms)
}

// An empty POST declares 0 bytes, which nobody reads, so it has no `end` event.
const hasBody = ({ headers }: IncomingMessage) =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined

const withoutDeadline = new WeakSet<IncomingMessage>()

/** For a file, which may take as long as it needs while it keeps arriving. */
export function liftDeadline(request: IncomingMessage): void {
  withoutDeadline.add(request)
}

function cutOff(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || withoutDeadline.has(request)) return
  // Without a socket it was answered already, or waits behind the response to an earlier request.
  if (response.socket) answerRaw(response.socket, 'timed_out', TOO_LATE)
  else request.socket.destroy()
}

/**
 * For a response that is sent before the whole request was read. If the connection were closed at once, as Node does, the
 * system would reset it because of the unread bytes, and the client could lose the response.
 */
export function closeUnread(socket: Socket): void {
  socket.destroySoon = () => {
    socket.end()
    setTimeout(() => socket.destroy(), UNREAD_MS_MAX).unref()
  }
}

/** For input that Node's parser refuses before there is a request: sends the common error body and closes. */
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
