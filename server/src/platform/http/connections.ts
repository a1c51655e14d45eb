import { randomUUID } from 'node:crypto'
import { type IncomingMessage, type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import { errorBody, type Reason, STATUS_OF_REASON } from '../errors.ts'
import { API_VERSION } from './version.ts'

// A client that stops sending or reading is closed. One that is slow but moving is served; only a body that is no file
// has to be complete by a deadline.

const HEADERS_MS_MAX = 8_000
const BODY_IDLE_MS_MAX = 8_000
const BODY_MS_MAX = 30_000
const READER_IDLE_MS_MAX = 60_000
const UNREAD_MS_MAX = 1_000
const CLOSING_MS_MAX = 500
const KEEP_ALIVE_IDLE_MS_MAX = 72_000 // longer than the 60 s of common proxies, so that they close first

/** To be called before the server listens. The idle limit of a socket says what is awaited of its client. */
export function closeIdleClients(server: Server): void {
  server.headersTimeout = HEADERS_MS_MAX
  server.requestTimeout = 0 // files may take longer than other bodies, and Node has one limit for both
  server.timeout = READER_IDLE_MS_MAX
  server.keepAliveTimeout = KEEP_ALIVE_IDLE_MS_MAX
  server.on('connection', (socket) => socket.setTimeout(HEADERS_MS_MAX))
  server.prependListener('request', watchBody)
  server.on('timeout', (socket) => {
    const limitMs = socket.timeout ?? 0
    const isOurTurn = limitMs === READER_IDLE_MS_MAX && socket.writableLength === 0 // the answer is not there yet
    if (isOurTurn) socket.setTimeout(limitMs)
    else if (limitMs < READER_IDLE_MS_MAX) answerRaw(socket, 'timed_out', TOO_LATE)
    else socket.destroy() // between two requests, too: an answer would be taken for that of the next one
  })
}

const TOO_LATE = 'The request did not arrive in time.'

function watchBody(request: IncomingMessage, response: ServerResponse): void {
  const { socket } = request
  limitIdle(socket, hasBody(request) ? BODY_IDLE_MS_MAX : READER_IDLE_MS_MAX)
  if (!hasBody(request)) return
  const deadline = setTimeout(cutOff, BODY_MS_MAX, request, response).unref()
  request.on('close', () => clearTimeout(deadline))
  // After the answer Node has already set the limit of an idle connection.
  request.on('end', () => {
    if (!response.writableFinished) limitIdle(socket, READER_IDLE_MS_MAX)
  })
}

function limitIdle(socket: Socket, ms: number): void {
  if (socket.timeout !== ms) socket.setTimeout(ms)
}

// A POST of nothing says that it has 0 bytes; nobody reads them, so there is no event at their end.
const hasBody = ({ headers }: IncomingMessage) =>
  Number(headers['content-length'] ?? 0) > 0 || headers['transfer-encoding'] !== undefined

const withoutDeadline = new WeakSet<IncomingMessage>()

/** For a file, which may take as long as it needs while it keeps arriving. */
export function liftDeadline(request: IncomingMessage): void {
  withoutDeadline.add(request)
}

function cutOff(request: IncomingMessage, response: ServerResponse): void {
  if (request.complete || withoutDeadline.has(request)) return
  // Without its socket it was answered already, or waits behind the answer to an earlier request.
  if (response.socket) answerRaw(response.socket, 'timed_out', TOO_LATE)
  else request.socket.destroy()
}

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

/** For what Node's parser refuses before there is a request: answers with the usual error body and closes. */
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
