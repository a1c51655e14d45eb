import type { FieldError } from '../errors.ts'
import { BODY_BYTES_MAX } from '../http/json.ts'

/** What a status means if the operation does not say otherwise. */
type Convention = { name: string; description: string; errors?: readonly FieldError[] }

const refusal = (name: string, description: string, message: string, field?: string): Convention => ({
  name,
  description,
  errors: [field === undefined ? { message } : { field, message }],
})

export const OTHER_ANSWERS: Readonly<Record<number, Convention>> = {
  206: { name: 'Part', description: 'The range of bytes that was asked for.' },
  304: { name: 'NotModified', description: 'You have the current version: `If-None-Match` names its `ETag`.' },
  400: {
    name: 'BadRequest',
    description: 'Path, query, headers or body are not valid. All errors are named at once, each with its field.',
  },
  401: refusal('Unauthenticated', 'No valid access token.', 'The access token is not valid or has expired.'),
  403: refusal(
    'Forbidden',
    'The token lacks the scope, this kind of subscriber may not do it, or only a person who signs in to the console may.',
    'The access token lacks the scope view:notifications.',
  ),
  404: refusal('NotFound', 'What the path names does not exist, or is not yours.', 'There is no such file.', 'file_id'),
  406: refusal(
    'NotAcceptable',
    '`Accept` admits neither the answer’s type nor JSON.',
    'Accept must admit application/json.',
    'Accept',
  ),
  408: refusal(
    'RequestTimeout',
    'The request did not arrive in time; the connection is closed.',
    'The request did not arrive in time.',
  ),
  409: refusal(
    'Conflict',
    'The first request with this `Idempotency-Key` is still running.',
    'A request with this Idempotency-Key is still running. Repeat it in a moment to read its answer.',
    'Idempotency-Key',
  ),
  412: refusal(
    'PreconditionFailed',
    '`If-Match` names an old version.',
    'The resource has changed since it was read. Read it again and repeat the change.',
    'If-Match',
  ),
  413: refusal('ContentTooLarge', 'The body is too large.', `The body must be at most ${BODY_BYTES_MAX} bytes.`),
  415: refusal(
    'UnsupportedMediaType',
    'The body is of a type that the operation does not take.',
    'The content type of the body is not one this operation takes.',
  ),
  416: refusal(
    'RangeNotSatisfiable',
    'The range lies outside the content.',
    'Range must lie within the 20480 bytes of the content.',
    'Range',
  ),
  422: refusal(
    'KeyReused',
    'The `Idempotency-Key` was used for another request.',
    'This Idempotency-Key was used for another request. Use a new key for a new request.',
    'Idempotency-Key',
  ),
  429: refusal(
    'TooManyRequests',
    'The client is over its rate limit.',
    'More than 600 requests in a minute. Please wait 12 s.',
  ),
  431: refusal(
    'HeadersTooLarge',
    'The headers of the request are too large.',
    'The headers of the request are too large.',
  ),
  500: refusal(
    'InternalError',
    'Something went wrong on our side.',
    'Something went wrong on our side. Please quote the X-Request-Correlation-Id of this answer.',
  ),
  503: refusal(
    'Unavailable',
    'Maintenance, overload, or something that the service needs is down. Nothing was done, unless `X-Outcome` says `unknown`.',
    'The service is down for maintenance. Please try again later.',
  ),
}
