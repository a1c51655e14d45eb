import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { verifyAudit } from '../../../src/audit/verify.ts'
import { startFaults } from './faults.ts'
import { type Pace, startLoad } from './load.ts'
import { backlogOf, connectionsOf, tablesOf, temporaryFilesIn } from './measure.ts'
import { openPartners } from './partners.ts'
import { type Finding, judge, noneLeft, type Sample, tableOf } from './rules.ts'
import { settled } from './settle.ts'
import { startStage } from './stage.ts'
import { startChores, tidied } from './tidy.ts'

export type SoakOptions = {
  hours: number
  /** A file for everything that was measured. */
  json?: string | undefined
  pace?: Pace
  sampleMs?: number
  faultMs?: number
  /** The first of each kind is never killed. */
  names?: readonly string[]
  say?: (line: string) => void
}

const PACE: Pace = { matterMs: 3_000, readMs: 200, pageMs: 500, streams: 6 }
const NAMES = ['serve1', 'work1', 'serve2', 'work2']
/** How long a day of business takes. */
const DAY_MS = 30_000
const SETTLING_DAY_MS = 3_000
const FAILING_SHARE = 0.1
const SIGNALS = ['SIGINT', 'SIGTERM'] as const

const print = (line: string) => void process.stderr.write(`${line}\n`)

/** A steady load with faults, and what grows meanwhile. */
export async function proveSoak(options: SoakOptions) {
  const { hours, json, pace = PACE, sampleMs = 60_000, faultMs = 45_000, names = NAMES, say = print } = options
  const interrupted = new AbortController()
  const interrupt = () => interrupted.abort(new Error('Interrupted.'))
  for (const signal of SIGNALS) process.once(signal, interrupt)
  const stage = await startStage({ names })
  const { owner, nodes, clock, faulty, blobs, dataDir, receiver } = stage
  try {
    const partners = openPartners({ urls: nodes.urls, clock })
    clock.run(DAY_MS, partners.isSlow)
    await partners.register(receiver.url)
    const load = startLoad(partners, clock, pace)
    faulty.share = FAILING_SHARE
    const mortal = names.filter((name) => !name.endsWith('1'))
    const faults = startFaults({ nodes, owner, blobs, receiver: faulty, mortal }, faultMs)
    const startedAt = performance.now()
    const elapsed = () => performance.now() - startedAt
    const sample = async (): Promise<Sample> => ({
      at: Math.round(elapsed() / 1_000),
      nodes: await nodes.use(),
      connections: await connectionsOf(owner),
      backlog: await backlogOf(owner),
      tables: await tablesOf(owner),
      temporaryFiles: (await temporaryFilesIn(dataDir)).length,
      logBytes: await nodes.logBytes(),
      ...partners.counts,
      kills: faults.kills(),
    })
    const samples: Sample[] = []
    while (elapsed() < hours * 3_600_000) {
      const untilNext = Math.min((samples.length + 1) * sampleMs, hours * 3_600_000) - elapsed()
      await delay(Math.max(0, untilNext), undefined, interrupted)
      samples.push(await sample())
      await startChores(owner)
      blobs.answered.length = 0
      say(progressOf(samples, load.failed.length))
    }
    await faults.stop()
    await load.stop()
    faulty.share = 0
    const left = await settled(stage, SETTLING_DAY_MS)
    const audit = await verifyAudit(owner, { now: clock.now() })
    for (const line of [...audit.findings, ...nodes.ended, ...new Set(load.failed)]) say(line)
    const steady = names.filter((name) => !mortal.includes(name))
    const findings: Finding[] = [
      ...judge(samples, steady),
      ...noneLeft({ 'nodes that ended by themselves': nodes.ended.length }),
      ...noneLeft({ 'calls that failed for good': load.failed.length, ...left }),
      ...noneLeft({ 'findings of the audit': audit.findings.length, ...(await tidied(owner, dataDir)) }),
    ]
    const { requests, matters } = partners.counts
    const broken = findings.filter(({ isKept }) => !isKept).map(({ rule }) => rule)
    const figures = { hours, requests, matters, faults: faults.counts, broken, findings }
    if (json) await writeFile(json, `${JSON.stringify({ ...figures, failed: load.failed, samples }, null, 2)}\n`)
    say(tableOf(findings))
    return figures
  } finally {
    for (const signal of SIGNALS) process.off(signal, interrupt)
    await stage.stop()
  }
}

function progressOf(samples: readonly Sample[], failed: number): string {
  const { at, matters, requests, nodes, connections, backlog, tables } = samples.at(-1) as Sample
  const bytes = Object.values(tables).reduce((sum, table) => sum + table.bytes + table.indexBytes, 0)
  const use = Object.entries(nodes).map(
    ([name, { usedMb, rssMb, handles }]) => `${name} ${Math.round(usedMb)}/${Math.round(rssMb)} MB ${handles}`,
  )
  return [
    `${at} s`,
    `${matters} matters`,
    `${requests} requests`,
    `${failed} failed`,
    `backlog ${backlog}`,
    `${connections} connections`,
    `${Math.round(bytes / 1e6)} MB`,
    ...use,
  ].join(', ')
}
