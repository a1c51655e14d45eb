// Every refusal is one class with one of these reasons. Domain code never sees a status code.

export type Reason =
  | 'invalid'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'method_not_allowed'
  | 'not_acceptable'
  | 'timed_out'
  | 'conflict'
  | 'stale'
  | 'too_large'
  | 'unsupported_type'
  | 'range_not_satisfiable'
  | 'key_reused'
  | 'too_many'
  | 'headers_too_large'
  | 'unavailable'
  | 'outcome_unknown'

export const STATUS_OF_REASON: Record<Reason, number> = {
  invalid: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  not_acceptable: 406,
  timed_out: 408,
  conflict: 409,
  stale: 412,
  too_large: 413,
  unsupported_type: 415,
  range_not_satisfiable: 416,
  key_reused: 422,
  too_many: 429,
  headers_too_large: 431,
  unavailable: 503,
  outcome_unknown: 503,
}

/** One thing that is wrong: the field, where there is one, and a sentence that says what is expected. */
export type FieldError = { field?: string; message: string }

export class Refusal extends Error {
  readonly reason: Reason
  readonly fieldErrors: readonly FieldError[]
  readonly headers: Readonly<Record<string, string>>

  constructor(reason: Reason, fieldErrors: readonly FieldError[], headers: Record<string, string> = {}) {
    super(fieldErrors.map(({ message }) => message).join(' '))
    this.name = 'Refusal'
    this.reason = reason
    this.fieldErrors = fieldErrors
    this.headers = headers
  }
}

export const invalid = (...fieldErrors: FieldError[]) => new Refusal('invalid', fieldErrors)

export const notFound = (field: string, message: string) => new Refusal('not_found', [{ field, message }])

export const conflict = (...fieldErrors: FieldError[]) => new Refusal('conflict', fieldErrors)

export const forbidden = (message: string, headers: Record<string, string> = {}) =>
  new Refusal('forbidden', [{ message }], headers)

const RETRY_AFTER_SECONDS = 5

export const unavailable = (message: string, retryAfterSeconds = RETRY_AFTER_SECONDS) =>
  new Refusal('unavailable', [{ message }], { 'retry-after': String(retryAfterSeconds) })

/** The only 503 after which something may have been done. The header says so to programs. */
export const outcomeUnknown = () =>
  new Refusal(
    'outcome_unknown',
    [{ message: 'The outcome of this request is unknown: it may have been done. Please look before you repeat it.' }],
    { 'retry-after': String(RETRY_AFTER_SECONDS), 'x-outcome': 'unknown' },
  )

export const ERRORS_MAX = 100
const ERRORS_BYTES_MAX = 60_000
const FIELD_CHARACTERS_MAX = 200
const MESSAGE_CHARACTERS_MAX = 2_000

/** The one error body of the interface. Where there are too many errors the last says how many more there are. */
export function errorBody(fieldErrors: readonly FieldError[]): { errors: FieldError[] } {
  const most = fieldErrors.length > ERRORS_MAX ? ERRORS_MAX - 1 : ERRORS_MAX
  const errors: FieldError[] = []
  let bytes = 0
  for (const error of fieldErrors.slice(0, most).map(bounded)) {
    bytes += Buffer.byteLength(JSON.stringify(error))
    if (bytes > ERRORS_BYTES_MAX) break
    errors.push(error)
  }
  const more = fieldErrors.length - errors.length
  const message = `There ${more === 1 ? 'is 1 more error' : `are ${more} more errors`}. Fix these first.`
  return { errors: more > 0 ? [...errors, { message }] : errors }
}

// An error quotes what the caller sent, which may be as long as the body.
const bounded = ({ field, message }: FieldError): FieldError => ({
  ...(field !== undefined && { field: cut(field, FIELD_CHARACTERS_MAX, '…') }),
  message: cut(message, MESSAGE_CHARACTERS_MAX, '….'),
})

const cut = (text: string, most: number, end: string) =>
  text.length > most ? text.slice(0, most - end.length).toWellFormed() + end : text

/** The message of any error. The error for several addresses of a host has no message, so its first cause is taken. */
export function describeError(error: unknown): string {
  if (error instanceof AggregateError && error.errors.length > 0) return describeError(error.errors[0])
  return error instanceof Error ? error.message : String(error)
}
