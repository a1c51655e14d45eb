import { randomUUID } from 'node:crypto'
import { userInfo } from 'node:os'
import type { Actor } from './audit/record.ts'
import { verifyAudit } from './audit/verify.ts'
import { generateSigningKey } from './auth/keys.ts'
import { addClient, addSubscriber, retireOldSecret, rotateSecret, setEnabled, setStatus } from './auth/manage.ts'
import { isClientId } from './auth/rules.ts'
import { ALL_SCOPES, isScope } from './auth/scopes.ts'
import { findEligibility, listClients, listSubscribers } from './auth/store.ts'
import type { Config } from './config.ts'
import { migrateIfNeeded, openDatabase } from './database.ts'
import { type Db, openDb, type Transaction } from './platform/database/db.ts'
import { realClock } from './platform/jobs/clock.ts'
import { openQueue } from './platform/jobs/queue.ts'
import { createLogger } from './platform/operations/log.ts'
import { businessNow, saveMaintenance } from './platform/operations/state.ts'
import { pepperOf } from './service.ts'

// The operator's commands. Each opens the database, does one thing, says what it did, and leaves. What concerns a
// subscriber goes into its audit chain.

export class UsageError extends Error {
  override readonly name = 'UsageError'
}

export type Options = Readonly<Record<string, string | undefined>>
export type Command = (at: Operation) => Promise<string>
export type Operation = { config: Config; db: Db; url: string; names: readonly string[]; options: Options }

export async function operate(config: Config, command: Command, names: readonly string[], options: Options) {
  const database = await openDatabase(config, 'share')
  try {
    await migrateIfNeeded(database)
    const db = openDb({ url: database.url, poolSize: 2, readLanes: 1 })
    try {
      return await command({ config, db, url: database.url, names, options })
    } finally {
      await db.close()
    }
  } finally {
    await database.stop()
  }
}

export async function migrateNow(config: Config): Promise<string> {
  const database = await openDatabase(config, 'share')
  try {
    const applied = await migrateIfNeeded(database)
    return applied.length ? `Applied ${applied.join(', ')}.` : 'The database is current.'
  } finally {
    await database.stop()
  }
}

export const subscriberAdd: Command = async ({ db, options }) => {
  const name = required(options, 'name')
  const kind = choice(options, 'kind', ['LENDER', 'LAW_FIRM'] as const)
  const fourEyes = choice({ 'four-eyes': 'on', ...options }, 'four-eyes', ['on', 'off'] as const) === 'on'
  const reports = choice({ reports: 'on', ...options }, 'reports', ['on', 'off'] as const) === 'on'
  const { subscriberId } = await change(db, async (tx, actor) =>
    addSubscriber(tx, { name, kind, fourEyes, reports }, actor),
  )
  return `Added ${name}.\nsubscriberId  ${subscriberId}\nNext: lodgeway client add ${subscriberId}`
}

export const subscriberList: Command = async ({ db }) =>
  table(
    ['subscriberId', 'kind', 'status', 'clients', 'name'],
    (await listSubscribers(db)).map((one) => [one.subscriberId, one.kind, one.status, one.clients, one.name]),
  )

export const subscriberSuspend: Command = async ({ db, names }) => {
  const id = subscriberIdOf(names)
  await change(db, (tx, actor) => setStatus(tx, id, 'SUSPENDED', actor))
  return `Suspended ${id}: all its clients are shut out within 5 seconds.`
}

export const subscriberResume: Command = async ({ db, names }) => {
  const id = subscriberIdOf(names)
  await change(db, (tx, actor) => setStatus(tx, id, 'ACTIVE', actor))
  return `Resumed ${id}.`
}

export const clientAdd: Command = async ({ config, db, names, options }) => {
  const subscriberId = subscriberIdOf(names)
  const scopes = options['scopes']?.split(/[\s,]+/).filter(Boolean) ?? ALL_SCOPES
  const unknown = scopes.filter((scope) => !isScope(scope))
  if (unknown.length) throw new UsageError(`Unknown scopes: ${unknown.join(', ')}.`)
  const id = options['client-id']
  if (id && !isClientId(id)) throw new UsageError('A client id has 1 to 255 printable ASCII characters.')
  const pepper = await pepperOf(config)
  const isKnown = (await listSubscribers(db)).some((one) => one.subscriberId === subscriberId)
  if (!isKnown) throw new UsageError('There is no such subscriber.')
  if (id && (await findEligibility(db, id))) throw new UsageError('There is a client of this id already.')
  const { clientId, secret } = await change(db, async (tx, actor) =>
    addClient(tx, pepper, { subscriberId, scopes, ...(id ? { clientId: id } : {}) }, actor),
  )
  return `client id  ${clientId}\nsecret     ${secret}\nThe secret is shown this once.`
}

export const clientList: Command = async ({ db }) =>
  table(
    ['clientId', 'subscriberId', 'enabled', 'secrets', 'scopes'],
    (await listClients(db)).map((one) => [one.clientId, one.subscriberId, one.enabled, one.secrets, one.scopes.length]),
  )

export const clientRotate: Command = async ({ config, db, names, options }) => {
  const clientId = first(names, 'clientId')
  if (options['retire-old'] !== undefined) {
    await change(db, (tx, actor) => retireOldSecret(tx, clientId, actor))
    return `Only the newest secret of ${clientId} works now.`
  }
  const pepper = await pepperOf(config)
  const secret = await change(db, (tx, actor) => rotateSecret(tx, pepper, clientId, actor))
  return [
    `secret  ${secret}`,
    'It is shown this once. The secret before it goes on working; end that with:',
    `lodgeway client rotate ${clientId} --retire-old`,
  ].join('\n')
}

export const clientDisable: Command = ({ db, names }) => setClient(db, first(names, 'clientId'), false)
export const clientEnable: Command = ({ db, names }) => setClient(db, first(names, 'clientId'), true)

export const maintenance: Command = async ({ db, names }) => {
  const wanted = first(names, 'on or off')
  if (wanted !== 'on' && wanted !== 'off') throw new UsageError('Say: lodgeway maintenance on, or off.')
  await saveMaintenance(db, wanted === 'on')
  return `Maintenance is ${wanted}; all nodes follow within 2 seconds.`
}

export const jobDead: Command = (at) =>
  withQueue(at, async (queue) =>
    table(
      ['id', 'job', 'attempts', 'died at', 'error'],
      (await queue.listDead()).map((one) => [one.id, one.job, one.attempts, one.diedAt.toISOString(), one.error ?? '']),
    ),
  )

export const jobRetry: Command = (at) =>
  withQueue(at, async (queue) => {
    if (!at.names.length) throw new UsageError('Say which: lodgeway job retry <id …>, or all.')
    const count = await queue.retryDead(at.names[0] === 'all' ? 'all' : at.names.map(jobIdOf))
    return `${count} jobs will run again.`
  })

export const auditVerify: Command = async ({ db }) => {
  const findings: string[] = []
  const { chains, entries, anchors, newestAnchor } = await verifyAudit(db, (finding) => findings.push(`- ${finding}`))
  const seen = `${entries} entries in ${chains} chains, ${anchors} anchors${newestAnchor ? `, newest ${newestAnchor}` : ''}`
  if (!findings.length) return `The audit is whole: ${seen}.`
  process.exitCode = 1
  return [...findings, `The audit is NOT whole: ${seen}.`].join('\n')
}

export async function keyGenerate(): Promise<string> {
  return JSON.stringify(await generateSigningKey())
}

/** Who is at the command line, to the audit. */
export const operatorAt = (at: Date): Actor => ({
  actingUser: `operator:${userInfo().username}`,
  correlationId: randomUUID(),
  at,
})

async function change<T>(db: Db, work: (tx: Transaction, actor: Actor) => Promise<T>): Promise<T> {
  const actor = operatorAt(await businessNow(db))
  return db.transaction((tx) => work(tx, actor))
}

async function setClient(db: Db, clientId: string, enabled: boolean): Promise<string> {
  await change(db, (tx, actor) => setEnabled(tx, clientId, enabled, actor))
  return enabled ? `Enabled ${clientId}.` : `Disabled ${clientId}: it is shut out within 5 seconds.`
}

async function withQueue(at: Operation, work: (queue: Awaited<ReturnType<typeof openQueue>>) => Promise<string>) {
  const log = createLogger({ level: at.config.logLevel })
  const queue = await openQueue({ db: at.db, url: at.url, clock: realClock, log })
  try {
    return await work(queue)
  } finally {
    await queue.stop()
  }
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const subscriberIdOf = (names: readonly string[]): string =>
  uuid(first(names, 'subscriberId'), 'a subscriberId', 'lodgeway subscriber list')

const jobIdOf = (name: string): string => uuid(name, 'the id of a job', 'lodgeway job dead')

function uuid(text: string, what: string, listed: string): string {
  if (!UUID.test(text)) throw new UsageError(`"${text}" is not ${what}: ${listed} shows them.`)
  return text.toLowerCase()
}

function first(names: readonly string[], what: string): string {
  if (names[0] === undefined) throw new UsageError(`Missing: ${what}.`)
  return names[0]
}

function required(options: Options, name: string): string {
  const value = options[name]
  if (!value) throw new UsageError(`Missing: --${name}.`)
  return value
}

function choice<const Choice extends string>(options: Options, name: string, choices: readonly Choice[]): Choice {
  const value = required(options, name)
  const chosen = choices.find((one) => one === value.toUpperCase().replace('-', '_') || one === value)
  if (!chosen) throw new UsageError(`--${name} must be one of ${choices.join(', ')}.`)
  return chosen
}

function table(head: readonly string[], rows: readonly (readonly unknown[])[]): string {
  const all = [head, ...rows].map((row) => row.map(String))
  const widths = head.map((_, column) => Math.max(...all.map((row) => (row[column] ?? '').length)))
  return all
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}
