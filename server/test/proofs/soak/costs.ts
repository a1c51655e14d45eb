import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { countOf, tablesOf } from './measure.ts'
import { openPartners } from './partners.ts'
import { settled } from './settle.ts'
import { type Stage, startStage } from './stage.ts'
import { type CountingRelay, startCountingRelay } from './turns.ts'

// What one remortgage costs, from the order to the registered title, with a webhook for each side: counted on one node that
// serves and one that works. What both do without any matter in the same time is subtracted.

export type Costs = Record<string, number>

const SETTLING_DAY_MS = 1_500
const IDLE_MS = 20_000

/** Whole matters, one after another. */
export async function proveCosts({ matters }: { matters: number }) {
  let relay: CountingRelay | undefined
  const settings = { shared_preload_libraries: 'pg_stat_statements', 'pg_stat_statements.track_utility': 'on' }
  const stage = await startStage({
    names: ['serve1', 'work1'],
    settings,
    via: async (postgres) => {
      relay = await startCountingRelay(postgres.url)
      return relay.url
    },
  })
  try {
    const { owner, nodes, clock, receiver } = stage
    await owner.query('create extension pg_stat_statements')
    // They cost by the day, not by the matter.
    await owner.query('update subscribers set reports = false')
    await owner.query('delete from reports')
    const partners = openPartners({ urls: nodes.urls, clock })
    await partners.register(receiver.url)
    const measure = () => measured(stage, relay, partners.counts.requests)

    clock.run(SETTLING_DAY_MS)
    const idle = await rateOf(measure, () => delay(IDLE_MS))
    clock.stop()

    const startedAt = performance.now()
    const before = await measure()
    for (let done = 0; done < matters; done++) await partners.order()
    const left = await settled(stage, SETTLING_DAY_MS)
    const after = await measure()
    const seconds = (performance.now() - startedAt) / 1_000

    const each = Object.fromEntries(
      Object.entries(after)
        .map(([name, value]) => [name, (value - (before[name] ?? 0) - (idle[name] ?? 0) * seconds) / matters] as const)
        .filter(([, value]) => Math.abs(value) >= 0.05)
        .map(([name, value]) => [name, Math.round(value * 10) / 10]),
    )
    return { matters, seconds: Math.round(seconds), left, each }
  } finally {
    await stage.stop()
    await relay?.close()
  }
}

/** How much of each there is in a second in which only this is done. */
async function rateOf(measure: () => Promise<Costs>, work: () => Promise<unknown>): Promise<Costs> {
  const startedAt = performance.now()
  const before = await measure()
  await work()
  const after = await measure()
  const seconds = (performance.now() - startedAt) / 1_000
  return Object.fromEntries(
    Object.entries(after).map(([name, value]) => [name, (value - (before[name] ?? 0)) / seconds]),
  )
}

const STATEMENTS = `
  select sum(calls)::bigint as statements, sum(total_exec_time) as "msOfExecution"
    from pg_stat_statements join pg_roles on oid = userid where rolname = 'lodgeway'`

async function measured({ owner, nodes, folder }: Stage, relay: CountingRelay | undefined, requests: number) {
  const [[sql], use, tables] = [await owner.query<Costs>(STATEMENTS), await nodes.use(), await tablesOf(owner)]
  const sumOf = (what: 'rows' | 'bytes' | 'indexBytes') =>
    Object.values(tables).reduce((sum, table) => sum + table[what], 0)
  const costs: Costs = {
    requests,
    'jobs ended': await countOf(owner, `select count(*) from pgboss.job where state = 'completed'`),
    'webhooks delivered': await countOf(owner, `select count(*) from notifications where status = 'DELIVERED'`),
    events: await countOf(owner, 'select count(*) from events'),
    'audit entries': await countOf(owner, 'select count(*) from audit_entries'),
    statements: Number(sql?.['statements'] ?? 0),
    'round trips': relay?.roundTrips() ?? 0,
    'CPU ms of serve': use['serve1']?.cpuMs ?? 0,
    'CPU ms of work': use['work1']?.cpuMs ?? 0,
    'CPU ms of PostgreSQL': await cpuOf(join(folder, 'pg')),
    'WAL bytes': await countOf(owner, `select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as count`),
    rows: sumOf('rows'),
    'bytes of tables': sumOf('bytes'),
    'bytes of indexes': sumOf('indexBytes'),
    files: await countOf(owner, 'select count(*) from blobs'),
  }
  for (const [name, { rows }] of Object.entries(tables)) costs[`rows of ${name}`] = rows
  return costs
}

const TICK_MS = 10

/** Of the server with all that it ever started: those that ended are counted by the one that waited for them. */
async function cpuOf(folder: string): Promise<number> {
  const [pid = ''] = (await readFile(join(folder, 'postgres/postmaster.pid'), 'utf8')).split('\n')
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  const stats = await Promise.all(pids.map((one) => readFile(`/proc/${one}/stat`, 'utf8').catch(() => '')))
  let ticks = 0
  for (const [index, stat] of stats.entries()) {
    const [, parent, ...rest] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const [user, system, usersOfEnded, systemOfEnded] = rest.slice(9, 13).map(Number)
    if (parent === pid) ticks += (user ?? 0) + (system ?? 0)
    if (pids[index] === pid) ticks += (user ?? 0) + (system ?? 0) + (usersOfEnded ?? 0) + (systemOfEnded ?? 0)
  }
  return ticks * TICK_MS
}
