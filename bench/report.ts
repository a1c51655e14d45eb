import { availableParallelism, cpus, release, totalmem } from 'node:os'
import type { Db } from '../server/src/platform/database/db.ts'
import { type Figure, median, type Runs } from './harness.ts'

const HEAD = [
  'figure',
  'side',
  'per second',
  'CPU µs',
  'p50 ms',
  'p99 ms',
  'others',
  'share',
  'in single rounds',
  'goal',
]

/** The figures as a table: a line for each side, and for each limit the service's share of it. */
export function tableOf(figures: readonly Figure[]): string {
  const lines = figures.flatMap(({ title, service, limits, grownMbMax }) => [
    [title, service.side, ...ratesOf(service), '', '', grownMbMax === undefined ? '' : growthOf(service, grownMbMax)],
    ...limits.map((limit) => [
      '',
      limit.side,
      ...ratesOf(limit),
      limit.share.toFixed(2),
      `${limit.lowest.toFixed(2)} to ${limit.highest.toFixed(2)}`,
      limit.goal === undefined ? '' : `${limit.goal.toFixed(2)} ${limit.share >= limit.goal ? 'met' : 'missed'}`,
    ]),
  ])
  const widths = HEAD.map((name, column) => Math.max(...[name, ...lines.map((line) => line[column] ?? '')].map(length)))
  const show = (line: readonly string[]) => `| ${line.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join(' | ')} |\n`
  return [HEAD, widths.map((width) => '-'.repeat(width)), ...lines].map(show).join('')
}

function growthOf({ rounds }: Runs, grownMbMax: number): string {
  const grown = Math.max(...rounds.map(({ grownMb = Number.NaN }) => grownMb))
  return `+${grown.toFixed(0)} MB of ${grownMbMax} ${grown <= grownMbMax ? 'met' : 'missed'}`
}

const length = (text: string) => text.length

function ratesOf({ perSecond, rounds }: Runs): string[] {
  const medianOf = (name: 'cpuMicros' | 'p50Ms' | 'p99Ms') => {
    const values = rounds.flatMap((round) => round[name] ?? [])
    return values.length ? median(values).toFixed(name === 'cpuMicros' ? 0 : 1) : ''
  }
  return [perSecond.toFixed(0), medianOf('cpuMicros'), medianOf('p50Ms'), medianOf('p99Ms'), othersOf(rounds)]
}

// The largest share of the machine that other processes used. Above a tenth, the figure is not reliable.
function othersOf(rounds: Runs['rounds']): string {
  const shares = rounds.flatMap(({ othersShare }) => othersShare ?? [])
  return shares.length ? `${(Math.max(...shares) * 100).toFixed(0)} %` : ''
}

/** The machine on which the figures were measured. */
export async function machineOf(owner: Db): Promise<Record<string, string | number>> {
  const [database] = await owner.query<{ version: string; fsync: string; synchronousCommit: string }>(
    `select current_setting('server_version') as version, current_setting('fsync') as fsync,
            current_setting('synchronous_commit') as "synchronousCommit"`,
  )
  return {
    cores: availableParallelism(),
    processor: cpus()[0]?.model.trim() ?? '',
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    system: `${process.platform} ${release()}`,
    node: process.version,
    postgres: `${database?.version}, fsync ${database?.fsync}, synchronous_commit ${database?.synchronousCommit}`,
  }
}
