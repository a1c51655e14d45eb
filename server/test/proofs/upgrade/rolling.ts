import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { PgBoss } from 'pg-boss'
import { type Cluster, ROOT, startCluster, stopCluster } from '../../cluster/cluster.ts'
import { findPrograms } from '../../cluster/programs.ts'
import { runSql } from '../../fixtures/database.ts'
import { checkOut } from '../../fixtures/history.ts'
import { examine, say, untilSettled } from '../failover/failover.ts'
import type { Asked } from '../failover/history.ts'
import { addPartners, startLoad } from '../failover/load.ts'

const PER_SECOND = 30
const SIDE_BY_SIDE_MS = 20_000
const BETWEEN_MS = 3_000

/** Half of the nodes are of one version and half of the other while they run side by side. */
const FIRST = ['app1', 'work1'] as const
const REST = ['app2', 'work2', 'app3'] as const

/** One node that was replaced: how long it took, and how many attempts of the client were not answered well meanwhile. */
type Step = { node: string; to: Version; seconds: number; repeated: number }
type Version = 'old' | 'new'

/** Replaces the nodes of a cluster one by one with those of this version, under load, then goes back, and forward again. */
export async function proveRollingUpgrade({ from }: { from: string }) {
  await findPrograms() // before anything is installed
  const old = await mkdtemp(join(tmpdir(), 'lodgeway-previous-'))
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-cluster-'))
  const remove = () => Promise.all([old, folder].map((one) => rm(one, { recursive: true, force: true })))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () =>
      stopCluster(folder)
        .then(remove)
        .finally(() => process.exit(1)),
    )
  }
  try {
    say(`installing ${from}`)
    await checkOut(from, old)
    const cluster = await startCluster(folder, say, old)
    return await rollUnderLoad(cluster, { old, new: ROOT }, from).finally(() => cluster.stop())
  } finally {
    await remove()
  }
}

async function rollUnderLoad(cluster: Cluster, code: Record<Version, string>, from: string) {
  const load = await startLoad(cluster, await addPartners(cluster), PER_SECOND, 0)
  const steps: Step[] = []

  async function roll(to: Version): Promise<void> {
    cluster.use(code[to])
    await cluster.command('migrate') // that of the old version changes nothing
    await replace(FIRST, to)
    say('both versions side by side')
    await delay(SIDE_BY_SIDE_MS)
    await replace(REST, to)
  }
  async function replace(nodes: readonly string[], to: Version): Promise<void> {
    for (const node of nodes) {
      await delay(BETWEEN_MS)
      const startedAt = performance.now()
      await cluster.end(node)
      await cluster.start(node)
      const endedAt = performance.now()
      const seconds = Math.round((endedAt - startedAt) / 100) / 10
      const step = { node, to, seconds, repeated: failuresIn(load.asked, startedAt, endedAt) }
      steps.push(step)
      say(JSON.stringify(step))
    }
  }

  let schedules: string[]
  try {
    await delay(BETWEEN_MS)
    await roll('new')
    schedules = await schedulesOf(cluster)
    await addUnknownJob(cluster)
    await roll('old')
    await roll('new')
    await delay(BETWEEN_MS)
  } finally {
    await load.stop()
  }
  const secondsToSettle = await untilSettled(cluster)
  const failed = load.asked.filter(({ end }) => end !== 'done').length
  const lostSchedules = schedules.filter(
    (
      (now) => (name) =>
        !now.includes(name)
    )(await schedulesOf(cluster)),
  )
  const unknownJob = await stateOfUnknownJob(cluster)
  if (failed > 0 || lostSchedules.length > 0 || unknownJob !== 'created') process.exitCode = 1
  return {
    from,
    ...(await examine(cluster, load.asked)),
    failed,
    secondsToSettle,
    lostSchedules,
    unknownJob,
    repeatedWhileOldStopped: sum(steps.filter(({ to }) => to === 'new').map(({ repeated }) => repeated)),
    repeatedWhileNewStopped: sum(steps.filter(({ to }) => to === 'old').map(({ repeated }) => repeated)),
    steps: steps.length,
    slowestStepSeconds: Math.max(...steps.map(({ seconds }) => seconds)),
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((one, other) => one + other, 0)

/** Attempts under way in this time that had no answer, or none that the caller wanted. */
function failuresIn(asked: readonly Asked[], from: number, to: number): number {
  return asked
    .flatMap(({ attempts }) => attempts)
    .filter(({ startedAt, endedAt }) => startedAt < to && endedAt > from)
    .filter(({ answer }) => answer === 'unknown' || answer.status >= 400).length
}

const schedulesOf = async ({ ownerUrl }: Cluster): Promise<string[]> =>
  (await runSql<{ name: string }>(ownerUrl, 'select name from pgboss.schedule')).map(({ name }) => name)

const UNKNOWN_JOB = 'upgrade.unknown'

/** As a newer version would add it. Workers of both versions leave it alone. */
async function addUnknownJob({ ownerUrl }: Cluster): Promise<void> {
  const boss = new PgBoss({ connectionString: ownerUrl, max: 1, supervise: false, schedule: false, migrate: false })
  await boss.start()
  await boss.createQueue(UNKNOWN_JOB)
  await boss.send(UNKNOWN_JOB, { version: 2 })
  await boss.stop({ graceful: false })
}

async function stateOfUnknownJob({ ownerUrl }: Cluster): Promise<string | undefined> {
  const text = `select state::text from pgboss.job where name = '${UNKNOWN_JOB}'`
  return (await runSql<{ state: string }>(ownerUrl, text))[0]?.state
}
