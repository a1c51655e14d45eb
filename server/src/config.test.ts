import assert from 'node:assert/strict'
import { resolve } from 'node:path'
import { describe, it } from 'node:test'
import { type Config, ConfigError, placesOf, readConfig } from './config.ts'

const SANDBOX = { sandbox: true, secrets: 'required' } as const
const SERVE = { sandbox: false, secrets: 'required' } as const
const WORK = { sandbox: false, secrets: 'pepper' } as const
const PEPPER = 'p'.repeat(32)
const SECRETS = { SECRET_PEPPER: PEPPER, SIGNING_KEYS: '{"keys":[]}' }

describe('the settings of an empty environment', () => {
  it('are enough for the sandbox, which listens to this machine alone', () => {
    assert.deepEqual(readConfig({}, SANDBOX), {
      sandbox: true,
      port: 8080,
      host: '127.0.0.1',
      adminPort: 8081,
      dataDir: resolve('.data'),
      databaseUrl: undefined,
      databaseOwnerUrl: undefined,
      blobUrl: undefined,
      publicUrl: 'http://127.0.0.1:8080',
      trustProxy: false,
      otherIssuer: undefined,
      audience: 'http://127.0.0.1:8080',
      tokenSeconds: 3600,
      secretPepper: undefined,
      signingKeys: undefined,
      uploadBytesMax: 41_943_040,
      uploadPagesMax: 2_000,
      uploadUnpackedBytesMax: 100_000_000,
      clamdUrl: undefined,
      rateLimitPerMinute: 600,
      connectionsMax: 5_000,
      logLevel: 'warn',
      telemetryEndpoint: undefined,
    } satisfies Config)
  })

  it('are not enough for `serve`, which needs its secrets, nor for a worker, which needs the pepper', () => {
    const worker = readConfig({ SECRET_PEPPER: PEPPER }, WORK)
    assert.partialDeepStrictEqual(worker, { host: '0.0.0.0', logLevel: 'info' })
    assert.deepEqual(problemsOf({}, WORK), [
      'SECRET_PEPPER is required outside the sandbox: try `openssl rand -hex 32`.',
    ])
    assert.deepEqual(problemsOf({}, SERVE), [
      'SECRET_PEPPER is required outside the sandbox: try `openssl rand -hex 32`.',
      'SIGNING_KEYS is required outside the sandbox: `lodgeway key generate` prints one.',
    ])
  })
})

describe('a setting', () => {
  const ISSUER = { AUTH_ISSUER: 'https://id.example', AUTH_JWKS_URL: 'https://id.example/keys' }
  const READ: [what: string, env: Record<string, string>, expected: Partial<Config>][] = [
    ['is trimmed', { HOST: ' :: ' }, { host: '::' }],
    ['that is empty counts as unset', { PORT: '', LOG_LEVEL: ' ' }, { port: 8080, logLevel: 'info' }],
    ['PORT makes the address that is told', { PORT: '9000' }, { port: 9000, publicUrl: 'http://127.0.0.1:9000' }],
    [
      'PUBLIC_URL loses its last slash and is the audience',
      { PUBLIC_URL: 'https://api.example/' },
      { publicUrl: 'https://api.example', audience: 'https://api.example' },
    ],
    ['AUTH_AUDIENCE may differ from it', { AUTH_AUDIENCE: 'lodgeway' }, { audience: 'lodgeway' }],
    ['TRUST_PROXY true', { TRUST_PROXY: 'true' }, { trustProxy: true }],
    ['TRUST_PROXY false', { TRUST_PROXY: 'false' }, { trustProxy: false }],
    ['TRUST_PROXY names networks', { TRUST_PROXY: '10.0.0.0/8' }, { trustProxy: '10.0.0.0/8' }],
    ['RATE_LIMIT_PER_MINUTE 0 switches the limit off', { RATE_LIMIT_PER_MINUTE: '0' }, { rateLimitPerMinute: 0 }],
    [
      'AUTH_ISSUER and AUTH_JWKS_URL stand in for the signing keys',
      { ...ISSUER, SIGNING_KEYS: '' },
      { otherIssuer: { issuer: ISSUER.AUTH_ISSUER, jwksUrl: ISSUER.AUTH_JWKS_URL }, signingKeys: undefined },
    ],
  ]
  for (const [what, env, expected] of READ) {
    it(what, () => assert.partialDeepStrictEqual(readConfig({ ...SECRETS, ...env }, SERVE), expected))
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
    [{ DATABASE_OWNER_URL: 'postgres://o@db/l' }, /^DATABASE_OWNER_URL needs DATABASE_URL beside it\.$/],
    [{ BLOB_URL: 'https://bucket' }, /^BLOB_URL must look like file:/],
    [{ PUBLIC_URL: 'api.example' }, /^PUBLIC_URL must/],
    [{ CLAMD_URL: 'clamd:3310' }, /^CLAMD_URL must/],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: 'collector' }, /^OTEL_EXPORTER_OTLP_ENDPOINT must/],
    [{ AUTH_ISSUER: 'https://id.example' }, /^AUTH_ISSUER and AUTH_JWKS_URL belong together/],
    [{ AUTH_JWKS_URL: 'https://id.example/keys' }, /^AUTH_ISSUER and AUTH_JWKS_URL belong together/],
    [{ SECRET_PEPPER: 'short' }, /^SECRET_PEPPER must be at least 32 characters/],
  ]
  for (const [env, problem] of WRONG) {
    it(`is named: ${Object.entries(env).join()}`, () => {
      const [only, ...others] = problemsOf({ ...SECRETS, ...env }, SERVE)
      assert.match(only ?? '', problem)
      assert.deepEqual(others, [])
    })
  }

  it('never has the value of a URL repeated, for there may be a password in it', () => {
    const [problem = ''] = problemsOf({ DATABASE_URL: 'mysql://me:hunter2@db/x' }, WORK)
    assert.doesNotMatch(problem, /hunter2/)
  })

  it('is named beside every other one', () => {
    const env = { PORT: 'x', ADMIN_PORT: 'y', LOG_LEVEL: 'z', BLOB_URL: 'ftp://a' }
    const named = problemsOf(env, SERVE).map((problem) => problem.split(' ')[0])
    assert.deepEqual(named, ['PORT', 'ADMIN_PORT', 'BLOB_URL', 'LOG_LEVEL', 'SECRET_PEPPER', 'SIGNING_KEYS'])
  })
})

describe('placesOf', () => {
  it('puts everything below DATA_DIR', () => {
    const places = placesOf(readConfig({ DATA_DIR: '/var/lib/lodgeway', SECRET_PEPPER: PEPPER }, WORK))
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
