import { IDEMPOTENCY_KEY_CHARACTERS_MAX } from '../http/validate.ts'
import { API_VERSION } from '../http/version.ts'
import type { Header, JsonSchema, Parameter } from './document.ts'

// The headers of requests and responses, which operations refer to by name.

const text = (keywords: JsonSchema = {}): JsonSchema => ({ type: 'string', ...keywords })

const CORRELATION_ID = '6e0f1d8a-31c4-4a58-9d0e-2f7b5c1a9e34'
const ETAG = '"dGhpcyBpcyBhIGhhc2g"'

const requestHeader = (name: string, description: string, example: string, schema = text()): Parameter => ({
  name,
  in: 'header',
  required: false,
  description,
  schema,
  example,
})

export const REQUEST_HEADERS: Readonly<Record<string, Parameter>> = Object.fromEntries(
  [
    requestHeader(
      'X-Request-Correlation-Id',
      'Your own name for this request, 1 to 128 printable ASCII characters. It is returned in the answer and recorded with everything that the request caused. Anything else is replaced by a new UUID.',
      CORRELATION_ID,
    ),
    requestHeader(
      'X-Acting-User',
      'The e-mail address of the person behind the request, who is then named in audit and timeline. If left out, the client id is named.',
      'jo.marsh@harbour.example',
      text({ format: 'email', maxLength: 254 }),
    ),
    requestHeader(
      'Idempotency-Key',
      'Makes a repeat safe: the same request with the same key within 24 hours gets the answer of the first one, and nothing is done again.',
      '0b8a7c52-offer-1',
      text({ minLength: 1, maxLength: IDEMPOTENCY_KEY_CHARACTERS_MAX }),
    ),
    requestHeader('If-Match', 'The `ETag` that the change is based on. A stale one is refused with 412.', ETAG),
    requestHeader('If-None-Match', 'The `ETag` that you have already. While it is current, the answer is 304.', ETAG),
    requestHeader('Range', 'One range of bytes, to continue an interrupted download.', 'bytes=0-1023'),
    requestHeader('If-Range', 'The `ETag` that the range belongs to. After a change the whole content is sent.', ETAG),
  ].map((header) => [header.name, header]),
)

const answerHeader = (description: string, example: string, required = false): Header => ({
  description,
  required,
  schema: text(),
  example,
})

export const ANSWER_HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Correlation-Id': answerHeader('The name of this request: yours, or a new UUID.', CORRELATION_ID, true),
  'X-API-Version': answerHeader('The version that processed the request.', API_VERSION, true),
  'Cache-Control': answerHeader('Always `no-store` in an answer to a token.', 'no-store'),
  'RateLimit-Policy': answerHeader('How many requests (`q`) in how many seconds (`w`).', '"default";q=600;w=60'),
  RateLimit: answerHeader('How many requests are left (`r`) for how many seconds (`t`).', '"default";r=598;t=42'),
  ETag: answerHeader('Changes exactly when the content changes.', ETAG, true),
  'Retry-After': answerHeader('Seconds to wait before the next try.', '5', true),
  'X-Outcome': answerHeader('`unknown` if the request may have been done. Left out if nothing was done.', 'unknown'),
  'WWW-Authenticate': answerHeader('What is wrong with the token (RFC 6750).', 'Bearer error="invalid_token"'),
  'Content-Disposition': answerHeader('Suggests a file name.', 'attachment; filename="report.csv"', true),
  'Content-Length': answerHeader('The number of bytes that follow.', '20480'),
  'Accept-Ranges': answerHeader('Ranges of bytes can be requested.', 'bytes', true),
  'Content-Range': answerHeader('Which bytes these are, of how many.', 'bytes 0-1023/20480', true),
}
