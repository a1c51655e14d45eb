// The rules of RFC 6749 for a token request, with its error codes.

export const TOKEN_ERROR_CODES = [
  'invalid_request',
  'invalid_client',
  'unsupported_grant_type',
  'invalid_scope',
  'temporarily_unavailable',
] as const

export type TokenErrorCode = (typeof TOKEN_ERROR_CODES)[number]

export class TokenRefusal extends Error {
  readonly error: TokenErrorCode
  readonly status: number
  readonly headers: Readonly<Record<string, string>>

  constructor(error: TokenErrorCode, description: string, status = 400, headers: Record<string, string> = {}) {
    super(description)
    this.error = error
    this.status = status
    this.headers = headers
  }
}

/** The parameters as they were sent: pairs, so that a duplicate is visible. */
export type Parameters = readonly (readonly [name: string, value: unknown])[]

export type TokenRequest = { clientId: string; secret: string; usedBasic: boolean; scopes: string[] | undefined }

const KNOWN = ['grant_type', 'client_id', 'client_secret', 'scope']
const CLIENT_ID = /^[\x20-\x7e]{1,255}$/ // RFC 6749, A.1
const CHALLENGE = { 'www-authenticate': 'Basic realm="lodgeway", charset="UTF-8"' }
const SCOPE_TOKEN = /^[\x21\x23-\x5b\x5d-\x7e]+$/

export function readTokenRequest(parameters: Parameters, authorization: string | undefined): TokenRequest {
  const values = readParameters(parameters)
  const credentials = readCredentials(values, authorization)
  // Any other text is no client id, and is neither looked up nor counted.
  if (!isClientId(credentials.clientId)) throw invalidClient(credentials.usedBasic)
  const grant = values.get('grant_type')
  if (grant === undefined) throw new TokenRefusal('invalid_request', 'grant_type is required: client_credentials.')
  if (grant !== 'client_credentials') {
    throw new TokenRefusal('unsupported_grant_type', 'The only grant_type here is client_credentials.')
  }
  return { ...credentials, scopes: readScopes(values.get('scope')) }
}

/** Without scopes the client gets all that it was granted; a scope that was not granted is refused. */
export function grantScopes(wanted: readonly string[] | undefined, granted: readonly string[]): string[] {
  if (wanted === undefined) return [...granted]
  const excess = wanted.filter((scope) => !granted.includes(scope))
  if (excess.length) throw new TokenRefusal('invalid_scope', `Not granted to this client: ${excess.join(' ')}.`)
  return [...new Set(wanted)]
}

export const isClientId = (text: string): boolean => CLIENT_ID.test(text)

export const invalidClient = (usedBasic: boolean) =>
  new TokenRefusal(
    'invalid_client',
    'The client id or secret is wrong, or the client may not act at the moment.',
    401,
    usedBasic ? CHALLENGE : {},
  )

function readParameters(parameters: Parameters): Map<string, string> {
  const values = new Map<string, string>()
  for (const [name, value] of parameters) {
    if (!KNOWN.includes(name)) continue // RFC 6749, 3.2: unrecognised parameters are ignored
    if (typeof value !== 'string') throw new TokenRefusal('invalid_request', `${name} must be a string.`)
    if (values.has(name)) throw new TokenRefusal('invalid_request', `${name} must not be sent twice.`)
    if (value !== '') values.set(name, value) // 3.1: an empty value means left out
  }
  return values
}

function readCredentials(values: Map<string, string>, authorization: string | undefined) {
  const basic = authorization === undefined ? undefined : readBasic(authorization)
  const clientId = values.get('client_id')
  const secret = values.get('client_secret')
  if (basic && (secret !== undefined || (clientId !== undefined && clientId !== basic.clientId))) {
    throw new TokenRefusal('invalid_request', 'Authenticate the client by HTTP Basic or in the body, not both.')
  }
  if (basic) return { ...basic, usedBasic: true }
  if (clientId === undefined || secret === undefined) {
    const missing = 'Client authentication is missing: use HTTP Basic, or client_id and client_secret in the body.'
    throw new TokenRefusal('invalid_client', missing, 401, CHALLENGE)
  }
  return { clientId, secret, usedBasic: false }
}

function readBasic(authorization: string): { clientId: string; secret: string } {
  const encoded = /^Basic +([A-Za-z0-9+/]+={0,2}) *$/i.exec(authorization)?.[1]
  const decoded = Buffer.from(encoded ?? '', 'base64').toString('utf8')
  const colon = decoded.indexOf(':')
  if (colon < 1) throw invalidClient(true)
  try {
    return { clientId: formDecode(decoded.slice(0, colon)), secret: formDecode(decoded.slice(colon + 1)) }
  } catch {
    throw invalidClient(true)
  }
}

// RFC 6749, 2.3.1: both halves are form-encoded before they are joined.
const formDecode = (text: string) => decodeURIComponent(text.replaceAll('+', ' '))

function readScopes(scope: string | undefined): string[] | undefined {
  if (scope === undefined) return undefined
  const scopes = scope.split(' ').filter(Boolean)
  if (!scopes.length || !scopes.every((one) => SCOPE_TOKEN.test(one))) {
    throw new TokenRefusal('invalid_scope', 'scope must be a list of scopes with spaces between them.')
  }
  return scopes
}
