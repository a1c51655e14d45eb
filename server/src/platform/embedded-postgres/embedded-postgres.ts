import { setTimeout as sleep } from 'node:timers/promises'
import { Client } from 'pg'
import type { OnStep } from '../operations/steps.ts'
import { type Cluster, hasCluster, prepareCluster } from './cluster.ts'
import { explained, findServer, isAlive, launch, logTail, stopServer } from './process.ts'
import type { RootRunsAs } from './runner.ts'

export type EmbeddedPostgres = {
  /** For migrations: the superuser that owns the database. */
  ownerUrl: string
  /** For the service: an ordinary role that owns nothing. */
  url: string
  port: number
  /** Stops the server and waits until it is gone. In mode `share`, a server that others still use keeps running. */
  stop(): Promise<void>
}

export type EmbeddedPostgresOptions = {
  folder: string
  /** `own`: the service, one for each folder. `share`: a command that runs next to it, or alone. */
  mode: 'own' | 'share'
  settings?: Record<string, string>
  rootRunsAs?: RootRunsAs
  onStep?: OnStep
  /** Called if the folder is deleted or moved while its server runs. The server is then stopped. */
  onLost?: () => void
  /** Called when a process was started that takes a while. */
  meanwhile?: () => void
}

/** The PostgreSQL of a folder: the one that runs there already, or one that is created and started here. */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  const { rootRunsAs = 'whatever works', onStep = () => {} } = options
  const cluster = await prepareCluster(options.folder, rootRunsAs, { onStep, meanwhile: options.meanwhile })
  onStep('starting PostgreSQL')
  let lease: Lease | undefined = await acquireLease(cluster, options)
  const { port } = lease
  let reacquiring = Promise.resolve()
  let stopping: Promise<void> | undefined

  // A service whose PostgreSQL was killed or crashed starts it again on the same port.
  const keep = (acquired: Lease): void => {
    lease = acquired
    acquired.client.once('end', () => {
      lease = undefined
      reacquiring = reacquire()
    })
  }
  const reacquire = async (): Promise<void> => {
    while (!lease && !stopping) await acquireLease(cluster, options, port).then(keep, () => sleep(REACQUIRE_MS))
  }
  const signal = (name: NodeJS.Signals) => {
    if (lease && isAlive(lease.pid)) process.kill(lease.pid, name)
  }
  // However this process ends, short of being killed, its server does not stay behind.
  const atExit = () => signal('SIGINT')
  let watch: NodeJS.Timeout | undefined
  const release = async (): Promise<void> => {
    clearInterval(watch)
    process.off('exit', atExit)
    await reacquiring
    if (!lease) return
    const { client, pid } = lease
    if (options.mode === 'own' || (await isLast(client))) await stopServer(cluster, pid)
    await client.end()
  }
  const stop = () => (stopping ??= release())

  try {
    await createRoleAndDatabase(lease.client, cluster.passwords.lodgeway)
  } catch (error) {
    await stop()
    throw explained(error, cluster.folder)
  }
  if (options.mode === 'own') {
    keep(lease)
    process.once('exit', atExit)
    watch = setInterval(async () => {
      if (stopping || (await hasCluster(cluster.folder).catch(() => true))) return
      clearInterval(watch)
      signal('SIGQUIT')
      options.onLost?.()
    }, WATCH_MS).unref()
  }
  const address = `127.0.0.1:${port}/lodgeway?sslmode=disable`
  return {
    ownerUrl: `postgres://lodgeway_owner:${cluster.passwords.lodgeway_owner}@${address}`,
    url: `postgres://lodgeway:${cluster.passwords.lodgeway}@${address}`,
    port,
    stop,
  }
}

const READY_MS_MAX = 60_000
const REACQUIRE_MS = 500
const WATCH_MS = 200
const POLL_MS = 25
const OWNER_ALIVE_MS_MAX = 300
const OWNER_DEAD_MS_MAX = 2_000

// Advisory locks of the database `postgres`. All users of the server share `use`, and the last one, which gets it
// exclusively, may stop the server. The service holds `own`, too. The locks end with their process, however it ends.
const LOCKS = 0x4c6f6467
const LOCK = { own: 1, use: 2, setup: 3 }

type Lease = { client: Client; pid: number; port: number }

async function acquireLease(cluster: Cluster, options: EmbeddedPostgresOptions, port?: number): Promise<Lease> {
  const deadline = Date.now() + READY_MS_MAX
  while (Date.now() < deadline) {
    const server = await findServer(cluster)
    if (server.kind === 'stopped')
      await launch(cluster, { settings: options.settings ?? {}, port, deadline, meanwhile: options.meanwhile })
    const client = server.kind === 'ready' && (await join(server, cluster, options.mode))
    if (client) return { client, pid: server.pid, port: server.port }
    if (server.kind === 'busy') await sleep(POLL_MS)
  }
  const seconds = READY_MS_MAX / 1000
  throw new Error(`PostgreSQL in ${cluster.folder} is not ready after ${seconds} seconds.${await logTail(cluster)}`)
}

type Mode = EmbeddedPostgresOptions['mode']

/** A connection that holds its locks; undefined if the server is stopping. */
async function join(server: Omit<Lease, 'client'>, cluster: Cluster, mode: Mode): Promise<Client | undefined> {
  const client = new Client({
    host: '127.0.0.1',
    port: server.port,
    user: 'lodgeway_owner',
    password: cluster.passwords.lodgeway_owner,
    database: 'postgres',
    application_name: `lodgeway ${mode}, process ${process.pid}`,
    ssl: false,
    connectionTimeoutMillis: 10_000,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    const [pid] = await column(client, `select split_part(pg_read_file('postmaster.pid'), e'\\n', 1)`)
    if (pid === String(server.pid) && (await lock(client, 'pg_try_advisory_lock_shared', 'use'))) {
      if (mode === 'own') await becomeOwner(client, cluster.folder)
      return client
    }
    await client.end()
  } catch (error) {
    client.end().catch(() => undefined)
    const reason = error instanceof Error ? String(Reflect.get(error, 'code') ?? error.message) : ''
    if (reason.startsWith('28'))
      throw new Error(`${cluster.folder}/postgres-passwords.json does not match its database.`)
    if (!/^(57P|ECONN|EPIPE|Connection terminated|timeout)/.test(reason)) throw error
  }
  await sleep(POLL_MS)
  return undefined
}

async function becomeOwner(client: Client, folder: string): Promise<void> {
  const began = Date.now()
  while (!(await lock(client, 'pg_try_advisory_lock', 'own'))) {
    const [holder] = await column(
      client,
      `select application_name from pg_locks join pg_stat_activity using (pid)
       where locktype = 'advisory' and granted and classid = ${LOCKS} and objid = ${LOCK.own}`,
    )
    const owner = Number(/process (\d+)$/.exec(String(holder))?.[1])
    // The connection of a service that was killed takes a moment to close.
    if (Date.now() - began > (isAlive(owner) ? OWNER_ALIVE_MS_MAX : OWNER_DEAD_MS_MAX)) {
      throw new Error(
        `The data folder ${folder} is in use by another Lodgeway, process ${owner}. ` +
          'Stop that process, or set DATA_DIR to another folder.',
      )
    }
    await sleep(POLL_MS)
  }
}

async function isLast(client: Client): Promise<boolean> {
  try {
    await lock(client, 'pg_advisory_unlock_shared', 'use')
    return await lock(client, 'pg_try_advisory_lock', 'use')
  } catch {
    return false
  }
}

/** Also completes an interrupted start. By default the ordinary role may not create anything in `public`. */
async function createRoleAndDatabase(client: Client, password: string): Promise<void> {
  await lock(client, 'pg_advisory_lock', 'setup')
  const existing = await column(
    client,
    `select rolname from pg_roles where rolname = 'lodgeway'
     union all select 'database' from pg_database where datname = 'lodgeway'`,
  )
  if (!existing.includes('lodgeway')) {
    await client.query(`create role lodgeway login password ${client.escapeLiteral(password)}`)
  }
  if (!existing.includes('database')) await client.query('create database lodgeway owner lodgeway_owner')
  await lock(client, 'pg_advisory_unlock', 'setup')
}

async function lock(client: Client, step: string, name: keyof typeof LOCK): Promise<boolean> {
  const [done] = await column(client, `select ${step}(${LOCKS}, ${LOCK[name]})`)
  return done === true
}

async function column(client: Client, sql: string): Promise<unknown[]> {
  const { rows } = await client.query<unknown[]>({ text: sql, rowMode: 'array' })
  return rows.map(([value]) => value)
}
