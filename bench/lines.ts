import type { Figure, Runs } from './harness.ts'
import { median } from './harness.ts'

// What a run of the bench says, line by line. The table, the plot and the file of results are made from these.

export type Line = {
  group: string
  what: string
  value: number
  unit: Unit
  /** What it is compared with: that one's own value, and ours as a share of it, with the lowest and highest of all rounds. */
  beside?: { name: string; value: number; share: number; lowest: number; highest: number }
  /** Of the share where there is one, otherwise of the value. */
  goal?: { atLeast: number } | { atMost: number }
  /** Of the service, for each answer. */
  cpuMicros?: number
  p99Ms?: number
  /** The largest share of the machine that other processes used in a round. */
  others?: number
}

export type Unit = '/s' | '/min' | 's' | 'ms' | 'MB' | 'MiB/s'

export type Results = {
  takenAt: string
  version: string
  machine: Record<string, string | number>
  lines: Line[]
}

const SECONDS: Partial<Record<Unit, number>> = { '/min': 60 }

/** A line for each limit, or one for a figure without limits. */
export function linesOf(figure: Figure, group: string): Line[] {
  const { title, service, limits, unit = '/s', grownMbMax } = figure
  const of = ({ perSecond }: Runs) => perSecond * (SECONDS[unit] ?? 1)
  const medianOf = (name: 'cpuMicros' | 'p99Ms') => {
    const values = service.rounds.flatMap((round) => round[name] ?? [])
    return values.length ? { [name]: median(values) } : {}
  }
  const own = { group, what: title, value: of(service), unit, ...medianOf('cpuMicros'), ...medianOf('p99Ms') }
  if (grownMbMax !== undefined) {
    const value = Math.max(...service.rounds.map(({ grownMb = Number.NaN }) => grownMb))
    return [{ ...own, what: `${title}: memory grows by`, value, unit: 'MB', goal: { atMost: grownMbMax } }]
  }
  if (!limits.length) return [{ ...own, ...othersOf(service) }]
  return limits.map(({ goal, side, share, lowest, highest, ...runs }) => ({
    ...own,
    beside: { name: side, value: of({ side, ...runs }), share, lowest, highest },
    ...(goal !== undefined && { goal: { atLeast: goal } }),
    ...othersOf(service, { side, ...runs }),
  }))
}

function othersOf(...runs: readonly Runs[]): { others?: number } {
  const shares = runs.flatMap(({ rounds }) => rounds.flatMap(({ othersShare }) => othersShare ?? []))
  return shares.length ? { others: Math.max(...shares) } : {}
}

/** How much of its goal a line reaches: 1 and more is met. Undefined without a goal. */
export function reached({ goal, value, beside }: Line): number | undefined {
  if (!goal) return undefined
  const measured = beside?.share ?? value
  return 'atLeast' in goal ? measured / goal.atLeast : goal.atMost / measured
}

const HEAD = ['', 'measured', 'beside', 'its figure', 'share', 'in single rounds', 'goal']

/** The lines as a table of Markdown. */
export function tableOf(lines: readonly Line[]): string {
  let group = ''
  const rows = lines.flatMap((line) => {
    const heads = line.group === group ? [] : [[`**${line.group}**`, ...HEAD.slice(1).map(() => '')]]
    group = line.group
    return [...heads, rowOf(line)]
  })
  return [HEAD, HEAD.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('')
}

function rowOf(line: Line): string[] {
  const { what, value, unit, beside, goal } = line
  const isMet = (reached(line) ?? 0) >= 1
  const bound =
    goal &&
    ('atLeast' in goal ? `at least ${goal.atLeast}` : `at most ${beside ? goal.atMost : shown(goal.atMost, unit)}`)
  return [
    what,
    shown(value, unit),
    beside?.name ?? '',
    beside ? shown(beside.value, unit) : '',
    beside ? `**${beside.share.toFixed(2)}**` : '',
    beside ? `${beside.lowest.toFixed(2)} to ${beside.highest.toFixed(2)}` : '',
    bound ? `${bound}, ${isMet ? 'met' : '**missed**'}` : '',
  ]
}

function shown(value: number, unit: Unit): string {
  const digits = value >= 100 ? 0 : value >= 10 ? 1 : value >= 0.1 ? 2 : 4
  const number = value.toLocaleString('en', { maximumFractionDigits: digits })
  return unit.startsWith('/') ? number + unit : `${number} ${unit}`
}
