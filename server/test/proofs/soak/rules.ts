import type { NodeUse } from './nodes.ts'

// What must not grow beyond what the data explains. Pure.

export type TableUse = { rows: number; bytes: number; indexBytes: number; dead: number }

export type Sample = {
  /** Seconds since the load began. */
  at: number
  nodes: Record<string, NodeUse>
  connections: number
  /** Jobs, events and deliveries that wait or run. */
  backlog: number
  tables: Record<string, TableUse>
  temporaryFiles: number
  logBytes: number
  requests: number
  matters: number
  kills: number
}

export type Finding = { rule: string; limit: string; found: string; isKept: boolean }

/** After twice the standard error of the fit was taken off, so that noise alone breaks no rule. */
export const MB_PER_HOUR_MAX: Record<'usedMb' | 'rssMb', number> = { usedMb: 6, rssMb: 40 }
const POINTS_MIN = 8
const RATIO_MAX = 1.25
const FEW = 8
const BACKLOG_MAX = 100
const FILES_OF_A_KILL_MAX = 8
const ROWS_FEW = 200
const BYTES_FEW = 2_000_000

/** `samples` are those of the steady load, in order; `steady` names the nodes that were never killed. */
export function judge(samples: readonly Sample[], steady: readonly string[]): Finding[] {
  const [first, last] = halves(samples)
  return [
    ...steady.flatMap((node) => [memory(last, node, 'usedMb'), memory(last, node, 'rssMb')]),
    ...steady.map((node) => bounded(`file handles of ${node}`, first, last, ({ nodes }) => nodes[node]?.handles ?? 0)),
    bounded('connections to PostgreSQL', first, last, ({ connections }) => connections),
    drains(last),
    leftByKills(last.at(-1)),
    ...tables(first.at(-1), last.at(-1)),
    logs(first[0], first.at(-1), last.at(-1)),
  ]
}

function halves<T>(all: readonly T[]): [T[], T[]] {
  const middle = Math.floor(all.length / 2)
  return [all.slice(0, middle), all.slice(middle)]
}

function memory(samples: readonly Sample[], node: string, what: keyof typeof MB_PER_HOUR_MAX): Finding {
  const name = what === 'usedMb' ? 'memory in use after a collection' : 'resident memory'
  const points = samples.flatMap(({ at, nodes }) => {
    const use = nodes[node]
    return use ? [[at / 3_600, use[what]] as const] : []
  })
  const { slope, error, mean } = fit(points)
  const isLong = points.length >= POINTS_MIN
  const least = slope - 2 * error
  return {
    rule: `${name} of ${node}`,
    limit: `at most ${MB_PER_HOUR_MAX[what]} MB an hour`,
    found: isLong
      ? `${round(mean)} MB, ${round(slope)} ± ${round(2 * error)} MB an hour`
      : `${round(mean)} MB; too short a run for a trend`,
    isKept: !isLong || least <= MB_PER_HOUR_MAX[what],
  }
}

/** Least squares: the slope, and its standard error. */
export function fit(points: readonly (readonly [x: number, y: number])[]) {
  const count = points.length
  const meanOf = (index: 0 | 1) => points.reduce((sum, point) => sum + point[index], 0) / count
  const [x, mean] = [meanOf(0), meanOf(1)]
  const spread = points.reduce((sum, point) => sum + (point[0] - x) ** 2, 0)
  const slope = points.reduce((sum, point) => sum + (point[0] - x) * (point[1] - mean), 0) / spread
  const left = points.reduce((sum, point) => sum + (point[1] - mean - slope * (point[0] - x)) ** 2, 0)
  return { slope, error: Math.sqrt(left / (count - 2) / spread), mean }
}

function bounded(
  rule: string,
  first: readonly Sample[],
  last: readonly Sample[],
  of: (one: Sample) => number,
): Finding {
  const [before, after] = [Math.max(0, ...first.map(of)), Math.max(0, ...last.map(of))]
  return {
    rule,
    limit: `the most of the second half at most ${RATIO_MAX} times that of the first, and ${FEW}`,
    found: `${before}, then ${after}`,
    isKept: after <= before * RATIO_MAX + FEW,
  }
}

/** It may rise while something is broken, and must come down again. */
function drains(samples: readonly Sample[]): Finding {
  const backlogs = samples.map(({ backlog }) => backlog)
  const [least, most] = [Math.min(...backlogs), Math.max(...backlogs)]
  return {
    rule: 'backlog of jobs, events and deliveries',
    limit: `comes down to ${BACKLOG_MAX} in the second half`,
    found: `${least} to ${most}`,
    isKept: least <= BACKLOG_MAX,
  }
}

/** They are removed a day later. */
const leftByKills = (end?: Sample): Finding => ({
  rule: 'temporary files',
  limit: `at most ${FILES_OF_A_KILL_MAX} for each kill, and ${FEW}`,
  found: `${end?.temporaryFiles ?? 0} after ${end?.kills ?? 0} kills`,
  isKept: !end || end.temporaryFiles <= end.kills * FILES_OF_A_KILL_MAX + FEW,
})

/** Rows for each matter, and bytes of table and indexes for each row, do not grow. One finding for each, naming the worst. */
function tables(half: Sample | undefined, end: Sample | undefined): Finding[] {
  if (!half || !end) return []
  const names = Object.keys(end.tables)
  const worst = (rule: string, limit: string, measure: (before: TableUse, after: TableUse) => Grown): Finding => {
    const grown = names.map((name) => ({ name, ...measure(half.tables[name] ?? NONE, end.tables[name] ?? NONE) }))
    const broken = grown.filter(({ isKept }) => !isKept)
    const shown = broken.length ? broken : grown.toSorted((one, other) => other.ratio - one.ratio).slice(0, 1)
    const found = shown.map(({ name, text }) => `${name} ${text}`).join('; ')
    return { rule, limit, found, isKept: broken.length === 0 }
  }
  const perRow = (what: 'bytes' | 'indexBytes') => (before: TableUse, after: TableUse) => {
    const explained = before[what] * Math.max(1, after.rows / Math.max(1, before.rows))
    return { ...grownTo(explained, after[what], BYTES_FEW), text: `${kb(before[what])}, then ${kb(after[what])}` }
  }
  return [
    worst('rows for each matter', `at most ${RATIO_MAX} times, and ${ROWS_FEW} rows`, (before, after) => {
      const [was, is] = [before.rows / half.matters, after.rows / end.matters]
      return { ...grownTo(was * end.matters, after.rows, ROWS_FEW), text: `${round(was)}, then ${round(is)}` }
    }),
    worst('bytes of a table for its rows', `at most ${RATIO_MAX} times, and 2 MB`, perRow('bytes')),
    worst('bytes of indexes for the rows', `at most ${RATIO_MAX} times, and 2 MB`, perRow('indexBytes')),
    worst('dead rows', 'at most half of the rows, and 5,000', (_, { rows, dead }) => ({
      isKept: dead <= rows / 2 + 5_000,
      ratio: dead / (rows + 5_000),
      text: `${dead} of ${rows}`,
    })),
  ]
}

const NONE: TableUse = { rows: 0, bytes: 0, indexBytes: 0, dead: 0 }
type Grown = { isKept: boolean; ratio: number; text: string }

/** Something small may grow by more, as by its first pages. */
const grownTo = (explained: number, found: number, few: number) => ({
  isKept: found <= explained * RATIO_MAX + few,
  ratio: found > few ? found / Math.max(1, explained) : 0,
})

/** Without what was written at the start. */
function logs(start: Sample | undefined, half: Sample | undefined, end: Sample | undefined): Finding {
  const between = (one?: Sample, other?: Sample) =>
    one && other ? (other.logBytes - one.logBytes) / Math.max(1, other.requests - one.requests) : 0
  const [before, after] = [between(start, half), between(half, end)]
  return {
    rule: 'bytes of log for each request',
    limit: `at most ${RATIO_MAX} times`,
    found: `${round(before)}, then ${round(after)}`,
    isKept: after <= before * RATIO_MAX,
  }
}

/** What must be none at the end. */
export const noneLeft = (found: Record<string, number>): Finding[] =>
  Object.entries(found).map(([rule, count]) => ({ rule, limit: 'none', found: String(count), isKept: count === 0 }))

export function tableOf(findings: readonly Finding[]): string {
  const rows = findings.map(({ rule, limit, found, isKept }) => [isKept ? 'ok' : 'BROKEN', rule, found, limit])
  const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
  const lines = rows.map((row) => row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join('  '))
  return `${lines.join('\n')}\n`
}

const round = (value: number) => Math.round(value * 10) / 10
const kb = (bytes: number) => `${Math.round(bytes / 1_000).toLocaleString('en-GB')} kB`
