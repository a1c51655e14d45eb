import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { hasCommit, PREVIOUS, VERSION_1 } from '../fixtures/history.ts'
import { type ServiceProcess, serviceProcess } from '../fixtures/process.ts'
import { proveClock } from './clock.ts'
import { proveCommit } from './commit.ts'
import { proveEvidence } from './evidence.ts'
import { proveFailover } from './failover/failover.ts'
import { proveFreeze } from './freeze.ts'
import { proveIdle, sendSlowly, swallowRoute } from './idle.ts'
import { proveJava } from './java.ts'
import { proveKills } from './kills.ts'
import { proveLimits } from './limits.ts'
import { proveListen } from './listen.ts'
import { proveLocks } from './locks.ts'
import { proveOneKey } from './one-key.ts'
import { proveRace } from './race.ts'
import { proveRegistry } from './registry.ts'
import { relayed } from './relayed.ts'
import { proveReports } from './reports.ts'
import { proveRepresentations } from './representations.ts'
import { proveRestore } from './restore/restore.ts'
import { proveRetention } from './retention.ts'
import { proveCosts } from './soak/costs.ts'
import { proveSoak } from './soak/soak.ts'
import { proveUpgradeFromFirst } from './upgrade/from-first.ts'
import { proveRollingUpgrade } from './upgrade/rolling.ts'
import { proveUploads } from './uploads.ts'
import { proveWebhooks } from './webhooks.ts'

// `npm run proof -- <name>`: the large runs, each bounded to ten minutes, `upgrade` to twenty, `retention` to thirty, and
// `failover` and `soak` to more, by their options. Prints its figures as JSON.

const PROOF_MS_MAX = 600_000
const FAILOVER_ROUND_MS_MAX = 480_000
const options = {
  rounds: { type: 'string', default: '3' },
  from: { type: 'string', default: PREVIOUS },
  'from-1.0.0': { type: 'boolean', default: false },
  matters: { type: 'string' },
  due: { type: 'string' },
  hours: { type: 'string', default: '0.5' },
  /** Where `soak` writes all that it measured. */
  json: { type: 'string' },
} as const
const { values, positionals } = parseArgs({ allowPositionals: true, options })
const rounds = Number(values.rounds)
const hours = Number(values.hours)

const PROOFS: Record<string, () => Promise<unknown>> = {
  kills: () => inProcess((service) => proveKills(service, { kills: 20 })),
  'one-key': () => inProcess((service) => proveOneKey(service, { requests: 1_000 })),
  idle: proveIdleAndSlow,
  freeze: () => relayed((parts) => proveFreeze(parts, { freezes: 5, pauseMs: 0 })),
  locks: () => relayed((parts) => proveLocks(parts, { heldMs: 20_000, pauseMs: 0 })),
  commit: () => relayed((parts) => proveCommit(parts, { cuts: 500 })),
  evidence: async () => ({
    interface: await inProcess((service) => proveEvidence(service, { megabytes: 500, by: 'interface' })),
    console: await inProcess((service) => proveEvidence(service, { megabytes: 500, by: 'console' })),
  }),
  race: () => inProcess((service) => proveRace(service, { rounds: 1_000 })),
  uploads: () => inProcess((service) => proveUploads(service, { kills: 30, senders: 6, bytesMax: 2_000_000 })),
  reports: () => proveReports({ workspaces: 50_000, kills: 10 }),
  registry: () => proveRegistry({ cases: 200, kills: 20 }),
  listen: () => inProcess((service) => proveListen(service, { events: 1_000, kills: 20 })),
  limits: () => proveLimits({ minutes: 6 }),
  webhooks: () => proveWebhooks({ kills: 20, events: 5_000 }),
  representations: () => inProcess((service) => proveRepresentations(service, { requests: 2_000, kills: 20 })),
  retention: () =>
    proveRetention({
      matters: Number(values.matters ?? 1_000_000),
      due: Number(values.due ?? 100_000),
      readsPerSecond: 100,
      phaseMs: 20_000,
    }),
  clock: proveClockAlone,
  java: proveJava,
  collections: () => proveByTest('server/test/collections.test.ts', { COLLECTIONS: 'run' }),
  failover: () => proveFailover({ rounds }),
  restore: proveRestore,
  upgrade: proveUpgrade,
  soak: proveSoakOrFail,
  costs: () => proveCosts({ matters: 40 }),
  'old-client': () => proveByTest('server/test/journeys/old-client.test.ts', { HISTORY: 'required' }),
  model: () => proveByTest('server/test/model/model.test.ts', { MATTERS: '300' }),
  machines: () => proveByTest('server/test/model/machines.test.ts', { RUNS: '50000' }),
}

const [name = ''] = positionals
const proof = PROOFS[name]
if (!proof) {
  process.stderr.write(`Choose a proof: npm run proof -- ${Object.keys(PROOFS).join(' | ')}\n`)
  process.exit(2)
}
const MORE_MS: Record<string, number> = {
  failover: rounds * FAILOVER_ROUND_MS_MAX,
  soak: hours * 3_600_000 + PROOF_MS_MAX,
  upgrade: PROOF_MS_MAX,
  retention: 2 * PROOF_MS_MAX,
}
const msMax = PROOF_MS_MAX + (MORE_MS[name] ?? 0)
setTimeout(() => {
  process.stderr.write(`${name} took longer than ${msMax / 60_000} minutes.\n`)
  if (process.listenerCount('SIGTERM') === 0) process.exit(1)
  process.kill(process.pid, 'SIGTERM') // the proof removes what it has started
}, msMax).unref()
process.stdout.write(`${JSON.stringify({ proof: name, ...((await proof()) as object) })}\n`)
process.exit() // otherwise the test runner that fixtures load prints its summary of no tests

/** A test, run larger than `npm test` runs it. Its output goes to stderr. */
async function proveByTest(file: string, env: Record<string, string>) {
  const runner = resolve(import.meta.dirname, '../scripts/test.ts')
  const startedAt = performance.now()
  const child = spawn(process.execPath, [runner, file], {
    env: { ...process.env, RUN_MS_MAX: String(PROOF_MS_MAX), ...env },
    stdio: ['ignore', process.stderr, 'inherit'],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`${file} failed: see above.`)
  return { ...env, seconds: Math.round((performance.now() - startedAt) / 1000) }
}

/** A shallow clone has no earlier versions. */
async function proveUpgrade() {
  const commit = values['from-1.0.0'] ? VERSION_1 : values.from
  if (!(await hasCommit(commit))) return { skipped: `This clone has no commit ${commit}: git fetch --unshallow` }
  return values['from-1.0.0']
    ? proveUpgradeFromFirst({ matters: Number(values.matters ?? 2_000) })
    : proveRollingUpgrade({ from: commit })
}

async function proveIdleAndSlow() {
  const { startService } = await import('../../src/service.ts')
  const { readConfig } = await import('../../src/config.ts')
  const { dataDir, remove } = await serviceProcess()
  const env = { DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0', LOG_LEVEL: 'silent' }
  const config = readConfig(env, { sandbox: true, part: 'serve' })
  const service = await startService(config, { http: true, worker: false, extra: swallowRoute })
  try {
    const [idle, upload] = await Promise.all([
      proveIdle(service.url, { connections: 200 }),
      sendSlowly(service.url, { bytes: 41_943_040, bitsPerSecond: 4_000_000 }),
    ])
    return { ...idle, uploadBytes: upload.counted, uploadSeconds: upload.seconds }
  } finally {
    await service.stop()
    await remove()
  }
}

async function proveSoakOrFail() {
  const figures = await proveSoak({ hours, json: values.json })
  if (figures.broken.length) process.exitCode = 1
  return figures
}

async function inProcess<T>(work: (service: ServiceProcess) => Promise<T>): Promise<T> {
  const service = await serviceProcess()
  try {
    await service.start()
    return await work(service)
  } finally {
    await service.remove()
  }
}

async function proveClockAlone() {
  const { startEmbeddedPostgres } = await import('../../src/platform/embedded-postgres/embedded-postgres.ts')
  const { migrate } = await import('../../src/platform/database/migrate.ts')
  const { rightsOf } = await import('../../src/rights.ts')
  const { jobNames } = await import('../../src/worker.ts')
  const { dataDir, remove } = await serviceProcess()
  const postgres = await startEmbeddedPostgres({ folder: dataDir, mode: 'own' })
  try {
    await migrate({ ...postgres, rights: rightsOf(), jobs: jobNames })
    return await proveClock({ url: postgres.url, watchMs: 60_000 })
  } finally {
    await postgres.stop()
    await remove()
  }
}
