import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { openDb } from '../../../src/platform/database/db.ts'
import { type Cluster, startCluster, stopCluster } from '../../cluster/cluster.ts'
import { FAULTS, untilWhole } from './faults.ts'
import { type Asked, type Audited, compare, interruptionOf, medianOf, type Window } from './history.ts'
import { addPartners, startLoad } from './load.ts'

const PER_SECOND = 50
const BEFORE_MS = 3_000
const SETTLE_MS_MAX = 180_000

export const say = (line: string) => void process.stderr.write(`${line}\n`)

/** Breaks every part of a cluster in turn, under load, and compares what was promised with what is there. */
export async function proveFailover({ rounds }: { rounds: number }) {
  const folder = await mkdtemp(join(tmpdir(), 'lodgeway-cluster-'))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => stopCluster(folder).finally(() => process.exit(1)))
  }
  const cluster = await startCluster(folder, say)
  try {
    const load = await startLoad(cluster, await addPartners(cluster), PER_SECOND)
    const windows: Window[] = []
    try {
      for (let round = 1; round <= rounds; round++) {
        for (const fault of FAULTS) {
          await delay(BEFORE_MS)
          const { from, repair } = await fault.strike(cluster)
          await delay(fault.lastsMs)
          const to = performance.now()
          await repair()
          await untilWhole(cluster)
          const window = { fault: fault.name, from, to }
          windows.push(window)
          say(`${round} ${fault.name}: ${JSON.stringify(interruptionOf(load.asked, window))}`)
        }
      }
    } finally {
      await load.stop()
    }
    const seconds = await untilSettled(cluster)
    return {
      rounds,
      ...(await examine(cluster, load.asked)),
      secondsToSettle: seconds,
      ...timesOf(load.asked, windows),
    }
  } finally {
    await cluster.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

const UNFINISHED = `
  select (select count(*) from pgboss.job where state < 'completed' and data ? 'correlationId')
       + (select count(*) from events where unpublished)
       + (select count(*) from representations where status = 'QUEUED')
       + (select count(*) from files where status = 'PENDING')
       + (select count(*) from titles where search_status in ('INITIATED', 'PENDING')) as unfinished`

export async function untilSettled({ ownerUrl }: Cluster): Promise<number> {
  const db = openDb({ url: ownerUrl, poolSize: 2 })
  const startedAt = performance.now()
  try {
    for (;;) {
      const [row] = await db.query<{ unfinished: number }>(UNFINISHED)
      const seconds = (performance.now() - startedAt) / 1_000
      if (row?.unfinished === 0 || seconds * 1_000 > SETTLE_MS_MAX) return Math.round(seconds * 10) / 10
      await delay(200)
    }
  } finally {
    await db.close()
  }
}

const AUDITED = `
  select entry ->> 'correlationId' as id, entry ->> 'action' as action, count(*) as count
    from audit_entries group by 1, 2`
const PUBLISHED = `
  select (select count(*) from events where unpublished) as unpublished,
         (select count(*) from (select from event_feed group by subscriber_id, event_seq having count(*) > 1) twice) as "publishedTwice",
         (select count(*) from pgboss.job where name = 'dead' and state = 'created') as "deadJobs"`

const ABOUT = / \(correlation id .*\)$/

export async function examine(cluster: Cluster, asked: readonly Asked[]) {
  const db = openDb({ url: cluster.ownerUrl, poolSize: 2 })
  try {
    const findings = compare(asked, await db.query<Audited>(AUDITED))
    const [published] = await db.query<Record<string, number>>(PUBLISHED)
    const audit = await cluster.command('audit', 'verify').catch((error: Error) => error.message)
    const failed = asked.filter(({ end }) => end === 'failed')
    const counted = Object.fromEntries(
      Object.entries(findings).map(([name, value]) => [name, Array.isArray(value) ? value.length : value]),
    )
    for (const [name, value] of Object.entries(findings)) {
      if (!Array.isArray(value)) continue
      for (const line of value) say(`${name}: ${line}`)
      if (value.length > 0) process.exitCode = 1
    }
    for (const message of new Set(failed.map(({ kind, message = '' }) => `${kind}: ${message.replace(ABOUT, '')}`))) {
      say(message)
    }
    return {
      requests: asked.length,
      ...counted,
      failedAfterAllRepeats: failed.filter(({ attempts }) => attempts.length > 1).length,
      ...published,
      audit: audit.trim().split('\n').at(-1),
    }
  } finally {
    await db.close()
  }
}

function timesOf(asked: readonly Asked[], windows: readonly Window[]) {
  const byFault = Map.groupBy(windows, ({ fault }) => fault)
  const firstWriteMs = Object.fromEntries(
    [...byFault].map(([fault, times]) => {
      const found = times.map((window) => interruptionOf(asked, window))
      const firsts = found.map(({ firstMs }) => firstMs)
      const worstGapMs = Math.max(...found.map(({ gapMs }) => gapMs))
      return [fault, { medianMs: medianOf(firsts), worstMs: Math.max(...firsts), worstGapMs }]
    }),
  )
  return { firstWriteMs }
}
