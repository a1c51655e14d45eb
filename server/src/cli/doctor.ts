import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { addressOf, type Config, ConfigError, readConfig } from '../config.ts'
import { HMLR } from '../hmlr/settings.ts'
import { PERSONAL_KEYS } from '../personal-data.ts'
import { openBlobs } from '../platform/blobs/blobs.ts'
import { openScanner } from '../platform/clamd.ts'
import { describeError } from '../platform/errors.ts'
import { createLogger } from '../platform/operations/log.ts'
import { loadPayments, loadRegistry, MANUAL, SIMULATOR } from '../ports.ts'
import { secretsOf } from '../secrets.ts'
import { examineConsole } from './doctor-console.ts'
import { examineDatabase } from './doctor-database.ts'
import { type Finding, failure, ok, versionFinding, warning } from './finding.ts'
import type { Commands } from './input.ts'
import { isSandboxHere } from './operate.ts'

// `lodgeway doctor`: checks each part of an installation and says how to fix what is wrong. It fixes nothing itself.
// It starts the embedded PostgreSQL for the check, and creates what a first start creates under DATA_DIR.

export const commands: Commands = {
  '': async () => {
    const findings = await examine(process.env, isSandboxHere())
    if (findings.some(({ state }) => state === 'error')) process.exitCode = 1
    return presentFindings(findings)
  },
}

type Environment = Readonly<Record<string, string | undefined>>

const RESPONSE_MS_MAX = 5_000

async function examine(env: Environment, sandbox: boolean): Promise<Finding[]> {
  const config = readSettings(env, sandbox)
  if (Array.isArray(config)) return config
  return [
    ok('settings', `complete, for ${sandbox ? 'the sandbox' : 'production'}`),
    versionFinding('node', 'Node.js', process.version, 'it serves real partners'),
    await keys(config),
    await adapter('registry', config),
    await adapter('payments', config),
    ...(await examineConsole(config)),
    ...(await examineDatabase(config)),
    await blobs(config),
    ...(config.clamdUrl ? [await scanner(config.clamdUrl)] : []),
    await port('PORT', config.host, config.port),
    await port('ADMIN_PORT', config.adminHost, config.adminPort),
  ]
}

function readSettings(env: Environment, sandbox: boolean): Config | Finding[] {
  try {
    return readConfig(env, { sandbox, part: 'serve' })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const fix = 'Set it in the environment of every node. docs/operations.md lists all settings.'
    return error.problems.map((problem) => failure('settings', problem, fix))
  }
}

async function keys(config: Config): Promise<Finding> {
  if (config.otherIssuer) return issuer(config.otherIssuer.jwksUrl)
  try {
    await secretsOf(config)
    return ok('keys', 'tokens can be signed')
  } catch (error) {
    const fix = 'Make a key with `lodgeway key generate` and put it first in SIGNING_KEYS; keep the old one behind it.'
    return failure('keys', `SIGNING_KEYS cannot be read: ${describeError(error)}`, fix)
  }
}

async function issuer(jwksUrl: string): Promise<Finding> {
  const fix = 'Check AUTH_JWKS_URL, and that this machine can connect to it.'
  try {
    const response = await fetch(jwksUrl, { signal: AbortSignal.timeout(RESPONSE_MS_MAX) })
    const { keys: published } = (await response.json()) as { keys?: unknown[] }
    if (response.ok && published?.length) return ok('keys', `${published.length} keys of the other issuer`)
    return failure('keys', `${jwksUrl} answers ${response.status} and publishes no keys.`, fix)
  } catch (error) {
    return failure('keys', `${jwksUrl} does not answer: ${describeError(error)}`, fix)
  }
}

/** The adapter of a port. Outside the sandbox a simulator runs only if a setting asks for it. */
async function adapter(name: 'registry' | 'payments', config: Config): Promise<Finding> {
  const [setting, value] = [name.toUpperCase(), config[name]]
  if (value === SIMULATOR) {
    if (config.sandbox) return ok(name, SIMULATOR)
    const fix = `Before real cases, set ${setting} to the module of your adapter (docs/${DOCUMENTS[name]}).`
    return warning(name, `${SIMULATOR}: nothing reaches ${OUTSIDE[name]}.`, fix)
  }
  if (name === 'registry' && value === HMLR) {
    return ok(name, 'HM Land Registry')
  }
  try {
    await (name === 'registry' ? loadRegistry : loadPayments)(
      value,
      createLogger({ level: 'silent', personalKeys: PERSONAL_KEYS }),
    )
    return ok(
      name,
      value === MANUAL ? `${MANUAL}: law firms pay from their own accounts and confirm it` : String(value),
    )
  } catch (error) {
    return failure(
      name,
      describeError(error),
      `Correct ${setting}: docs/${DOCUMENTS[name]} explains what the module must export.`,
    )
  }
}

const DOCUMENTS = { registry: 'registry-port.md', payments: 'payment-port.md' }
const OUTSIDE = { registry: 'a land registry', payments: 'a bank' }

async function blobs({ blobUrl, dataDir }: Config): Promise<Finding> {
  try {
    const store = await openBlobs({ url: blobUrl, dataDir })
    await store.check().finally(() => store.close())
    return ok('blobs', blobUrl?.startsWith('s3:') ? 'the bucket is writable' : 'the folder is writable')
  } catch (error) {
    const fix = 'Check BLOB_URL and its credentials, or that this user may write to the folder and the disk has space.'
    return failure('blobs', describeError(error), fix)
  }
}

async function scanner(url: string): Promise<Finding> {
  try {
    await openScanner(url).scan(Readable.from([Buffer.from('A file without a virus.')]))
    return ok('scanner', 'clamd answers')
  } catch (error) {
    const fix = 'Start clamd, or correct CLAMD_URL. Until then uploads wait: no file passes without a scan.'
    return failure('scanner', `clamd does not answer: ${describeError(error)}`, fix)
  }
}

async function port(name: string, host: string, number: number): Promise<Finding> {
  if (number === 0) return ok(name, 'any free port')
  const reason = await whyTaken(host, number)
  if (!reason) return ok(name, `${number} is free`)
  const address = addressOf(host === '0.0.0.0' ? '127.0.0.1' : host, { port: number })
  const isOurs = await fetch(`${address}/livez`, { signal: AbortSignal.timeout(RESPONSE_MS_MAX) }).then(
    ({ status }) => status === 200,
    () => false,
  )
  if (isOurs) return ok(name, `${number} is used by a running Lodgeway`)
  return failure(name, `${number} cannot be used: ${reason}.`, `Stop what uses it, or set ${name} to another.`)
}

function whyTaken(host: string, number: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer()
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  server.listen({ host, port: number }, () => server.close(() => resolve(undefined)))
  return promise
}

const MARKS = { ok: '✔', warning: '!', error: '✖' }

/** A line for each part, and how to fix it if it is wrong. */
function presentFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length))
  const lines = findings.flatMap(({ part, state, message, fix }) => [
    `${MARKS[state]} ${part.padEnd(width)}  ${message}`,
    ...(fix ? [`${' '.repeat(width + 4)}Fix: ${fix}`] : []),
  ])
  const errors = findings.filter(({ state }) => state === 'error').length
  const warnings = findings.filter(({ state }) => state === 'warning').length
  const summary = errors ? `${errors} to fix` : 'Ready to run'
  return [...lines, '', `${summary}${warnings ? `, ${warnings} to consider` : ''}.`].join('\n')
}
