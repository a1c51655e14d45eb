import type { Client } from 'openapi-fetch'
import { type About, ApiError, type Fault, LodgewayError } from './errors.ts'
import { OPERATIONS } from './operations.ts'
import { type RetryPolicy, retryAfterMs } from './retry.ts'
import type { paths } from './schema.ts'
import type { Outgoing, Received, Send } from './send.ts'
import type { Tokens } from './token.ts'
import type { AnyId, CallOptions } from './types.ts'

/** What all calls of one client share. */
export type Context = {
  baseUrl: string
  http: Client<paths>
  send: Send
  /** Undefined where `fetch` authenticates. */
  tokens: Tokens | undefined
  actingUser?: string | undefined
  timeoutMs: number
  policy: RetryPolicy
}

/** The entries of the generated table, as far as they are needed at run time. */
export type Operation = {
  method: string
  path: string
  open?: true
  key?: true
  gone?: true
  pages?: 'cursor' | 'after'
}

/** An input whose types were checked by the caller. */
export type LooseInput = CallOptions & { path?: unknown; query?: unknown; body?: unknown }

/** The result of a call, successful or not. */
export type Performed = Received & {
  about: About
  data: unknown
  error: unknown
  /** Whether the response of an earlier attempt was lost, so that it may have been done. */
  wasLost: boolean
}

type Extra = Partial<Pick<Outgoing, 'body' | 'repeatsLost' | 'streams'>> & { headers?: Record<string, string> }
type LooseRequest = (method: string, path: string, init: Record<string, unknown>) => Promise<Parsed>
type Parsed = { data?: unknown; error?: unknown; response: Response }

export const operationOf = (id: AnyId): Operation => OPERATIONS[id]

/**
 * Performs an operation through openapi-fetch, which writes path, query and body and reads the response. In between, our
 * own sender adds the token and retries.
 */
export async function perform(context: Context, id: AnyId, input: LooseInput, extra: Extra = {}): Promise<Performed> {
  const { method, path, open, key } = operationOf(id)
  const about: About = {
    operation: `${method} ${path}`,
    address: context.baseUrl,
    correlationId: input.correlationId ?? crypto.randomUUID(),
    ...(method === 'POST' && { idempotencyKey: input.idempotencyKey ?? crypto.randomUUID() }),
  }
  const sent: { received?: Received; wasLost: boolean } = { wasLost: false }
  const send = async (made: Request) => {
    sent.received = await context.send({
      about,
      method,
      url: made.url,
      headers: made.headers,
      body: extra.body ?? ((await made.text()) || undefined),
      signal: input.signal,
      timeoutMs: input.timeoutMs ?? context.timeoutMs,
      tokens: open ? undefined : context.tokens,
      repeatsLost: extra.repeatsLost ?? (method === 'POST' ? key === true : method !== 'DELETE'),
      streams: extra.streams ?? false,
      onLost: () => {
        sent.wasLost = true
      },
    })
    return sent.received.response
  }
  // The types were checked by the caller; here any operation is accepted.
  const request = context.http.request as unknown as LooseRequest
  const { data, error, response } = await request(method, path, {
    params: { path: input.path, query: input.query },
    body: input.body,
    headers: headersOf(context, about, input, extra.headers),
    parseAs: extra.streams ? 'stream' : 'json',
    fetch: send,
  }).catch((error: unknown) => {
    if (!(error instanceof SyntaxError)) throw error
    throw new LodgewayError(
      `${about.operation} was answered with something that is not JSON. Is baseUrl right? It is ${context.baseUrl}.`,
    )
  })
  if (!sent.received) throw new LodgewayError(`${about.operation} was not sent.`)
  return { about, data, error, wasLost: sent.wasLost, ...sent.received, response }
}

const headersOf = (context: Context, about: About, input: LooseInput, more: Record<string, string> = {}) => ({
  accept: 'application/json',
  'x-request-correlation-id': about.correlationId,
  'x-acting-user': input.actingUser ?? context.actingUser,
  'idempotency-key': about.idempotencyKey,
  'if-match': input.ifMatch,
  ...more,
})

/** A response of the service as an error. */
export function errorOf({ response, error, about }: Pick<Performed, 'response' | 'error' | 'about'>): ApiError {
  const wait = retryAfterMs(response.headers)
  const correlationId = response.headers.get('x-request-correlation-id') ?? about.correlationId
  const seconds = wait === undefined ? undefined : Math.ceil(wait / 1_000)
  return new ApiError(response.status, faultsOf(error), { ...about, correlationId }, seconds)
}

function faultsOf(error: unknown): Fault[] {
  const { errors, error_description: description } = (error ?? {}) as { errors?: Fault[]; error_description?: string }
  if (Array.isArray(errors)) return errors
  return description ? [{ message: description }] : []
}
