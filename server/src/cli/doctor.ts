import { access } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { type Config, ConfigError, pathsOf, readConfig } from '../config.ts'
import { HMLR } from '../hmlr/settings.ts'
import { adviceOn, type Listener, listenerOf, nodeAt, whyTaken } from '../listen.ts'
import { PERSONAL_KEYS } from '../personal-data.ts'
import { openStore } from '../platform/blobs/blobs.ts'
import { blobLocation } from '../platform/blobs/url.ts'
import { openScanner } from '../platform/clamd.ts'
import { describeError } from '../platform/errors.ts'
import { createLogger } from '../platform/operations/log.ts'
import { loadPayments, loadRegistry, MANUAL, SIMULATOR } from '../ports.ts'
import { secretsOf } from '../secrets.ts'
import { examineConsole } from './doctor-console.ts'
import { examineDatabase } from './doctor-database.ts'
import { examineFolder, isUsable } from './doctor-folder.ts'
import { type Finding, failure, ok, versionFinding, warning } from './finding.ts'
import type { Commands } from './input.ts'
import { isSandboxHere } from './operate.ts'

// `lodgeway doctor`: checks each part of an installation and says how to fix what is wrong. It fixes nothing itself, and
// creates nothing. It starts an embedded PostgreSQL that does not run for the check.

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
  const folder = await examineFolder(config)
  const hasFolder = folder.every(({ state }) => state !== 'error')
  const database = hasFolder || config.databaseUrl ? await examineDatabase(config) : { findings: [], nodeIds: [] }
  return [
    ok('settings', `complete, for ${sandbox ? 'the sandbox' : 'production'}`),
    versionFinding('node', 'Node.js', process.version, 'it serves real partners'),
    ...folder,
    ...(hasFolder || !sandbox ? [await keys(config)] : []),
    await adapter('registry', config),
    await adapter('payments', config),
    ...(await examineConsole(config)),
    ...database.findings,
    ...(hasFolder ? [await blobs(config)] : []),
    ...(config.clamdUrl ? [await scanner(config.clamdUrl)] : []),
    await port(listenerOf(config, 'PORT', 'serve'), config, database.nodeIds),
    await port(listenerOf(config, 'ADMIN_PORT', 'serve'), config, database.nodeIds),
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
  const isMade =
    !sandboxMakesThem(config) ||
    (await access(pathsOf(config).secrets).then(
      () => true,
      () => false,
    ))
  if (!isMade) return ok('keys', 'none yet; the first start makes them')
  try {
    await secretsOf(config)
    return ok('keys', 'tokens can be signed')
  } catch (error) {
    const fix = 'Make a key with `lodgeway key generate` and put it first in SIGNING_KEYS; keep the old one behind it.'
    return failure('keys', `SIGNING_KEYS cannot be read: ${describeError(error)}`, fix)
  }
}

const sandboxMakesThem = ({ sandbox, secretPepper, signingKeys }: Config) => sandbox && !(secretPepper && signingKeys)

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
  const location = blobLocation(blobUrl, dataDir)
  try {
    if (location.kind === 'folder') {
      const message = `This user cannot write to ${location.folder}.`
      if (await isUsable(location.folder)) return ok('blobs', 'the folder is writable')
      return failure('blobs', message, 'Give the folder to this user, or set BLOB_URL to another.')
    }
    const store = await openStore(location)
    await store.check().finally(() => store.close())
    return ok('blobs', 'the bucket is writable')
  } catch (error) {
    return failure('blobs', describeError(error), 'Check BLOB_URL and the credentials of the bucket.')
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

async function port(listener: Listener, { sandbox }: Config, nodeIds: readonly string[]): Promise<Finding> {
  const { setting, port: number } = listener
  if (number === 0) return ok(setting, 'any free port')
  const error = await whyTaken(listener)
  if (!error) return ok(setting, `${number} is free`)
  if (error.code === 'EADDRINUSE') {
    if (nodeIds.includes((await nodeAt(listener)) ?? ''))
      return ok(setting, `${number} is used by this Lodgeway, which runs`)
    if (sandbox && setting === 'ADMIN_PORT') return ok(setting, `${number} is in use; the sandbox will take a free one`)
  }
  const { message, fix } = await adviceOn(listener, error)
  return failure(setting, message, fix)
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
