import { createServer } from 'node:net'
import { Readable } from 'node:stream'
import { type Config, ConfigError, readConfig } from './config.ts'
import { type Database, openDatabase } from './database.ts'
import { openBlobs } from './platform/blobs/blobs.ts'
import { openScanner } from './platform/clamd.ts'
import { type Db, openDb } from './platform/database/db.ts'
import { isMigrated } from './platform/database/migrate.ts'
import { addressOf, secretsOf } from './service.ts'
import { newerToRun } from './weaknesses.ts'
import { jobNames } from './worker.ts'

// `lodgeway doctor`: looks at each part of an installation and says how to mend what is amiss. It mends nothing itself.
// The embedded PostgreSQL is started for the while, and what a first start makes under DATA_DIR is made.

export type Finding = { part: string; state: 'well' | 'warning' | 'fault'; says: string; fix?: string }

type Environment = Readonly<Record<string, string | undefined>>

const CLOCK_SECONDS_MAX = 2
const OVERDUE_MINUTES_MAX = 5
const POSTGRES_VERSION_MIN = 15
const ANSWER_MS_MAX = 5_000

export async function examine(env: Environment, sandbox: boolean): Promise<Finding[]> {
  const config = settingsOf(env, sandbox)
  if (Array.isArray(config)) return config
  return [
    well('settings', `complete, for ${sandbox ? 'the sandbox' : 'production'}`),
    runtime(),
    await keys(config),
    ...(await onDatabase(config)),
    await blobs(config),
    ...(config.clamdUrl ? [await scanner(config.clamdUrl)] : []),
    await port('PORT', config.host, config.port),
    await port('ADMIN_PORT', config.host, config.adminPort),
  ]
}

function settingsOf(env: Environment, sandbox: boolean): Config | Finding[] {
  try {
    return readConfig(env, { sandbox, secrets: 'required' })
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const fix = 'Set it in the environment of every node. docs/operations.md lists all settings.'
    return error.problems.map((says) => fault('settings', says, fix))
  }
}

function runtime(): Finding {
  const newer = newerToRun('Node.js', process.version)
  if (newer === undefined) return well('node', `Node.js ${process.version}`)
  const fix = `Before it serves real partners, run it on Node.js ${newer} or newer, as the image does.`
  return warning('node', `Node.js ${process.version} has weaknesses that are known.`, fix)
}

async function keys(config: Config): Promise<Finding> {
  if (config.otherIssuer) return issuer(config.otherIssuer.jwksUrl)
  try {
    await secretsOf(config)
    return well('keys', 'tokens can be signed')
  } catch (error) {
    const fix = 'Make a key with `lodgeway key generate` and put it first in SIGNING_KEYS; keep the old one behind it.'
    return fault('keys', `SIGNING_KEYS cannot be read: ${messageOf(error)}`, fix)
  }
}

async function issuer(jwksUrl: string): Promise<Finding> {
  const fix = 'Check AUTH_JWKS_URL, and that this machine may reach it.'
  try {
    const response = await fetch(jwksUrl, { signal: AbortSignal.timeout(ANSWER_MS_MAX) })
    const { keys: published } = (await response.json()) as { keys?: unknown[] }
    if (response.ok && published?.length) return well('keys', `${published.length} keys of the other issuer`)
    return fault('keys', `${jwksUrl} answers ${response.status} and publishes no keys.`, fix)
  } catch (error) {
    return fault('keys', `${jwksUrl} does not answer: ${messageOf(error)}`, fix)
  }
}

async function onDatabase(config: Config): Promise<Finding[]> {
  let database: Database
  try {
    database = await openDatabase(config, 'share')
  } catch (error) {
    const fix = 'Look at DATA_DIR: is another program using it, is the disk full, may this user write there?'
    return [fault('database', messageOf(error), fix)]
  }
  const db = openDb({ url: database.url, poolSize: 1, readLanes: 1 })
  try {
    return [...(await standing(db, database, config)), ...(await migrations(db, database)), await clock(db)]
  } catch (error) {
    const fix = 'Check DATABASE_URL: host, port, role, password, and that the server admits this machine.'
    return [fault('database', `It does not answer: ${messageOf(error)}`, fix)]
  } finally {
    await db.close()
    await database.stop()
  }
}

async function standing(db: Db, { embedded }: Database, { databaseUrl, databaseOwnerUrl }: Config): Promise<Finding[]> {
  const [row] = await db.query<{ version: string }>(`select current_setting('server_version') as version`)
  const findings = [server(row?.version ?? '', embedded)]
  if (databaseUrl && (databaseOwnerUrl ?? databaseUrl) === databaseUrl) {
    const fix = 'Give the service a role of its own (docs/operations.md), and the owner’s URL in DATABASE_OWNER_URL.'
    findings.push(warning('roles', 'The service runs as the owner of the tables, so it could alter the audit.', fix))
  }
  return findings
}

function server(version: string, embedded: boolean): Finding {
  const says = `PostgreSQL ${version}${embedded ? ', the embedded one,' : ''}`
  if (Number.parseInt(version, 10) < POSTGRES_VERSION_MIN) {
    return fault('database', `${says} is too old.`, `Move to PostgreSQL ${POSTGRES_VERSION_MIN} or newer.`)
  }
  const newer = newerToRun('PostgreSQL', version)
  if (newer === undefined) return well('database', `${says} answers`)
  const fix = `Before it keeps real data, set DATABASE_URL to PostgreSQL ${newer} or newer.`
  return warning('database', `${says} has weaknesses that are known.`, fix)
}

async function migrations(db: Db, { url }: Database): Promise<Finding[]> {
  if (!(await isMigrated(url, jobNames))) {
    return [fault('migrations', 'The database is not of this version.', 'Run `lodgeway migrate`.')]
  }
  return [well('migrations', 'the database is current'), ...(await jobs(db))]
}

async function jobs(db: Db): Promise<Finding[]> {
  const [row] = await db.query<{ dead: number; overdue: number }>(
    `select (select count(*) from pgboss.job where name = 'dead' and state = 'created') as dead,
            (select count(*) from due, service_state
              where due_at < now() + clock_offset_ms * interval '1 millisecond'
                           - interval '${OVERDUE_MINUTES_MAX} minutes') as overdue`,
  )
  const findings: Finding[] = []
  if (row?.dead) {
    const fix = 'Look at them with `lodgeway job dead`, mend the cause, then `lodgeway job retry all`.'
    findings.push(warning('jobs', `${row.dead} jobs failed as often as they may.`, fix))
  }
  if (row?.overdue) {
    const says = `${row.overdue} jobs are more than ${OVERDUE_MINUTES_MAX} minutes overdue.`
    findings.push(warning('jobs', says, 'Start a worker: `lodgeway work`.'))
  }
  return findings.length ? findings : [well('jobs', 'none is dead, none overdue')]
}

async function clock(db: Db): Promise<Finding> {
  const before = Date.now()
  const [row] = await db.query<{ at: Date }>('select clock_timestamp() as at')
  const middle = (before + Date.now()) / 2
  const seconds = Math.abs((row?.at.getTime() ?? 0) - middle) / 1000
  if (seconds <= CLOCK_SECONDS_MAX) return well('clock', 'this machine and the database agree')
  const says = `This machine and the database differ by ${seconds.toFixed(1)} seconds.`
  return fault('clock', says, 'Have both follow a time server (NTP): tokens and deadlines depend on it.')
}

async function blobs({ blobUrl, dataDir }: Config): Promise<Finding> {
  try {
    const store = await openBlobs({ url: blobUrl, dataDir })
    await store.check().finally(() => store.close())
    return well('blobs', blobUrl?.startsWith('s3:') ? 'the bucket can be written' : 'the folder can be written')
  } catch (error) {
    const fix = 'Check BLOB_URL and its credentials, or that this user may write to the folder and the disk has room.'
    return fault('blobs', messageOf(error), fix)
  }
}

async function scanner(url: string): Promise<Finding> {
  try {
    await openScanner(url).scan(Readable.from([Buffer.from('A file without a virus.')]))
    return well('scanner', 'clamd answers')
  } catch (error) {
    const fix = 'Start clamd, or mend CLAMD_URL. Until then uploads wait: none passes without its scan.'
    return fault('scanner', `clamd does not answer: ${messageOf(error)}`, fix)
  }
}

async function port(name: string, host: string, number: number): Promise<Finding> {
  if (number === 0) return well(name, 'any free port')
  const taken = await isTaken(host, number)
  if (!taken) return well(name, `${number} is free`)
  const address = addressOf(host === '0.0.0.0' ? '127.0.0.1' : host, { port: number })
  const isOurs = await fetch(`${address}/livez`, { signal: AbortSignal.timeout(ANSWER_MS_MAX) }).then(
    ({ status }) => status === 200,
    () => false,
  )
  if (isOurs) return well(name, `${number} is served by a Lodgeway that runs`)
  return fault(name, `${number} cannot be had: ${taken}.`, `Stop what uses it, or set ${name} to another.`)
}

function isTaken(host: string, number: number): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer()
  server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
  server.listen({ host, port: number }, () => server.close(() => resolve(undefined)))
  return promise
}

const MARKS = { well: '✔', warning: '!', fault: '✖' }

/** A line for each part, and below what is amiss how to mend it. */
export function presentFindings(findings: readonly Finding[]): string {
  const width = Math.max(...findings.map(({ part }) => part.length))
  const lines = findings.flatMap(({ part, state, says, fix }) => [
    `${MARKS[state]} ${part.padEnd(width)}  ${says}`,
    ...(fix ? [`${' '.repeat(width + 4)}Fix: ${fix}`] : []),
  ])
  const faults = findings.filter(({ state }) => state === 'fault').length
  const warnings = findings.filter(({ state }) => state === 'warning').length
  const verdict = faults ? `${faults} to mend` : 'Fit to run'
  return [...lines, '', `${verdict}${warnings ? `, ${warnings} to think about` : ''}.`].join('\n')
}

const well = (part: string, says: string): Finding => ({ part, state: 'well', says })
const warning = (part: string, says: string, fix: string): Finding => ({ part, state: 'warning', says, fix })
const fault = (part: string, says: string, fix: string): Finding => ({ part, state: 'fault', says, fix })
const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))
