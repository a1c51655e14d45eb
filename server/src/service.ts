import { randomUUID } from 'node:crypto'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import type { DestinationStream } from 'pino'
import { type AppParts, buildApp } from './app.ts'
import { addressOf, type Config } from './config.ts'
import { type Database, migrateIfNeeded, openDatabase } from './database.ts'
import { type Faults, followFaults, webhookFaultsOf } from './faults/follow.ts'
import { cannotListen, checkListener, listenerOf } from './listen.ts'
import { UNPUBLISHED } from './notifications/feed.ts'
import { addOperatorMetrics } from './operator-metrics.ts'
import { PERSONAL_KEYS } from './personal-data.ts'
import { openBlobs } from './platform/blobs/blobs.ts'
import { openScanner } from './platform/clamd.ts'
import { JOB_LIMITS, openDb } from './platform/database/db.ts'
import type { Deps } from './platform/deps.ts'
import { clockOf, movableClock } from './platform/jobs/clock.ts'
import { openQueue } from './platform/jobs/queue.ts'
import { type AdminOptions, startAdmin } from './platform/operations/admin.ts'
import { readinessOf } from './platform/operations/health.ts'
import { createLogger } from './platform/operations/log.ts'
import { watchMachineClock } from './platform/operations/machine-clock.ts'
import { addGauge, createMetrics } from './platform/operations/metrics.ts'
import { announceNode } from './platform/operations/nodes.ts'
import { followState, keepRegistry } from './platform/operations/state.ts'
import type { OnStep } from './platform/operations/steps.ts'
import { startTelemetry } from './platform/operations/telemetry.ts'
import { openPdfChecker } from './platform/pdf/pdf.ts'
import { openVault } from './platform/vault.ts'
import { openPorts, SIMULATOR } from './ports.ts'
import { playing } from './sandbox/play.ts'
import type { Sandbox } from './sandbox/routes.ts'
import { seed } from './sandbox/seed.ts'
import { failInterruptedRuns } from './scenarios/store.ts'
import { pepperOf, secretsOf, usePepper } from './secrets.ts'
import { planJobs, startWorker } from './worker.ts'

export type Parts = {
  http: boolean
  worker: boolean
  /** Whether the sandbox starts with sample matters, or only with its accounts. */
  matters?: boolean
  extra?: AppParts['extra']
  /** If it is open already. */
  database?: Database
  /** Where the log goes, if not to standard output as JSON. */
  log?: DestinationStream
  onRequest?: AppParts['onRequest']
  onStep?: OnStep
  /** The folder of the embedded database was deleted. */
  onLost?: () => void
}

export type Service = { url: string; adminUrl: string; deps: Deps; stop(): Promise<void> }

/** Starts the parts in order and stops them in reverse order. If one fails to start, those before it are stopped. */
export async function startService(config: Config, parts: Parts): Promise<Service> {
  const undo: (() => unknown)[] = []
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await step()
  }
  try {
    const started = await start(config, parts, (step) => undo.push(step))
    return { ...started, stop }
  } catch (error) {
    await stop()
    throw error
  }
}

async function start(
  config: Config,
  parts: Parts,
  onStop: (step: () => unknown) => void,
): Promise<Omit<Service, 'stop'>> {
  const log = createLogger({
    level: config.logLevel,
    personalKeys: PERSONAL_KEYS,
    ...(parts.log && { destination: parts.log }),
  })
  const telemetry = await startTelemetry({ endpoint: config.telemetryEndpoint, log })
  onStop(() => telemetry.stop())
  const { onStep = () => {} } = parts
  const database = parts.database ?? (await openDatabase(config, parts.http ? 'own' : 'share', parts))
  onStop(() => database.stop())
  const command = parts.http ? 'serve' : 'work'
  if (parts.http) await checkListener(listenerOf(config, 'PORT', command))
  const migrated = await migrateIfNeeded(database, onStep)
  if (migrated.length) log.info({ migrated }, 'migrated')

  const play = playing()
  const { mayLose } = play
  const db = openDb({ url: database.url, mayLose })
  onStop(() => db.close())
  const pepper = await pepperOf(config)
  await usePepper(db, pepper)
  await keepRegistry(db, config.registry)
  const blobs = await openBlobs({ url: config.blobUrl, dataDir: config.dataDir })
  onStop(() => blobs.close())
  const pdf = openPdfChecker({ pagesMax: config.uploadPagesMax, unpackedBytesMax: config.uploadUnpackedBytesMax })
  onStop(() => pdf.close())
  const machineClock = await watchMachineClock({ connection: db.read, log })
  onStop(() => machineClock.stop())
  const movable = config.sandbox ? movableClock(machineClock.now) : undefined
  const clock = movable ?? clockOf(machineClock.now)
  const state = await followState(db.read, movable, (err) => log.warn({ err }, 'The state could not be read.'))
  onStop(() => state.stop())
  const faults = config.sandbox
    ? await followFaults(db, (err) => log.warn({ err }, 'Faults could not be read.'))
    : undefined
  onStop(() => faults?.stop())
  const jobsDb = openDb({ url: database.url, limits: JOB_LIMITS, mayLose })
  onStop(() => jobsDb.close())
  const queue = await openQueue({ db: jobsDb, url: database.url, clock, log, otherWork: UNPUBLISHED })
  onStop(() => queue.stop())
  const vault = openVault(pepper)
  const ssrfPolicy = config.sandbox ? 'public and loopback' : 'public'
  const { clamdUrl, uploadBytesMax } = config
  const metrics = createMetrics({ db, queue, machineClock })
  const scanner = clamdUrl === undefined ? undefined : metrics.watchScanner(openScanner(clamdUrl))
  const deps: Deps = { db, blobs, pdf, scanner, uploadBytesMax, clock, queue, log, vault, ssrfPolicy }

  let stage: 'serving' | 'leaving' | 'draining' = 'serving'
  const isStopping = () => stage !== 'serving'
  addOperatorMetrics(metrics, deps, config)
  const readiness = readinessOf({ db, blobs, machineClock, isStopping })
  addGauge(metrics.registry, 'lodgeway_ready', READY, async () => Number((await readiness()).ready))
  const adapters = { registry: config.registry, payments: config.payments }
  const nodeId = randomUUID()
  const { adminHost: host, adminPort: port } = config
  const admin = await openAdmin(config, parts, { host, port, metrics, readiness, nodeId, adapters })
  onStop(() => admin.stop())

  const secrets = await secretsOf(config)
  // The sample matters are played against the simulators.
  const isSimulated = adapters.registry === SIMULATOR && adapters.payments === SIMULATOR
  const matters = parts.worker && (parts.matters ?? isSimulated)
  const sandbox: (Sandbox & { faults: Faults }) | undefined = movable &&
    faults &&
    secrets && { ...deps, faults, clock: movable, state, ...secrets, matters, ...play, ...sandboxParts(database, deps) }
  if (parts.worker) {
    onStep('starting jobs')
    const jobDeps = { ...deps, db: jobsDb }
    const worker = await startWorker(jobDeps, await openPorts(config, jobDeps), {
      metrics,
      telemetry,
      machineClock,
      retention: config.retention,
      faults: faults && webhookFaultsOf(faults),
    })
    onStop(() => worker.stop())
  }
  let url = ''
  if (parts.http) {
    const own = config.otherIssuer ? undefined : secrets
    const { app } = await buildApp({
      config,
      deps,
      state,
      metrics,
      telemetry,
      readiness,
      nodeId,
      own,
      operator: { deps: await operatorDeps(config, deps, onStop), pepper },
      sandbox,
      isStopping,
      isDraining: () => stage === 'draining',
      onRequest: parts.onRequest,
      ...extraOf(parts),
    })
    if (sandbox) {
      await seed(app, sandbox, onStep)
      await failInterruptedRuns(db)
    }
    if (sandbox && parts.worker) await sandbox.replan() // seeding removed what was planned
    await app.listen({ host: config.host, port: config.port }).catch(async (error) => {
      throw await cannotListen(listenerOf(config, 'PORT', command), error)
    })
    onStop(() => app.close())
    url = addressOf(config.host, app.server.address() as AddressInfo)
  }
  const roles = [...(parts.http ? ['serve' as const] : []), ...(parts.worker ? ['work' as const] : [])]
  const node = announceNode({
    db,
    nodeId,
    readiness,
    roles,
    onError: (err) => log.warn({ err }, 'This node was not announced.'),
  })
  onStop(() => node.stop())
  onStop(() => {
    stage = 'draining'
  })
  // The proxy learns that this node is not ready, and sends requests to others, before it refuses any.
  onStop(async () => {
    stage = 'leaving'
    if (parts.http) await delay(config.leaveSeconds * 1000)
  })
  return { url, adminUrl: addressOf(config.adminHost, admin.address), deps }
}

/** Where the role of `serve` may not change accounts, operators do it with another. */
async function operatorDeps({ operatorDatabaseUrl: url }: Config, deps: Deps, onStop: (step: () => unknown) => void) {
  if (url === undefined) return deps
  const db = openDb({ url, poolSize: OPERATOR_POOL_SIZE })
  onStop(() => db.close())
  const queue = await openQueue({ ...deps, db, url })
  onStop(() => queue.stop())
  return { ...deps, db, queue }
}

const OPERATOR_POOL_SIZE = 2
const READY = 'Whether requests should be sent to this node.'

const extraOf = ({ extra }: Parts) => (extra ? { extra } : {})

const sandboxParts = ({ ownerUrl }: Database, deps: Deps) => ({
  ownerUrl,
  replan: () => planJobs(deps),
  oneAtATime: oneAtATime(),
})

function oneAtATime(): Sandbox['oneAtATime'] {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const next = last.then(work, work)
    last = next
    return next
  }
}

/** The sandbox takes a free port instead of one that is in use: several can run on a machine. */
async function openAdmin(config: Config, { http, onStep }: Parts, options: AdminOptions) {
  try {
    return await startAdmin(options)
  } catch (error) {
    const isTaken = (error as NodeJS.ErrnoException).code === 'EADDRINUSE'
    if (!config.sandbox || !isTaken)
      throw await cannotListen(listenerOf(config, 'ADMIN_PORT', http ? 'serve' : 'work'), error)
    onStep?.(`ADMIN_PORT ${options.port} is in use, so metrics get another port`)
    return startAdmin({ ...options, port: 0 })
  }
}
