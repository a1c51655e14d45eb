// The conventions of all operations of a kind, so that features need not repeat them.

/** The properties of a route that the conventions depend on. */
export type Traits = {
  method: string
  isScoped: boolean
  hasPathParameter: boolean
  hasQuery: boolean
  hasBody: boolean
  hasEtag: boolean
  isDownload: boolean
  /** A download of stored bytes, which can be continued. */
  hasRanges: boolean
}

export function requestHeadersFor({ method, isScoped, hasEtag, hasRanges }: Traits): string[] {
  const headers = ['X-Request-Correlation-Id']
  if (isScoped) headers.push('X-Acting-User')
  if (isScoped && method === 'post') headers.push('Idempotency-Key')
  if (isScoped && method === 'patch') headers.push('If-Match')
  if (method === 'get' && hasEtag) headers.push('If-None-Match')
  if (hasRanges) headers.push('Range', 'If-Range')
  return headers
}

export function answerHeadersFor(status: number, traits: Traits): string[] {
  const { method, isScoped, hasEtag, isDownload, hasRanges } = traits
  const headers = ['X-Request-Correlation-Id', 'X-API-Version']
  if (isScoped && !SENT_BY_THE_CONNECTION.has(status)) headers.push('Cache-Control')
  if (isScoped && !BEFORE_THE_LIMIT.has(status)) headers.push('RateLimit-Policy', 'RateLimit')
  if (hasEtag && (status === 304 || (status >= 200 && status < 300))) headers.push('ETag')
  if (isDownload && status < 300) headers.push('Content-Disposition')
  if (hasRanges && status < 300) headers.push('Content-Length', 'Accept-Ranges')
  if (status === 206 || status === 416) headers.push('Content-Range')
  if (status === 401 || (status === 403 && isScoped)) headers.push('WWW-Authenticate')
  if (status === 429 || status === 503) headers.push('Retry-After')
  if (status === 503 && isScoped && method !== 'get') headers.push('X-Outcome')
  return headers
}

/** The statuses other than the good ones. 405 belongs to no operation: it answers the methods that a path lacks. */
export function otherStatusesFor(traits: Traits): number[] {
  const { method, isScoped } = traits
  const statuses = [406, 408, 431, 500, 503]
  if (isScoped || traits.hasPathParameter || traits.hasQuery || traits.hasBody) statuses.push(400)
  if (isScoped) statuses.push(401, 403, 429)
  if (traits.hasPathParameter) statuses.push(404)
  if (isScoped && method === 'post') statuses.push(409, 422)
  if (isScoped && method === 'patch') statuses.push(412)
  if (method !== 'get') statuses.push(413, 415)
  if (method === 'get' && traits.hasEtag) statuses.push(304)
  if (traits.hasRanges) statuses.push(206, 416)
  return statuses
}

// Answered before the guard counts the request against its client's limit.
const BEFORE_THE_LIMIT = new Set([401, 408, 431, 503])

/** Sent by the connection itself, so always with the common error body. */
export const SENT_BY_THE_CONNECTION = new Set([408, 431])
