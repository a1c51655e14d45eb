// Long because every setting is read and checked here.
import { isIP } from 'node:net'
import { join, resolve } from 'node:path'
import { HMLR, type Settings as HmlrSettings, readSettings } from './hmlr/settings.ts'
import { type ConsoleSettings, readConsoleSettings } from './people/settings.ts'
import { blobLocation } from './platform/blobs/url.ts'
import { type RetentionSettings, readRetention } from './retention/settings.ts'

// The settings, read once from the environment. If any is wrong, the process does not start.

export type Config = {
  sandbox: boolean
  port: number
  host: string
  adminHost: string
  adminPort: number
  dataDir: string
  databaseUrl: string | undefined
  databaseOwnerUrl: string | undefined
  /** For what operators change in the console, where the role of `serve` may not. */
  operatorDatabaseUrl: string | undefined
  blobUrl: string | undefined
  publicUrl: string
  trustProxy: boolean | string
  /** Another issuer that is trusted instead of the built-in token service. */
  otherIssuer: { issuer: string; jwksUrl: string } | undefined
  audience: string
  tokenSeconds: number
  /** Undefined where the console is off. */
  console: ConsoleSettings | undefined
  /** The adapters of the two ports: `simulator`, `hmlr`, `manual`, or the path of a module. Unset only for commands. */
  registry: string | undefined
  payments: string | undefined
  /** Checked only where `registry` is `hmlr`. */
  hmlr: HmlrSettings
  /** Optional in the sandbox, which generates and stores its own. */
  secretPepper: string | undefined
  signingKeys: string | undefined
  uploadBytesMax: number
  /** The pages that an uploaded file may have, and what one of its streams may unpack to. */
  uploadPagesMax: number
  uploadUnpackedBytesMax: number
  clamdUrl: string | undefined
  rateLimitPerMinute: number
  connectionsMax: number
  /** How long `serve`, after the signal to stop, still answers while its proxy learns that it is not ready. */
  leaveSeconds: number
  /** How long ended matters, the audit of accounts and the feeds are kept. */
  retention: RetentionSettings
  logLevel: string
  /** Where traces are sent. OpenTelemetry is not loaded if this is unset. */
  telemetryEndpoint: string | undefined
}

export class ConfigError extends Error {
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(`These settings are wrong or missing:\n${problems.map((problem) => `  - ${problem}`).join('\n')}`)
    this.name = 'ConfigError'
    this.problems = problems
  }
}

type Environment = Readonly<Record<string, string | undefined>>

const PEPPER_CHARACTERS_MIN = 32
const UNCHECKED_CERTIFICATES =
  'NODE_TLS_REJECT_UNAUTHORIZED must not be 0, which accepts any certificate. Set NODE_EXTRA_CA_CERTS to trust your own authority.'
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** `serve` needs all secrets, `work` the pepper that encrypts webhook secrets, and most commands none. */
export type Part = 'serve' | 'work' | 'command'

export function readConfig(env: Environment, { sandbox, part }: { sandbox: boolean; part: Part }): Config {
  const problems: string[] = []
  const read = reader(env, problems)
  const port = read.integer('PORT', 8080, 0, 65_535)
  const host = read.text('HOST') ?? (sandbox ? '127.0.0.1' : '0.0.0.0')
  const publicUrl = (read.url('PUBLIC_URL', ['http:', 'https:']) ?? `http://127.0.0.1:${port}`).replace(/\/$/, '')
  const otherIssuer = readOtherIssuer(read, problems)
  const hmlrProblems: string[] = []
  const config: Config = {
    sandbox,
    port,
    host,
    adminHost: read.text('ADMIN_HOST') ?? '127.0.0.1',
    adminPort: read.integer('ADMIN_PORT', 8081, 0, 65_535),
    dataDir: resolve(read.text('DATA_DIR') ?? '.data'),
    databaseUrl: readDatabaseUrl(read, problems, 'DATABASE_URL'),
    databaseOwnerUrl: readDatabaseUrl(read, problems, 'DATABASE_OWNER_URL'),
    operatorDatabaseUrl: readDatabaseUrl(read, problems, 'OPERATOR_DATABASE_URL'),
    blobUrl: readBlobUrl(read, problems),
    publicUrl,
    trustProxy: readTrustProxy(read.text('TRUST_PROXY'), problems),
    otherIssuer,
    audience: read.text('AUTH_AUDIENCE') ?? publicUrl,
    tokenSeconds: read.integer('TOKEN_SECONDS', 3_600, 60, 86_400),
    console: readConsoleSettings(read, { sandbox, publicUrl, isLoopback }, problems),
    registry: read.text('REGISTRY') ?? (sandbox ? 'simulator' : undefined),
    payments: read.text('PAYMENTS') ?? (sandbox ? 'simulator' : undefined),
    hmlr: readSettings(env, hmlrProblems),
    secretPepper: read.text('SECRET_PEPPER'),
    signingKeys: read.text('SIGNING_KEYS'),
    uploadBytesMax: read.integer('UPLOAD_BYTES_MAX', 41_943_040, 1, 1_073_741_824),
    uploadPagesMax: read.integer('UPLOAD_PAGES_MAX', 2_000, 1, 100_000),
    uploadUnpackedBytesMax: read.integer('UPLOAD_UNPACKED_BYTES_MAX', 100_000_000, 1_000_000, 1_000_000_000),
    clamdUrl: read.url('CLAMD_URL', ['tcp:', 'unix:']),
    rateLimitPerMinute: read.integer('RATE_LIMIT_PER_MINUTE', 600, 0, 1_000_000),
    connectionsMax: read.integer('CONNECTIONS_MAX', 5_000, 1, 1_000_000),
    leaveSeconds: read.integer('LEAVE_SECONDS', sandbox ? 0 : 5, 0, 300),
    retention: readRetention(read, problems),
    logLevel: read.choice('LOG_LEVEL', LOG_LEVELS, sandbox ? 'warn' : 'info'),
    telemetryEndpoint: read.url('OTEL_EXPORTER_OTLP_ENDPOINT', ['http:', 'https:']),
  }
  if (part !== 'command') {
    checkPepper(config, problems)
    checkAdapters(config, problems)
    if (config.registry === HMLR) problems.push(...hmlrProblems)
  }
  if (part === 'serve') checkSigningKeys(config, problems)
  if (read.text('DATABASE_OWNER_URL') && !read.text('DATABASE_URL')) {
    problems.push('DATABASE_OWNER_URL needs DATABASE_URL as well.')
  }
  if (read.text('NODE_TLS_REJECT_UNAUTHORIZED') === '0') problems.push(UNCHECKED_CERTIFICATES)
  if (problems.length) throw new ConfigError(problems)
  return config
}

/** What DATA_DIR contains, in addition to the blobs if BLOB_URL is unset. */
export const pathsOf = ({ dataDir }: Pick<Config, 'dataDir'>) => ({
  postgres: join(dataDir, 'postgres'),
  secrets: join(dataDir, 'sandbox-secrets.json'),
})

/** The URL of a server that listens there. */
export const addressOf = (host: string, { port }: { port: number }) =>
  `http://${host.includes(':') ? `[${host}]` : host}:${port}`

type Reader = ReturnType<typeof reader>

function reader(env: Environment, problems: string[]) {
  const text = (name: string) => env[name]?.trim() || undefined
  return {
    text,
    integer(name: string, fallback: number, min: number, max: number): number {
      const given = text(name)
      if (given === undefined) return fallback
      const value = Number(given)
      if (/^\d+$/.test(given) && value >= min && value <= max) return value
      problems.push(`${name} must be a whole number from ${min} to ${max}; it is "${given}".`)
      return fallback
    },
    url(name: string, protocols: readonly string[]): string | undefined {
      const given = text(name)
      if (given === undefined) return undefined
      if (URL.canParse(given) && protocols.includes(new URL(given).protocol)) return given
      problems.push(`${name} must be a URL that begins with ${protocols.join(' or ')}.`)
      return undefined
    },
    choice(name: string, choices: readonly string[], fallback: string): string {
      const given = text(name) ?? fallback
      if (choices.includes(given)) return given
      problems.push(`${name} must be one of ${choices.join(', ')}; it is "${given}".`)
      return fallback
    },
  }
}

function readDatabaseUrl(read: Reader, problems: string[], name: string): string | undefined {
  const url = read.url(name, ['postgres:', 'postgresql:'])
  if (url === undefined) return undefined
  const { username, password } = new URL(url)
  if (username === '') problems.push(`${name} must name the user: postgres://user:password@host/database.`)
  if (!isDecodable(username + password)) {
    problems.push(`${name} must have % in its user and password written as %25.`)
  }
  return url
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== undefined
  } catch {
    return false
  }
}

function readOtherIssuer(read: Reader, problems: string[]): Config['otherIssuer'] {
  const issuer = read.url('AUTH_ISSUER', ['https:', 'http:'])
  const jwksUrl = read.url('AUTH_JWKS_URL', ['https:', 'http:'])
  if (jwksUrl?.startsWith('http:') && !isLoopback(new URL(jwksUrl).hostname)) {
    problems.push('AUTH_JWKS_URL must be a URL that begins with https: unless it is on this machine.')
  }
  if (issuer && jwksUrl) return { issuer, jwksUrl }
  if (issuer || jwksUrl) problems.push('AUTH_ISSUER and AUTH_JWKS_URL belong together: set both or neither.')
  return undefined
}

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d+){3}|\[::1\])$/.test(host)

function readBlobUrl(read: Reader, problems: string[]): string | undefined {
  const url = read.text('BLOB_URL')
  try {
    blobLocation(url, '.')
  } catch (error) {
    const { message } = error as Error
    problems.push(message.includes('BLOB_URL') ? message : `BLOB_URL cannot be read: ${message}.`)
  }
  return url
}

const NAMED_NETWORKS = ['loopback', 'linklocal', 'uniquelocal']

function readTrustProxy(given: string | undefined, problems: string[]): boolean | string {
  if (given === undefined || given === 'false') return false
  if (given === 'true') return true
  const wrong = given.split(',').find((one) => !NAMED_NETWORKS.includes(one.trim()) && !isNetwork(one.trim()))
  if (wrong !== undefined) {
    problems.push(
      `TRUST_PROXY must be true, false, or addresses and networks such as 10.0.0.0/8; "${wrong}" is not one.`,
    )
  }
  return given
}

function isNetwork(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  if (more.length > 0 || isIP(address) === 0) return false
  const bits = isIP(address) === 6 ? 128 : 32
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) <= bits)
}

function checkPepper({ sandbox, secretPepper }: Config, problems: string[]): void {
  if (secretPepper !== undefined && secretPepper.length < PEPPER_CHARACTERS_MIN) {
    problems.push(`SECRET_PEPPER must be at least ${PEPPER_CHARACTERS_MIN} characters: try \`openssl rand -hex 32\`.`)
  }
  if (sandbox || secretPepper) return
  const why = 'it encrypts webhook secrets and stored responses, with another issuer, too'
  problems.push(`SECRET_PEPPER is required outside the sandbox (${why}): try \`openssl rand -hex 32\`.`)
}

function checkSigningKeys({ sandbox, signingKeys, otherIssuer }: Config, problems: string[]): void {
  if (sandbox || otherIssuer || signingKeys) return
  problems.push('SIGNING_KEYS is required outside the sandbox: `lodgeway key generate` prints one.')
}

// So that nothing is simulated by accident: a case that was lodged nowhere, money that was not moved.
function checkAdapters({ registry, payments }: Config, problems: string[]): void {
  const values = 'the path of your adapter’s module, or `simulator`'
  if (!registry) problems.push(`REGISTRY is required outside the sandbox: \`hmlr\`, ${values} (docs/registry-port.md).`)
  if (!payments)
    problems.push(`PAYMENTS is required outside the sandbox: \`manual\`, ${values} (docs/payment-port.md).`)
}
