import type { FastifyRequest } from 'fastify'
import { errorBody, Refusal, STATUS_OF_REASON, unavailable } from '../errors.ts'
import { BODY_BYTES_MAX } from './json.ts'

const FULL_DISK_RETRY_SECONDS = 60

/** The part of Fastify's reply that is used here, the same for every route. */
export type Reply = {
  getHeaders(): object
  removeHeader(name: string): void
  code(status: number): Reply
  headers(values: Record<string, string>): Reply
  header(name: string, value: string): Reply
  send(body: unknown): unknown
}

/** Turns any error of a request handler into a status and the common error body. */
export function answerError(error: unknown, request: FastifyRequest, reply: Reply): void {
  removeHeadersOfSuccess(reply)
  const refusal = error instanceof Refusal ? error : refusalOf(error)
  if (refusal) {
    if (STATUS_OF_REASON[refusal.reason] === 503) request.log.warn({ err: refusal.cause ?? refusal }, 'unavailable')
    reply
      .code(STATUS_OF_REASON[refusal.reason])
      .headers({ ...refusal.headers })
      .send(errorBody(refusal.fieldErrors))
    return
  }
  request.log.error({ err: error }, 'unexpected error')
  const message = 'Something went wrong on our side. Please quote the X-Request-Correlation-Id of this answer.'
  reply.code(500).send(errorBody([{ message }]))
}

// A header that a handler set for a good answer may describe a state that was rolled back.
const HEADERS_OF_ERRORS = new Set([
  'x-request-correlation-id',
  'x-api-version',
  'x-content-type-options',
  'strict-transport-security',
  'ratelimit-policy',
  'ratelimit',
  'connection',
])

function removeHeadersOfSuccess(reply: Reply): void {
  for (const name of Object.keys(reply.getHeaders())) if (!HEADERS_OF_ERRORS.has(name)) reply.removeHeader(name)
}

/** For requests that Fastify refuses before a handler runs, and for a full disk. */
export function refusalOf(error: unknown): Refusal | undefined {
  const { code, statusCode } = (error ?? {}) as { code?: string; statusCode?: number }
  if (code === 'ENOSPC' || code === 'EDQUOT') {
    const message = 'There is no room to store files at the moment. Please try again later.'
    return Object.assign(unavailable(message, FULL_DISK_RETRY_SECONDS), { cause: error })
  }
  if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE') {
    return new Refusal('unsupported_type', [
      { message: 'The content type of the body is not one this operation takes.' },
    ])
  }
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') {
    return new Refusal('too_large', [{ message: `The body must be at most ${BODY_BYTES_MAX} bytes.` }])
  }
  // Fastify answers 400 to an error of the body's stream, which means that the client hung up.
  if (code?.startsWith('FST_ERR_CTP') || (statusCode === 400 && /^(FST_|ECONNRESET$)/.test(code ?? ''))) {
    return new Refusal('invalid', [{ message: 'The body could not be read.' }])
  }
  return undefined
}
