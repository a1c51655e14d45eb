import { type DestinationStream, type Logger, type LoggerOptions as PinoOptions, pino, stdTimeFunctions } from 'pino'

type LoggerOptions = {
  level: string
  /** The names of fields that identify people, compared like the secrets below. */
  personalKeys: readonly string[]
  destination?: DestinationStream
}

/** JSON lines on standard output. Secrets and personal data are always removed. */
export function createLogger({ level, personalKeys, destination }: LoggerOptions): Logger {
  const redact = redactorOf(personalKeys)
  const options: PinoOptions = {
    level,
    base: { service: 'lodgeway', pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    formatters: {
      level: (label) => ({ level: label }),
      log: (fields) => redact(fields) as Record<string, unknown>,
    },
    // `log` above has already converted these; the serializers of pino and Fastify would get only the result.
    serializers: { err: asItIs, req: asItIs, res: asItIs, msg: redactText },
  }
  return destination ? pino(options, destination) : pino(options)
}

const asItIs = (value: unknown) => value

const DEPTH_MAX = 6
const ITEMS_MAX = 50
const TEXT_CHARACTERS_MAX = 8_000
const REDACTED = '[redacted]'

// Compared in lower case without `-` and `_`: `client_secret`, `clientSecret` and `Client-Secret` are the same.
const SECRETS = `authorization proxyauthorization cookie setcookie secret secrets clientsecret sharedsecret secretpepper
  pepper password passphrase token tokens accesstoken refreshtoken idtoken jwt jwk assertion clientassertion signingkey
  signingkeys privatekey apikey credentials secretaccesskey webhooksignature`
const SECRET_KEYS = new Set(SECRETS.split(/\s+/))

const isIn = (keys: ReadonlySet<string>) => (key: string) => keys.has(key.toLowerCase().replaceAll(/[-_]/g, ''))

function redactorOf(keys: readonly string[]): (value: unknown) => unknown {
  const isRedacted = isIn(new Set([...SECRET_KEYS, ...keys]))

  function redact(value: unknown, depth: number): unknown {
    if (typeof value === 'string') return redactText(value)
    if (value === null || typeof value !== 'object' || value instanceof Date) return value
    if (value instanceof Error) return redact(factsOf(value), depth)
    if (depth === 0) return '[…]'
    if (Array.isArray(value)) return value.slice(0, ITEMS_MAX).map((item) => redact(item, depth - 1))
    if (!isPlain(value)) return redact(outlineOf(value), depth)
    const shown = Object.entries(value).map(([key, item]) => [
      key,
      isRedacted(key) ? REDACTED : redact(item, depth - 1),
    ])
    return Object.fromEntries(shown)
  }

  return (value) => redact(value, DEPTH_MAX)
}

/** The fields of an error that are logged. Others, such as PostgreSQL's `detail` and `where`, quote rows. */
const FACTS = [
  'code',
  'severity',
  'schema',
  'table',
  'column',
  'constraint',
  'syscall',
  'statusCode',
  'reason',
] as const

function factsOf(error: Error & Partial<Record<(typeof FACTS)[number], unknown>> & { errors?: unknown }): object {
  const { name, message, stack, cause, errors } = error
  const facts = FACTS.filter((fact) => error[fact] !== undefined).map((fact) => [fact, error[fact]])
  return {
    type: name,
    message,
    stack,
    ...Object.fromEntries(facts),
    ...(cause ? { cause } : {}),
    ...(errors ? { errors } : {}),
  }
}

function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

// An instance of a class is too large to log and may hold anything. A query string may name postcodes, so it is removed.
function outlineOf(value: { method?: unknown; url?: unknown; statusCode?: unknown }): unknown {
  if (value instanceof URL) return value.href
  if (typeof value.url === 'string') return { method: value.method, url: value.url.split('?', 1)[0] }
  if (typeof value.statusCode === 'number') return { statusCode: value.statusCode }
  return `[${value.constructor?.name ?? 'object'}]`
}

const SECRETS_IN_TEXT: readonly [RegExp, string][] = [
  [/(\b[a-z][a-z0-9+.-]{0,20}:\/\/[^\s:@/]*:)[^\s/]+@/gi, `$1${REDACTED}@`], // the password in a URL
  [/\b(Bearer|Basic) +[A-Za-z0-9\-._~+/]{8,}=*/gi, `$1 ${REDACTED}`],
  [/\beyJ[\w-]{8,}\.[\w-]+\.[\w-]*/g, REDACTED],
  [/\bwhsec_[\w+/=-]+/g, REDACTED],
]

const IN_TEXT: readonly [RegExp, string][] = [
  ...SECRETS_IN_TEXT,
  [/[\w.+-]+@[\w-]+\.[\w.-]+/g, REDACTED],
  [/((?:invalid input|out of range|malformed)[^"\n]*: )"[\s\S]*?"(?=\n|$)/g, `$1${REDACTED}`], // a value PostgreSQL refused
]

function redactText(text: unknown): unknown {
  if (typeof text !== 'string') return text
  let shown = text.length > TEXT_CHARACTERS_MAX ? `${text.slice(0, TEXT_CHARACTERS_MAX)}…` : text
  for (const [pattern, replacement] of IN_TEXT) shown = shown.replace(pattern, replacement)
  return shown
}

// The last text may be cut.
const TEXT_OF_JSON = /"([^"\\]{1,50})"\s*:\s*"(?:[^"\\]|\\.)*(?:"|\\?$)/g
const IN_QUERY = /([?&])([^=&]{1,50})=[^&]*/g

/** JSON or an address without its secrets. Names of people stay: it is for the sandbox, where nobody is real. */
export function withoutSecrets(text: string): string {
  const isSecret = isIn(SECRET_KEYS)
  const shown = text
    .replace(TEXT_OF_JSON, (whole, key) => (isSecret(key) ? `"${key}":"${REDACTED}"` : whole))
    .replace(IN_QUERY, (whole, before, key) => (isSecret(key) ? `${before}${key}=${REDACTED}` : whole))
  return SECRETS_IN_TEXT.reduce((left, [pattern, replacement]) => left.replace(pattern, replacement), shown)
}
