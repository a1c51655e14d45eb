import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { type Config, ConfigError, pathsOf, readConfig } from './config.ts'
import { readSettings } from './hmlr/settings.ts'

const SANDBOX = { sandbox: true, part: 'serve' } as const
const SERVE = { sandbox: false, part: 'serve' } as const
const WORK = { sandbox: false, part: 'work' } as const
const COMMAND = { sandbox: false, part: 'command' } as const
const PEPPER = 'p'.repeat(32)
const ADAPTERS = { REGISTRY: 'simulator', PAYMENTS: './bank.ts' }
const COMPLETE = { ...ADAPTERS, SECRET_PEPPER: PEPPER, SIGNING_KEYS: '{"keys":[]}' }

describe('the settings of an empty environment', () => {
  it('are enough for the sandbox, which listens only on this machine', () => {
    assert.deepEqual(readConfig({}, SANDBOX), {
      sandbox: true,
      port: 8080,
      host: '127.0.0.1',
      adminHost: '127.0.0.1',
      adminPort: 8081,
      dataDir: resolve('.data'),
      databaseUrl: undefined,
      databaseOwnerUrl: undefined,
      operatorDatabaseUrl: undefined,
      blobUrl: undefined,
      publicUrl: 'http://127.0.0.1:8080',
      trustProxy: false,
      otherIssuer: undefined,
      audience: 'http://127.0.0.1:8080',
      tokenSeconds: 3600,
      console: { provider: undefined, links: true, idleMinutes: 30, sessionHours: 12, stepUpMinutes: 0 },
      registry: 'simulator',
      payments: 'simulator',
      hmlr: readSettings({}, []),
      secretPepper: undefined,
      signingKeys: undefined,
      uploadBytesMax: 41_943_040,
      uploadPagesMax: 2_000,
      uploadUnpackedBytesMax: 100_000_000,
      clamdUrl: undefined,
      rateLimitPerMinute: 600,
      connectionsMax: 5_000,
      leaveSeconds: 0,
      retention: {
        closedYears: 7,
        cancelledYears: 7,
        identityYears: 5,
        requiredYears: 6,
        auditYears: 7,
        feedDays: 90,
      },
      logLevel: 'warn',
      telemetryEndpoint: undefined,
    } satisfies Config)
  })

  it('are not enough for `serve`, which needs secrets and adapters, nor for `work`, which signs no token', () => {
    const worker = readConfig({ ...ADAPTERS, SECRET_PEPPER: PEPPER }, WORK)
    assert.partialDeepStrictEqual(worker, {
      host: '0.0.0.0',
      adminHost: '127.0.0.1',
      leaveSeconds: 5,
      logLevel: 'info',
    })
    const needed = [
      'SECRET_PEPPER is required outside the sandbox (it encrypts webhook secrets and stored responses, with another issuer, too): try `openssl rand -hex 32`.',
      'REGISTRY is required outside the sandbox: `hmlr`, the path of your adapter’s module, or `simulator` (docs/registry-port.md).',
      'PAYMENTS is required outside the sandbox: `manual`, the path of your adapter’s module, or `simulator` (docs/payment-port.md).',
    ]
    assert.deepEqual(problemsOf({}, WORK), needed)
    assert.deepEqual(problemsOf({}, SERVE), [
      ...needed,
      'SIGNING_KEYS is required outside the sandbox: `lodgeway key generate` prints one.',
    ])
  })

  it('are enough for a command, which may need no secret', () => {
    assert.partialDeepStrictEqual(readConfig({}, COMMAND), { registry: undefined, payments: undefined })
  })
})

describe('a setting', () => {
  const ISSUER = { AUTH_ISSUER: 'https://id.example', AUTH_JWKS_URL: 'https://id.example/keys' }
  const READ: [what: string, env: Record<string, string>, expected: Partial<Config>][] = [
    ['is trimmed', { HOST: ' :: ' }, { host: '::' }],
    ['that is empty counts as unset', { PORT: '', LOG_LEVEL: ' ' }, { port: 8080, logLevel: 'info' }],
    ['PORT makes the default address', { PORT: '9000' }, { port: 9000, publicUrl: 'http://127.0.0.1:9000' }],
    [
      'PUBLIC_URL loses its last slash and is the audience',
      { PUBLIC_URL: 'https://api.example/' },
      { publicUrl: 'https://api.example', audience: 'https://api.example' },
    ],
    ['AUTH_AUDIENCE may differ from it', { AUTH_AUDIENCE: 'lodgeway' }, { audience: 'lodgeway' }],
    ['TRUST_PROXY true', { TRUST_PROXY: 'true' }, { trustProxy: true }],
    ['TRUST_PROXY false', { TRUST_PROXY: 'false' }, { trustProxy: false }],
    ['TRUST_PROXY names several', { TRUST_PROXY: 'loopback, 10.1.2.3, fd00::/8' }, {}],
    ['ADMIN_HOST', { ADMIN_HOST: '0.0.0.0' }, { adminHost: '0.0.0.0' }],
    ['REGISTRY and PAYMENTS', ADAPTERS, { registry: 'simulator', payments: './bank.ts' }],
    ['TRUST_PROXY names networks', { TRUST_PROXY: '10.0.0.0/8' }, { trustProxy: '10.0.0.0/8' }],
    ['RATE_LIMIT_PER_MINUTE 0 switches the limit off', { RATE_LIMIT_PER_MINUTE: '0' }, { rateLimitPerMinute: 0 }],
    [
      'AUTH_ISSUER and AUTH_JWKS_URL replace the signing keys',
      { ...ISSUER, SIGNING_KEYS: '' },
      { otherIssuer: { issuer: ISSUER.AUTH_ISSUER, jwksUrl: ISSUER.AUTH_JWKS_URL }, signingKeys: undefined },
    ],
  ]
  const CONSOLE = {
    CONSOLE_ISSUER: 'https://id.example',
    CONSOLE_CLIENT_ID: 'lodgeway',
    CONSOLE_CLIENT_SECRET: 's',
  }
  const defaults = { links: false, idleMinutes: 30, sessionHours: 12, stepUpMinutes: 15 }
  READ.push(
    ['CONSOLE is off', {}, { console: undefined }],
    ['CONSOLE can be off although there is an issuer', { ...CONSOLE, CONSOLE: 'off' }, { console: undefined }],
    [
      'CONSOLE_ISSUER switches the console on',
      CONSOLE,
      {
        console: {
          ...defaults,
          provider: { issuer: 'https://id.example', clientId: 'lodgeway', clientSecret: 's' },
        },
      },
    ],
    [
      'CONSOLE_LINKS is enough for it',
      { CONSOLE: 'on', CONSOLE_LINKS: 'on' },
      { console: { ...defaults, links: true, provider: undefined } },
    ],
  )
  for (const [what, env, expected] of READ) {
    it(what, () => assert.partialDeepStrictEqual(readConfig({ ...COMPLETE, ...env }, SERVE), expected))
  }
})

describe('a wrong setting', () => {
  const WRONG: [env: Record<string, string>, problem: RegExp][] = [
    [{ PORT: 'http' }, /^PORT must be a whole number from 0 to 65535; it is "http"\.$/],
    [{ PORT: '-1' }, /^PORT must/],
    [{ ADMIN_PORT: '65536' }, /^ADMIN_PORT must/],
    [{ TOKEN_SECONDS: '59' }, /^TOKEN_SECONDS must be a whole number from 60 to 86400/],
    [{ UPLOAD_BYTES_MAX: '1e6' }, /^UPLOAD_BYTES_MAX must/],
    [{ UPLOAD_PAGES_MAX: '0' }, /^UPLOAD_PAGES_MAX must be a whole number from 1 to 100000/],
    [{ UPLOAD_UNPACKED_BYTES_MAX: '999999' }, /^UPLOAD_UNPACKED_BYTES_MAX must be a whole number from 1000000 to 1/],
    [{ RATE_LIMIT_PER_MINUTE: '1.5' }, /^RATE_LIMIT_PER_MINUTE must/],
    [{ LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of fatal, error, .*; it is "loud"\.$/],
    [{ DATABASE_URL: 'mysql://db/lodgeway' }, /^DATABASE_URL must be a URL that begins with postgres:/],
    [{ DATABASE_OWNER_URL: 'postgres://o@db/l' }, /^DATABASE_OWNER_URL needs DATABASE_URL as well\.$/],
    [{ BLOB_URL: 'https://bucket' }, /^BLOB_URL must look like file:/],
    [{ PUBLIC_URL: 'api.example' }, /^PUBLIC_URL must/],
    [{ CLAMD_URL: 'clamd:3310' }, /^CLAMD_URL must/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must/],
    [{ AUTH_ISSUER: 'https://id.example' }, /^AUTH_ISSUER and AUTH_JWKS_URL belong together/],
    [{ AUTH_JWKS_URL: 'https://id.example/keys' }, /^AUTH_ISSUER and AUTH_JWKS_URL belong together/],
    [
      { AUTH_ISSUER: 'https://id.example', AUTH_JWKS_URL: 'https://id.example/keys', SECRET_PEPPER: '' },
      /^SECRET_PEPPER is required .*with another issuer, too/,
    ],
    [{ AUTH_ISSUER: 'https://id.example', AUTH_JWKS_URL: 'http://id.example/keys' }, /^AUTH_JWKS_URL must .* https:/],
    [{ NODE_TLS_REJECT_UNAUTHORIZED: '0' }, /^NODE_TLS_REJECT_UNAUTHORIZED must not be 0/],
    [{ TRUST_PROXY: 'proxy.internal' }, /^TRUST_PROXY must be true, false, or addresses/],
    [{ TRUST_PROXY: '10.0.0.0/33' }, /^TRUST_PROXY must/],
    [{ DATABASE_URL: 'postgres://db/lodgeway' }, /^DATABASE_URL must name the user/],
    [{ DATABASE_URL: 'postgres://me:50%@db/lodgeway' }, /^DATABASE_URL must have % /],
    [{ BLOB_URL: 's3://bucket/%E0' }, /^BLOB_URL cannot be read/],
    [{ CONSOLE: 'on' }, /^CONSOLE=on needs CONSOLE_ISSUER, or CONSOLE_LINKS=on/],
    [{ CONSOLE: 'yes' }, /^CONSOLE must be one of on, off/],
    [{ CONSOLE_ISSUER: 'https://id.example', CONSOLE_LINKS: 'on' }, /^CONSOLE_ISSUER, .* belong together/],
    [{ CONSOLE: 'on', CONSOLE_LINKS: 'on', PUBLIC_URL: 'http://api.example' }, /^PUBLIC_URL must begin with https:/],
    [{ CONSOLE: 'on', CONSOLE_LINKS: 'on', PUBLIC_URL: 'https://api.example/x' }, /^PUBLIC_URL must have no path/],
    [
      { CONSOLE_ISSUER: 'http://id.example', CONSOLE_CLIENT_ID: 'l', CONSOLE_CLIENT_SECRET: 's' },
      /^CONSOLE_ISSUER must .* https:/,
    ],
    [{ CONSOLE_IDLE_MINUTES: '0' }, /^CONSOLE_IDLE_MINUTES must/],
    [{ SECRET_PEPPER: 'short' }, /^SECRET_PEPPER must be at least 32 characters/],
  ]
  for (const [env, problem] of WRONG) {
    it(`is named: ${Object.entries(env).join()}`, () => {
      const [only, ...others] = problemsOf({ ...COMPLETE, ...env }, SERVE)
      assert.match(only ?? '', problem)
      assert.deepEqual(others, [])
    })
  }

  it('never shows the value of a URL, which may contain a password', () => {
    const [problem = ''] = problemsOf({ DATABASE_URL: 'mysql://me:hunter2@db/x' }, COMMAND)
    assert.doesNotMatch(problem, /hunter2/)
  })

  it('of HM Land Registry is named only where that is used', () => {
    const env = { ...ADAPTERS, SECRET_PEPPER: PEPPER }
    assert.deepEqual(problemsOf(env, WORK), [])
    assert.match(problemsOf({ ...env, REGISTRY: 'hmlr' }, WORK).join(), /^HMLR_EXTRACT_PRICE_PENCE must be [^,]+$/)
  })

  it('is named together with all others', () => {
    const env = { PORT: 'x', ADMIN_PORT: 'y', LOG_LEVEL: 'z', BLOB_URL: 'ftp://a' }
    const named = problemsOf(env, SERVE).map((problem) => problem.split(' ')[0])
    const missing = ['SECRET_PEPPER', 'REGISTRY', 'PAYMENTS', 'SIGNING_KEYS']
    assert.deepEqual(named, ['PORT', 'ADMIN_PORT', 'BLOB_URL', 'LOG_LEVEL', ...missing])
  })
})

describe('pathsOf', () => {
  it('puts everything in DATA_DIR', () => {
    const places = pathsOf(readConfig({ DATA_DIR: '/var/lib/lodgeway' }, COMMAND))
    for (const place of Object.values(places)) assert.match(place, /^\/var\/lib\/lodgeway\/[^/]+$/)
  })
})

function problemsOf(env: Record<string, string>, what: Parameters<typeof readConfig>[1]): string[] {
  try {
    readConfig(env, what)
  } catch (error) {
    assert.ok(error instanceof ConfigError)
    return error.message
      .split('\n')
      .slice(1)
      .map((line) => line.replace(/^ {2}- /, ''))
  }
  return []
}
