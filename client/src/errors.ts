import type { ErrorStatus, Schemas } from './types.ts'

/**
 * One thing that was wrong with a request: what is expected, and at which field, if it is about one.
 *
 * @example
 * ```ts
 * import type { Fault } from '@lodgeway/client'
 *
 * const line = ({ field = 'request', message }: Fault) => `${field}: ${message}`
 * ```
 */
export type Fault = Schemas['Fault']

/**
 * The base of all errors that a call throws. An aborted `signal` throws its own reason instead.
 *
 * @example
 * ```ts
 * import { createClient, LodgewayError } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * try {
 *   await lodgeway.listWorkspaces()
 * } catch (error) {
 *   if (!(error instanceof LodgewayError)) throw error
 *   process.stderr.write(`${error.message}\n`)
 * }
 * ```
 */
export class LodgewayError extends Error {
  override name = 'LodgewayError'
}

/** The call that an error belongs to. */
export type About = {
  /** As in the interface, such as `PATCH /partner/…/{workspace_id}`. */
  operation: string
  /** Of the service. */
  address?: string | undefined
  /** Identifies the call in the service's logs, timeline and audit. */
  correlationId: string
  /** Of a POST. Use it again to repeat the call later without doing it twice. */
  idempotencyKey?: string | undefined
}

/**
 * The service answered with an error.
 *
 * `errors` has one entry for each thing that was wrong. {@link ApiError.messageAt} finds the one of a field.
 *
 * @example
 * ```ts
 * import { ApiError, createClient } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * try {
 *   await lodgeway.addTitle({ path: { workspace_id: 'ce4c…' }, body: { titleNumber: 'ST500678' } })
 * } catch (error) {
 *   if (error instanceof ApiError && error.status === 400) process.stderr.write(error.messageAt('titleNumber') ?? '')
 *   else throw error
 * }
 * ```
 */
export class ApiError<Status extends number = number> extends LodgewayError {
  override name = 'ApiError'
  readonly status: Status
  readonly errors: readonly Fault[]
  readonly operation: string
  readonly correlationId: string
  readonly idempotencyKey: string | undefined
  /** After how many seconds to retry, where the service says so. */
  readonly retryAfterSeconds: number | undefined

  constructor(status: Status, errors: readonly Fault[], about: About, retryAfterSeconds?: number) {
    const { operation, correlationId } = about
    super(`${callOf(about)} answered ${status}: ${sentenceOf(errors)} (correlation id ${correlationId})`)
    this.status = status
    this.errors = errors
    this.operation = operation
    this.correlationId = correlationId
    this.idempotencyKey = about.idempotencyKey
    this.retryAfterSeconds = retryAfterSeconds
  }

  /** What was wrong with this field, such as `parties[0].role`; undefined if nothing was. */
  messageAt(field: string): string | undefined {
    return this.errors.find((one) => one.field === field)?.message
  }
}

const callOf = ({ operation, address }: About) => (address ? `${operation} at ${address}` : operation)

const sentenceOf = (errors: readonly Fault[]) =>
  errors.map(({ field, message }) => (field ? `${field}: ${message}` : message)).join(' ') || 'no reason was given.'

/**
 * Whether an error is a response of the service, with one of these statuses or with any.
 *
 * @example
 * ```ts
 * import { createClient, isApiError } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * const found = await lodgeway.getWorkspace({ path: { workspace_id: 'ce4c…' } }).catch((error: unknown) => {
 *   if (isApiError(error, 404)) return undefined
 *   throw error
 * })
 * ```
 */
export function isApiError<Status extends ErrorStatus>(
  error: unknown,
  ...statuses: Status[]
): error is ApiError<Status> {
  return error instanceof ApiError && (statuses.length === 0 || statuses.includes(error.status as Status))
}

/**
 * No token was issued: the credentials or the scope are wrong, or the client is disabled.
 *
 * @example
 * ```ts
 * import { createClient, TokenError } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * await lodgeway.listWorkspaces().catch((error: unknown) => {
 *   if (error instanceof TokenError && error.code === 'invalid_client') process.exitCode = 2
 *   throw error
 * })
 * ```
 */
export class TokenError extends LodgewayError {
  override name = 'TokenError'
  readonly status: number
  /** The code of RFC 6749, such as `invalid_client` or `invalid_scope`. */
  readonly code: string

  constructor(status: number, code: string, description: string, address: string) {
    super(`No access token from ${address}: ${code}. ${description}`.trim())
    this.status = status
    this.code = code
  }
}

/**
 * No response came, in any attempt. A POST may still have been done: repeat it with the `idempotencyKey` of this error.
 *
 * @example
 * ```ts
 * import { ConnectionError, createClient } from '@lodgeway/client'
 *
 * const lodgeway = createClient({ baseUrl: 'https://api.example', clientId: 'id', clientSecret: 'secret' })
 * await lodgeway.listWorkspaces().catch((error: unknown) => {
 *   if (error instanceof ConnectionError) process.stderr.write(`Tried ${error.attempts} times: ${error.cause}\n`)
 *   throw error
 * })
 * ```
 */
export class ConnectionError extends LodgewayError {
  override name = 'ConnectionError'
  readonly attempts: number
  readonly operation: string
  readonly correlationId: string
  readonly idempotencyKey: string | undefined

  constructor(attempts: number, about: About, cause: unknown) {
    const times = attempts === 1 ? 'once' : `${attempts} times`
    super(`${callOf(about)} was tried ${times} without a response: ${reasonOf(cause)}`, { cause })
    this.attempts = attempts
    this.operation = about.operation
    this.correlationId = about.correlationId
    this.idempotencyKey = about.idempotencyKey
  }
}

// `fetch` says only "fetch failed". The reason is in its cause.
function reasonOf(cause: unknown): string {
  if (!(cause instanceof Error)) return String(cause)
  return cause.cause instanceof Error ? cause.cause.message || cause.message : cause.message
}
